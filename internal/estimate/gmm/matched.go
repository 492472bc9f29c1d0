package gmm

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/tables"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
)

// Matched returns the mixture whose means lie along the factors of a fit to the
// debiased moment of order 3 or 4, which it changes. For unit a_j, means n_j a_j and
// weights w_j, lambda_j = w_j n_j^d and
//
//	[A'A]^2 beta = diag(A'(M_2 - S)A),   beta_j = w_j n_j^2 >= 0,
//
// so that n_j^(d-2) = lambda_j / beta_j and w_j = beta_j / n_j^2, brought to sum
// 1. For order 4 the mean of the data decides signs. Two passes.
func Matched(ctx context.Context, t *tables.Table, k *ktensor.Kruskal, noise *moment.Noise, threads int) (*Mixture, error) {
	n, r := k.N, k.R
	span, err := t.Extent(ctx)
	if err != nil {
		return nil, err
	}
	second := moment.NewObjective(&moment.Implicit{Data: t.Storage, D: 2, Noise: noise}, r, 1, threads)
	_, w, ok := second.TTSV(ctx, k.A)
	if !ok {
		return nil, t.Stopped(ctx)
	}
	gram := make([]float64, r*r)
	linalg.MulABt(gram, k.A, k.A, r, r, n)
	linalg.PowInto(gram, 2)
	beta := nonnegative(gram, w, r)
	center, _, err := moment.Mean(ctx, t.Storage, span, threads)
	if err != nil {
		return nil, err
	}
	signs := alongMean(k.A, center, r, n)
	weights, sum := make([]float64, r), 0.
	for j := range r {
		a := k.Column(j)
		lambda, sign := k.Lambda[j], 1.
		if k.D == 4 && signs[j] < 0 || k.D == 3 && lambda < 0 {
			sign = -1
		}
		norm := math.Abs(lambda) / beta[j]
		if k.D == 4 {
			norm = math.Sqrt(math.Max(0, lambda/beta[j]))
		}
		if !(norm > 0) || math.IsInf(norm, 1) {
			return nil, fmt.Errorf("mixture: the second moment gives component %d no weight: take fewer components, or Session.Mixture", j+1)
		}
		weights[j] = beta[j] / (norm * norm)
		sum += weights[j]
		linalg.Scale(sign*norm, a)
	}
	linalg.Scale(1/sum, weights)
	sigma := noise.Sigma()
	return Isotropic(weights, k.A, sigma*sigma), nil
}

// alongMean returns c with A c nearest to the mean; A is r x n here, one column per
// row.
func alongMean(a, mean []float64, r, n int) []float64 {
	var c mat.VecDense
	if err := c.SolveVec(mat.NewDense(r, n, a).T(), mat.NewVecDense(n, mean)); err != nil && c.Len() != r {
		return make([]float64, r)
	}
	return c.RawVector().Data
}

// nonnegative returns the b >= 0 that minimizes |G^(1/2) b - G^(-1/2) w|, for a
// positive semidefinite G: the solution of G b = w if that is not negative. It
// descends coordinate by coordinate.
func nonnegative(g, w []float64, r int) []float64 {
	b := make([]float64, r)
	for range 10_000 {
		change, size := 0., 0.
		for j := range r {
			next := math.Max(0, b[j]+(w[j]-linalg.Dot(g[j*r:(j+1)*r], b))/g[j*r+j])
			change = math.Max(change, math.Abs(next-b[j]))
			size = math.Max(size, next)
			b[j] = next
		}
		if change <= 1e-14*size {
			break
		}
	}
	return b
}
