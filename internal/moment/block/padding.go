package block

import (
	"slices"
	"sync/atomic"

	"symmom/internal/math/linalg"
)

// PaddingCalls is the number of products that one copy of the rows is made for: it takes as
// long as 8 to 17 (measured: 4 ms for 11 MB, rank 5, one and two threads), most of it for
// pages, and saves up to a third of each.
const PaddingCalls = 32

// Padding is a copy of observations that come as one block, with rows that begin at lines of
// the cache, in large pages where the system has them. The bits of products are the same.
type Padding struct {
	calls  atomic.Int32
	padded atomic.Pointer[Block]
}

// Made reports whether there is a copy.
func (p *Padding) Made() bool { return p.padded.Load() != nil }

// Of returns a block of x for a product, and the numbers from one row to the next.
func (p *Padding) Of(b Block, x Source) (Block, int) {
	rows, n := x.Shape()
	stride := 0
	switch {
	case b.Sparse != nil || b.Rows < rows:
	case b.V32 != nil:
		stride = linalg.CopiedStride[float32](rows, n)
	default:
		stride = linalg.CopiedStride[float64](rows, n)
	}
	if stride == 0 {
		return b, n
	}
	c := p.padded.Load()
	if c == nil {
		if p.calls.Add(1) != PaddingCalls {
			return b, n
		}
		c = &Block{Rows: b.Rows, V: apart(b.V, n, stride), V32: apart(b.V32, n, stride), Nu: slices.Clone(b.Nu)}
		p.padded.Store(c)
	}
	return *c, stride
}

// apart copies rows of n numbers to rows that are stride apart; nil stays nil.
func apart[T float32 | float64](v []T, n, stride int) []T {
	if v == nil {
		return nil
	}
	rows := len(v) / n
	to := linalg.MakeLarge[T](rows * stride)
	for l := range rows {
		copy(to[l*stride:], v[l*n:(l+1)*n])
	}
	return to
}
