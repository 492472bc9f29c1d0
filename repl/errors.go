package repl

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/traefik/yaegi/interp"
)

// Error is an error in a cell: what, and where in the user's own source.
type Error struct {
	Kind    string // "syntax", "compile", "import", "run", "panic", "interrupted"
	Name    string // of the script, "" for a cell
	Cell    int    // number of the cell, from 1
	Line    int    // from 1; 0 where there is no place
	Column  int    // from 1, in bytes; 0 where only the line is known
	Message string
	Source  string   // the line
	Trace   []string // of a panic: "main.f, cell 2, line 3" with the line below, innermost first

	err error
}

// Error is one line, such as "2:7: undefined: x", with the script's name in
// front where there is one.
func (e *Error) Error() string {
	place := ""
	switch {
	case e.Line > 0 && e.Column > 0:
		place = fmt.Sprintf("%d:%d: ", e.Line, e.Column)
	case e.Line > 0:
		place = fmt.Sprintf("%d: ", e.Line)
	}
	if e.Name != "" && place != "" {
		place = e.Name + ":" + place
	}
	return place + e.Message
}

// Unwrap returns ErrInterrupted, the value of a panic that is an error, or nil.
func (e *Error) Unwrap() error { return e.err }

// Report is the error with the source line and a caret below the place.
func (e *Error) Report() string {
	var b strings.Builder
	b.WriteString(e.Error())
	if e.Source != "" {
		b.WriteString("\n    " + e.Source)
		if e.Column > 0 {
			b.WriteString("\n    " + underline(e.Source, e.Column))
		}
	}
	for _, t := range e.Trace {
		b.WriteString("\n    in " + t)
	}
	return b.String()
}

// underline is a caret below a column, with the line's tabs kept.
func underline(line string, column int) string {
	before := line[:min(column-1, len(line))]
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before) + "^"
}

// message is an error without its place.
func message(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

func (c *cell) errorAt(offset int, kind, msg string) *Error {
	if offset >= len(c.source) { // behind the last character, not on a line below
		offset = len(strings.TrimRight(c.source, " \t\r\n"))
	}
	line, column := c.place(offset)
	return c.errorIn(kind, line, column, msg)
}

func (c *cell) errorIn(kind string, line, column int, msg string) *Error {
	e := &Error{Kind: kind, Name: c.name, Cell: c.number, Line: line, Column: column, Message: msg}
	if lines := strings.Split(c.source, "\n"); line >= 1 && line <= len(lines) {
		e.Source = strings.TrimRight(lines[line-1], "\r")
	}
	if !utf8.ValidString(e.Source) {
		e.Source = strings.ToValidUTF8(e.Source, "?")
	}
	return e
}

func (c *cell) interrupted() *Error {
	return &Error{Kind: "interrupted", Cell: c.number, Message: ErrInterrupted.Error(), err: ErrInterrupted}
}

// place in a message of yaegi: the file is that of a cell.
var (
	leading  = regexp.MustCompile(`^(\d+)/_\.go:(\d+):(\d+): `)
	anywhere = regexp.MustCompile(`(\d+)/_\.go:(\d+):(\d+)`)
	aliases  = regexp.MustCompile(`(?:` + aliasMark + `|` + localMark + `)\d*`)
	fileName = regexp.MustCompile(`/_\.go\b`)
)

// clean takes the interpreter's inner names out of a message.
func clean(msg string) string {
	msg = anywhere.ReplaceAllString(msg, "cell $1, line $2")
	msg = aliases.ReplaceAllString(msg, "")
	return fileName.ReplaceAllString(msg, "")
}

// compileError makes an Error of one from the interpreter's compiler. The
// cell is right by the rules of Go; the interpreter has its limits.
func (s *Session) compileError(c *cell, err error) error {
	line, column := c.place(0)
	msg := err.Error()
	if m := leading.FindStringSubmatch(msg); m != nil {
		msg = msg[len(m[0]):]
		if number, _ := strconv.Atoi(m[1]); number == c.number {
			line, _ = strconv.Atoi(m[2])
			column, _ = strconv.Atoi(m[3])
		}
	}
	return c.errorIn("compile", line, column, "the interpreter cannot compile this, though it is Go; write it in another way ("+clean(msg)+")")
}

// panicError makes an Error of a panic in a cell.
func (s *Session) panicError(c *cell, p interp.Panic) error {
	e := c.errorAt(s.statement(), "panic", "panic: "+clean(strings.TrimPrefix(fmt.Sprint(p.Value), "reflect: ")))
	e.err, _ = p.Value.(error)
	e.Trace = s.trace.frames()
	return e
}
