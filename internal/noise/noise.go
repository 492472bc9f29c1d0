// Package noise draws observations that have no components, to judge what looks for
// some.
package noise

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Rows draws p observations of n variables: "normal", "uniform", "exponential",
// "t3", "multivariate t3", "five normal directions", in which the variance stands
// out, or "permuted mixture", which is mixture, p x n, with each column permuted
// apart.
func Rows(kind string, n, p int, seed uint64, mixture mat.Matrix) [][]float64 {
	rng := rand.New(rand.NewPCG(seed, 99))
	chi := func() float64 { // Student's t with 3 degrees of freedom is normal over the root of it
		sum := 0.
		for range 3 {
			z := rng.NormFloat64()
			sum += z * z
		}
		return math.Sqrt(sum / 3)
	}
	draw := map[string]func() float64{
		"normal":      rng.NormFloat64,
		"uniform":     rng.Float64,
		"exponential": rng.ExpFloat64,
		"t3":          func() float64 { return rng.NormFloat64() / chi() },
	}[kind]
	rows := make([][]float64, p)
	for l := range rows {
		rows[l] = make([]float64, n)
		scale := chi()
		for i := range rows[l] {
			switch {
			case draw != nil:
				rows[l][i] = draw()
			case kind == "multivariate t3":
				rows[l][i] = rng.NormFloat64() / scale
			case kind == "five normal directions":
				rows[l][i] = rng.NormFloat64() * math.Max(1, float64(6-i))
			}
		}
	}
	if kind == "permuted mixture" {
		for i := range n {
			for to, from := range rng.Perm(p) {
				rows[to][i] = mixture.At(from, i)
			}
		}
	}
	return rows
}
