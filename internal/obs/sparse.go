package obs

import (
	"context"

	"symmom/internal/linalg"
)

// Sparse holds observations of which only the nonzero values are stored. With Scale or
// Shift the variables are Scale (x - Shift) of the values x: zeros are then no longer
// zero, but the stored values do not change.
type Sparse struct {
	Start []int   // rows + 1: the values of row l are Start[l] to Start[l+1]-1
	Index []int32 // the variable of each value, ascending within a row
	V     []float64
	V32   []float32 // instead of V

	Scale, Shift []float64 // n each; nil means 1 and 0
}

// Stored returns the number of stored values.
func (s *Sparse) Stored() int { return s.Start[len(s.Start)-1] - s.Start[0] }

// mapped reports whether the variables differ from the stored values.
func (s *Sparse) mapped() bool { return s.Scale != nil || s.Shift != nil }

// Alike reports whether s and t have the same Scale and Shift.
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

// Rows64 returns the values as linalg's products take them, unless they are in V32.
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

// SparseRows holds sparse weighted observations in memory. They are never changed.
type SparseRows struct {
	P, N   int
	Values *Sparse
	Nu     []float64 // P weights of sum 1, nil for 1/P each
}

// Shape returns P and N.
func (x *SparseRows) Shape() (p, n int) { return x.P, x.N }

// Share returns 1/P if Nu is nil, otherwise 1.
func (x *SparseRows) Share() float64 {
	if x.Nu == nil {
		return 1 / float64(x.P)
	}
	return 1
}

// BlockRows returns P: all observations are in one block.
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
