package main

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// randomKinds draw an observation, given which group it is of, the group's mean and spreads, and a
// random stream.
var randomKinds = []func(rng *rand.Rand, v, mean, sd []float64){
	func(rng *rand.Rand, v, mean, sd []float64) { // groups that lie apart
		for i := range v {
			v[i] = 6*mean[i] + rng.NormFloat64()
		}
	},
	func(rng *rand.Rand, v, mean, sd []float64) { // that overlap, with spreads of their own
		for i := range v {
			v[i] = 2*mean[i] + sd[i]*rng.NormFloat64()
		}
	},
	func(rng *rand.Rand, v, _, _ []float64) { // none
		for i := range v {
			v[i] = rng.NormFloat64()
		}
	},
	func(rng *rand.Rand, v, mean, sd []float64) { // heavy tails
		scale := math.Sqrt((rng.ExpFloat64() + rng.ExpFloat64()) / 2) // of t with 4 degrees of freedom
		for i := range v {
			v[i] = 3*mean[i] + sd[i]*rng.NormFloat64()/scale
		}
	},
	func(rng *rand.Rand, v, mean, _ []float64) { // skewed
		for i := range v {
			v[i] = math.Exp(mean[i]/2 + .7*rng.NormFloat64())
		}
	},
	func(rng *rand.Rand, v, _, _ []float64) { // a square
		for i := range v {
			v[i] = rng.Float64()
		}
	},
	func(rng *rand.Rand, v, mean, sd []float64) { // correlated within groups
		common := rng.NormFloat64()
		for i := range v {
			v[i] = 2.5*mean[i] + sd[i]*(common+.5*rng.NormFloat64())
		}
	},
	func(rng *rand.Rand, v, mean, sd []float64) { // answers
		for i := range v {
			v[i] = math.Max(1, math.Min(7, math.Round(4+1.5*mean[i]+sd[i]*rng.NormFloat64())))
		}
	},
	func(rng *rand.Rand, v, mean, _ []float64) { // heavier tails: t with 3 degrees of freedom
		scale := 0.
		for range 3 {
			z := rng.NormFloat64()
			scale += z * z / 3
		}
		for i := range v {
			v[i] = 3*mean[i] + rng.NormFloat64()/math.Sqrt(scale)
		}
	},
	func(rng *rand.Rand, v, _, sd []float64) { // one center, spreads that differ
		for i := range v {
			v[i] = sd[0] * sd[0] * rng.NormFloat64()
		}
	},
	func(rng *rand.Rand, v, mean, _ []float64) { // counts
		for i := range v {
			v[i] = poisson(rng, 4*math.Exp(mean[i]/2))
		}
	},
	func(rng *rand.Rand, v, mean, _ []float64) { // curves
		u := math.Pi * rng.Float64()
		for i := range v {
			v[i] = 2*mean[i] + 3*math.Cos(u+float64(i)) + .3*rng.NormFloat64()
		}
	},
	func(rng *rand.Rand, v, mean, sd []float64) { // columns of very different units
		for i := range v {
			v[i] = math.Pow(10, float64(i%3)) * (3*mean[i] + sd[i]*rng.NormFloat64())
		}
	},
}

// randomTable draws a table, the number of components to fit, from least to most, and their covariance.
func randomTable(seed uint64, least, most int) (x *mat.Dense, r int, covariance string) {
	rng := rand.New(rand.NewPCG(seed, 60))
	kind := randomKinds[seed%uint64(len(randomKinds))]
	covariance = covariances[seed/uint64(len(randomKinds))%uint64(len(covariances))]
	p, n, groups := int(60*math.Pow(1000./60, rng.Float64())), 1+rng.IntN(6), 2+rng.IntN(4)
	r = least + rng.IntN(most-least+1)
	mean, sd := make([]float64, groups*n), make([]float64, groups*n)
	for i := range mean {
		mean[i], sd[i] = rng.NormFloat64(), math.Exp(.7*rng.NormFloat64())
	}
	x = mat.NewDense(p, n, nil)
	for l := range p {
		j := rng.IntN(groups)
		kind(rng, x.RawRowView(l), mean[j*n:(j+1)*n], sd[j*n:(j+1)*n])
	}
	return x, r, covariance
}

// covariances are those that random tables are fitted with.
var covariances = []string{symmom.CovarianceSpherical, symmom.CovarianceTied, symmom.CovarianceDiagonal, symmom.CovarianceFull}
