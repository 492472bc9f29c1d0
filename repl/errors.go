package repl

import (
	"regexp"
	"strconv"
	"strings"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// leading matches the position at the beginning of a yaegi error message that refers
// to a cell.
var leading = regexp.MustCompile(`^(\d+)/_\.go:(\d+):(\d+): `)

// compileError converts an error of the interpreter's compiler to an Error. The cell
// is valid Go, but exceeds the limits of the interpreter.
func (s *Session) compileError(c *gofront.Cell, err error) error {
	line, column := c.Place(0)
	msg := err.Error()
	if m := leading.FindStringSubmatch(msg); m != nil {
		msg = msg[len(m[0]):]
		if number, _ := strconv.Atoi(m[1]); number == c.Number {
			line, _ = strconv.Atoi(m[2])
			column, _ = strconv.Atoi(m[3])
		}
	}
	return c.ErrorIn("compile", line, column, "the interpreter cannot compile this, though it is Go; write it in another way ("+gofront.Clean(msg)+")")
}

// panicError converts a panic in a cell to an Error.
func (x *execution) panicError(p spokenPanic) error {
	e := x.cell.ErrorAt(x.statement(), "panic", "panic: "+gofront.Clean(strings.TrimPrefix(p.text, "reflect: ")))
	e.Err, _ = p.Value.(error)
	e.Trace = x.frames.List()
	return e
}

// functionNamed returns the name of a cell's function, given its name in the
// interpreter, or "" if the function is one of the session's own.
func functionNamed(inner string) string {
	name := gofront.Clean(inner)
	if strings.HasPrefix(name, "main."+syntax.SupportName) {
		return ""
	}
	return name
}
