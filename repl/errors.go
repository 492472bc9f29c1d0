package repl

import (
	"errors"
	"fmt"
	"go/ast"
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
	Trace   []string // of a panic: "main.f, cell 2, line 3", innermost first

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
	aliases  = regexp.MustCompile(aliasMark + `\d+`)
	fileName = regexp.MustCompile(`/_\.go\b`)
)

// clean takes the interpreter's inner names out of a message.
func clean(msg string) string {
	msg = anywhere.ReplaceAllString(msg, "cell $1, line $2")
	msg = aliases.ReplaceAllString(msg, "")
	return fileName.ReplaceAllString(msg, "")
}

// compileError makes an Error of one from the compiler.
func (s *Session) compileError(c *cell, u *unit, err error) error {
	line, column := c.place(u.start)
	msg := err.Error()
	var internal internalError
	errors.As(err, &internal)
	if m := incomplete.FindStringSubmatch(msg); m != nil {
		// A name that was met before it was declared, here or in an earlier
		// cell that failed.
		name := original(m[1])
		identifiers(u.node(), func(id *ast.Ident) {
			if original(id.Name) == name {
				pos := s.interp.FileSet().Position(id.Pos())
				line, column = pos.Line, pos.Column
			}
		})
		return c.errorIn("compile", line, column, s.explain(u, "undefined: "+name, false))
	}
	if m := leading.FindStringSubmatch(msg); m != nil {
		msg = msg[len(m[0]):]
		if number, _ := strconv.Atoi(m[1]); number == c.number {
			line, _ = strconv.Atoi(m[2])
			column, _ = strconv.Atoi(m[3])
		}
	}
	return c.errorIn("compile", line, column, s.explain(u, clean(msg), internal.value != nil))
}

var (
	incomplete    = regexp.MustCompile(`incomplete type (\S+)$`)
	undefinedName = regexp.MustCompile(`^undefined: (\w+)$`)
	noSymbol      = regexp.MustCompile(`^package (\w+) "([^"]+)" has no symbol (\w+)$`)
	noSelector    = regexp.MustCompile(`^undefined selector: (?:(\w+)\.)?(\w+)$`)
	noTypes       = regexp.MustCompile(`undefined type for \w+$`)
)

// explain puts what the compiler says in Go's words, and adds what to do.
func (s *Session) explain(u *unit, msg string, internal bool) string {
	if m := undefinedName.FindStringSubmatch(msg); m != nil {
		if m[1] == supportName {
			return "this name belongs to the session"
		}
		if builtins[m[1]] {
			return msg + " (the interpreter does not have this builtin)"
		}
		switch paths := s.library.paths(m[1]); len(paths) {
		case 0:
		case 1:
			return fmt.Sprintf("%s (write: import %q)", msg, paths[0])
		default:
			last := len(paths) - 1
			for i := range paths {
				paths[i] = strconv.Quote(paths[i])
			}
			return fmt.Sprintf("%s (write: import %s or %s)", msg, strings.Join(paths[:last], ", "), paths[last])
		}
		return msg
	}
	if m := noSymbol.FindStringSubmatch(msg); m != nil {
		return fmt.Sprintf("undefined: %s.%s", m[1], m[3])
	}
	if m := noSelector.FindStringSubmatch(msg); m != nil {
		switch p := s.names.imports[m[1]]; p {
		case "":
			return "undefined: no field or method " + m[2]
		case "slices", "maps":
			return fmt.Sprintf("undefined: %s.%s (the interpreter has little of this package; take sort, or write a loop)", m[1], m[2])
		default:
			return "undefined: " + m[1] + "." + m[2]
		}
	}
	if noTypes.MatchString(msg) {
		return "the interpreter cannot find the types for this call of a generic function; write it out"
	}
	if msg == "cannot use func() as type ()" {
		return "the call returns no value"
	}
	if internal {
		if strings.Contains(msg, "nil type") && hasRange(u) {
			return "the interpreter cannot range over an integer or a function; write for i := 0; i < n; i++"
		}
		return "the interpreter cannot compile this (" + msg + ")"
	}
	return msg
}

// panicError makes an Error of a panic in a cell.
func (s *Session) panicError(c *cell, u *unit, p interp.Panic) error {
	e := c.errorAt(u.start, "panic", "panic: "+clean(strings.TrimPrefix(fmt.Sprint(p.Value), "reflect: ")))
	e.err, _ = p.Value.(error)
	e.Trace = s.trace.frames()
	return e
}
