package gmm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/moment/block"
)

// Shifting the observations shifts the centers.
func TestKMeansOfMovedData(t *testing.T) {
	const p, n, r = 500, 4, 8
	rng := rand.New(rand.NewPCG(1, 1))
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
	for l := range p { // whole numbers, so that nothing is rounded
		for i := range n {
			x.V[l*n+i] = float64(rng.IntN(5)) + 20*float64(l>>i&1)
		}
	}
	y := &block.Dense{P: p, N: n, V: slices.Clone(x.V)}
	for i := range y.V {
		y.V[i] -= 12
	}
	for seed := range uint64(10) {
		for _, rounds := range []int{0, 1, 10} {
			a, inX := KMeans(t.Context(), x, nil, r, rounds, rand.New(rand.NewPCG(2, seed)))
			b, inY := KMeans(t.Context(), y, nil, r, rounds, rand.New(rand.NewPCG(2, seed)))
			for i, v := range a {
				if d := v - 12 - b[i]; d > 1e-12 || d < -1e-12 {
					t.Fatalf("seed %d, %d rounds: centers %g and %g", seed, rounds, v, b[i])
				}
			}
			if d := inX - inY; d > 1e-9 || d < -1e-9 {
				t.Errorf("seed %d, %d rounds: mean square distances %g and %g", seed, rounds, inX, inY)
			}
		}
	}
}

// Without rounds the centers are observations, and the mean square distance is that from the nearest.
func TestKMeansAsDrawn(t *testing.T) {
	const p, n, r = 60, 3, 4
	rng := rand.New(rand.NewPCG(1, 2))
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n), Nu: make([]float64, p)}
	for i := range x.V {
		x.V[i] = rng.NormFloat64()
	}
	for l := range x.Nu {
		x.Nu[l] = .5 + rng.Float64()
	}
	centers, square := KMeans(t.Context(), x, nil, r, 0, rng)
	var sum, weight float64
	at := make([]bool, r) // an observation is there
	for l, w := range x.Nu {
		nearest := math.Inf(1)
		for j := range r {
			var d float64
			for i := range n {
				d += (x.V[l*n+i] - centers[j*n+i]) * (x.V[l*n+i] - centers[j*n+i])
			}
			at[j] = at[j] || d == 0
			nearest = min(nearest, d)
		}
		sum += w * nearest
		weight += w
	}
	// Squares are differences of norms of up to ten times their size, in p sums.
	if slices.Contains(at, false) || !(math.Abs(square-sum/weight) <= 1e-14*p*sum/weight) {
		t.Errorf("centers %.4v, mean square distance %g, want observations and %g", centers, square, sum/weight)
	}
}
