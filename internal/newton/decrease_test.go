package newton

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/linalg"
	"symmom/internal/moment"
	"symmom/internal/obs"
)

// The decrease is |P R|^2 of the dense residual, P the projection on the
// columns of the dense Jacobian; of single columns, the largest share of one.
func TestDecreaseDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, c := range []struct{ d, n, r int }{{1, 4, 2}, {2, 4, 2}, {3, 5, 2}, {3, 4, 1}, {4, 4, 3}, {5, 3, 2}} {
		s := NewGaussNewton(c.d, c.n, c.r)
		data := &obs.Dense{P: 20, N: c.n, V: randomVector(rng, 20*c.n)}
		o := moment.NewObjective(&moment.Implicit{Data: data, D: c.d}, c.r, 1, 1)
		for range 5 {
			x := randomVector(rng, o.Size())
			g := make([]float64, len(x))
			o.Evaluate(t.Context(), x, g)
			j := denseJacobian(c.d, c.n, c.r, x)
			var svd mat.SVD
			if !svd.Factorize(j, mat.SVDThin) {
				t.Fatal("no singular values")
			}
			// J'R = -g/2; the projection of R is U S^-1 V'J'R.
			var v mat.Dense
			svd.VTo(&v)
			want, values := 0., svd.Values(nil)
			for k, sigma := range values {
				if sigma > 1e-10*values[0] {
					part := mat.Dot(v.ColView(k), mat.NewVecDense(len(g), g)) / 2 / sigma
					want += part * part
				}
			}
			// Of the least damping, 1e-9 of the largest column, where others
			// are a thousandth of it.
			if got := s.Decrease(x, g, math.Inf(1), false); math.Abs(got-want) > 1e-3*want {
				t.Errorf("%+v: %v, want %v", c, got, want)
			}
			most := 0.
			for i := range x {
				column := mat.Norm(j.ColView(i), 2)
				most = math.Max(most, g[i]*g[i]/(4*column*column))
			}
			for _, got := range []float64{s.Decrease(x, g, math.Inf(1), true), s.Decrease(x, g, most/2, false)} {
				if math.Abs(got-most) > 1e-12*most {
					t.Errorf("%+v: single columns %v, want %v", c, got, most)
				}
			}
		}
	}
}

// Nothing but the share of f counts: columns of another length with lambda to
// match, and data in another unit, give the same share.
func TestDecreaseHasNoUnit(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	const d, n, r = 3, 5, 2
	v := randomVector(rng, 20*n)
	x := randomVector(rng, r+r*n)
	share := func(unit float64, stretch []float64) float64 {
		data := &obs.Dense{P: 20, N: n, V: append([]float64(nil), v...)}
		linalg.Scale(unit, data.V)
		y := append([]float64(nil), x...)
		for j, c := range stretch {
			y[j] *= math.Pow(unit/c, d)
			linalg.Scale(c, y[r+j*n:r+(j+1)*n])
		}
		g := make([]float64, len(y))
		moment.NewObjective(&moment.Implicit{Data: data, D: d}, r, 1, 1).Evaluate(t.Context(), y, g)
		return NewGaussNewton(d, n, r).Decrease(y, g, math.Inf(1), false) / math.Pow(unit, 2*d)
	}
	want := share(1, []float64{1, 1})
	for _, unit := range []float64{1e-3, 1, 1e3} {
		for _, c := range []float64{.5, 2} {
			// The damping of 1e-9 is relative to the largest column alone.
			if got := share(unit, []float64{c, 1 / c}); math.Abs(got-want) > 1e-5*want {
				t.Errorf("unit %g, columns stretched by %g: %v, want %v", unit, c, got, want)
			}
		}
	}
}
