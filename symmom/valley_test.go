package symmom

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"symmom/internal/test/slow"
)

// Ten starts that agree may all be in the valley of a degenerate fit (three tight clusters in three
// variables; 28 observations of five), or at one of few optima that is not the best.
func TestValleys(t *testing.T) {
	slow.Test(t)
	for _, c := range []struct {
		file string
		d    int
		best float64 // relative error of the best of 200 starts
	}{
		{"s66", 3, 6.23508e-05}, {"degenerate43", 3, .00030077},
		{"s164", 5, .0162304}, {"s207", 5, .139477}, {"s212", 3, .080846},
	} {
		fit := Load("testdata/valleys/" + c.file + ".npy").Moment(c.d).Decompose(3)
		if fit.Err() != nil || !(fit.RelativeError < 1.001*c.best) {
			t.Errorf("%s: relative error %g, want %g (%d starts), %v", c.file, fit.RelativeError, c.best, len(fit.Starts), fit.Err())
		}
	}
}

// Observations that lie symmetrically about 0 except for a millionth have a third moment, which is
// small beside its terms and known to many digits all the same.
func TestNearlySymmetric(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var rows [][]float64
	for range 40 {
		v := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		opposite := make([]float64, 3)
		for i := range v {
			opposite[i] = -v[i] + 1e-6*rng.NormFloat64()
		}
		rows = append(rows, v, opposite)
	}
	exact := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	sum := exact(0)
	for _, v := range rows {
		for _, w := range rows {
			g := exact(0)
			for i := range v {
				g.Add(g, new(big.Float).Mul(exact(v[i]), exact(w[i])))
			}
			sum.Add(sum, new(big.Float).Mul(g, new(big.Float).Mul(g, g)))
		}
	}
	want, _ := sum.Quo(sum, exact(float64(len(rows)*len(rows)))).Float64()
	fit := FromRows(rows).Moment(3).Decompose(1)
	if err := fit.Err(); err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(fit.NormSquared.Value-want) <= 1e-7*want) || !(fit.RelativeError < .9) {
		t.Errorf("||X||^2 = %g, want %g; relative error %g", fit.NormSquared.Value, want, fit.RelativeError)
	}
}
