package load

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"symmom/internal/data/columnar"
	"symmom/internal/data/columns"
	"symmom/internal/data/formats"
	"symmom/internal/math/linalg"
	"symmom/internal/text/diag"
)

// slabBytes is the amount of a columnar file decoded at a time if its rows cannot
// go where they belong at once. Pages, which hold 100,000 rows or so of a column,
// are decoded once for each slab that they reach into. Only tests change it.
var slabBytes = 128 << 20

// layout is where the columns of a columnar file go. A column of lists is as many
// places as its lists have numbers, any other one place; places are the columns of
// the source for everything else.
type layout struct {
	source string
	file   columnar.File
	rows   int
	names  []string // of the places
	others []string // what is in a place that has no numbers, else ""
	sel    columns.Selection
	stride int   // numbers in a row that is read: the variables, and a weight
	place  []int // for columnar.Read
	label  int   // the column of the labels, -1: none
	notes  []diag.Warning
	whole  []atomic.Bool // of a table
}

// openColumnar finds out where the columns of a file go.
func openColumnar(c contents, o Options) (*layout, error) {
	l, err := openLayout(c)
	if err != nil {
		return nil, err
	}
	return l, l.choose(o)
}

// openLayout is openColumnar without a choice of columns.
func openLayout(c contents) (*layout, error) {
	l := &layout{source: c.In.Name, file: c.Columnar, label: -1}
	for _, rows := range l.file.Parts() {
		l.rows += rows
	}
	places := 0
	for _, c := range l.file.Columns() {
		places += max(1, c.Width)
	}
	return l, c.In.Shape(0, places)
}

func (l *layout) fail(err error) error { return formats.Named(l.source).ColumnarError(err) }

// places finds the places, and the column of each.
func (l *layout) places() (from []int) {
	for k, c := range l.file.Columns() {
		first := len(l.names)
		switch {
		case c.Width == 0:
			l.names, l.others = append(l.names, c.Name), append(l.others, c.Type)
		case c.Width == 1 && !c.List:
			l.names, l.others = append(l.names, c.Name), append(l.others, "")
		default:
			for e := range c.Width {
				l.names, l.others = append(l.names, fmt.Sprintf("%s[%d]", c.Name, e)), append(l.others, "")
			}
		}
		for range len(l.names) - first {
			from = append(from, k)
		}
	}
	return from
}

// choose finds the places that the options ask for.
func (l *layout) choose(o Options) error {
	from := l.places()
	var left []string
	for _, c := range l.file.Columns() {
		if c.Width == 0 && c.Name != o.Labels {
			left = append(left, fmt.Sprintf("%s (%s)", short(c.Name), c.Type))
		}
	}
	if o.Columns == nil {
		for j, other := range l.others {
			if other == "" && !strings.HasPrefix(l.names[j], pandasIndex) {
				o.numeric = append(o.numeric, j)
			} else if other == "" && l.names[j] != o.Labels {
				left = append(left, short(l.names[j])+" (the index of a pandas table)")
			}
		}
		if len(o.numeric) == 0 {
			return columns.NoNumbers(l.source, left)
		}
		l.notes = append(l.notes, columns.LeftOut(left)...)
	}
	var err error
	if l.sel, err = columns.Select(l.source, l.names, len(l.names), o.wanted()); err != nil {
		return err
	}
	if j := l.sel.Labels; j >= 0 {
		if c := l.file.Columns()[from[j]]; !c.Text {
			return diag.Helped(fail(l.source, "column %d (%s) holds %s, want text or numbers as labels; take another", j+1, short(l.names[j]), c.Type), "Labels")
		}
		l.label = from[j]
	}
	l.whole = make([]atomic.Bool, len(l.sel.Variables))
	for a, j := range l.sel.Variables {
		kind := l.file.Columns()[from[j]].Type
		l.whole[a].Store(strings.HasSuffix(kind, "int64") || strings.Contains(kind, "decimal"))
	}
	wanted := l.sel.Variables
	if l.sel.Weights >= 0 {
		wanted = append(slices.Clone(wanted), l.sel.Weights)
	}
	l.stride = len(wanted)
	at := make([]int, len(l.names))
	for j := range at {
		at[j] = -1
	}
	for a, j := range wanted {
		if l.others[j] != "" {
			return diag.Helped(fail(l.source, "column %d (%s) holds %s, want numbers; leave it out", j+1, short(l.names[j]), l.others[j]), "Columns")
		}
		at[j] = a
	}
	for j, other := range l.others {
		if other == "" {
			l.place = append(l.place, at[j])
		}
	}
	return nil
}

