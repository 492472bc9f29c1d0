package symmom

import (
	"strings"

	"symmom/internal/text/htmltext"
)

// Result is what all results have in common: an error, and ways to show themselves.
type Result struct {
	err error
	of  presenter // the result that it is part of; nil for a zero value
}

// presenter is a result.
type presenter interface {
	common() *Result
	shown() shown
}

// shown is a text, and the same for a notebook.
type shown interface {
	String() string
	HTML() string
}

// made returns a new result, which can show itself from now on.
func made[T presenter](x T) T {
	x.common().of = x
	return x
}

// parts are shown one below the other.
type parts []shown

func (p parts) String() string {
	var texts []string
	for _, x := range p {
		texts = append(texts, x.String())
	}
	return strings.Join(texts, "\n\n")
}

func (p parts) HTML() string {
	var pages []string
	for _, x := range p {
		pages = append(pages, x.HTML())
	}
	return strings.Join(pages, "\n")
}

func (r *Result) common() *Result { return r }

func (r *Result) shown() shown {
	if r.of == nil {
		return &htmltext.Facts{Title: errorLine("result", r.err)}
	}
	return r.of.shown()
}

// Err returns the first error of the chain that led here, or nil.
func (r *Result) Err() error { return r.err }

// String describes the result in a few lines, or as a table.
func (r *Result) String() string { return r.shown().String() }

// HTML is String as a table for notebooks.
func (r *Result) HTML() string { return r.shown().HTML() }
