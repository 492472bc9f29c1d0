package load

import (
	"slices"
	"strconv"
	"strings"

	"symmom/internal/data/delimited"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// isHeader reports whether the first record is a header.
func (c *csvReader) isHeader(first delimited.First) (bool, error) {
	o := c.options
	if o.Header != HeaderAuto {
		return o.Header == HeaderPresent, nil
	}
	asked := func(name string) bool {
		// A number of a column asks for no name.
		n, err := strconv.Atoi(name)
		return (err != nil || n < 1 || n > c.fields) && (name == o.Weights || name == o.Labels || slices.Contains(o.Columns, name))
	}
	r, at, want := first.Read(asked)
	if r == delimited.Either { // unless the text is a code of a missing value
		first.Record = c.emptied([][]string{first.Record}, func(_ int, field string) bool { return o.Codes.Holds(field) })[0]
		r, at, want = first.Read(asked)
	}
	switch {
	case r == delimited.Either:
		return false, &ParseError{Source: c.in.Name, Line: c.first, Column: at + 1, Value: first.Record[at], Want: want, Options: []string{"Header"}}
	case r == delimited.Perhaps:
		c.t.notes = append(c.t.notes, diag.New(diag.Header, "line %d is read as an observation: if its numbers, such as %s, are names of columns, say that the first line is a header", c.first, words.Quote(strings.TrimSpace(first.Record[at]))).With("Header"))
	}
	if at, again := first.Again(); r == delimited.Names && again {
		c.t.notes = append(c.t.notes, diag.New(diag.Header, "the line below the names may hold names too, such as %s: if it does, remove one of the two", words.Quote(strings.TrimSpace(first.Below[0][at]))))
	}
	return r == delimited.Names, nil
}
