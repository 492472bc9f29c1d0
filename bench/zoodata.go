package main

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"symmom/datasets"
	"symmom/symmom"
)

// animal is a kind of data.
type animal struct {
	name    string
	rank    int
	session func() *symmom.Session
}

// animals returns all kinds of data of the zoo: with structure and without, light and
// heavy tails, near the origin and far from it, wide and tall.
func (b *bench) animals() []animal {
	scale := 1
	if b.quick {
		scale = 10
	}
	independent := func(p, n int, draw func(*rand.Rand) float64) func() *symmom.Session {
		return func() *symmom.Session { return symmom.FromMatrix(drawn(p/scale, n, draw)) }
	}
	clusters := func(p, n, r int, sigma, offset float64) func() *symmom.Session {
		return func() *symmom.Session {
			x := datasets.GaussianMixture(datasets.MixtureOptions{N: n, Components: r, PerComponent: p / r / scale, Sigma: sigma, Congruence: .5})
			if x.Err() != nil || offset == 0 {
				return x.Session
			}
			var moved mat.Dense
			moved.Apply(func(_, _ int, v float64) float64 { return v + offset }, x.Session.Matrix())
			return symmom.FromMatrix(&moved)
		}
	}
	normal := func(rng *rand.Rand) float64 { return rng.NormFloat64() }
	return []animal{
		{"mixture", 5, clusters(20000, 300, 5, .1, 0)},
		{"uniform", 3, independent(20000, 100, (*rand.Rand).Float64)},
		{"standard normal", 3, independent(50000, 100, normal)},
		{"normal, few variables", 3, independent(400000, 50, normal)},
		{"exponential", 3, independent(50000, 60, (*rand.Rand).ExpFloat64)},
		{"Student's t, 3 degrees of freedom", 3, independent(50000, 60, func(rng *rand.Rand) float64 {
			a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
			return rng.NormFloat64() / math.Sqrt((a*a+b*b+c*c)/3)
		})},
		{"digits, standardized", 5, func() *symmom.Session { return datasets.Digits().Standardize() }},
		{"clusters far from the origin", 4, clusters(20000, 100, 4, .1, 100)},
		{"sparse 0 and 1", 4, independent(50000, 200, func(rng *rand.Rand) float64 {
			if rng.Float64() < .03 {
				return 1
			}
			return 0
		})},
		{"wide", 5, clusters(50000, 1000, 5, .2, 0)},
		{"tall", 3, independent(5000000, 10, (*rand.Rand).ExpFloat64)},
	}
}

// drawn returns p observations of n independent variables.
func drawn(p, n int, draw func(*rand.Rand) float64) *mat.Dense {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	v := make([]float64, p*n)
	for i := range v {
		v[i] = draw(rng)
	}
	return mat.NewDense(p, n, v)
}
