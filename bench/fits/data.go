package main

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// kind is a kind of data.
type kind struct {
	name string
	draw func(rng *rand.Rand, p, n int) *mat.Dense
	// shape, if not nil, draws the numbers of observations and variables.
	shape func(rng *rand.Rand) (p, n int)
}

// kinds of data.
var kinds = []kind{
	{name: "clusters", draw: clusters},
	{name: "ICA", draw: sources},
	{name: "heavy tails", draw: tails},
	{name: "counts", draw: counts},
	{name: "rare cluster", draw: rareCluster},
	{name: "duplicates", draw: duplicates},
	{name: "low rank", draw: lowRank},
	{name: "p < n", draw: either, shape: wide},
	{name: "constant columns", draw: constants},
	{name: "symmetric", draw: symmetric},
}

// Limits of the shapes.
const (
	leastRows, mostRows       = 200, 40_000
	leastColumns, mostColumns = 6, 260
	mostNumbers               = 4_000_000
)

// shape draws numbers of observations and variables, both log-uniform.
func (k kind) dims(rng *rand.Rand) (p, n int) {
	if k.shape != nil {
		return k.shape(rng)
	}
	n = int(logUniform(rng, leastColumns, mostColumns+.999))
	p = int(logUniform(rng, leastRows, float64(min(mostRows, mostNumbers/n))))
	return p, n
}

func wide(rng *rand.Rand) (p, n int) {
	p = leastRows + rng.IntN(mostColumns-leastRows)
	return p, p + 1 + rng.IntN(mostColumns-p)
}

func logUniform(rng *rand.Rand, low, high float64) float64 {
	return low * math.Pow(high/low, rng.Float64())
}

// clusters draws a Gaussian mixture: up to ten components of unequal weights, lengths
// and noise.
func clusters(rng *rand.Rand, p, n int) *mat.Dense {
	k := 1 + rng.IntN(10)
	means, sigma, weight := make([][]float64, k), make([]float64, k), make([]float64, k)
	common := logUniform(rng, .01, 2)
	for j := range k {
		means[j] = direction(rng, n, logUniform(rng, .3, 3))
		sigma[j] = common * logUniform(rng, .5, 2) / math.Sqrt(float64(n))
		weight[j] = .05 + rng.ExpFloat64()
	}
	pick := distuv.NewCategorical(weight, rng)
	return rows(p, n, func(v []float64) {
		j := int(pick.Rand())
		for i := range v {
			v[i] = means[j][i] + sigma[j]*rng.NormFloat64()
		}
	})
}

// direction draws a vector of a length.
func direction(rng *rand.Rand, n int, length float64) []float64 {
	v := make([]float64, n)
	var s float64
	for i := range v {
		v[i] = rng.NormFloat64()
		s += v[i] * v[i]
	}
	for i := range v {
		v[i] *= length / math.Sqrt(s)
	}
	return v
}

// sources draws mixed sources, independent and skewed, and some noise.
func sources(rng *rand.Rand, p, n int) *mat.Dense {
	k := 1 + rng.IntN(min(n, 9))
	mixing := make([][]float64, k)
	for j := range mixing {
		mixing[j] = direction(rng, n, logUniform(rng, .5, 2))
	}
	sigma, shape := logUniform(rng, .001, .3)/math.Sqrt(float64(n)), make([]float64, k)
	for j := range shape {
		shape[j] = logUniform(rng, .2, 5)
	}
	return rows(p, n, func(v []float64) {
		for j, a := range mixing {
			s := distuv.Gamma{Alpha: shape[j], Beta: 1, Src: rng}.Rand() - shape[j]
			for i := range v {
				v[i] += s * a[i]
			}
		}
		for i := range v {
			v[i] += sigma * rng.NormFloat64()
		}
	})
}

// tails draws from Student's t, each number independently or each observation as a whole.
func tails(rng *rand.Rand, p, n int) *mat.Dense {
	nu, whole := 2.5+3.5*rng.Float64(), rng.IntN(2) == 0
	chi := distuv.ChiSquared{K: nu, Src: rng}
	return rows(p, n, func(v []float64) {
		s := math.Sqrt(nu / chi.Rand())
		for i := range v {
			if !whole {
				s = math.Sqrt(nu / chi.Rand())
			}
			v[i] = s * rng.NormFloat64()
		}
	})
}

