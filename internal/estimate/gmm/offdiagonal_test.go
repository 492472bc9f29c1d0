package gmm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
)

// The objective against its definition, its gradient and J'J against differences.
func TestOffDiagonal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 57))
	for _, top := range []int{3, 4} {
		const p, n, r = 50, 6, 3
		v := make([]float64, p*n)
		for i := range v {
			v[i] = rng.NormFloat64() + rng.ExpFloat64()
		}
		x := tables.New(&load.Set{Info: load.Info{P: p, N: n}, Values: v})
		mean, scale := make([]float64, n), make([]float64, n)
		for l := range p {
			for i := range n {
				mean[i] += v[l*n+i] / p
			}
		}
		for i := range scale {
			scale[i] = 1 / (.5 + rng.Float64())
		}
		orders := []int{2, 3, 4}[:top-1]
		central, err := moment.NewCentral(t.Context(), x.Storage, nil, mean, orders, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		o := newOffDiagonal(central, scale, r)
		at := make([]float64, r+r*n)
		for i := range at {
			at[i] = rng.NormFloat64()
			if i < r {
				at[i] = .2 + rng.Float64()
			}
		}
		// sums over all tuples of distinct indices
		term := func(a []float64, idx []int) float64 {
			x := 1.
			for _, i := range idx {
				x *= a[i]
			}
			return x
		}
		value := func(x []float64) float64 {
			sum := 0.
			for d := 0; d <= top; d++ {
				tau := 1.
				for q := range d {
					tau /= float64(n - q)
				}
				var down func(idx []int)
				down = func(idx []int) {
					if len(idx) == d {
						m, data := 0., 0.
						for j := range r {
							m += x[j] * term(x[r+j*n:r+(j+1)*n], idx)
						}
						for l := range p {
							e := 1.
							for _, i := range idx {
								e *= (v[l*n+i] - mean[i]) * scale[i]
							}
							data += e / p
						}
						sum += tau * (m*m - 2*m*data)
						return
					}
				next:
					for i := range n {
						for _, k := range idx {
							if i == k {
								continue next
							}
						}
						down(append(idx[:len(idx):len(idx)], i))
					}
				}
				down(nil)
			}
			return sum
		}
		g := make([]float64, len(at))
		f, ok := o.evaluate(t.Context(), at, g)
		want := value(at)
		if !ok || math.Abs(f-want) > 1e-11*math.Abs(want) {
			t.Errorf("order %d: f = %g, want %g", top, f, want)
		}
		const h = 1e-5
		for i := range at {
			up, down := append([]float64(nil), at...), append([]float64(nil), at...)
			up[i] += h
			down[i] -= h
			if want := (value(up) - value(down)) / (4 * h); math.Abs(g[i]-want) > 1e-7*(1+math.Abs(want)) {
				t.Errorf("order %d: half the gradient at %d: %g, want %g", top, i, g[i], want)
			}
		}
		// J'J s = J'(J s), the Jacobian of all entries by its definition.
		var jacobian [][]float64
		var weights []float64
		var down func(idx []int, tau float64)
		down = func(idx []int, tau float64) {
			row := make([]float64, len(at))
			for j := range r {
				a := at[r+j*n : r+(j+1)*n]
				row[j] = term(a, idx)
				for k, i := range idx {
					others := append(append([]int(nil), idx[:k]...), idx[k+1:]...)
					row[r+j*n+i] = at[j] * term(a, others)
				}
			}
			jacobian, weights = append(jacobian, row), append(weights, tau)
			if len(idx) == top {
				return
			}
			for i := range n {
				if !slices.Contains(idx, i) {
					down(append(idx[:len(idx):len(idx)], i), tau/float64(n-len(idx)))
				}
			}
		}
		down(nil, 1)
		s, out := make([]float64, len(at)), make([]float64, len(at))
		for i := range s {
			s[i] = rng.NormFloat64()
		}
		product := make([]float64, len(at))
		for e, row := range jacobian {
			linalg.Axpy(weights[e]*linalg.Dot(row, s), row, product)
		}
		o.product(out, s)
		for i, want := range product {
			if math.Abs(out[i]-want) > 1e-11*math.Abs(want)+1e-12 {
				t.Errorf("order %d: J'J s at %d: %g, want %g", top, i, out[i], want)
			}
		}
	}
}
