package block

import (
	"context"
	"errors"

	"symmom/internal/math/linalg"
)

// Source is a set of weighted observations that is read block by block. Dense holds
// all of them in memory as one block; other sources read them from wherever they are.
// A Source never changes.
type Source interface {
	// Shape returns the number of observations and of variables.
	Shape() (p, n int)

	// Share is the factor that block weights must be multiplied by for all of them to
	// sum to 1.
	Share() float64

	// BlockRows returns the number of observations in the largest block.
	BlockRows() int

	// Pass calls do with one block after the other, always the same blocks in the same
	// order. A block is invalid once do returns. Pass returns false if ctx was
	// cancelled or the source failed; do may have seen some blocks by then.
	Pass(ctx context.Context, do func(Block)) bool

	// Err returns the error of a source that failed permanently, or nil.
	Err() error
}

// Block holds consecutive observations of a Source. All blocks of a source store them
// the same way: in V, in V32, or in Sparse, of which the next block has another. Sums are always
// float64.
type Block struct {
	Rows   int
	V      []float64 // Rows x n, one observation a row
	V32    []float32 // instead of V
	Sparse *Sparse   // instead of V
	Nu     []float64 // Rows weights, nil if all are 1; to be multiplied by Source.Share
}

// Weight returns that of observation l, to be multiplied by Source.Share.
func (b Block) Weight(l int) float64 {
	if b.Nu == nil {
		return 1
	}
	return b.Nu[l]
}

// Values returns observations lo..hi-1 of n variables as float64: in place, or
// converted to *scratch, which grows as needed. Callers read a block a few
// observations at a time, so that the scratch stays in cache.
func (b Block) Values(lo, hi, n int, scratch *[]float64) []float64 {
	switch {
	case b.Sparse != nil:
		wide := grown(scratch, (hi-lo)*n)
		b.Sparse.dense(wide, lo, hi, n)
		return wide
	case b.V32 != nil:
		wide := grown(scratch, (hi-lo)*n)
		linalg.Widen(wide, b.V32[lo*n:hi*n])
		return wide
	}
	return b.V[lo*n : hi*n]
}

// InPlace returns the values of rows lo..hi-1 where they are, cut off at the end of the
// block, or nil if they are not stored as float64.
func (b Block) InPlace(lo, hi, n int) []float64 {
	if b.V == nil || b.Sparse != nil {
		return nil
	}
	return b.V[min(lo, b.Rows)*n : min(hi, b.Rows)*n]
}

func grown(scratch *[]float64, size int) []float64 {
	if cap(*scratch) < size {
		*scratch = make([]float64, size)
	}
	return (*scratch)[:size]
}

// Part returns observations lo..hi-1 of n variables of the block.
func (b Block) Part(lo, hi, n int) Block {
	c := Block{Rows: hi - lo}
	switch {
	case b.Sparse != nil:
		c.Sparse = b.Sparse.part(lo, hi)
	case b.V32 != nil:
		c.V32 = b.V32[lo*n : hi*n]
	default:
		c.V = b.V[lo*n : hi*n]
	}
	if b.Nu != nil {
		c.Nu = b.Nu[lo:hi]
	}
	return c
}

// AppendWeights appends the weights of a block to the weights nu of the done
// observations before it; nil stays nil as long as all weights are 1.
func AppendWeights(nu []float64, done int, b Block) []float64 {
	if b.Nu == nil && nu == nil {
		return nil
	}
	for len(nu) < done {
		nu = append(nu, 1)
	}
	nu = append(nu, b.Nu...)
	for len(nu) < done+b.Rows {
		nu = append(nu, 1)
	}
	return nu
}

// Gather returns all observations of x in memory, stored like those of the first
// block: 8 p n bytes, or 4 p n for float32. Sparse observations get their zeros. It
// makes one pass. It returns ctx's error if cancelled.
func Gather(ctx context.Context, x Source) (*Dense, error) {
	p, n := x.Shape()
	d := &Dense{P: p, N: n}
	done := 0
	var scratch []float64
	if !x.Pass(ctx, func(b Block) {
		switch {
		case done > 0:
		case b.V32 != nil, b.Sparse != nil && b.Sparse.V32 != nil && !b.Sparse.mapped():
			d.V32 = make([]float32, 0, p*n)
		default:
			d.V = make([]float64, 0, p*n)
		}
		switch {
		case b.Sparse == nil && (b.V32 != nil) == (d.V32 != nil):
			d.V, d.V32 = append(d.V, b.V...), append(d.V32, b.V32...)
		default:
			for l := range b.Rows {
				row := b.Values(l, l+1, n, &scratch)
				if d.V != nil {
					d.V = append(d.V, row...)
					continue
				}
				for _, v := range row {
					d.V32 = append(d.V32, float32(v))
				}
			}
		}
		d.Nu = AppendWeights(d.Nu, done, b)
		done += b.Rows
	}) {
		return nil, Stopped(ctx, x)
	}
	if share := x.Share(); d.Nu != nil && share != 1 {
		for i := range d.Nu {
			d.Nu[i] *= share
		}
	}
	return d, nil
}

// Pick returns the observations of x with the given numbers, which must be ascending,
// as float64, with the weights they have in their blocks. It makes one pass, which ends with the
// last of them.
func Pick(ctx context.Context, x Source, index []int) (*Dense, error) {
	_, n := x.Shape()
	d := &Dense{P: len(index), N: n, V: make([]float64, 0, len(index)*n)}
	var scratch []float64
	next, done := 0, 0 // position in index; observations in earlier blocks
	last, stop := context.WithCancel(ctx)
	defer stop()
	if !x.Pass(last, func(b Block) {
		for ; next < len(index) && index[next] < done+b.Rows; next++ {
			l := index[next] - done
			d.V = append(d.V, b.Values(l, l+1, n, &scratch)...)
			d.Nu = AppendWeights(d.Nu, next, b.Part(l, l+1, n))
		}
		if done += b.Rows; next == len(index) {
			stop()
		}
	}) && next < len(index) {
		if err := Stopped(ctx, x); err != nil {
			return nil, err
		}
		return nil, errors.New("the data could not be read")
	}
	return d, nil
}

// Stopped returns the reason that a pass over x did not complete.
func Stopped(ctx context.Context, x Source) error {
	if err := x.Err(); err != nil {
		return err
	}
	return ctx.Err()
}

// Watched is a source that shows every block to See before passing it on, so that one
// pass has two uses.
type Watched struct {
	Source
	See func(Block)
}

// Pass reads the source once.
func (w *Watched) Pass(ctx context.Context, do func(Block)) bool {
	return w.Source.Pass(ctx, func(b Block) {
		w.See(b)
		do(b)
	})
}
