package assist

import (
	"regexp"
	"strings"

	"symmom/repl/internal/gofront"
)

// Segment is a part of a cell: a session command, or Go.
type Segment struct {
	Start   int    // offset in the cell
	Command string // the line, "" for Go
	Body    string // Go; for a command with two percent signs, what follows it
}

// question matches a line that asks about a name: ?name or name?, with a second
// question mark for the source.
var question = regexp.MustCompile(`^(\?\??\s*%?[\pL_][\pL\d_./]*|%?[\pL_][\pL\d_./]*\s*\?\??|\?)$`)

func isCommand(line string) bool {
	return strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") || question.MatchString(line)
}

// Segments splits a cell. A line is a command if it begins with a percent sign or
// an exclamation mark, or is a question, and if the source above it is complete; so
// a percent sign that divides, or one in a raw string, remains Go.
func Segments(source string) []Segment {
	var out []Segment
	from := 0 // of the current Go segment
	for start := 0; start < len(source); {
		end := len(source)
		if i := strings.IndexByte(source[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		line := strings.TrimSpace(source[start:end])
		if isCommand(line) {
			above := source[from:start]
			if c, err := gofront.NewCell(0, "", above); err == nil && c.Whole {
				if strings.TrimSpace(above) != "" {
					out = append(out, Segment{Start: from, Body: above})
				}
				if strings.HasPrefix(line, "%%") {
					return append(out, Segment{Start: start, Command: line, Body: source[end:]})
				}
				out = append(out, Segment{Start: start, Command: line})
				from = end
			}
		}
		start = end
	}
	if rest := source[from:]; strings.TrimSpace(rest) != "" || len(out) == 0 {
		out = append(out, Segment{Start: from, Body: rest})
	}
	return out
}

// goPart returns the Go that contains the cursor, and its offset.
func goPart(source string, cursor int) (part string, start int) {
	for _, p := range Segments(source) {
		end := p.Start + len(p.Body)
		from := p.Start
		if p.Command != "" {
			if !strings.HasPrefix(p.Command, "%%") {
				continue
			}
			end = len(source)
			from = end - len(p.Body)
		}
		if from <= cursor && cursor <= end {
			return source[from:end], from
		}
	}
	return source, 0
}
