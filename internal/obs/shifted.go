package obs

import (
	"context"
	"slices"

	"symmom/internal/linalg"
)

// Shifted is a source whose observations have a point subtracted, in blocks of a few
// MB.
type Shifted struct {
	Source
	By []float64
}

// Shift returns x with a point subtracted from its observations, far if x is.
func Shift(x Source, by []float64) Source {
	if x, far := x.(Far); far {
		return shiftedFar{x, by}
	}
	return Shifted{Source: x, By: by}
}

// shiftedFar is Shift of observations on other machines.
type shiftedFar struct {
	Far
	by []float64
}

func (x shiftedFar) Pass(ctx context.Context, do func(Block)) bool {
	return Shifted{Source: x.Far, By: x.by}.Pass(ctx, do)
}

func (x shiftedFar) Sum(ctx context.Context, p Pass, seen func(float64)) ([]float64, bool) {
	by := slices.Clone(x.by)
	if p.Shift != nil {
		linalg.Axpy(1, p.Shift, by)
	}
	p.Shift = by
	return x.Far.Sum(ctx, p, seen)
}

// shiftedNumbers is how many values are shifted at a time.
const shiftedNumbers = 1 << 18

// BlockRows returns the number of observations in a block.
func (x Shifted) BlockRows() int {
	return max(1, min(x.Source.BlockRows(), shiftedNumbers/len(x.By)))
}

// Pass reads the source once.
func (x Shifted) Pass(ctx context.Context, do func(Block)) bool {
	n, rows := len(x.By), x.BlockRows()
	out := make([]float64, 0, rows*n)
	var wide []float64
	return x.Source.Pass(ctx, func(b Block) {
		for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += rows {
			part := b.Part(lo, min(lo+rows, b.Rows), n)
			out = append(out[:0], part.Values(0, part.Rows, n, &wide)...)
			for at := 0; at < len(out); at += n {
				linalg.Axpy(-1, x.By, out[at:at+n])
			}
			do(Block{Rows: part.Rows, V: out, Nu: part.Nu})
		}
	}) && ctx.Err() == nil
}
