// Package diag defines what users are told about their data and results: errors of a source
// of observations with a position, on one line; warnings; and the options that help against
// either.
package diag

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"symmom/internal/text/words"
)

// ParseError says where a source does not hold what it should.
type ParseError struct {
	Source string
	Line   int    // 1-based line of a text file; 0 when the source is not text
	Row    int    // 1-based observation where there are no lines; 0 unknown
	Column int    // 1-based column; 0 when the whole line is meant
	Name   string // the column's name, "" when it has none
	Value  string // what is there: the field as it stands, or words when Column is 0
	Want   string // what was expected, and what to do

	// Options that Want names, if any.
	Options []string
}

// Help returns Options.
func (e *ParseError) Help() []string { return e.Options }

// Error gives one line such as
//
//	data.csv: line 3, column 2 (height): got "tall", want a number
func (e *ParseError) Error() string {
	var b strings.Builder
	b.WriteString(e.Source + ":")
	comma := ""
	place := func(what string, n int) {
		if n > 0 {
			b.WriteString(comma + " " + what + " " + strconv.Itoa(n))
			comma = ","
		}
	}
	place("line", e.Line)
	place("row", e.Row)
	place("column", e.Column)
	if e.Name != "" {
		b.WriteString(" (" + Short(e.Name) + ")")
	}
	if comma != "" {
		b.WriteByte(':')
	}
	got := e.Value
	if e.Column > 0 {
		got = words.Quote(got)
	}
	b.WriteString(" got " + got + ", want " + e.Want)
	return OneLine(b.String())
}

// ColumnCount is a number of cells of one column.
type ColumnCount struct {
	Column int    // 1-based column of the source
	Name   string // "" when it has none
	Count  int
}

func (c ColumnCount) label() string {
	if c.Name == "" {
		return "column " + strconv.Itoa(c.Column)
	}
	return Short(c.Name)
}

// MissingError counts the missing values of each column that has any.
type MissingError struct {
	Source   string
	Counts   []ColumnCount
	Streamed bool // values are not kept, so that none can be filled in
}

// Unwrap returns ErrMissing.
func (e *MissingError) Unwrap() error { return ErrMissing }

// Help names the options that deal with missing values.
func (e *MissingError) Help() []string {
	if e.Streamed {
		return []string{"Missing=drop", "Columns"}
	}
	return []string{"Missing", "Columns"}
}

// Error names the columns with their counts and says what to do.
func (e *MissingError) Error() string {
	total, parts := 0, make([]string, len(e.Counts))
	for i, c := range e.Counts {
		total += c.Count
		parts[i] = fmt.Sprintf("%s (%d)", c.label(), c.Count)
	}
	fill := ", fill with the column mean,"
	if e.Streamed {
		fill = ""
	}
	return OneLine(fmt.Sprintf("%s: %s: %s; drop those rows%s or choose other columns",
		e.Source, words.Plural(total, "missing value"), List(parts), fill))
}

// Failure is a one-line error that begins with its source and keeps its cause.
type Failure struct {
	text  string
	cause error
}

func (f *Failure) Error() string { return f.text }
func (f *Failure) Unwrap() error { return f.cause }

// Fail is fmt.Errorf with the source in front, whatever the arguments hold on one line.
func Fail(source, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Failure{OneLine(source + ": " + err.Error()), err}
}

// ErrTooLarge is wrapped by the errors of what would not fit in memory.
var ErrTooLarge = errors.New("too large for the memory")

// ErrMissing is wrapped by a MissingError.
var ErrMissing = errors.New("missing values")

// ErrNoData is wrapped by the errors of sources that hold no observation.
var ErrNoData = errors.New("no observations")

// Empty is Fail for a source that holds no observation.
func Empty(source, format string, args ...any) error {
	return &Failure{OneLine(source + ": " + fmt.Sprintf(format, args...)), ErrNoData}
}

// List joins what a message can carry: the first eight, then how many more.
func List(parts []string) string {
	const most = 8
	if len(parts) > most {
		return strings.Join(parts[:most], ", ") + fmt.Sprintf(" and %d more", len(parts)-most)
	}
	return strings.Join(parts, ", ")
}

// Short cuts a name that would make a message unreadable.
func Short(name string) string {
	const most = 60
	if utf8.RuneCountInString(name) > most {
		return string([]rune(name)[:most]) + "..."
	}
	return name
}

// Name is how the name of a column, a group or the like that comes from outside is shown and
// kept: on one line, and no longer than people write names. A quotation mark that is not closed
// makes one of megabytes.
func Name(s string) string {
	const most = 200
	if len(s) > most && utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "..."
	}
	return OneLine(s)
}

// OneLine makes foreign text (names from a file, a path) safe inside a one-line
// message: without what moves a terminal or turns text around. Joiners, which scripts and
// emoji need, stay.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		const nonJoiner, joiner = '\u200c', '\u200d'
		if !unicode.IsGraphic(r) && r != nonJoiner && r != joiner {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

// Open says why the file of this name cannot be read, and what to do.
func Open(name string, err error) error {
	var failure *Failure
	switch {
	case errors.As(err, &failure): // by who opened it
		return err
	case name == "":
		return errors.New("the name of the file is empty; give the path of a file")
	case errors.Is(err, fs.ErrNotExist):
		return Fail(name, "%w; check the path", fs.ErrNotExist)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Fail(name, "reading stopped: %w", err)
	case errors.Is(err, fs.ErrPermission):
		return Fail(name, "%w to read; check the file's owner and mode", fs.ErrPermission)
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	return Fail(name, "%w", err)
}

// Value writes a number as ParseError.Value holds it.
func Value(v float64) string {
	if math.IsInf(v, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Gzip returns the error for invalid compressed data, or nil if err is of another kind.
func Gzip(source string, err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return Fail(source, "the gzip data are cut off; copy or compress the file again")
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		return Fail(source, "the gzip data are damaged (%w); copy or compress the file again", err)
	}
	return nil
}