// counts draws numbers of rare events, mostly zeros, whose rates depend on a topic.
func counts(rng *rand.Rand, p, n int) *mat.Dense {
	topics := make([][]float64, 1+rng.IntN(6))
	busy := logUniform(rng, .5, 20) // events in an observation
	for k := range topics {
		topics[k] = make([]float64, n)
		var sum float64
		for i := range n {
			topics[k][i] = math.Exp(1.5 * rng.NormFloat64())
			sum += topics[k][i]
		}
		for i := range n {
			topics[k][i] *= busy / sum
		}
	}
	return rows(p, n, func(v []float64) {
		for i, rate := range topics[rng.IntN(len(topics))] {
			v[i] = distuv.Poisson{Lambda: rate, Src: rng}.Rand()
		}
	})
}

// either draws clusters or normal data.
func either(rng *rand.Rand, p, n int) *mat.Dense {
	if rng.IntN(3) > 0 {
		return clusters(rng, p, n)
	}
	return rows(p, n, func(v []float64) {
		for i := range v {
			v[i] = rng.NormFloat64()
		}
	})
}

// rareCluster draws data with one to three clusters of long observations: each has at
// least two, and at most one in fifty of all.
func rareCluster(rng *rand.Rand, p, n int) *mat.Dense {
	x := either(rng, p, n)
	length := mat.Norm(x, 2) / math.Sqrt(float64(p)) // root mean square
	for range 1 + rng.IntN(3) {
		center := direction(rng, n, length*logUniform(rng, 3, 40))
		spread := logUniform(rng, .001, .2) * length
		for range int(logUniform(rng, 2, float64(p)/50)) {
			v := x.RawRowView(rng.IntN(p))
			for i := range v {
				v[i] = center[i] + spread*rng.NormFloat64()/math.Sqrt(float64(n))
			}
		}
	}
	return x
}

// duplicates draws few different observations, each many times, or most of them twice.
func duplicates(rng *rand.Rand, p, n int) *mat.Dense {
	few := 1 + rng.IntN(40)
	if rng.IntN(2) == 0 {
		few = (p + 1) / 2
	}
	x := either(rng, few, n)
	return rows(p, n, func(v []float64) { copy(v, x.RawRowView(rng.IntN(few))) })
}

// lowRank draws observations in the span of a few vectors.
func lowRank(rng *rand.Rand, p, n int) *mat.Dense {
	k := 1 + rng.IntN(5)
	z, b := sources(rng, p, k), either(rng, k, n)
	x := new(mat.Dense)
	x.Mul(z, b)
	return x
}

// constants draws data in which some columns are constant and some are 0.
func constants(rng *rand.Rand, p, n int) *mat.Dense {
	x := either(rng, p, n)
	for j := range n {
		value := 0.
		switch rng.IntN(4) {
		case 0:
		case 1:
			value = rng.NormFloat64()
		default:
			continue
		}
		for l := range p {
			x.Set(l, j, value)
		}
	}
	return x
}

// symmetric draws data that hold the negative of each observation, too.
func symmetric(rng *rand.Rand, p, n int) *mat.Dense {
	half := tails
	if rng.IntN(2) == 0 {
		half = clusters
	}
	x, at := half(rng, (p+1)/2, n), rng.Perm(p)
	out := mat.NewDense(p, n, nil)
	for l, to := range at {
		if l == p-1 && p%2 == 1 {
			break // the odd one is 0
		}
		sign := 1 - 2*float64(l%2)
		for i, v := range x.RawRowView(l / 2) {
			out.Set(to, i, sign*v)
		}
	}
	return out
}

// rows makes a matrix of observations that draw fills in.
func rows(p, n int, draw func(v []float64)) *mat.Dense {
	x := mat.NewDense(p, n, nil)
	for l := range p {
		draw(x.RawRowView(l))
	}
	return x
}
