package observations

import (
	"slices"
	"strconv"
	"strings"

	"symmom/internal/dialect"
	"symmom/internal/notice"
	"symmom/internal/words"
)

// isHeader reports whether the first record is a header.
func (c *csvReader) isHeader(first dialect.First) (bool, error) {
	o := c.options
	if o.Header != HeaderAuto {
		return o.Header == HeaderPresent, nil
	}
	asked := func(name string) bool {
		// A number of a column asks for no name.
		n, err := strconv.Atoi(name)
		return (err != nil || n < 1 || n > c.fields) && (name == o.Weights || name == o.Labels || slices.Contains(o.Columns, name))
	}
	header, at, want := first.IsHeader(asked)
	if want != "" { // unless the text is a code of a missing value
		first.Record = c.emptied([][]string{first.Record}, func(_ int, field string) bool { return o.Codes.Holds(field) })[0]
		header, at, want = first.IsHeader(asked)
	}
	if want == "" {
		if at := first.MayName(); !header && at >= 0 {
			c.t.notes = append(c.t.notes, notice.New(notice.Header, "%s in line %d is read as an observation, although the next numbers have a decimal sign or an exponent, and it has none: if it is a name, say that the first line is a header", words.Quote(strings.TrimSpace(first.Record[at])), c.first).With("Header"))
		}
		return header, nil
	}
	return false, &ParseError{Source: c.in.Name, Line: c.first, Column: at + 1, Value: first.Record[at], Want: want, Options: []string{"Header"}}
}
