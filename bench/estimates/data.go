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

// kinds of data: well behaved ones, those in which tails or outliers carry most
// of ||X||^2, and sparse ones.
var kinds = []kind{
	{"mixture", mixture},
	{"normal", each(func(r *rand.Rand) float64 { return r.NormFloat64() })},
	{"exponential", each(func(r *rand.Rand) float64 { return r.ExpFloat64() })},
	{"Laplace", each(func(r *rand.Rand) float64 { return distuv.Laplace{Scale: 1, Src: r}.Rand() })},
	{"t5", each(func(r *rand.Rand) float64 { return distuv.StudentsT{Sigma: 1, Nu: 5, Src: r}.Rand() })},
	{"t3", each(func(r *rand.Rand) float64 { return distuv.StudentsT{Sigma: 1, Nu: 3, Src: r}.Rand() })},
	{"Cauchy", each(func(r *rand.Rand) float64 { return distuv.StudentsT{Sigma: 1, Nu: 1, Src: r}.Rand() })},
	{"multivariate t3", multivariateT(3)},
	{"multivariate t6", multivariateT(6)},
	{"Pareto 2.5", each(func(r *rand.Rand) float64 { return distuv.Pareto{Xm: 1, Alpha: 2.5, Src: r}.Rand() })},
	{"lognormal", each(func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) })},
	{"outlier x300", outliers(1, 300)},
	{"100 outliers x10", outliers(100, 10)},
	{"unequal scales", func(p, n int, seed uint64) *mat.Dense {
		x := each(func(r *rand.Rand) float64 { return r.ExpFloat64() })(p, n, seed)
		for l := range p {
			for i, v := range x.RawRowView(l) {
				x.Set(l, i, v*math.Pow(1.05, float64(i)))
			}
		}
		return x
	}},
	{"negative binomial", each(func(r *rand.Rand) float64 {
		return distuv.Poisson{Lambda: distuv.Gamma{Alpha: .5, Beta: .25, Src: r}.Rand() + 1e-9, Src: r}.Rand()
	})},
	{"1% lognormal", sparse(.01, func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) })},
	{"5% normal", sparse(.05, func(r *rand.Rand) float64 { return r.NormFloat64() })},
	{"30% normal", sparse(.3, func(r *rand.Rand) float64 { return r.NormFloat64() })},
	{"10% ones", sparse(.1, func(*rand.Rand) float64 { return 1 })},
	{"words of documents", words},
}

// rank is the rank of the mixture and of all fits.
const rank = 5

func mixture(p, n int, seed uint64) *mat.Dense {
	x := datasets.GaussianMixture(datasets.MixtureOptions{N: n, Components: rank, Observations: p, Sigma: .1, Congruence: .5, Seed: seed})
	return x.Session.Matrix().Dense
}

// each draws every value from one distribution.
func each(value func(*rand.Rand) float64) func(p, n int, seed uint64) *mat.Dense {
	return sparse(1, value)
}

// sparse draws a share of the values from one distribution; the others are 0.
func sparse(share float64, value func(*rand.Rand) float64) func(p, n int, seed uint64) *mat.Dense {
	return func(p, n int, seed uint64) *mat.Dense {
		r := rand.New(rand.NewPCG(seed, 1))
		v := make([]float64, p*n)
		for i := range v {
			if share == 1 || r.Float64() < share {
				v[i] = value(r)
			}
		}
		return mat.NewDense(p, n, v)
	}
}

// multivariateT draws normal observations of which each is divided by one root of
// a chi-squared variable.
func multivariateT(freedom float64) func(p, n int, seed uint64) *mat.Dense {
	return func(p, n int, seed uint64) *mat.Dense {
		x := each(func(r *rand.Rand) float64 { return r.NormFloat64() })(p, n, seed)
		chi := distuv.ChiSquared{K: freedom, Src: rand.New(rand.NewPCG(seed, 2))}
		for l := range p {
			scale(x.RawRowView(l), math.Sqrt(freedom/chi.Rand()))
		}
		return x
	}
}

// outliers draws the mixture, of which some observations are multiplied.
func outliers(count int, by float64) func(p, n int, seed uint64) *mat.Dense {
	return func(p, n int, seed uint64) *mat.Dense {
		x := mixture(p, n, seed)
		for _, l := range rand.New(rand.NewPCG(seed, 3)).Perm(p)[:count] {
			scale(x.RawRowView(l), by)
		}
		return x
	}
}

// words draws counts of the words of documents: Zipf's frequencies, lengths that
// are lognormal.
func words(p, n int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 1))
	zipf := rand.NewZipf(r, 1.2, 3, uint64(n-1))
	x := mat.NewDense(p, n, nil)
	for l := range p {
		row := x.RawRowView(l)
		for range int(20 * math.Exp(.7*r.NormFloat64())) {
			row[zipf.Uint64()]++
		}
	}
	return x
}

func scale(row []float64, c float64) {
	for i := range row {
		row[i] *= c
	}
}
