package tables

import (
	"context"
	"fmt"
	"math"

	"symmom/internal/data/fingerprint"
	"symmom/internal/data/load"
	"symmom/internal/moment/block"
	"symmom/internal/system/memory"
)

// sparse holds observations in memory without their zeros.
type sparse struct {
	*block.SparseRows
	seen *Sketch
}

// newSparse makes a table of sparse observations, which it reads once, unless ctx ends.
func newSparse(ctx context.Context, info *load.Info, x *block.SparseRows) (*Table, error) {
	const few = 1 << 12 // observations between two looks at ctx
	k := newSketch(x.N)
	x.Pass(ctx, func(b block.Block) {
		for l := 0; l < b.Rows && ctx.Err() == nil; l += few {
			k.add(b.Part(l, min(l+few, b.Rows), x.N))
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	k.finish()
	return &Table{Info: info, Storage: sparse{x, k}}, nil
}

func (x sparse) Weighted() bool   { return x.Nu != nil }
func (x sparse) Single() bool     { return x.Values.V32 != nil }
func (x sparse) Slow() bool       { return false }
func (x sparse) Brief() bool      { return true }
func (x sparse) Array() *load.Set { return nil }
func (x sparse) Sketch() *Sketch  { return x.seen }
func (x sparse) Sums() *Sums      { return nil }
func (x sparse) Stored() float64  { return float64(x.Values.Stored()) }

// Whole returns the observations with their zeros, if they fit in memory.
func (x sparse) Whole(ctx context.Context, info *load.Info, what string) (*load.Set, error) {
	err := memory.Check(fmt.Sprintf("%s: %s needs all zeros of %d x %d sparse observations, which", info.Source, what, x.P, x.N), 8*float64(x.P)*float64(x.N), 0, "choose fewer variables", "Columns")
	if err != nil {
		return nil, err
	}
	all, err := block.Gather(ctx, x.SparseRows)
	if err != nil {
		return nil, err
	}
	return &load.Set{Info: *info, Values: all.V, Values32: all.V32, Weights: all.Nu}, nil
}

func (x sparse) Digest(context.Context) (d fingerprint.Digest, err error) {
	d.AddSparse(x.Values)
	return d, nil
}

func (x sparse) Fingerprint(ctx context.Context) (string, error) {
	d, err := x.Digest(ctx)
	return d.Sum(x.P, x.N, x.Nu), err
}

// Sparse returns the observations if they are stored without zeros, otherwise nil.
func (t *Table) Sparse() *block.SparseRows {
	if x, ok := t.Storage.(sparse); ok {
		return x.SparseRows
	}
	return nil
}

// Set returns the observations in memory: those of a sparse table without their zeros,
// others as Whole does.
func (t *Table) Set(ctx context.Context, what string) (*load.Set, error) {
	if x := t.Sparse(); x != nil {
		return &load.Set{Info: *t.Info, Sparse: x.Values, Weights: x.Nu}, nil
	}
	return t.Whole(ctx, what)
}

// Density returns the share of the values that are stored, 1 unless the table is
// sparse.
func (t *Table) Density() float64 {
	return t.Stored() / (float64(t.P) * float64(t.N))
}

// Moments returns the mean and the standard deviation of each variable of sparse
// observations.
func (t *Table) Moments(ctx context.Context) (mean, deviation []float64, err error) {
	x := t.Sparse()
	mean, deviation, err = x.Moments(ctx)
	for i, m := range x.Values.Shift {
		mean[i] -= m
	}
	for i, s := range x.Values.Scale {
		mean[i] *= s
		deviation[i] *= math.Abs(s)
	}
	return mean, deviation, err
}

// Mapped returns sparse observations v as scale (v - shift); nil means 1 and 0. The
// stored values are shared.
func (t *Table) Mapped(ctx context.Context, scale, shift []float64) (*Table, error) {
	x := *t.Sparse()
	values := *x.Values
	// With v = s (x - m): scale (v - shift) = scale s (x - m - shift / s).
	n := t.N
	s, m := make([]float64, n), make([]float64, n)
	for i := range n {
		s[i] = 1
		if values.Scale != nil {
			s[i] = values.Scale[i]
		}
		if values.Shift != nil {
			m[i] = values.Shift[i]
		}
		if shift != nil {
			m[i] += shift[i] / s[i]
		}
		if scale != nil {
			s[i] *= scale[i]
		}
		if math.IsNaN(m[i]) || math.IsInf(m[i], 0) {
			return nil, fmt.Errorf("%s: %s: its values are too large to be shifted", t.Source, t.Label(i))
		}
	}
	values.Scale, values.Shift = nil, nil
	if scale != nil || x.Values.Scale != nil {
		values.Scale = s
	}
	if shift != nil || x.Values.Shift != nil {
		values.Shift = m
	}
	x.Values = &values
	return newSparse(ctx, t.Info, &x)
}
