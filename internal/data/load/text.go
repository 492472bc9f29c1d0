package load

import (
	"context"

	"symmom/internal/data/columnar"
	"symmom/internal/data/columns"
	"symmom/internal/data/formats"
	"symmom/internal/data/numerals"
	"symmom/internal/store/files"
)

// Contents is a file whose columns may hold anything, open to be looked at: a text table, a
// columnar file, or an array. All are nil for what holds numbers alone and is read whole.
type Contents struct {
	Source   string
	Format   string
	Text     *TextTable
	Columnar columnar.File
	Array    *formats.Array
	Codes    *columns.Columns // of missing values, in all columns; a list has one for each of its numbers
	file     files.File
}

// OpenContents opens a file as Load does.
func OpenContents(ctx context.Context, path string, o Options) (*Contents, error) {
	c := &Contents{Source: files.Name(path)}
	f, err := files.Open(ctx, path)
	if err != nil {
		return nil, OpenError(c.Source, err)
	}
	c.file = f
	in, found, err := identify(ctx, f, c.Source, formats.Of(files.Plain(path)), o)
	if err == nil && !found.Plain {
		err = c.look(ctx, in, found, o)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return c, nil
}

// look finds out what there is.
func (c *Contents) look(ctx context.Context, in formats.Input, found *formats.Format, o Options) error {
	c.Format = found.Name
	of, err := open(ctx, in, c.file, found, o, false)
	if err != nil {
		return err
	}
	switch {
	case of.Columnar != nil:
		l, err := openLayout(of)
		if err != nil {
			return err
		}
		c.Columnar = l.file
		l.places()
		c.Codes, err = columns.CodesOf(c.Source, l.names, len(l.names), o.Codes)
		return err
	case of.Text != nil:
		if c.Text, err = openText(of, o); err == nil {
			c.Codes, err = columns.CodesOf(c.Source, c.Text.Names, c.Text.Fields, o.Codes)
		}
	case of.Array != nil && !of.Array.Fortran:
		of.Array.InPlaces(ctx)
		c.Array = of.Array
		if _, err := o.called(c.Source, c.Array.Columns); err != nil {
			return err
		}
		c.Codes, err = columns.CodesOf(c.Source, o.Names, c.Array.Columns, o.Codes)
	}
	return err
}

// Close closes the file.
func (c *Contents) Close() { c.file.Close() }

// TextTable is a text table read record by record.
type TextTable struct {
	Names  []string // of the columns, or nil
	Fields int      // in each record
	Style  numerals.Style

	c     *csvReader
	ahead []record
}

func openText(of contents, o Options) (*TextTable, error) {
	o.piece = -1
	c, err := newCSV(of, o)
	if err != nil {
		return nil, err
	}
	ahead, _, header, err := c.open()
	if err != nil {
		return nil, err
	}
	t := &TextTable{Names: c.names, Fields: c.fields, Style: c.style, c: c}
	if header {
		ahead = ahead[1:]
	}
	t.ahead = ahead
	return t, nil
}

// Next returns the fields of a record, valid until the next call, and its line; its
// error is io.EOF after the last.
func (t *TextTable) Next() (fields []string, line int, err error) {
	if len(t.ahead) > 0 {
		r := t.ahead[0]
		t.ahead = t.ahead[1:]
		return r.fields, r.line, t.c.wide(r.fields, r.line)
	}
	fields, err = t.c.next()
	if err != nil {
		return nil, 0, err
	}
	return fields, t.c.line(), t.c.wide(fields, t.c.line())
}

// OpenTextTable reads a table of delimited text that in has.
func OpenTextTable(in formats.Input, o Options) (*TextTable, error) {
	return openText(contents{&formats.Contents{In: in, Text: &formats.Text{}}}, o)
}
