package ktensor

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// The decrease is |P R|^2 of the dense residual, P the projection on the
// columns of the dense Jacobian; of single columns, the largest share of one.
func TestDecreaseDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, c := range []struct{ d, n, r int }{{1, 4, 2}, {2, 4, 2}, {3, 5, 2}, {3, 4, 1}, {4, 4, 3}, {5, 3, 2}} {
		s := NewGaussNewton(c.d, c.n, c.r)
		data := &block.Dense{P: 20, N: c.n, V: randomVector(rng, 20*c.n)}
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
			if got := s.Decrease(x, g, 1e-13, math.Inf(1), false); !(math.Abs(got-want) <= 1e-6*want) {
				t.Errorf("%+v: %v, want %v", c, got, want)
			}
			most := 0.
			for i := range x {
				column := mat.Norm(j.ColView(i), 2)
				most = math.Max(most, g[i]*g[i]/(4*column*column))
			}
			for _, got := range []float64{s.Decrease(x, g, 1e-13, most/2, false), s.Decrease(x, g, 1e-13, 0, false)} {
				if !(math.Abs(got-most) <= 1e-12*most) {
					t.Errorf("%+v: single columns %v, want %v", c, got, most)
				}
			}
		}
	}
}

// Where no entry may become negative, the decrease is the largest of the dense
// ||R||^2 - ||R - t J_i||^2 over steps t against the gradient that stay there, found by
// golden section; some entries are at the bound, some near, some far from it.
func TestDecreaseNonnegative(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	bound := 0
	for _, c := range []struct{ d, n, r int }{{1, 4, 2}, {2, 4, 2}, {3, 4, 2}, {4, 3, 2}} {
		s := NewGaussNewton(c.d, c.n, c.r)
		data := &block.Dense{P: 20, N: c.n, V: randomVector(rng, 20*c.n)}
		o := moment.NewObjective(&moment.Implicit{Data: data, D: c.d}, c.r, 1, 1)
		for trial := range 40 {
			scale := math.Pow(10, 2*rng.Float64()-1)
			x := randomVector(rng, o.Size())
			for i, v := range x {
				x[i] = scale * max(0, v) * math.Pow(10, -3*float64(rng.IntN(2)))
			}
			g := make([]float64, len(x))
			o.Evaluate(t.Context(), x, g)
			if trial%2 == 1 { // of a residual that pushes all of them down
				for i, v := range g {
					g[i] = math.Abs(v)
				}
			}
			j := denseJacobian(c.d, c.n, c.r, x)
			want := 0.
			for i := range x {
				square := math.Pow(mat.Norm(j.ColView(i), 2), 2)
				// ||R - t J_i||^2 = ||R||^2 + g_i t + |J_i|^2 t^2, as 2 J'R = -g.
				lowered := func(t float64) float64 { return -g[i]*t - square*t*t }
				lo, hi := 0., 0.
				switch {
				case g[i] > 0:
					lo = -x[i]
				case square > 0:
					hi = -g[i] / square
				}
				for range 100 {
					a, b := lo+.382*(hi-lo), lo+.618*(hi-lo)
					if lowered(a) > lowered(b) {
						hi = b
					} else {
						lo = a
					}
				}
				if v := lowered((lo + hi) / 2); v > want {
					want = v
				}
			}
			if free := s.Decrease(x, g, 1e-13, 0, false); want < .9*free {
				bound++
			}
			// Golden section finds a place to the root of the rounding.
			if got := s.Decrease(x, g, 1e-13, 0, true); !(math.Abs(got-want) <= 1e-7*want) {
				t.Errorf("%+v: %v, want %v", c, got, want)
			}
		}
	}
	if bound < 20 {
		t.Errorf("the bound mattered %d times only", bound)
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
		data := &block.Dense{P: 20, N: n, V: append([]float64(nil), v...)}
		linalg.Scale(unit, data.V)
		y := append([]float64(nil), x...)
		for j, c := range stretch {
			y[j] *= math.Pow(unit/c, d)
			linalg.Scale(c, y[r+j*n:r+(j+1)*n])
		}
		g := make([]float64, len(y))
		moment.NewObjective(&moment.Implicit{Data: data, D: d}, r, 1, 1).Evaluate(t.Context(), y, g)
		return NewGaussNewton(d, n, r).Decrease(y, g, 1e-13, math.Inf(1), false) / math.Pow(unit, 2*d)
	}
	want := share(1, []float64{1, 1})
	for _, unit := range []float64{1e-3, 1, 1e3} {
		for _, c := range []float64{.5, 2} {
			// The damping of 1e-9 is relative to the largest column alone.
			if got := share(unit, []float64{c, 1 / c}); !(math.Abs(got-want) <= 1e-5*want) {
				t.Errorf("unit %g, columns stretched by %g: %v, want %v", unit, c, got, want)
			}
		}
	}
}
