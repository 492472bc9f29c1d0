package observations

import (
	"io"
	"slices"

	"symmom/internal/columns"
	"symmom/internal/dialect"
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
	quoted, idle := dialect.Quotes(c.r, first, c.head)
	first, c.first, c.fields = slices.Clone(first), c.line(), len(first)
	second, err := c.next()
	if err != nil && err != io.EOF {
		return nil, nil, false, err
	}
	if err == nil && c.options.Header != HeaderAbsent && dialect.NamesRows(first, second, c.r.Comma) {
		c.unnamed, c.fields, first = 1, len(second), append([]string{""}, first...)
	}
	ahead = append(ahead, record{first, c.first})
	if err == nil {
		all, _ := dialect.Quotes(c.r, second, c.head)
		c.quoted = quoted && idle && !all
		second = slices.Clone(second)
		ahead = append(ahead, record{second, c.line()})
	}
	if sample, err = c.look(first, second); err != nil {
		return nil, nil, false, err
	}
	names, header, err := c.header(first, second, sample)
	if err == nil {
		err = c.checkNames(names, c.first)
	}
	if err != nil {
		return nil, nil, false, err
	}
	c.takeHeader(names)
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
