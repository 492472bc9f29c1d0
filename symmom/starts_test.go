package symmom

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// drawn is p x n of independent numbers.
func drawn(seed uint64, p, n int, draw func(*rand.Rand) float64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(p, n, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = draw(rng)
	}
	return x
}

func normal(rng *rand.Rand) float64 { return rng.NormFloat64() }

// threeT has three degrees of freedom.
func threeT(rng *rand.Rand) float64 {
	var chi float64
	for range 3 {
		v := rng.NormFloat64()
		chi += v * v
	}
	return rng.NormFloat64() / math.Sqrt(chi/3)
}

// Without a number of starts the best is found whatever the seed, on data where
// ten starts miss it more often than not, or it is reported that only one start
// found it.
func TestEnoughStarts(t *testing.T) {
	for name, c := range map[string]struct {
		x    *mat.Dense
		d, r int
	}{
		"normal, d = 12":  {drawn(1, 1000, 6, normal), 12, 3},
		"normal, d = 4":   {drawn(2, 1000, 30, normal), 4, 3},
		"t3, d = 3":       {drawn(3, 1000, 20, threeT), 3, 3},
		"uniform, d = 5":  {drawn(4, 23, 6, (*rand.Rand).Float64), 5, 3},
		"uniform about 0": {drawn(4, 23, 6, func(rng *rand.Rand) float64 { return rng.Float64() - .5 }), 5, 3},
	} {
		m := FromMatrix(c.x).Moment(c.d)
		const seeds = 20
		best, fits := math.Inf(1), make([]*Fit, seeds)
		for k := range fits {
			fits[k] = mustFit(t, m.With(Options{Seed: uint64(k + 1)}).Decompose(c.r))
			best = math.Min(best, fits[k].RelativeError)
		}
		missed, silent, most := 0, 0, 0
		for _, f := range fits {
			n, _ := f.AtBest()
			most = max(most, len(f.Starts))
			if n < 3 && len(f.Starts) < 200 {
				t.Errorf("%s: %d of %d starts at the best", name, n, len(f.Starts))
			}
			if f.RelativeError > best*(1+1e-3) {
				missed++
				if !strings.Contains(said(f.Warnings, " "), "found this fit, so a better one may be there") {
					silent++
				}
			}
		}
		t.Logf("%s: best %.6g, missed by %d of %d seeds, %d of them silently; up to %d starts", name, best, missed, seeds, silent, most)
		if missed > 1 || silent > 0 {
			t.Errorf("%s: missed by %d of %d seeds, by %d silently", name, missed, seeds, silent)
		}
	}
}
