package gmm

import (
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/moment/block"
)

// The means are those of observations that have a weight, the variances are around the mean square
// distance from the nearest, computed here over all pairs, by the factors that follow in the stream.
func TestScattered(t *testing.T) {
	const p, n, r = 40, 3, 4
	rng := rand.New(rand.NewPCG(37, 1))
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n), Nu: make([]float64, p)}
	for i := range x.V {
		x.V[i] = 1e9 // of weight 0
		if i/n%2 == 1 {
			x.V[i], x.Nu[i/n] = rng.NormFloat64(), (1+rng.Float64())/p
		}
	}
	var logs, squares float64
	const draws = 500
	for seed := range uint64(draws) {
		g := scattered(x, r, n+1, rand.New(rand.NewPCG(seed, 2)))
		var square, weight float64
		for l := range p {
			nearest := math.Inf(1)
			for j := range r {
				nearest = min(nearest, math.Pow(x.V[l*n]-g.Means[j*n], 2)+math.Pow(x.V[l*n+1]-g.Means[j*n+1], 2)+math.Pow(x.V[l*n+2]-g.Means[j*n+2], 2))
			}
			square += x.Nu[l] * nearest
			weight += x.Nu[l]
		}
		for j := range r {
			if g.Weights[j] != 1./r {
				t.Fatalf("weights %v", g.Weights)
			}
			log := math.Log(g.Cov[j] * (n + 1) * weight / square)
			logs, squares = logs+log/(draws*r), squares+log*log/(draws*r)
		}
		for _, m := range g.Means {
			if !(math.Abs(m) < 10) {
				t.Fatalf("the mean %g is of observations without a weight", m)
			}
		}
	}
	// Five standard errors of 2,000 draws.
	if math.Abs(logs) > 5*scatteredSpread/math.Sqrt(draws*r) || math.Abs(squares/(scatteredSpread*scatteredSpread)-1) > 5*math.Sqrt(2./(draws*r)) {
		t.Errorf("logarithms of mean %g and mean square %g", logs, squares)
	}
}

// Small tables with enough observations have as many scattered starts as others, in eigenvectors too;
// none if EM is to begin at the moments alone. The spherical ones have a fit or two of moments over distinct
// indices.
func TestScatteredOfSmallTables(t *testing.T) {
	for name, c := range map[string]struct {
		p, n, starts, want int
		shape              Shape
	}{
		"small":                {200, 3, 4, 9, Diagonal},
		"few for a parameter":  {25, 3, 4, 5, Diagonal}, // 13 parameters
		"enough":               {26, 3, 4, 9, Diagonal},
		"moments alone":        {200, 3, 0, 1, Diagonal},
		"in eigenvectors":      {400, 60, 4, 10, Spherical},
		"as large as can be":   {1 << 13, 8, 1, 4, Spherical},
		"larger by one number": {1<<13 + 1, 8, 1, 3, Spherical},
	} {
		v, rng := make([]float64, c.p*c.n), rand.New(rand.NewPCG(37, 3))
		for i := range v {
			v[i] = rng.NormFloat64()
			if i/c.n%2 == 0 && i%c.n == 0 {
				v[i] = 9 + 3*rng.ExpFloat64()
			}
		}
		f, err := Fit(t.Context(), tables.New(&load.Set{Info: load.Info{P: c.p, N: c.n}, Values: v}), 2, &Options{Shape: c.shape, Starts: c.starts, Seed: 1, Tolerance: DefaultTolerance, MaxIterations: DefaultIterations, Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		if f.Tried != c.want {
			t.Errorf("%s: %d starts, want %d", name, f.Tried, c.want)
		}
	}
}
