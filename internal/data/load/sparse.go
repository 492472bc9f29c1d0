package load

import (
	"context"
	"math"

	"symmom/internal/data/columns"
	"symmom/internal/data/formats"
	"symmom/internal/data/profile"
	"symmom/internal/data/sparsefile"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/store/interruptible"
)

// FromCSR makes sparse observations of n variables from compressed rows, as
// block.Compress does.
func FromCSR(n int, start, index []int, values []float64) (*Set, error) {
	const source = "sparse matrix"
	if len(start) < 2 {
		return nil, empty(source, "has no observations: want the start of each row and the end of the last, got %d of them", len(start))
	}
	x, err := block.Compress(n, start, index, values, false, nil)
	if err != nil {
		return nil, fail(source, "%w", err)
	}
	return FromSparse(source, nil, x, n), nil
}

// FromSparse takes sparse observations of n variables, which have names unless that is nil.
func FromSparse(source string, names []string, x *block.Sparse, n int) *Set {
	s := &Set{Info: Info{P: len(x.Start) - 1, N: n, Names: names, Source: source}, Sparse: x}
	s.Warnings = profile.Sparse(x, n).Warnings(s.profiled())
	return s
}

// Sparsely returns the observations without their zeros.
func (s *Set) Sparsely(ctx context.Context) (*Set, error) {
	c := *s
	c.Values, c.Values32 = nil, nil
	x := &block.Sparse{Start: make([]int, 1, s.P+1)}
	if s.Values32 != nil {
		x.V32 = []float32{}
	}
	w := interruptible.Watch{Ctx: ctx}
	var scratch []float64
	for i := range s.P {
		if err := w.Stopped(i * s.N); err != nil {
			return nil, err
		}
		for j, v := range s.Row(i, &scratch) {
			switch {
			case v == 0:
				continue
			case x.V32 != nil:
				x.V32 = append(x.V32, float32(v))
			default:
				x.V = append(x.V, v)
			}
			x.Index = append(x.Index, int32(j))
		}
		x.Start = append(x.Start, len(x.Index))
	}
	c.Sparse = x
	return &c, nil
}

// A sparse file is read without its zeros if at most SparseShare of its values are not
// zero and it has SparseVariables or more. A fit of other tables is faster with the
// zeros: with 500 variables it takes .6 times as long at 2% and .9 at 10%, but 1.4 times
// at 20%; with 100 variables 1.4 times at 2%.
const (
	SparseShare     = .1
	SparseVariables = 256
)

// sparsely returns the observations of a sparse file without their zeros, or nil if
// they are better read as a dense table: if many values are not zero, or if some are
// missing or too large for a float32.
func sparsely(in formats.Input, m *sparsefile.Matrix, o Options) (*Set, error) {
	if !o.Sparse || m.P == 0 || m.N < SparseVariables || m.N > math.MaxInt32 || float64(len(m.Value)) > SparseShare*float64(m.P)*float64(m.N) {
		return nil, nil
	}
	for _, v := range m.Value {
		if v-v != 0 || o.Float32 && overflows32(v) {
			return nil, nil
		}
	}
	const entry = 16 // bytes: the entry as it was read, and the index that is kept
	if err := in.Room("its entries", entry*float64(len(m.Value)), 0); err != nil {
		return nil, err
	}
	x, err := block.Compress(m.N, m.Start, m.Column, m.Value, true, m.Value[:0])
	if err != nil {
		return nil, fail(in.Name, "%w; entries of one place are added up", err)
	}
	t := table{source: in.Name, p: m.P, n: m.N}
	if t.names, err = o.called(in.Name, m.N); err != nil {
		return nil, err
	}
	sel, err := columns.Select(in.Name, t.names, m.N, o.wanted())
	if err != nil {
		return nil, err
	}
	if !sel.Identity(m.N) {
		t.choose(sel)
		if sel.Weights >= 0 {
			t.weights = x.Column(sel.Weights)
		}
		if sel.Labels >= 0 {
			for _, v := range x.Column(sel.Labels) {
				if err := t.addLabel(v); err != nil {
					return nil, err
				}
			}
		}
		x = x.Select(sel.Variables, m.N)
	}
	if o.Float32 {
		x.V32 = make([]float32, len(x.V))
		linalg.Narrow(x.V32, x.V)
		x.V = nil
	}
	s := &Set{Info: Info{P: t.p, N: t.n, Names: t.names, Source: in.Name, Columns: t.columns, Notes: repeatedNames(t.names)}, Sparse: x}
	for i, w := range t.weights {
		if what := weightProblem(w); what != "" {
			e := t.place(i, t.weight, "weights", w)
			e.Want = what
			return nil, e
		}
	}
	if t.weights != nil {
		if s.Weights, err = normalizeWeights(in.Name, t.weights); err != nil {
			return nil, err
		}
	}
	if t.labels != nil {
		s.Labels = t.labels.Column(nil)
	}
	s.Warnings = append(profile.Sparse(x, t.n).Warnings(s.profiled()), s.Notes...)
	return s, nil
}
