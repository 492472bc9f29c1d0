package norm

import (
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// Of few observations the terms of each with itself are a large part of ||T||^2: the mean
// over many draws shows whether each part of the estimate is there, once.
func TestDebiasedUnbiased(t *testing.T) {
	const p, n, draws = 12, 5, 150
	rng := rand.New(rand.NewPCG(33, 1))
	for d := 2; d <= 4; d++ {
		for _, weighted := range []bool{false, true} {
			x := randomData(p, n, weighted, rng)
			for l := range p {
				x.V[l*n] += 2
			}
			for _, name := range []string{"diagonal", "full"} {
				s := noises(n, rng)[name]
				exact, err := SquaredDebiased(ctx, x, d, s, 1.5, 1)
				if err != nil {
					t.Fatal(err)
				}
				var sum, squares float64
				for seed := range uint64(draws) {
					sample := moment.NewSample(64, n, seed+1)
					sample.Add(block.Block{Rows: p, V: x.V, Nu: x.Nu})
					e, err := EstimateDebiased(ctx, x, sample, d, s, 1.5, 1)
					if err != nil {
						t.Fatal(err)
					}
					sum += e.Value
					squares += e.Value * e.Value
				}
				mean := sum / draws
				stderr := math.Sqrt((squares/draws - mean*mean) / draws)
				// Beyond 5 standard errors is one of two million means.
				if !(math.Abs(mean-exact) <= 5*stderr) {
					t.Errorf("d=%d weighted %v %s: %d estimates have mean %g ± %g, exact %g", d, weighted, name, draws, mean, stderr, exact)
				}
			}
		}
	}
}
