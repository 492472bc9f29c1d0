package load

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"symmom/internal/data/columns"
	"symmom/internal/data/formats"
	"symmom/internal/data/numerals"
	"symmom/internal/data/profile"
	"symmom/internal/text/diag"
)

// table is the result of a reader, before missing values, weights and column
// selection are dealt with. NaN is a missing value.
type table struct {
	source   string
	budget   formats.Budget
	p, n     int
	values   []float64        // p x n, owned by the table
	values32 []float32        // those of the first rows that are kept as float32, for Options.Float32
	names    []string         // of the n columns, or nil
	columns  []int            // 1-based columns of the source; nil: 1..n, and Options.Columns are not yet applied
	weights  []float64        // one a row, as read; nil: none
	weight   int              // the 1-based column they come from
	heavy    string           // its name, if it has one
	labels   *columns.Reader  // of the rows, or nil
	codes    *columns.Columns // of missing values, in what was read last; or nil
	coded    []columns.Count  // what they made missing before
	style    numerals.Style   // of numbers in text
	labelled int              // the 1-based column they come from
	whole    []atomic.Bool    // variables of whole numbers or decimals, which float64 may round; shorter or nil: no more
	notes    []diag.Warning
	ready    *Set // sparse observations, with nothing left to do; or nil
	shards   []Shard
	swept    *profile.Profile // if the values were looked at while they were read
}

const noRows = "has no observations; want at least one row"

// exact reports whether float64 may round variable j, which the source has exactly.
func (t *table) exact(j int) bool { return j < len(t.whole) && t.whole[j].Load() }

// also takes what variables of a table that follows are, moved by shards.Reorder.
func (t *table) also(add *table, order []int) {
	for j := range t.n {
		at := j
		if order != nil {
			at = order[j]
		}
		if add.exact(at) {
			if t.whole == nil {
				t.whole = make([]atomic.Bool, t.n)
			}
			t.whole[j].Store(true)
		}
	}
}

// allWhole says that all n variables are.
func allWhole(n int) []atomic.Bool {
	w := make([]atomic.Bool, n)
	for j := range w {
		w[j].Store(true)
	}
	return w
}

// set selects columns, looks at every value, treats what is missing, and
// normalizes the weights.
func (t *table) set(ctx context.Context, o Options) (*Set, error) {
	if t.ready != nil {
		return t.ready, nil
	}
	if t.p == 0 {
		return nil, empty(t.source, noRows)
	}
	if t.n == 0 {
		return nil, fail(t.source, "has no columns; want at least one variable")
	}
	if t.shards == nil {
		if err := t.picked(o); err != nil {
			return nil, err
		}
	}
	s := &Set{Info: Info{P: t.p, N: t.n, Names: t.names, Source: t.source, Shards: t.shards, Columns: t.columns, Notes: t.notes}}
	if o.Float32 {
		s.Values32 = t.values32
	} else {
		s.Values = t.values
	}
	s.Notes = append(s.Notes, o.Codes.Notes(t.coded)...)
	sums, err := t.swept, error(nil)
	if sums == nil {
		if sums, err = s.sweep(ctx); err != nil {
			return nil, formats.Named(t.source).ReadError(err)
		}
	}
	if !sums.Finite || t.weights != nil {
		dirty, err := t.treatMissing(ctx, s, o)
		if err != nil {
			return nil, err
		}
		if dirty {
			if sums, err = s.sweep(ctx); err != nil {
				return nil, formats.Named(t.source).ReadError(err)
			}
		}
	}
	if t.weights != nil {
		if s.Weights, err = normalizeWeights(t.source, t.weights); err != nil {
			return nil, err
		}
	}
	if t.labels != nil {
		s.Labels = t.labels.Column(s.kept)
	}
	s.Notes = slices.Concat(s.Notes, columns.Incomplete(s.P, s.Dropped, s.Filled), sums.Rounded(s.profiled()), sums.Beyond(s.profiled(), t.exact))
	s.Warnings = append(sums.Warnings(s.profiled()), s.Notes...)
	return s, nil
}

// picked leaves the values that the options ask for: those of their columns, without codes,
// as float32 if they are to be so.
func (t *table) picked(o Options) error {
	if t.columns == nil {
		if err := t.pick(o); err != nil {
			return err
		}
	}
	if o.Float32 {
		if err := t.narrow(); err != nil {
			return err
		}
	}
	t.codes.Recode(t.values, t.n)
	t.codes.Weights(t.weights)
	t.coded, t.codes = t.codes.Counts(t.coded, t.coding), nil
	return nil
}

// coding names a place of its codes.
func (t *table) coding(place int) string {
	switch {
	case place < t.n:
		return label(t.names, t.columns, place)
	case place == t.n:
		return cmp.Or(t.heavy, fmt.Sprintf("column %d", t.weight))
	}
	return t.labels.Name
}

// pick applies the column selection to values in memory.
func (t *table) pick(o Options) error {
	if t.labels != nil { // they come from elsewhere
		o.Labels = ""
	}
	sel, err := columns.Select(t.source, t.names, t.n, o.wanted())
	if t.codes == nil { // else some values are without them already
		t.codes = sel.Codes
	}
	if err != nil || sel.Identity(t.n) {
		return err
	}
	wide := t.n
	t.choose(sel)
	if err := t.take(sel, wide); err != nil {
		return err
	}
	if 2*t.n < wide {
		t.values = append(make([]float64, 0, len(t.values)), t.values...) // let the wide array go
	}
	return nil
}

// choose makes the table one of the selected columns. take brings the values.
func (t *table) choose(sel columns.Selection) {
	t.n = len(sel.Variables)
	if sel.Weights >= 0 {
		t.weights, t.weight, t.heavy = []float64{}, sel.Weights+1, sel.Heavy
	}
	t.takeLabels(sel.Labels, t.names)
	t.columns = make([]int, t.n)
	var names []string
	for a, j := range sel.Variables {
		t.columns[a] = j + 1
		if t.names != nil {
			names = append(names, t.names[j])
		}
	}
	t.names = names
}

// take leaves in values, rows of all columns, those of the selected ones.
func (t *table) take(sel columns.Selection, wide int) error {
	values := t.values[:0] // row i goes to places that rows before i+1 have left
	row := make([]float64, wide)
	for i := 0; i < len(t.values); i += wide {
		copy(row, t.values[i:])
		for _, j := range sel.Variables {
			values = append(values, row[j])
		}
		if sel.Weights >= 0 {
			t.weights = append(t.weights, row[sel.Weights])
		}
		if sel.Labels >= 0 {
			if err := t.addLabel(row[sel.Labels]); err != nil {
				return err
			}
		}
	}
	t.values = values
	return nil
}

// place begins a ParseError about a row and a 1-based column of the source.
func (t *table) place(row, column int, name string, value float64) *ParseError {
	for _, s := range t.shards {
		if row < s.Rows {
			return &ParseError{Source: s.Name, Row: row + 1, Column: s.column(t, column), Name: name, Value: diag.Value(value)}
		}
		row -= s.Rows
	}
	return &ParseError{Source: t.source, Row: row + 1, Column: column, Name: name, Value: diag.Value(value)}
}

// Column is the 1-based column of the source that variable j comes from.
func (t *Info) Column(j int) int {
	if t.Columns != nil {
		return t.Columns[j]
	}
	return j + 1
}

func (t *Info) name(j int) string {
	if j < len(t.Names) {
		return t.Names[j]
	}
	return ""
}
