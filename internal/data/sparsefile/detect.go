package sparsefile

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// query is one of svmlight.
var query = regexp.MustCompile(`^qid:\d+$`)

// pair is an index and a value of svmlight; a time looks like some of them.
var pair, clock = regexp.MustCompile(`^(\d+):[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$`), regexp.MustCompile(`^\d\d?:\d\d$`)

// IsSVMLight reports whether text begins as svmlight does, whose files often have no extension:
// after comments, a number and two pairs or more, by their indices, and they cannot all be times.
func IsSVMLight(head []byte) bool { return pairs(string(head)) }

func pairs(head string) bool {
	line, rest, whole := strings.Cut(head, "\n")
	line, _, commented := strings.Cut(line, "#")
	if whole && strings.TrimSpace(line) == "" {
		return pairs(rest)
	}
	whole = whole || commented
	fields := strings.Fields(line)
	fields = slices.DeleteFunc(fields, func(f string) bool { return query.MatchString(f) })
	if !whole && len(fields) > 0 {
		fields = fields[:len(fields)-1] // it may be cut off
	}
	if len(fields) < 3 {
		return false
	}
	if _, err := strconv.ParseFloat(fields[0], 64); err != nil {
		return false
	}
	before, times := -1, 0
	for _, f := range fields[1:] {
		found := pair.FindStringSubmatch(f)
		if found == nil {
			return false
		}
		index, err := strconv.Atoi(found[1])
		if err != nil || index <= before {
			return false
		}
		if before = index; clock.MatchString(f) && index < 24 {
			times++
		}
	}
	return times < len(fields)-1
}
