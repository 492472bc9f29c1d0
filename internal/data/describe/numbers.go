package describe

import (
	"context"
	"errors"
	"fmt"
	"math"

	"symmom/internal/data/columns"
	"symmom/internal/data/formats"
	"symmom/internal/data/load"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
)

// Arrays is the format of all that holds numbers alone.
const Arrays = "numbers"

// Only reports whether a file holds numbers alone, in a format for that.
func Only(ctx context.Context, path string) bool {
	if once(path) {
		return false
	}
	c, err := load.OpenContents(ctx, path, load.Options{})
	if err != nil {
		return false
	}
	defer c.Close()
	return c.Text == nil && c.Columnar == nil
}

// readArray reads an array, some rows at a time.
func (t *Table) readArray(ctx context.Context, a *formats.Array, names []string, coded *columns.Columns) error {
	t.Format = Arrays
	counters := numbers(a.Columns, names, coded)
	step := max(1, slab/a.Columns)
	values := make([]float64, min(step, a.Rows)*a.Columns)
	for t.Rows < a.Rows {
		k := min(step, a.Rows-t.Rows)
		if err := a.Next(values[:k*a.Columns]); err != nil {
			return err
		}
		if err := count(ctx, counters, values[:k*a.Columns], t.Rows); err != nil {
			return err
		}
		t.Rows += k
	}
	for _, c := range counters {
		t.add(c)
	}
	_, err := a.End()
	return err
}

// numbers are counters of n columns of numbers; names are nil if they have none.
func numbers(n int, names []string, coded *columns.Columns) []*counter {
	counters := make([]*counter, n)
	for j := range counters {
		name := ""
		if names != nil {
			name = diag.Name(names[j])
		}
		counters[j] = newCounter(Column{Name: named(name, j), Type: Number, Kind: Number, Width: 1}, coded, j)
	}
	return counters
}

// count has each counter count its columns of the rows in values, the first of which follows
// as many as before says, on all processors.
func count(ctx context.Context, counters []*counter, values []float64, before int) error {
	at, width := make([]int, len(counters)), 0 // where the columns of each begin
	for i, c := range counters {
		at[i] = width
		width += c.Width
	}
	const together = 1 << 16 // values: they stay in the second-level cache
	var rows []float64
	strips := parallel.NewStrips(len(counters), func(lo, hi int) {
		for i, c := range counters[lo:hi] {
			for e := range c.Width {
				c.numbersOf(rows[at[lo+i]+e:], width, e, before+1)
			}
		}
	})
	for step := max(1, together/width); len(values) > 0; before += step {
		rows = values[:min(step*width, len(values))]
		values = values[len(rows):]
		if !strips.Run(ctx) {
			return ctx.Err()
		}
	}
	return nil
}

// numbersOf takes element e of the column, the first value of which is in a row, and the next
// ones width further on.
func (c *counter) numbersOf(values []float64, width, e, row int) {
	if c.coded != nil {
		column := make([]float64, 0, len(values)/width+1)
		for i := 0; i < len(values); i += width {
			column = append(column, c.coded.Number(c.place+e, values[i]))
		}
		values, width = column, 1
	}
	low, high := c.Min, c.Max
	for i := 0; i < len(values); i += width {
		v := values[i]
		switch {
		case v-v == 0:
			low, high = min(low, v), max(high, v)
		case v != v:
			c.Missing++
		default:
			c.notFinite(diag.Value(v), row+i/width)
		}
	}
	c.Min, c.Max = low, high
	c.suspects.AddColumn(values, width)
}

// whole describes a file of numbers that is read into memory.
func whole(ctx context.Context, path string, o load.Options) (*Table, error) {
	var notFinite map[int]int // by column, counted from 1
	var first map[int]*diag.ParseError
	read := func(missing load.Missing) (*load.Set, error) {
		notFinite, first = map[int]int{}, map[int]*diag.ParseError{}
		return load.Load(ctx, path, load.Options{Codes: o.Codes, Names: o.Names, Array: o.Array, MemoryLimit: o.MemoryLimit, Sparse: true, Missing: missing,
			Infinite: func(p *diag.ParseError) {
				if notFinite[p.Column]++; notFinite[p.Column] == 1 {
					first[p.Column] = p
				}
			}})
	}
	set, err := read(load.MissingFail)
	var gaps *diag.MissingError
	if errors.As(err, &gaps) {
		set, err = read(load.MissingMean) // the ranges stay
	}
	if err != nil {
		return nil, err
	}
	t := &Table{Source: set.Source, Format: Arrays, Rows: set.P}
	counters := numbers(set.N, set.Names, nil)
	if set.Sparse != nil {
		least, greatest, _ := (&block.SparseRows{P: set.P, N: set.N, Values: set.Sparse}).Ranges()
		for j, c := range counters {
			c.Min, c.Max = least[j], greatest[j]
		}
	} else if err := count(ctx, counters, set.Values, 0); err != nil {
		return nil, err
	}
	for j, c := range counters {
		c.Name = set.Label(j)
		t.add(c)
	}
	if gaps == nil {
		return t, nil
	}
	for _, g := range gaps.Counts { // infinite values are among them
		c := &t.Columns[g.Column-1]
		c.NotFinite, c.Missing = notFinite[g.Column], g.Count-notFinite[g.Column]
		if p := first[g.Column]; p != nil {
			c.OddRow, c.OddValue = p.Row, p.Value
		}
		if g.Count == t.Rows {
			c.Kind, c.Min, c.Max = Empty, math.NaN(), math.NaN()
		}
	}
	return t, nil
}

// Finite selects the columns of finite numbers alone, as options write them, and says what
// is wrong with the others.
func Finite(t *Table) (columns []string, left []diag.Warning) {
	at := 1
	for _, c := range t.Columns {
		last := at + max(1, c.Width) - 1
		switch {
		case c.Kind == Mixed:
			left = append(left, diag.New(diag.LeftOut, "%s holds %s; it is left out here, and refused elsewhere: correct the value, name it as a code of missing values, or choose other columns", c.Name, c.Holds()).With("NA", "Columns"))
		case c.NotFinite > 0:
			left = append(left, diag.New(diag.LeftOut, "%s holds %s; it is left out here, and refused elsewhere: correct the value, or choose other columns", c.Name, c.Holds()).With("Columns"))
		case c.Kind == Other && c.OddRow > 0:
			left = append(left, diag.New(diag.LeftOut, "%s holds %s; it is left out here, and refused elsewhere: choose other columns", c.Name, c.Holds()).With("Columns"))
		case c.Kind == Number && last > at:
			columns = append(columns, fmt.Sprintf("%d-%d", at, last))
		case c.Kind == Number:
			columns = append(columns, fmt.Sprint(at))
		case c.Kind == Empty:
			left = append(left, diag.New(diag.LeftOut, "%s has no value at all; it is left out here, and refused elsewhere: choose other columns", c.Name).With("Columns"))
		default:
			left = append(left, diag.New(diag.LeftOut, "%s holds no numbers (%s)", c.Name, c.Type))
		}
		at = last + 1
	}
	return columns, left
}
