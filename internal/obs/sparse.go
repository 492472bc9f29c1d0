package obs

import (
	"context"

	"symmom/internal/linalg"
)

// Sparse is observations of which only the values that are not zero are stored.
// With Scale or Shift the variables are Scale (x - Shift) of the values x: the zeros
// are not zero then, but what is stored stays as it is.
type Sparse struct {
	Start []int   // rows + 1: row l has the values Start[l] to Start[l+1]-1
	Index []int32 // the variable of each value, ascending within a row
	V     []float64
	V32   []float32 // instead of V

	Scale, Shift []float64 // n each; nil for 1 and 0
}

// Stored returns the number of values that are stored.
func (s *Sparse) Stored() int { return s.Start[len(s.Start)-1] - s.Start[0] }

// mapped tells whether the variables are not the values themselves.
func (s *Sparse) mapped() bool { return s.Scale != nil || s.Shift != nil }

// Alike tells whether the variables of s and t are the same of their values.
func (s *Sparse) Alike(t *Sparse) bool {
	same := func(a, b []float64) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }
	return same(s.Scale, t.Scale) && same(s.Shift, t.Shift)
}

// part returns rows lo..hi-1.
func (s *Sparse) part(lo, hi int) *Sparse {
	c := *s
	c.Start = s.Start[lo : hi+1]
	return &c
}

// Rows64 returns the values as the products of linalg take them, unless V32 has them.
func (s *Sparse) Rows64() linalg.SparseRows[float64] {
	return linalg.SparseRows[float64]{Start: s.Start, Index: s.Index, V: s.V}
}

// Rows32 is Rows64 for V32.
func (s *Sparse) Rows32() linalg.SparseRows[float32] {
	return linalg.SparseRows[float32]{Start: s.Start, Index: s.Index, V: s.V32}
}

// dense writes rows lo..hi-1 of n variables, with their zeros, to out.
func (s *Sparse) dense(out []float64, lo, hi, n int) {
	clear(out)
	for l := lo; l < hi; l++ {
		row := out[(l-lo)*n : (l-lo+1)*n]
		from, to := s.Start[l], s.Start[l+1]
		if s.V32 != nil {
			for k, i := range s.Index[from:to] {
				row[i] = float64(s.V32[from+k])
			}
		} else {
			for k, i := range s.Index[from:to] {
				row[i] = s.V[from+k]
			}
		}
		for i, c := range s.Shift {
			row[i] -= c
		}
		for i, c := range s.Scale {
			row[i] *= c
		}
	}
}

// SparseRows are sparse weighted observations in memory. They are never changed.
type SparseRows struct {
	P, N   int
	Values *Sparse
	Nu     []float64 // P weights of sum 1, nil for 1/P each
}

// Shape returns P and N.
func (x *SparseRows) Shape() (p, n int) { return x.P, x.N }

// Share returns 1/P when Nu is nil, else 1.
func (x *SparseRows) Share() float64 {
	if x.Nu == nil {
		return 1 / float64(x.P)
	}
	return 1
}

// BlockRows returns P: all observations are one block.
func (x *SparseRows) BlockRows() int { return x.P }

// Pass calls do once, with all observations.
func (x *SparseRows) Pass(ctx context.Context, do func(Block)) bool {
	if ctx.Err() == nil {
		do(Block{Rows: x.P, Sparse: x.Values, Nu: x.Nu})
	}
	return ctx.Err() == nil
}

// Err returns nil: memory does not fail.
func (x *SparseRows) Err() error { return nil }
