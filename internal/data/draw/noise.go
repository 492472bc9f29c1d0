package draw

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// NoiseKinds are observations without components, to test searches for them: independent variables, and variables that only their variances or covariances
// tell apart. In "five normal directions" the variance stands out. The correlated are
// autoregressive with .6 between neighbors; those of factors have normal ones with loadings of .8.
var NoiseKinds = []string{
	"normal", "uniform", "exponential", "Laplace", "t3", "t5", "lognormal", "counts", "binary",
	"multivariate t3", "multivariate t5", "five normal directions", "permuted mixture",
	"correlated normal", "equally correlated normal", "one normal factor", "two normal factors",
	"correlated t5", "correlated uniform", "correlated, rounded",
}

// Noise draws p observations of n variables of one of the NoiseKinds. A "permuted mixture" is mixture,
// p x n, with each column permuted apart.
func Noise(kind string, n, p int, seed uint64, mixture mat.Matrix) [][]float64 {
	rng := rand.New(rand.NewPCG(seed, 99))
	rows := make([][]float64, p)
	for l := range rows {
		rows[l] = make([]float64, n)
		scale := chi(rng, 3) // of all kinds, so that a kind's numbers do not depend on the others
		if kind == "multivariate t5" || kind == "correlated t5" {
			scale = chi(rng, 5)
		}
		noiseRow(kind, rows[l], scale, rng)
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

// chi returns the divisor that turns a normal number into one of Student's t with k degrees of freedom.
func chi(rng *rand.Rand, k int) float64 {
	sum := 0.
	for range k {
		z := rng.NormFloat64()
		sum += z * z
	}
	return math.Sqrt(sum / float64(k))
}

// noiseRow draws an observation of a kind.
func noiseRow(kind string, v []float64, scale float64, rng *rand.Rand) {
	const correlation, loading = .6, .8
	each := func(draw func(i int) float64) {
		for i := range v {
			v[i] = draw(i)
		}
	}
	autoregressive := func() {
		each(func(i int) float64 {
			if i == 0 {
				return rng.NormFloat64()
			}
			return correlation*v[i-1] + math.Sqrt(1-correlation*correlation)*rng.NormFloat64()
		})
	}
	factors := func(f ...float64) {
		each(func(i int) float64 {
			return loading*f[i%len(f)] + math.Sqrt(1-loading*loading)*rng.NormFloat64()
		})
	}
	switch kind {
	case "normal":
		each(func(int) float64 { return rng.NormFloat64() })
	case "uniform":
		each(func(int) float64 { return rng.Float64() })
	case "exponential":
		each(func(int) float64 { return rng.ExpFloat64() })
	case "Laplace":
		each(func(int) float64 { return rng.ExpFloat64() - rng.ExpFloat64() })
	case "t3":
		each(func(int) float64 { return rng.NormFloat64() / chi(rng, 3) })
	case "t5":
		each(func(int) float64 { return rng.NormFloat64() / chi(rng, 5) })
	case "lognormal":
		each(func(int) float64 { return math.Exp(rng.NormFloat64()) })
	case "counts": // Poisson, of mean 2
		each(func(int) (c float64) {
			for sum := rng.ExpFloat64(); sum < 2; sum += rng.ExpFloat64() {
				c++
			}
			return c
		})
	case "binary":
		each(func(int) float64 { return float64(rng.IntN(3) / 2) })
	case "multivariate t3", "multivariate t5":
		each(func(int) float64 { return rng.NormFloat64() / scale })
	case "five normal directions":
		each(func(i int) float64 { return rng.NormFloat64() * math.Max(1, float64(6-i)) })
	case "correlated normal":
		autoregressive()
	case "equally correlated normal":
		common := math.Sqrt(correlation) * rng.NormFloat64()
		each(func(int) float64 { return common + math.Sqrt(1-correlation)*rng.NormFloat64() })
	case "one normal factor":
		factors(rng.NormFloat64())
	case "two normal factors":
		factors(rng.NormFloat64(), rng.NormFloat64())
	case "correlated t5":
		autoregressive()
		each(func(i int) float64 { return v[i] / scale })
	case "correlated uniform":
		autoregressive()
		each(func(i int) float64 { return math.Erfc(-v[i]/math.Sqrt2) / 2 })
	case "correlated, rounded":
		autoregressive()
		each(func(i int) float64 { return math.Round(2 * v[i]) })
	}
}
