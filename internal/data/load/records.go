package load

import (
	"context"
	"io"
	"sync/atomic"

	"symmom/internal/data/columns"
	"symmom/internal/data/formats"
	"symmom/internal/text/diag"
)

// Records are rows whose columns may hold anything, read one by one.
type Records struct {
	Source string
	Names  []string
	Others []string // what a column holds that has no numbers, else ""
	Left   []string // these columns, in words

	Next   func() error                       // goes to the next row; io.EOF after the last
	Number func(j int) (float64, error)       // of the row, in a column; NaN if missing, which codes.Columns.Field may have made
	Label  func(j int) (text []byte, ok bool) // ok is false if missing
	Whole  []bool                             // columns of whole numbers that float64 rounded, after the last row
}

// FromRecords makes a Set of rows by the rules of Load.
func FromRecords(ctx context.Context, r Records, o Options) (*Set, error) {
	t := &table{source: r.Source, budget: formats.Budget{Name: r.Source, Limit: o.MemoryLimit, Ways: formats.ByColumns}}
	if o.Columns == nil {
		for j, other := range r.Others {
			if other == "" {
				o.numeric = append(o.numeric, j)
			}
		}
		if len(o.numeric) == 0 {
			return nil, columns.NoNumbers(r.Source, r.Left)
		}
		t.notes = append(t.notes, columns.LeftOut(r.Left)...)
	}
	sel, err := columns.Select(r.Source, r.Names, len(r.Names), o.wanted())
	if err != nil {
		return nil, err
	}
	t.names, t.codes = r.Names, sel.Codes
	t.choose(sel)
	for _, j := range sel.Variables {
		if r.Others[j] != "" {
			return nil, diag.Helped(fail(r.Source, "column %d (%s) holds %s, want numbers; leave it out", j+1, short(r.Names[j]), r.Others[j]), "Columns")
		}
	}
	for ; ; t.p++ {
		if err := r.Next(); err == io.EOF {
			t.whole = make([]atomic.Bool, t.n)
			for a, j := range sel.Variables {
				t.whole[a].Store(j < len(r.Whole) && r.Whole[j])
			}
			return t.set(ctx, o)
		} else if err != nil {
			return nil, err
		}
		var err error
		if t.values, err = room(t.budget, t.values, t.n); err != nil {
			return nil, err
		}
		for _, j := range sel.Variables {
			v, err := r.Number(j)
			if err != nil {
				return nil, err
			}
			t.values = append(t.values, v)
		}
		if sel.Weights >= 0 {
			w, err := r.Number(sel.Weights)
			if err != nil {
				return nil, err
			}
			t.weights = append(t.weights, w)
		}
		if sel.Labels >= 0 {
			text, ok := r.Label(sel.Labels)
			if err := t.labelText(text, ok); err != nil {
				return nil, err
			}
		}
	}
}
