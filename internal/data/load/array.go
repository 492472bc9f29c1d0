package load

import (
	"context"

	"symmom/internal/data/columns"
	"symmom/internal/data/formats"
	"symmom/internal/data/profile"
	"symmom/internal/math/linalg"
)

// readArray reads an array of p x n, or p.
//
// float64 of this machine's byte order in C order is read straight into the
// Values, with no second copy, and float32 so into Values32. Nothing is allocated
// on a header's word: where the size of the source is known (a file, an array in
// memory) the data must be there, and elsewhere memory grows as they come. Sparse
// files have their size without their data, so memory is asked for before.
// A file in C order is read in parts, side by side.
func readArray(ctx context.Context, a *formats.Array, o Options) (t *table, err error) {
	straight := !o.wanted().Selects() && !a.Fortran && (!o.Float32 || a.Dtype.Native("f4"))
	inPlaces := straight && a.InPlaces(ctx)
	if t, err = roomFor(a, o); err != nil {
		return nil, err
	}
	if t.names, err = o.called(a.In.Name, a.Columns); err != nil {
		return nil, err
	}
	switch {
	case inPlaces:
		err = t.readParts(ctx, a, o)
	case a.Fortran:
		t.values, err = a.Transposed(ctx)
	case o.Float32 && (a.Known || !o.wanted().Selects()):
		err = t.read32(a, o)
	default:
		t.values, err = a.All()
	}
	if err == nil {
		t.notes, err = a.End()
		t.notes = append(t.notes, repeatedNames(t.names)...)
	}
	return t, err
}

// roomFor makes a table for an array, without its values. It refuses one for which there is
// no memory, or which the compressed bytes cannot hold.
func roomFor(a *formats.Array, o Options) (*table, error) {
	if err := a.Plausible(); err != nil {
		return nil, err
	}
	p, n := a.Rows, a.Columns
	kept, copies := n, 1.
	if a.Fortran && !a.Known {
		copies = 2
	}
	switch {
	case a.Fortran, o.wanted().Selects() && !a.Known: // all columns are read, as float64
		a.In.Ways = 0
		if o.Float32 {
			copies *= 3
		}
	case o.Float32:
		if o.wanted().Selects() {
			sel, err := columns.Select(a.In.Name, o.Names, n, o.wanted())
			if err != nil {
				return nil, err
			}
			kept = len(sel.Variables)
		}
		a.In.Ways |= formats.ByColumns
	}
	t := &table{source: a.In.Name, budget: a.In.Budget, p: p, n: n}
	if a.Dtype.Rounds() {
		t.whole = allWhole(n)
	}
	return t, a.In.Table(p, kept, o.Float32, copies)
}

// readParts reads an array in C order on all processors, and looks at each part while it is
// in the cache.
func (t *table) readParts(ctx context.Context, a *formats.Array, o Options) (err error) {
	if o.Float32 {
		t.values32 = make([]float32, a.Total())
	} else {
		t.values = make([]float64, a.Total())
	}
	linalg.LargePages(t.values)
	linalg.LargePages(t.values32)
	t.swept, err = profile.Sweep(ctx, profile.Values{P: t.p, N: t.n, V: t.values, V32: t.values32, Fill: a.Part})
	return a.In.ReadError(err)
}
