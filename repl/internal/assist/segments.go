package assist

import (
	"go/token"
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

// negated matches the beginning of a line that may negate an operand in Go: its first
// name, and what follows it in Go rather than in a shell, where arguments follow a blank.
var negated = regexp.MustCompile(`^![!(\s]*([\pL_][\pL\d_]*)([.([]|\s*(?:$|\)|&&|\|\||==|!=|;|//|/\*))`)

// negates reports whether a line that begins with an exclamation mark is Go: its first
// name is that of a declaration, or of a builtin function that is called.
func (a *Assistant) negates(line, above string) bool {
	m := negated.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	if m[2] == "(" && builtins[m[1]] {
		return true
	}
	for _, t := range lex(above).tokens {
		if t.tok == token.IDENT && t.text == m[1] || t.tok == token.STRING && strings.HasSuffix(strings.Trim(t.text, "\"`"), m[1]) {
			return true
		}
	}
	return a.Declarations.Has(m[1])
}

// builtins are the builtin functions whose results can be part of a bool.
var builtins = map[string]bool{"len": true, "cap": true, "min": true, "max": true, "bool": true}

// Segments splits a cell. A line is a command if it begins with a percent sign or
// an exclamation mark, or is a question, and if the source above it is complete; so
// a percent sign that divides, or one in a raw string, remains Go. So does the
// negation of something that is declared.
func (a *Assistant) Segments(source string) []Segment {
	var out []Segment
	from := 0 // of the current Go segment
	for start := 0; start < len(source); {
		end := len(source)
		if i := strings.IndexByte(source[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		line := strings.TrimSpace(source[start:end])
		if isCommand(line) && !(strings.HasPrefix(line, "!") && a.negates(line, source[:start])) {
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
func (a *Assistant) goPart(source string, cursor int) (part string, start int) {
	for _, p := range a.Segments(source) {
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
