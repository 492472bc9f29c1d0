package gmm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/notice"
	"symmom/internal/observations"
	"symmom/internal/storage"
)

// Where starts of other seeds find a mixture of a higher expected likelihood, the fit mostly says that
// few of its own found it; of clusters that lie apart it does not.
func TestFewStarts(t *testing.T) {
	const p, n, r = 500, 4, 3
	fit := func(v []float64, seed uint64, shape Shape) (f *Result, said bool) {
		o := &Options{Shape: shape, Starts: 10, Seed: seed, Tolerance: DefaultTolerance, MaxIterations: DefaultIterations, Threads: 2}
		f, err := Fit(t.Context(), storage.New(&observations.Set{Info: observations.Info{P: p, N: n}, Values: v}), r, o)
		if err != nil {
			t.Fatal(err)
		}
		return f, slices.ContainsFunc(f.Warnings, func(w notice.Warning) bool { return w.Code == notice.FewStarts })
	}
	better, silent := 0, 0
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 47))
		apart, one := make([]float64, p*n), make([]float64, p*n)
		for i := range one {
			one[i] = rng.NormFloat64()
			apart[i] = one[i]
			if i/n%r == i%n { // cluster j is far out along variable j
				apart[i] += 12
			}
		}
		if _, said := fit(apart, 1, Spherical); said {
			t.Errorf("seed %d: few starts found clusters that lie apart", seed)
		}
		f, said := fit(one, 1, Full)
		expected := func(f *Result) float64 { return f.LogLikelihood - f.Mixture.Optimism(n, p, f.Members) }
		for other := range uint64(6) {
			if g, _ := fit(one, other+2, Full); expected(g) > expected(f)+.5 { // far above what the tolerance leaves, 1e-6 p a step
				if better++; !said {
					silent++
				}
				break
			}
		}
	}
	if better < 3 || silent > better/3 {
		t.Errorf("no warning in %d of the %d fits where another seed finds a better mixture", silent, better)
	}
}
