// Package describe summarizes the columns of a file, of any type.
package describe

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"symmom/internal/data/columnar"
	"symmom/internal/data/columns"
	"symmom/internal/data/load"
	"symmom/internal/data/numerals"
	"symmom/internal/text/diag"
)

// Kinds of columns.
const (
	Number = "number"
	Text   = "text"
	Time   = "time"
	Mixed  = "mixed" // numbers and text
	Empty  = "empty" // missing values only
	Other  = "other" // lists, records, bytes
)

// Table describes the columns of a table, whatever they hold.
type Table struct {
	Source  string
	Format  string // "csv", "parquet", ...
	Rows    int    // with and without missing values
	Columns []Column

	// Failure is why the table could not be described, or nil.
	Failure error
}

// Column describes a column, in the fields of symmom.Column, which says what they are.
type Column struct {
	Name            string
	Number          int
	Type, Kind      string
	Missing, Width  int
	Min, Max        float64
	Mean, Std       float64
	From, To        string
	Distinct        int // at most MostDistinct
	First           []string
	Suspects        map[float64]int
	NotFinite       int
	OddLine, OddRow int
	OddValue        string
}

// MostDistinct is how far different values are counted.
const MostDistinct = 1000

// File describes a file. It keeps nothing of it in memory except for numbers in a format that
// is read whole.
func File(ctx context.Context, path string, o load.Options) (t *Table, err error) {
	if once(path) {
		return nil, errOnce(path)
	}
	c, err := load.OpenContents(ctx, path, o)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	t = &Table{Source: c.Source, Format: c.Format}
	switch {
	case c.Text != nil:
		err = t.readText(ctx, c.Text, c.Codes)
	case c.Columnar != nil:
		err = t.readColumnar(ctx, c.Columnar, c.Codes)
	case c.Array != nil:
		err = t.readArray(ctx, c.Array, o.Names, c.Codes)
	default:
		return whole(ctx, path, o)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

func errOnce(path string) error {
	return diag.Fail(path, "is not a regular file, which is read once only: its columns cannot be described as well as its numbers")
}

// once reports whether a path is not that of a regular file, so that it can be read once only.
func once(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

// readText reads a text table once.
func (t *Table) readText(ctx context.Context, text *load.TextTable, coded *columns.Columns) error {
	columns := make([]*counter, text.Fields)
	for j, name := range textNames(text) {
		columns[j] = newCounter(Column{Name: name, Width: 1}, coded, j)
	}
	for {
		if t.Rows%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		fields, line, err := text.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		t.Rows++
		for j, field := range fields {
			columns[j].field(field, line, text.Style)
		}
	}
	t.Columns = make([]Column, len(columns))
	for j, c := range columns {
		t.Columns[j], columns[j] = c.kind(), nil
	}
	return nil
}

// readColumnar reads the columns of a columnar file: those of numbers some at a time, and
// then texts one after the other.
func (t *Table) readColumnar(ctx context.Context, f columnar.File, coded *columns.Columns) error {
	most := 0 // rows of a part
	for _, rows := range f.Parts() {
		t.Rows, most = t.Rows+rows, max(most, rows)
	}
	counters := make([]*counter, len(f.Columns()))
	var some []int // columns of numbers that are read together
	width, place := 0, 0
	for k, column := range f.Columns() {
		counters[k] = newCounter(Column{Name: named(diag.Name(column.Name), k), Type: column.Type, Kind: Other, Width: column.Width}, coded, place)
		place += max(1, column.Width)
		if column.Width == 0 {
			continue
		}
		counters[k].Kind = Number
		if column.List {
			if err := readLists(ctx, f, k, counters); err != nil {
				return err
			}
			continue
		}
		if width > 0 && (width+column.Width)*most > slab {
			if err := readNumbers(ctx, f, some, counters); err != nil {
				return err
			}
			some, width = nil, 0
		}
		some, width = append(some, k), width+column.Width
	}
	if err := readNumbers(ctx, f, some, counters); err != nil {
		return err
	}
	for k, column := range f.Columns() {
		c := counters[k]
		counters[k] = nil
		if c.Kind == Other && column.Text {
			c.Kind = Text
			if column.Type == "time" || column.Type == "date" {
				c.Kind = Time
			}
			if err := c.readTexts(ctx, f, k); err != nil {
				return err
			}
		}
		t.add(c)
	}
	return nil
}

// add adds a column that is stored as what it holds.
func (t *Table) add(c *counter) {
	switch {
	case t.Rows > 0 && c.Kind != Other && c.Missing == t.Rows*max(1, c.Width):
		c.Kind = Empty
	case c.Kind == Number:
		c.OddRow, c.OddValue = c.firstNotFinite.place, c.firstNotFinite.value
	}
	t.Columns = append(t.Columns, c.column())
}

// slab is how many numbers are read at a time.
const slab = 1 << 21

// readNumbers reads some columns together: they lie side by side in the file, and are
// decoded side by side.
func readNumbers(ctx context.Context, f columnar.File, some []int, counters []*counter) error {
	var place []int
	width := 0
	for k, column := range f.Columns() {
		_, found := slices.BinarySearch(some, k)
		for range column.Width {
			if found {
				place, width = append(place, width), width+1
			} else {
				place = append(place, -1)
			}
		}
	}
	if width == 0 {
		return nil
	}
	step := max(1, slab/width)
	values := make([]float64, min(step, slices.Max(append(f.Parts(), 1)))*width)
	var wanted []*counter
	for _, k := range some {
		wanted = append(wanted, counters[k])
	}
	before := 0 // rows of the parts before
	for part, rows := range f.Parts() {
		for lo := 0; lo < rows; lo += step {
			k := min(step, rows-lo)
			if err := columnar.Read(ctx, f, part, lo, lo+k, place, values[:k*width], width); err != nil {
				return err
			}
			if err := count(ctx, wanted, values[:k*width], before+lo); err != nil {
				return err
			}
		}
		before += rows
	}
	return nil
}

// readLists reads a column of lists, which may turn out to be of several lengths.
func readLists(ctx context.Context, f columnar.File, k int, counters []*counter) error {
	err := readNumbers(ctx, f, []int{k}, counters)
	var uneven *columnar.Error
	if errors.As(err, &uneven) && uneven.Uneven {
		was := counters[k]
		counters[k] = newCounter(Column{Name: was.Name, Type: was.Type, Kind: Other, Width: was.Width, OddRow: uneven.Row, OddValue: "a list of another length than the first"}, nil, 0)
		return nil
	}
	return err
}

func (c *counter) readTexts(ctx context.Context, f columnar.File, column int) error {
	for part, rows := range f.Parts() {
		if err := columnar.Texts(ctx, f, part, column, 0, rows, func(text []byte, ok bool) error {
			if ok && c.coded != nil { // a string of each text only if there is something to compare it with
				kind, _ := c.coded.Field(c.place, string(text), numerals.Text, 0)
				ok = kind != numerals.Missing
			}
			if !ok {
				c.Missing++
				return nil
			}
			if c.Kind == Time { // ISO 8601 sorts as text
				if c.From == "" || string(text) < c.From {
					c.From = string(text)
				}
				if string(text) > c.To {
					c.To = string(text)
				}
			}
			if len(c.seen) < MostDistinct && !c.seen[string(text)] {
				c.text(string(text))
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// Numbers are the columns (counted from 1) of finite numbers alone.
func (t *Table) Numbers() (columns []int) {
	for j, c := range t.Columns {
		if c.Kind == Number && c.NotFinite == 0 {
			columns = append(columns, j+1)
		}
	}
	return columns
}
