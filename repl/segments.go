package repl

import (
	"regexp"
	"strings"
)

// segment is a part of a cell: a command to the session, or Go.
type segment struct {
	start   int    // offset in the cell
	command string // the line, "" for Go
	body    string // Go; what follows a command with two percent signs
}

// question is a line that asks about a name: ?name, name?, with one more
// question mark for the source.
var question = regexp.MustCompile(`^(\?\??\s*%?[\pL_][\pL\d_./]*|%?[\pL_][\pL\d_./]*\s*\?\??|\?)$`)

func isCommand(line string) bool {
	return strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") || question.MatchString(line)
}

// segments splits a cell. A line is a command when it begins with a percent
// sign or an exclamation mark, or is a question, and what stands above it is complete: so a percent
// sign that divides, or one in a raw string, stays Go's.
func segments(source string) []segment {
	var out []segment
	from := 0 // of the Go that goes on
	for start := 0; start < len(source); {
		end := len(source)
		if i := strings.IndexByte(source[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		line := strings.TrimSpace(source[start:end])
		if isCommand(line) {
			above := source[from:start]
			if c, err := newCell(0, "", above); err == nil && c.whole {
				if strings.TrimSpace(above) != "" {
					out = append(out, segment{start: from, body: above})
				}
				if strings.HasPrefix(line, "%%") {
					return append(out, segment{start: start, command: line, body: source[end:]})
				}
				out = append(out, segment{start: start, command: line})
				from = end
			}
		}
		start = end
	}
	if rest := source[from:]; strings.TrimSpace(rest) != "" || len(out) == 0 {
		out = append(out, segment{start: from, body: rest})
	}
	return out
}

// goPart is the Go that a cursor stands in, and where it begins.
func goPart(source string, cursor int) (part string, start int) {
	for _, p := range segments(source) {
		end := p.start + len(p.body)
		from := p.start
		if p.command != "" {
			if !strings.HasPrefix(p.command, "%%") {
				continue
			}
			end = len(source)
			from = end - len(p.body)
		}
		if from <= cursor && cursor <= end {
			return source[from:end], from
		}
	}
	return source, 0
}
