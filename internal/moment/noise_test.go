package moment

import (
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/math/linalg"
)

// A covariance of few directions is the same noise as all of its entries are.
func TestNoiseOfFewDirections(t *testing.T) {
	const n, rows, k, unit = 13, 4, 3, 2.
	rng := rand.New(rand.NewPCG(5, 1))
	few := &Noise{N: n, Root: make([]float64, rows*n)}
	gaussian(few.Root, rng)
	all := &Noise{N: n, Full: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			for l := range rows {
				all.Full[i*n+j] += few.Root[l*n+i] * few.Root[l*n+j]
			}
		}
	}
	same := func(what string, got, want []float64) {
		t.Helper()
		for i, w := range want {
			// Sums of at most 13 products of numbers around 1, in another order.
			if !(math.Abs(got[i]-w) <= 1e-12*linalg.NormInf(want)) {
				t.Fatalf("%s: %g, want %g", what, got, want)
			}
		}
	}
	a, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	gaussian(a, rng)
	few.Apply(y, a)
	all.Apply(z, a)
	same("S a", y, z)
	b := &Basis{N: n, K: k, Q: make([]float64, k*n)}
	gaussian(b.Q, rng)
	same("Q'SQ", few.In(b).Full, all.In(b).Full)
	same("S/unit^2", few.Over(unit).full().Full, all.Over(unit).Full)
	same("tr S^2k", few.Traces(4), all.Traces(4))
	same("variances", few.Uncorrelated().Diagonal, all.Uncorrelated().Diagonal)
	same("as sent", few.numbers(), all.numbers())
	if few.Spherical() || !(math.Abs(few.Sigma()-all.Sigma()) <= 1e-12) {
		t.Errorf("spherical %v, sigma %g, want %g", few.Spherical(), few.Sigma(), all.Sigma())
	}
	if allocations := testing.AllocsPerRun(10, func() { few.Apply(y, a) }); allocations > 0 {
		t.Errorf("%g allocations", allocations)
	}
}
