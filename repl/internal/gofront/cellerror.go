package gofront

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"symmom/internal/store/interruptible"
	"symmom/repl/internal/syntax"
)

// Error is an error in a cell, with its position in the user's own source.
type Error struct {
	Kind    string // "syntax", "compile", "import", "run", "panic", "failed", "interrupted"
	Name    string // of the script, "" for a cell
	Cell    int    // number of the cell, from 1
	Line    int    // from 1; 0 if unknown
	Column  int    // from 1, in bytes; 0 if only the line is known
	Message string
	Source  string   // the line
	Trace   []string // of a panic: "main.f, cell 2, line 3" and the source line below, innermost first

	Err error
}

// Error returns one line, such as "2:7: undefined: x", preceded by the name of the
// script, if any.
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

// Unwrap returns ErrInterrupted, the value of a panic if that is an error, or nil.
func (e *Error) Unwrap() error { return e.Err }

// Report returns the error with the source line and a caret below the column.
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

// underline returns a caret below a column. Tabs of the line are kept.
func underline(line string, column int) string {
	before := line[:min(column-1, len(line))]
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before) + "^"
}

// Message returns an error without its position.
func Message(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Message
	}
	return err.Error()
}

// ErrorAt returns an Error of the given kind at an offset of the cell.
func (c *Cell) ErrorAt(offset int, kind, msg string) *Error {
	if offset >= len(c.Source) { // after the last character, not on a line below
		offset = len(strings.TrimRight(c.Source, " \t\r\n"))
	}
	line, column := c.Place(offset)
	return c.ErrorIn(kind, line, column, msg)
}

// ErrorIn is like ErrorAt for a line and a column, both from 1.
func (c *Cell) ErrorIn(kind string, line, column int, msg string) *Error {
	e := &Error{Kind: kind, Name: c.name, Cell: c.Number, Line: line, Column: column, Message: msg, Source: strings.TrimRight(c.line(line), "\r")}
	if !utf8.ValidString(e.Source) {
		e.Source = strings.ToValidUTF8(e.Source, "?")
	}
	return e
}

// Interrupted returns the error of an interrupted cell.
func (c *Cell) Interrupted() *Error {
	return &Error{Kind: "interrupted", Cell: c.Number, Message: interruptible.Err.Error(), Err: interruptible.Err}
}

// Positions in messages of yaegi, whose files are cells.
var (
	anywhere = regexp.MustCompile(`(\d+)/_\.go:(\d+):(\d+)`)
	aliases  = regexp.MustCompile(`(?:` + syntax.AliasMark + `|` + syntax.LocalMark + `)\d*`)
	fileName = regexp.MustCompile(`/_\.go\b`)
)

// Clean removes the interpreter's inner names from a message.
func Clean(msg string) string {
	msg = anywhere.ReplaceAllString(msg, "cell $1, line $2")
	msg = aliases.ReplaceAllString(msg, "")
	return fileName.ReplaceAllString(msg, "")
}
