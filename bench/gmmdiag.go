package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/symmom"
)

// Parameters of the mixtures with a diagonal covariance for each component, whose
// means are about two standard deviations apart.
const (
	diagVariables    = 20
	diagObservations = 50_000
	diagMean         = .35 // standard deviation of an entry of a mean
	diagWithin       = .1  // of means and of diagonals
)

var diagWeights = []float64{.5, .3, .2}

// drawDiagonal returns observations, p x n, and the true means and variances, n x
// r.
func drawDiagonal(seed uint64) (x, means, variances *mat.Dense) {
	const n = diagVariables
	r := len(diagWeights)
	rng := rand.New(rand.NewPCG(seed, 4))
	means, variances = mat.NewDense(n, r, nil), mat.NewDense(n, r, nil)
	for i := range n {
		for j := range r {
			means.Set(i, j, diagMean*rng.NormFloat64())
			sigma := .5 + rng.Float64()
			variances.Set(i, j, sigma*sigma)
		}
	}
	x = mat.NewDense(diagObservations, n, nil)
	for l := range diagObservations {
		u, j := rng.Float64(), 0
		for ; j < r-1 && u >= diagWeights[j]; j++ {
			u -= diagWeights[j]
		}
		for i := range n {
			x.Set(l, i, means.At(i, j)+math.Sqrt(variances.At(i, j))*rng.NormFloat64())
		}
	}
	return x, means, variances
}

// judgeDiagonal returns the largest relative errors of a mean and of a variance,
// with components matched by their means.
func judgeDiagonal(f gaussianFit, means, variances *mat.Dense) (mean, variance float64) {
	n, r := means.Dims()
	near := make([]float64, r*r)
	for i := range r {
		for j, m := range f.Means {
			for l, v := range m {
				d := v - means.At(l, i)
				near[i*r+j] -= d * d
			}
		}
	}
	_, pairs := ktensor.Match(near, r, r)
	for _, p := range pairs {
		norm := linalg.Norm2(mat.Col(nil, p[0], means))
		mean = math.Max(mean, math.Sqrt(-near[p[0]*r+p[1]])/norm)
		for i := range n {
			want := variances.At(i, p[0])
			variance = math.Max(variance, math.Abs(f.Covariances[p[1]*n+i]-want)/want)
		}
	}
	return mean, variance
}

// gmmDiagonal compares the methods on overlapping components with unequal diagonal
// covariances.
func (b *bench) gmmDiagonal() (*section, error) {
	r := len(diagWeights)
	s := &section{title: "Unequal diagonal covariances", header: []string{"method", "worst mean, mean of seeds", "worst seed", "worst variance, mean of seeds", "worst seed", "error of means", "log-likelihood", "s", "processor s"}}
	s.note("%d variables, %d observations, weights %v, entries of means N(0, %g^2), standard deviations uniform on (.5, 1.5); covariance diag for both; the worst of %d means and of %d variances, relative to the true one", diagVariables, diagObservations, diagWeights, diagMean, r, r*diagVariables)
	methods := []string{methodSymmom, methodGaussian}
	var runs []map[string]judgedFit
	worst := map[string]*[2]sample{methodSymmom: {}, methodGaussian: {}}
	for seed := range b.seeds {
		x, means, variances := drawDiagonal(seed + 1)
		fits, err := kept(b, fmt.Sprintf("diag, seed %d", seed+1), func() (map[string]judgedFit, error) {
			return b.allGaussians(methods, x, means, symmom.CovarianceDiagonal, seed+1)
		})
		if err != nil {
			return nil, err
		}
		for method, w := range worst {
			mean, variance := judgeDiagonal(fits[method].Fit, means, variances)
			w[0], w[1] = append(w[0], -mean), append(w[1], -variance)
		}
		runs = append(runs, fits)
		progress("diag, seed %d: %s", seed+1, tellFits(methods, fits))
	}
	for _, method := range methods {
		w := worst[method]
		cells := []string{method}
		for _, v := range w {
			cells = append(cells, fmt.Sprintf("%.4f", -v.mean()), fmt.Sprintf("%.4f", -v.least()))
		}
		s.row(append(cells, gaussianCells(method, runs)[1:]...)...)
	}
	s.judge(atMost("diag: error of the worst mean of all seeds", -worst[methodSymmom][0].least(), diagWithin, "%.4f"))
	s.judge(atMost("diag: error of the worst variance of all seeds", -worst[methodSymmom][1].least(), diagWithin, "%.4f"))
	judgeLikelihood(s, "diag", runs)
	return s, nil
}
