package block

import (
	"context"
	"slices"

	"symmom/internal/math/linalg"
)

// Changed is a source whose observations are changed as they are read, in blocks of a few
// MB.
type Changed struct {
	Source
	Change func(row []float64)
}

// Shifted returns x with a point subtracted from its observations.
func Shifted(x Source, by []float64) Source {
	return Changed{x, func(row []float64) { linalg.Axpy(-1, by, row) }}
}

// Shift is Shifted, far if x is.
func Shift(x Source, by []float64) Source {
	if x, far := x.(Far); far {
		return shiftedFar{x, by}
	}
	return Shifted(x, by)
}

// shiftedFar is Shift of observations on other machines.
type shiftedFar struct {
	Far
	by []float64
}

func (x shiftedFar) Pass(ctx context.Context, do func(Block)) bool {
	return Shifted(x.Far, x.by).Pass(ctx, do)
}

func (x shiftedFar) Sum(ctx context.Context, p Pass, seen func(float64)) ([]float64, bool) {
	by := slices.Clone(x.by)
	if p.Shift != nil {
		linalg.Axpy(1, p.Shift, by)
	}
	p.Shift = by
	return x.Far.Sum(ctx, p, seen)
}

// changedNumbers is how many values are changed at a time.
const changedNumbers = 1 << 18

// BlockRows returns the number of observations in a block.
func (x Changed) BlockRows() int {
	_, n := x.Shape()
	return max(1, min(x.Source.BlockRows(), changedNumbers/n))
}

// Pass reads the source once.
func (x Changed) Pass(ctx context.Context, do func(Block)) bool {
	_, n := x.Shape()
	rows := x.BlockRows()
	var out, wide []float64 // of what a block holds: few observations take many passes a second
	return x.Source.Pass(ctx, func(b Block) {
		for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += rows {
			part := b.Part(lo, min(lo+rows, b.Rows), n)
			out = append(out[:0], part.Values(0, part.Rows, n, &wide)...)
			for at := 0; at < len(out); at += n {
				x.Change(out[at : at+n])
			}
			do(Block{Rows: part.Rows, V: out, Nu: part.Nu})
		}
	}) && ctx.Err() == nil
}
