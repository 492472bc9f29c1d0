// Package draw draws random observations reproducibly: the same seed gives the same
// numbers.
package draw

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/eigen"
	"symmom/internal/store/interruptible"
	"symmom/internal/system/memory"
	"symmom/internal/text/words"
)

// Source returns the stream that data are drawn from; starts use others. Seed 0
// is seed 1.
func Source(seed uint64) *rand.Rand {
	if seed == 0 {
		seed = 1
	}
	return rand.New(rand.NewPCG(seed, 1<<63))
}

// CheckMemory refuses to draw observations of n variables that would not fit in
// memory twice: as they are drawn and in their session.
func CheckMemory(observations float64, n int) error {
	many := fmt.Sprintf("%.4g", observations)
	if observations < 1e15 {
		many = words.Count(int(observations))
	}
	return memory.Check(fmt.Sprintf("generate: %s observations of %s", many, words.Plural(n, "variable")),
		8*2*observations*float64(n), 0, "draw fewer observations", "Observations")
}

// Mixture is a Gaussian mixture N(mu_j, sigma^2 I) whose means have unit norm and
// pairwise cosine Congruence. One of PerComponent and Observations is above 0.
type Mixture struct {
	N            int       // variables
	Components   int       // r <= N
	PerComponent int       // observations of each component
	Observations int       // instead: p in all, each of a random component
	Sigma        float64   // standard deviation in each direction
	Congruence   float64   // cosine between any two means, above -1/(r-1)
	Weights      []float64 // of the components with Observations; nil: equal
	Seed         uint64    // 0 is 1
}

// Draw returns p observations, one a row, the means, n x r, one a column, and the
// component of each observation, or ctx's error.
func (g Mixture) Draw(ctx context.Context) (v, means *mat.Dense, labels []int, err error) {
	rng := Source(g.Seed)
	means = CongruentColumns(g.N, g.Components, g.Congruence, rng)
	if g.PerComponent > 0 {
		labels = make([]int, g.PerComponent*g.Components)
		for l := range labels {
			labels[l] = l / g.PerComponent
		}
	} else {
		labels = Labels(g.Observations, g.Components, g.Weights, rng)
	}
	v = mat.NewDense(len(labels), g.N, nil)
	mean := make([]float64, g.N)
	watch := interruptible.Watch{Ctx: ctx}
	for l, j := range labels {
		if err := watch.Stopped(l * g.N); err != nil {
			return nil, nil, nil, err
		}
		mat.Col(mean, j, means)
		row := v.RawRowView(l)
		for i := range row {
			row[i] = mean[i] + g.Sigma*rng.NormFloat64()
		}
	}
	return v, means, labels, nil
}

// Gaussians draws p observations of a mixture of normal distributions, by row, and the
// component of each, until ctx ends. A covariance that is not positive definite is an error.
func Gaussians(ctx context.Context, p int, weights []float64, means mat.Matrix, covariance func(j int) *mat.SymDense, seed uint64) (v *mat.Dense, labels []int, err error) {
	n, r := means.Dims()
	roots := make([]*mat.TriDense, r)
	for j := range roots {
		var c mat.Cholesky
		if !c.Factorize(covariance(j)) {
			return nil, nil, fmt.Errorf("sample: the covariance of component %d is not positive definite", j+1)
		}
		roots[j] = mat.NewTriDense(n, mat.Lower, nil)
		c.LTo(roots[j])
	}
	rng := Source(seed)
	labels = Labels(p, r, weights, rng)
	v = mat.NewDense(p, n, nil)
	e, u := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	watch := interruptible.Watch{Ctx: ctx}
	for l, j := range labels {
		if err := watch.Stopped(l * n * n); err != nil {
			return nil, nil, err
		}
		for i := range n {
			e.SetVec(i, rng.NormFloat64())
		}
		u.MulVec(roots[j], e)
		for i := range n {
			v.Set(l, i, means.At(i, j)+u.AtVec(i))
		}
	}
	return v, labels, nil
}

// Labels draws the component of each of p observations from r components with
// those weights; nil: equal ones.
func Labels(p, r int, weights []float64, rng *rand.Rand) []int {
	var total float64
	for _, w := range weights {
		total += w
	}
	labels := make([]int, p)
	for l := range labels {
		if weights == nil {
			labels[l] = rng.IntN(r)
			continue
		}
		u := rng.Float64() * total
		for labels[l] < r-1 && u >= weights[labels[l]] {
			u -= weights[labels[l]]
			labels[l]++
		}
	}
	return labels
}

// CongruentColumns returns an n x r matrix Q R whose columns have unit norm
// and pairwise cosine c: R'R is the Gram matrix wanted, Q has random
// orthonormal columns.
func CongruentColumns(n, r int, c float64, rng *rand.Rand) *mat.Dense {
	gram := mat.NewSymDense(r, nil)
	for i := range r {
		for j := i; j < r; j++ {
			gram.SetSym(i, j, c)
		}
		gram.SetSym(i, i, 1)
	}
	var chol mat.Cholesky
	chol.Factorize(gram) // positive definite by the range of c
	var upper mat.TriDense
	chol.UTo(&upper)
	q := make([]float64, r*n)
	for i := range q {
		q[i] = rng.NormFloat64()
	}
	// A thin Q; r Gaussian rows are independent, and nothing cancels this.
	if _, err := eigen.Orthonormalize(context.Background(), q, r, n, 1); err != nil {
		panic(err)
	}
	var means mat.Dense
	means.Mul(mat.NewDense(r, n, q).T(), &upper)
	return &means
}

// Uniform returns p observations of n variables, each uniform on (0, 1), or ctx's error.
func Uniform(ctx context.Context, n, p int, seed uint64) (*mat.Dense, error) {
	rng := Source(seed)
	v := mat.NewDense(p, n, nil)
	watch := interruptible.Watch{Ctx: ctx}
	for l := range p {
		if err := watch.Stopped(l * n); err != nil {
			return nil, err
		}
		row := v.RawRowView(l)
		for i := range row {
			row[i] = rng.Float64()
		}
	}
	return v, nil
}
