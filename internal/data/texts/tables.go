package texts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"symmom/internal/data/columnar"
	"symmom/internal/data/formats"
	"symmom/internal/data/load"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// table passes on a column of a file. Missing texts are empty documents.
func (f Files) table(ctx context.Context, path string, limit uint64, do func(string) error) error {
	c, err := load.OpenContents(ctx, path, f.options(limit))
	if err != nil {
		return err
	}
	defer c.Close()
	switch {
	case c.Text != nil:
		return f.records(ctx, c.Source, c.Text, do)
	case c.Columnar == nil:
		return diag.Fail(c.Source, "holds numbers (%s), want texts", c.Format)
	}
	var names []string
	for _, column := range c.Columnar.Columns() {
		names = append(names, column.Name)
	}
	j, err := f.columnOf(c.Source, names, len(names))
	if err != nil {
		return err
	}
	if column := c.Columnar.Columns()[j]; !column.Text || column.Width > 0 {
		return diag.Helped(diag.Fail(c.Source, "column %s holds values of type %s, want texts", words.Quote(column.Name), column.Type), "Column")
	}
	row := 0
	for part, k := range c.Columnar.Parts() {
		if err := columnar.Texts(ctx, c.Columnar, part, j, 0, k, func(text []byte, _ bool) error {
			row++
			if !utf8.Valid(text) {
				return &taken{notUTF8(c.Source, fmt.Sprintf("row %d: ", row), 1, string(text))}
			}
			if err := do(string(text)); err != nil {
				return &taken{err}
			}
			return nil
		}); err != nil {
			if t := (*taken)(nil); errors.As(err, &t) {
				return t.error
			}
			return formats.Named(c.Source).ColumnarError(err)
		}
	}
	return nil
}

// taken is an error that is not of a columnar file.
type taken struct{ error }

func (f Files) options(limit uint64) load.Options {
	o := load.Options{Header: f.Header, Delimiter: f.Delimiter, Decimal: '.', MemoryLimit: limit} // numbers do not matter
	if f.Column != "" {
		o.Columns = []string{f.Column} // a name that the first line has makes that the header
	}
	return o
}

// rows passes on a column of a table of text.
func (f Files) rows(ctx context.Context, in formats.Input, do func(string) error) error {
	t, err := load.OpenTextTable(in, f.options(in.Limit))
	if err != nil {
		return err
	}
	return f.records(ctx, in.Name, t, do)
}

// records passes on a column of records.
func (f Files) records(ctx context.Context, source string, t *load.TextTable, do func(string) error) error {
	j, err := f.columnOf(source, t.Names, t.Fields)
	if err != nil {
		return err
	}
	for k := 0; ; k++ {
		if k%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		fields, line, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !utf8.ValidString(fields[j]) {
			return notUTF8(source, "", line, fields[j])
		}
		if err := do(strings.Clone(fields[j])); err != nil { // a copy: fields are parts of the whole record
			return err
		}
	}
}

// fields passes on a field of each line of JSON. One that is null or missing is an empty
// document.
func (f Files) fields(do func(string) error) func(formats.Input) error {
	return func(in formats.Input) error {
		found, first := false, ""
		err := eachLine(in, func(line []byte, number int) error {
			var object map[string]json.RawMessage
			switch {
			case len(line) == 0:
				return nil
			case !utf8.Valid(line):
				return notUTF8(in.Name, "", number, string(line))
			}
			if err := json.Unmarshal(line, &object); err != nil || object == nil {
				return diag.Fail(in.Name, "line %d: got %s, want an object of JSON on each line", number, words.Quote(diag.Short(string(line[:min(len(line), 60)]))))
			}
			if first == "" {
				var names []string
				for _, name := range slices.Sorted(maps.Keys(object)) {
					names = append(names, words.Quote(diag.Name(name)))
				}
				first = diag.List(names)
			}
			text := ""
			if value, ok := object[f.Column]; ok {
				found = true
				if err := json.Unmarshal(value, &text); err != nil {
					return diag.Helped(diag.Fail(in.Name, "line %d: field %s is %s, want a text", number, words.Quote(f.Column), words.Quote(diag.Short(string(value[:min(len(value), 60)])))), "Column")
				}
			}
			return do(text)
		})
		if err == nil && !found && first != "" {
			err = diag.Helped(diag.Fail(in.Name, "no line has a field %s; the first has %s", words.Quote(f.Column), first), "Column")
		}
		return err
	}
}
