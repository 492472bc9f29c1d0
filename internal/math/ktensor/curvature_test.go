package ktensor

import (
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/math/linalg"
)

// Multiplying with the system undoes its solution, which the derivatives of all entries of the
// tensor are the check of; dividing is that solution where columns are long, and a symmetric
// positive matrix where they are not.
func TestCurvature(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	for _, c := range []struct {
		d, n, r  int
		distinct bool
	}{{1, 40, 2, false}, {2, 20, 2, false}, {3, 40, 3, false}, {3, 8, 3, false}, {4, 30, 2, false}, {3, 9, 3, true}, {4, 20, 2, true}} {
		s := NewGaussNewton(c.d, c.n, c.r)
		if c.distinct {
			s = NewDistinctGaussNewton(c.d, c.n, c.r)
		}
		size := c.r + c.r*c.n
		s.steps, s.tolerance = 10*size, 1e-26
		h := s.Curvature()
		x, q, z, back := randomVector(rng, size), randomVector(rng, size), make([]float64, size), make([]float64, size)
		const damping = .05
		if !s.Solve(x, q, z, damping) || !h.Form(x, damping) {
			t.Fatalf("%+v: not definite", c)
		}
		h.Multiply(back, z)
		linalg.Axpy(-1, q, back)
		if off := linalg.Norm2(back) / linalg.Norm2(q); off > 1e-8 { // as in TestGaussNewtonDense
			t.Errorf("%+v: residual %g", c, off)
		}
		divided := make([]float64, size)
		h.Precondition(divided, q)
		if exact := !c.distinct && c.n > shortColumns*c.r; exact {
			linalg.Axpy(-1, z, divided)
			if off := linalg.Norm2(divided) / linalg.Norm2(z); off > 1e-8 {
				t.Errorf("%+v: divided, off by %g", c, off)
			}
			continue
		}
		other := randomVector(rng, size)
		h.Precondition(back, other)
		one, two := linalg.Dot(other, divided), linalg.Dot(back, q)
		if !(math.Abs(one-two) <= 1e-9*math.Abs(one)) || !(linalg.Dot(q, divided) > 0) {
			t.Errorf("%+v: divided, products %g and %g, and %g with itself", c, one, two, linalg.Dot(q, divided))
		}
	}
}
