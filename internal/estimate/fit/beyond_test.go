package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/math/eigen"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// TestActsBeyond compares with the trace of X a^(d-2), formed entry by entry, in an orthonormal
// basis of the complement.
func TestActsBeyond(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	const p, n, k, r = 40, 6, 4, 3
	const unit = 2.5
	q := make([]float64, n*n)
	moment.Gaussian(q, n, rng)
	eigen.Orthonormalize(t.Context(), q, n, n, 1)
	b := &moment.Basis{N: n, K: k, Q: q[:k*n]}
	for _, d := range []int{2, 3, 4, 5} {
		for _, weighted := range []bool{false, true} {
			data := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
			for i := range data.V {
				data.V[i] = rng.NormFloat64()
			}
			if weighted {
				data.Nu = make([]float64, p)
				for l := range data.Nu {
					data.Nu[l] = rng.Float64() / p
				}
			}
			a, lifted := make([]float64, r*k), make([]float64, r*n)
			moment.Gaussian(a, k, rng)
			b.Lift(lifted, a, r)
			for j, got := range actsBeyond(b, data, a, d, unit) {
				x := make([]float64, n*n) // X a_j^(d-2)
				for l := range p {
					v := data.V[l*n : (l+1)*n]
					z := data.Weight(l) * math.Pow(linalg.Dot(v, lifted[j*n:(j+1)*n]), float64(d-2))
					for i := range n {
						linalg.Axpy(z*v[i], v, x[i*n:(i+1)*n])
					}
				}
				var want, size float64
				for m := k; m < n; m++ {
					for i := range n {
						v := q[m*n+i] * linalg.Dot(x[i*n:(i+1)*n], q[m*n:(m+1)*n])
						want += v
						size += math.Abs(v)
					}
				}
				want /= (n - k) * math.Pow(unit, float64(d))
				size /= (n - k) * math.Pow(unit, float64(d))
				if !(math.Abs(got-want) <= 1e-12*(1+size)) { // some hundred additions of terms of size's order
					t.Errorf("d=%d, weighted %t, column %d: %g, want %g", d, weighted, j, got, want)
				}
			}
		}
	}
}
