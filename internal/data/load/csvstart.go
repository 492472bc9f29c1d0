package load

import (
	"io"
	"slices"
	"strings"

	"symmom/internal/data/columns"
	"symmom/internal/data/delimited"
)

// record is one that was read, and its line.
type record struct {
	fields []string
	line   int
}

// open reads the first one or two records, and finds out how the table is written and
// whether the first is its header. It also returns the records of the first lines.
func (c *csvReader) open() (ahead []record, sample [][]string, header bool, err error) {
	first, err := c.next()
	switch {
	case err == io.EOF && c.comment != "":
		return nil, nil, false, empty(c.in.Name, "has comments but no observations; want at least one line that does not begin with #")
	case err == io.EOF:
		return nil, nil, false, empty(c.in.Name, "is empty; want a table with one observation a row")
	case err != nil:
		return nil, nil, false, err
	}
	quoted := delimited.Quoted(c.r, first, c.head)
	all, idle := delimited.Quotes(first, quoted, c.r.Comma)
	first, c.first, c.fields = slices.Clone(first), c.line(), len(first)
	if err := c.in.Shape(0, c.fields); err != nil {
		return nil, nil, false, err
	}
	second, err := c.next()
	if err != nil && err != io.EOF {
		return nil, nil, false, err
	}
	ahead = append(ahead, record{first, c.first})
	if err == nil {
		marks := delimited.Quoted(c.r, second, c.head)
		next, _ := delimited.Quotes(second, marks, c.r.Comma)
		c.quoted = all && idle && !next
		second = slices.Clone(second)
		ahead = append(ahead, record{second, c.line()})
		if c.options.Header != HeaderAbsent && delimited.NamesRows(first, second, c.r.Comma != ',' || all && marks[0]) {
			c.unnamed, c.fields, first, quoted = 1, len(second), append([]string{""}, first...), append([]bool{false}, quoted...)
			ahead[0].fields = first
		}
	}
	if sample, err = c.look(first, second); err != nil {
		return nil, nil, false, err
	}
	names, header, err := c.header(first, sample)
	if err == nil {
		err = c.checkNames(names, c.first)
	}
	if err != nil {
		return nil, nil, false, err
	}
	for j, name := range names {
		// Between quotation marks blanks are of the name.
		if trimmed := strings.TrimSpace(name); !header || !quoted[j] || trimmed == "" {
			names[j] = trimmed
		}
	}
	c.names = names
	if header && second == nil {
		err = empty(c.in.Name, "has a header but no observations; want at least one more line")
	}
	return ahead, sample, header, err
}

// start reads the header and the first one or two rows.
func (c *csvReader) start() error {
	ahead, sample, header, err := c.open()
	if err != nil {
		return err
	}
	c.leaveOut(sample, header)
	if c.sel, err = columns.Select(c.in.Name, c.names, c.fields, c.options.wanted()); err != nil {
		return err
	}
	c.begin()
	for i, r := range ahead {
		if header && i == 0 {
			continue
		}
		if err := c.row(r.fields, r.line); err != nil {
			return err
		}
	}
	if len(ahead) > 1 {
		c.startBlocks()
	}
	return nil
}
