package main

import (
	"math"
	"math/rand/v2"
	"symmom/datasets"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// kind is a kind of data.
type kind struct {
	name string
	draw func(p, n int, seed uint64) *mat.Dense
}

// kinds of data: well behaved ones, and those in which tails or outliers carry most
// of ||X||^2.
var kinds = []kind{
	{"mixture", mixture},
	{"normal", func(p, n int, seed uint64) *mat.Dense {
		return each(p, n, seed, func(r *rand.Rand) func() float64 { return r.NormFloat64 })
	}},
	{"t3", func(p, n int, seed uint64) *mat.Dense {
		return each(p, n, seed, func(r *rand.Rand) func() float64 {
			return distuv.StudentsT{Sigma: 1, Nu: 3, Src: r}.Rand
		})
	}},
	{"multivariate t3", func(p, n int, seed uint64) *mat.Dense {
		rng := rand.New(rand.NewPCG(seed, 2))
		x := each(p, n, seed, func(r *rand.Rand) func() float64 { return r.NormFloat64 })
		chi := distuv.ChiSquared{K: 3, Src: rng}
		for l := range p {
			scale(x.RawRowView(l), math.Sqrt(3/chi.Rand()))
		}
		return x
	}},
	{"outlier x300", func(p, n int, seed uint64) *mat.Dense {
		x := mixture(p, n, seed)
		scale(x.RawRowView(rand.New(rand.NewPCG(seed, 3)).IntN(p)), 300)
		return x
	}},
	{"lognormal", func(p, n int, seed uint64) *mat.Dense {
		return each(p, n, seed, func(r *rand.Rand) func() float64 {
			return func() float64 { return math.Exp(r.NormFloat64()) }
		})
	}},
}

// rank is the rank of the mixture and of all fits.
const rank = 5

func mixture(p, n int, seed uint64) *mat.Dense {
	x := datasets.GaussianMixture(datasets.MixtureOptions{N: n, Components: rank, Observations: p, Sigma: .1, Congruence: .5, Seed: seed})
	return x.Session.Matrix()
}

func each(p, n int, seed uint64, of func(*rand.Rand) func() float64) *mat.Dense {
	draw := of(rand.New(rand.NewPCG(seed, 1)))
	v := make([]float64, p*n)
	for i := range v {
		v[i] = draw()
	}
	return mat.NewDense(p, n, v)
}

func scale(row []float64, c float64) {
	for i := range row {
		row[i] *= c
	}
}
