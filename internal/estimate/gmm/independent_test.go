package gmm

import (
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/test/slow"
)

// Components that share few dimensions, each with variances of its own: k-means++ starts miss them.
func TestIndependent(t *testing.T) {
	slow.Test(t)
	const p, n, r = 20000, 30, 18
	for _, shape := range []Shape{Diagonal, Spherical} {
		rng := rand.New(rand.NewPCG(5, 57))
		means, deviations := make([]float64, r*n), make([]float64, r*n)
		for i := range means {
			means[i] = rng.NormFloat64()
			deviations[i] = math.Max(.01, math.Abs(rng.NormFloat64()))
			if shape == Spherical {
				deviations[i] = 1.2 * deviations[i/n*n]
			}
		}
		v := make([]float64, p*n)
		for l := range p {
			j := rng.IntN(r)
			for i := range n {
				v[l*n+i] = means[j*n+i] + deviations[j*n+i]*rng.NormFloat64()
			}
		}
		x := tables.New(&load.Set{Info: load.Info{P: p, N: n}, Values: v})
		o := &Options{Shape: shape, Starts: 10, Open: true, Seed: 1, Tolerance: 1e-6, MaxIterations: DefaultIterations, Threads: 2}
		f, err := Fit(t.Context(), x, r, o)
		if err != nil {
			t.Fatal(err)
		}
		for j := range r {
			nearest := math.Inf(1)
			for k := range r {
				var d float64
				for i := range n {
					d += (means[j*n+i] - f.Mixture.Means[k*n+i]) * (means[j*n+i] - f.Mixture.Means[k*n+i]) / n
				}
				nearest = min(nearest, math.Sqrt(d))
			}
			if nearest > .2 {
				t.Errorf("shape %d: component %d is %.2g from the nearest mean; found from %s, %d of %d starts", shape, j+1, nearest, f.Start, f.Hits, f.Tried)
			}
		}
		if f.Start != "moments 1" || f.Hits < 3 || f.Tried > 21 {
			t.Errorf("shape %d: found from %s, by %d of %d starts", shape, f.Start, f.Hits, f.Tried)
		}
	}
}
