package ktensor

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/distinct"
	"symmom/internal/math/linalg"
)

// maskedJacobian is denseJacobian without the entries that have an index twice.
func maskedJacobian(d, n, r int, x []float64) *mat.Dense {
	j := denseJacobian(d, n, r, x)
	rows, _ := j.Dims()
	for e := range rows {
		seen := make([]bool, n)
		for k, rest := 0, e; k < d; k, rest = k+1, rest/n {
			if seen[rest%n] {
				clear(j.RawRowView(e))
			}
			seen[rest%n] = true
		}
	}
	return j
}

// Products with J'J, and the solution, are those of the derivatives of all entries.
func TestDistinctGaussNewtonDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 4))
	for _, c := range []struct{ d, n, r int }{{1, 4, 2}, {2, 5, 3}, {3, 6, 3}, {3, 4, 1}, {3, 3, 4}, {4, 6, 3}, {5, 6, 2}} {
		s := NewDistinctGaussNewton(c.d, c.n, c.r)
		size := c.r + c.r*c.n
		s.steps, s.tolerance = 10*size, 1e-26
		for range 5 {
			x, v, z := randomVector(rng, size), randomVector(rng, size), make([]float64, size)
			j := maskedJacobian(c.d, c.n, c.r, x)
			var h mat.Dense
			h.Mul(j.T(), j)
			terms := distinct.NewTerms(c.d, c.n, c.r)
			terms.Set(x[c.r:])
			got := make([]float64, size)
			distinct.NewDerivative(terms).Multiply(got[:c.r], got[c.r:], x[:c.r], v[:c.r], v[c.r:])
			var want mat.VecDense
			want.MulVec(&h, mat.NewVecDense(size, v))
			most := mat.Norm(&want, math.Inf(1))
			for i := range got {
				if !(math.Abs(got[i]-want.AtVec(i)) <= 1e-11*most) {
					t.Fatalf("%+v: product %d is %g, want %g", c, i, got[i], want.AtVec(i))
				}
			}
			terms.Squares(got[:c.r], got[c.r:], x[:c.r])
			for i := range got {
				if !(math.Abs(got[i]-h.At(i, i)) <= 1e-11*most) {
					t.Fatalf("%+v: square %d is %g, want %g", c, i, got[i], h.At(i, i))
				}
			}

			s.Ridge = float64(c.n%2) * .2
			for k := range c.r { // the terms apart: the derivatives of one do not meet another's
				one := append([]float64{x[k]}, x[c.r+k*c.n:c.r+(k+1)*c.n]...)
				own := denseJacobian(c.d, c.n, 1, one)
				var square mat.Dense
				square.Mul(own.T(), own)
				place := func(i int) int {
					if i == 0 {
						return k
					}
					return c.r + k*c.n + i - 1
				}
				for i := range one {
					for l := range one {
						h.Set(place(i), place(l), h.At(place(i), place(l))+s.Ridge*square.At(i, l))
					}
				}
			}

			const damping = .05
			if !s.Solve(x, v, z, damping) {
				t.Fatalf("%+v: not definite", c)
			}
			var gMost, pMost float64
			for i := range size {
				if i < c.r {
					pMost = math.Max(pMost, got[i])
				} else {
					gMost = math.Max(gMost, got[i])
				}
			}
			for k := range c.r {
				own, null := 0., make([]float64, size) // d(lambda) = -d lambda, d(a) = a
				null[k] = -float64(c.d) * x[k]
				copy(null[c.r+k*c.n:c.r+(k+1)*c.n], x[c.r+k*c.n:])
				for _, v := range got[c.r+k*c.n : c.r+(k+1)*c.n] {
					own = math.Max(own, v)
				}
				w := mat.NewVecDense(size, null)
				h.RankOne(&h, (own+damping*gMost)/linalg.Dot(null, null), w, w)
			}
			for i := range size {
				add := damping * gMost
				if i < c.r {
					add = damping * pMost
				}
				h.Set(i, i, h.At(i, i)+add)
			}
			h.Scale(2, &h)
			var left mat.VecDense
			left.MulVec(&h, mat.NewVecDense(size, z))
			left.SubVec(&left, mat.NewVecDense(size, v))
			if off := mat.Norm(&left, 2) / linalg.Norm2(v); off > 1e-8 { // as of all entries
				t.Errorf("%+v: residual %g", c, off)
			}
		}
	}
}
