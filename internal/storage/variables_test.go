package storage

import (
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/obs"
)

// Deviations are right to 13 digits however far the mean is from 0: what is described is
// what the numbers are, and their differences are exact. Twice 50 observations of a
// deviation of 1 leave 50 roundings.
func TestDescribeFarFromZero(t *testing.T) {
	const p = 50
	rng := rand.New(rand.NewPCG(3, 1))
	for _, offset := range []float64{0, 3e7, 1e9, 1.7e12, 1e15} {
		x := &obs.Dense{P: p, N: 1, V: make([]float64, p)}
		for l := range x.V {
			x.V[l] = offset + rng.ExpFloat64()
		}
		var mean, square float64
		for _, v := range x.V {
			mean += (v - x.V[0]) / p
		}
		for _, v := range x.V {
			square += (v - x.V[0] - mean) * (v - x.V[0] - mean) / p
		}
		v, err := Describe(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.M2[0] / v.Total; !(math.Abs(got-square) <= 1e-13*square) {
			t.Errorf("offset %g: variance %.16g, want %.16g", offset, got, square)
		}
		if want := x.V[0] + mean; math.Abs(v.Mean[0]-want) > 2e-16*want {
			t.Errorf("offset %g: mean %.17g, want %.17g", offset, v.Mean[0], want)
		}
	}
}