// pandasIndex begins the names that pandas gives to an index when it writes it as
// a column.
const pandasIndex = "__index_level_"

// columns are the places of the variables, counted from 1.
func (l *layout) columns() []int {
	c := make([]int, len(l.sel.Variables))
	for a, j := range l.sel.Variables {
		c[a] = j + 1
	}
	return c
}

// variables are their names.
func (l *layout) variables() []string {
	c := make([]string, len(l.sel.Variables))
	for a, j := range l.sel.Variables {
		c[a] = l.names[j]
	}
	return c
}

// read decodes rows lo to hi of a part.
func (l *layout) read(ctx context.Context, part, lo, hi int, to []float64) error {
	if err := columnar.Read(ctx, l.file, part, lo, hi, l.place, to, l.stride); err != nil {
		return l.fail(err)
	}
	return nil
}

// labels takes the labels of rows lo to hi of a part, if there are to be any.
func (l *layout) labels(ctx context.Context, part, lo, hi int, t *table) error {
	if t.labels == nil {
		return nil
	}
	err := columnar.Texts(ctx, l.file, part, l.label, lo, hi, t.labelText)
	var place *ParseError
	if err == nil || errors.As(err, &place) {
		return err
	}
	return l.fail(err)
}

// slab returns how many rows are decoded at a time.
func (l *layout) slab() int { return max(1, slabBytes/(8*l.stride)) }

// readColumnar reads a columnar file.
func readColumnar(ctx context.Context, c contents, o Options) (*table, error) {
	l, err := openColumnar(c, o)
	if err != nil {
		return nil, err
	}
	n := len(l.sel.Variables)
	t := &table{source: l.source, budget: c.In.Budget, p: l.rows, n: n, names: l.variables(), columns: l.columns(), weight: l.sel.Weights + 1, heavy: l.sel.Heavy, notes: l.notes, whole: l.whole, codes: l.sel.Codes}
	if err := t.budget.Table(l.rows, n, o.Float32, 1); err != nil {
		return nil, err
	}
	plain := l.stride == n && !o.Float32 // rows go where they belong
	var slab []float64
	if plain {
		t.values = make([]float64, l.rows*n)
		linalg.LargePages(t.values)
	} else {
		slab = make([]float64, min(l.slab(), slices.Max(append(l.file.Parts(), 1)))*l.stride)
		if !o.Float32 {
			t.values = formats.Grow[float64](nil, l.rows*n)
		}
	}
	if l.sel.Weights >= 0 {
		t.weights = make([]float64, 0, l.rows)
	}
	t.takeLabels(l.sel.Labels, l.names)
	row := 0
	for part, rows := range l.file.Parts() {
		if plain {
			if err := l.read(ctx, part, 0, rows, t.values[row*n:(row+rows)*n]); err != nil {
				return nil, err
			}
			if err := l.labels(ctx, part, 0, rows, t); err != nil {
				return nil, err
			}
			row += rows
			continue
		}
		for lo := 0; lo < rows; lo += l.slab() {
			k := min(l.slab(), rows-lo)
			if err := l.read(ctx, part, lo, lo+k, slab[:k*l.stride]); err != nil {
				return nil, err
			}
			if err := l.labels(ctx, part, lo, lo+k, t); err != nil {
				return nil, err
			}
			t.values, t.weights = l.split(slab[:k*l.stride], t.values, t.weights)
			if o.Float32 {
				if err := t.narrow(); err != nil {
					return nil, err
				}
			}
		}
	}
	return t, nil
}

// split appends rows to values and their weights to weights.
func (l *layout) split(rows, values, weights []float64) (v, w []float64) {
	n := len(l.sel.Variables)
	if l.stride == n {
		return append(values, rows...), weights
	}
	for i := 0; i < len(rows); i += l.stride {
		values, weights = append(values, rows[i:i+n]...), append(weights, rows[i+n])
	}
	return values, weights
}
