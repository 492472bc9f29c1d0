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

// Two components are determined by orders 0 to 3: they may trade weights for means otherwise.
func TestTwoOfIndependentVariables(t *testing.T) {
	const p, n, r = 4000, 8, 2
	rng := rand.New(rand.NewPCG(8, 57))
	means, deviations := make([]float64, r*n), make([]float64, r*n)
	for i := range means {
		means[i], deviations[i] = rng.NormFloat64(), math.Abs(rng.NormFloat64())
	}
	v := make([]float64, p*n)
	for l := range p {
		j := min(rng.IntN(3), 1)
		for i := range n {
			v[l*n+i] = means[j*n+i] + deviations[j*n+i]*rng.NormFloat64()
		}
	}
	x := tables.New(&load.Set{Info: load.Info{P: p, N: n}, Values: v})
	f, err := Fit(t.Context(), x, r, &Options{Shape: Diagonal, MomentsOnly: true, Seed: 1, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	for j, w := range []float64{2. / 3, 1. / 3} {
		var d float64
		for i := range n {
			e := f.Mixture.Means[j*n+i] - means[(1-j)*n+i]
			d += e * e / n
		}
		if math.Sqrt(d) > .1 || math.Abs(f.Mixture.Weights[j]-w) > .05 {
			t.Errorf("component %d is %.2g from its mean, weight %.3g", j+1, math.Sqrt(d), f.Mixture.Weights[j])
		}
	}
}
