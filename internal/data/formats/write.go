package formats

import (
	"io"

	"symmom/internal/data/columnar"
	"symmom/internal/data/delimited"
	"symmom/internal/data/npy"
)

// Writing says how tables are written in a format.
type Writing struct {
	Extensions []string // those that are named
	Zipped     bool     // it may be compressed by gzip
	Names      Names
	Gathered   bool // many rows make a group

	// New writes p rows of n numbers. names are those of the columns, or nil.
	New func(w io.Writer, extension string, names []string, p, n int, single bool) (Rows, error)
}

// Names says which columns of a written table have names.
type Names int

// AllNames have to differ.
const (
	NoNames Names = iota
	SomeNames
	AllNames
)

// Rows takes whole rows.
type Rows interface {
	Write(rows []float64) error
	Close() error
}

// Written returns the format that an extension, in lower case and without a dot, asks for
// when a table is written, or nil.
func Written(extension string) *Writing {
	if f := Of("." + extension); f != nil {
		return f.Write
	}
	return nil
}

func separated(delimiter byte, name string) *Writing {
	return &Writing{Extensions: []string{name}, Zipped: true, Names: SomeNames, New: func(w io.Writer, _ string, names []string, _, n int, _ bool) (Rows, error) {
		return delimited.NewWriter(w, delimiter, names, n)
	}}
}

func newArray(w io.Writer, _ string, _ []string, p, n int, single bool) (Rows, error) {
	return npy.NewWriter(w, p, n, single), nil
}

func grouped(names ...string) *Writing {
	return &Writing{Extensions: names, Names: AllNames, Gathered: true, New: func(w io.Writer, extension string, names []string, _, _ int, single bool) (Rows, error) {
		return columnar.NewWriter(w, extension, names, single)
	}}
}
