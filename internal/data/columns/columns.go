// Package columns finds columns of a table by name, number or range, and holds what is not
// a variable in them: codes of missing values, and labels of the observations.
package columns

import (
	"fmt"
	"strconv"
	"strings"

	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Places are the columns (0-based) that names stand for: the first, and how many.
type Places map[string]struct{ at, count int }

// PlacesOf returns the places of names; a column without a name has none.
func PlacesOf(names []string) Places {
	p := make(Places, len(names))
	for j, name := range names {
		if name == "" {
			continue
		}
		v := p[name]
		if v.count == 0 {
			v.at = j
		}
		v.count++
		p[name] = v
	}
	return p
}

// of finds a name: a column, or the numbers of a list, e[0], e[1] and so on for e. count is how
// many have it.
func (p Places) of(name string) (from, to, count int) {
	v := p[name]
	if v.count > 0 {
		return v.at, v.at, v.count
	}
	v = p[name+"[0]"]
	for to = v.at; ; to++ {
		next := p[fmt.Sprintf("%s[%d]", name, to+1-v.at)]
		if next.count == 0 || next.at != to+1 {
			return v.at, to, v.count
		}
	}
}

// Resolve turns one name, number or range into a 0-based inclusive range; the name of a list
// into that of its numbers. A column without a name can be called as messages call it, "column 3".
func Resolve(source, what, want string, names []string, known Places, n int) (from, to int, err error) {
	from, to, count := known.of(want)
	number, _ := strings.CutPrefix(want, "column ")
	if k, err := strconv.Atoi(number); err == nil && number != want && 1 <= k && k <= n && (names == nil || names[k-1] == "") {
		from, to, count = k-1, k-1, count+1
	}
	switch {
	case count > 1:
		return 0, 0, diag.Fail(source, "%s %s: the header has this name %d times; use the column's number", what, words.Quote(want), count)
	case count == 1:
		return from, to, nil
	}
	first, last, isRange := strings.Cut(strings.TrimSpace(want), "..") // as of ranks
	if !isRange {
		first, last, isRange = strings.Cut(strings.TrimSpace(want), "-")
	}
	from, err1 := strconv.Atoi(strings.TrimSpace(first))
	to, err2 := from, err1
	if isRange {
		to, err2 = strconv.Atoi(strings.TrimSpace(last))
	}
	if a, b, ok := known.between(want); ok && (err1 != nil || err2 != nil) {
		from, to, err1, err2 = a+1, b+1, nil, nil
	}
	switch {
	case err1 != nil || err2 != nil:
		if names == nil {
			return 0, 0, diag.Fail(source, "%s %s: the source has no column names; use a number from 1 to %d or a range such as 2-5", what, words.Quote(want), n)
		}
		return 0, 0, diag.Fail(source, "%s %s: unknown; the columns are %s", what, words.Quote(want), diag.List(quoted(names)))
	case from < 1 || to < 1 || from > n || to > n:
		return 0, 0, diag.Fail(source, "%s %s: out of range; the source has %s, numbered from 1", what, words.Quote(want), words.Plural(n, "column"))
	case from > to:
		return 0, 0, diag.Fail(source, "%s %s: the range runs backwards; want %d-%d", what, words.Quote(want), to, from)
	}
	return from - 1, to - 1, nil
}

// between takes a range of two names apart, which may have hyphens themselves.
func (p Places) between(want string) (from, to int, ok bool) {
	for i := range want {
		size := 1
		if strings.HasPrefix(want[i:], "..") {
			size = 2
		}
		if size == 2 || want[i] == '-' {
			first, _, one := p.of(strings.TrimSpace(want[:i]))
			if _, last, other := p.of(strings.TrimSpace(want[i+size:])); one == 1 && other == 1 {
				return first, last, true
			}
		}
	}
	return 0, 0, false
}

func quoted(names []string) []string {
	q := make([]string, len(names))
	for j, s := range names {
		if s == "" {
			s = fmt.Sprintf("column %d", j+1) // which Resolve takes
		}
		q[j] = words.Quote(s)
	}
	return q
}

// NoNumbers refuses a table of which these columns, besides labels, hold no numbers.
func NoNumbers(source string, left []string) error {
	if len(left) == 0 {
		return diag.Fail(source, "has no column that could be a variable; want one of numbers")
	}
	return diag.Fail(source, "has no column of numbers; its columns are %s", diag.List(left))
}

// LeftOut warns of columns, besides labels, that hold no numbers and are left out.
func LeftOut(left []string) []diag.Warning {
	if len(left) == 0 {
		return nil
	}
	return []diag.Warning{diag.New(diag.LeftOut, "%s without numbers left out: %s", words.Plural(len(left), "column"), diag.List(left)).With("Columns", "Labels")}
}
