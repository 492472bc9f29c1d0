package gmm

import (
	"context"
	"fmt"
	"math"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// about returns the mixture about its mean, of variables in an order (Reordered), and passes
// over x in its coordinates, where differences keep their digits.
func (g *Mixture) about(x block.Source, order []int) (*Mixture, *EM) {
	h, center := g.Reordered(order).Centered()
	return h, NewEM(x, center, 1, h.R, h.Shape, 0)
}

// errSingular is the error of a density that is none.
var errSingular = fmt.Errorf("a covariance of the mixture is not positive definite")

// Responsibilities calls do with the probabilities that each observation of x, whose variables
// are in an order (Reordered), belongs to each component. One pass.
func (g *Mixture) Responsibilities(ctx context.Context, x block.Source, order []int, do func(l int, z []float64)) error {
	h, e := g.about(x, order)
	bad := -1
	if !e.Responsibilities(ctx, h, func(l int, z []float64, _ float64) {
		if bad < 0 && !linalg.Finite(z...) {
			bad = l
		}
		do(l, z)
	}) {
		if err := block.Stopped(ctx, x); err != nil {
			return err
		}
		return fmt.Errorf("predict: %w", errSingular)
	}
	if bad >= 0 {
		return fmt.Errorf("predict: observation %d lies so far from the components that its densities are out of range; leave it out", bad+1)
	}
	return nil
}

// Classifier tells how likely components are for observations: a Mixture, or Densities.
type Classifier interface {
	Responsibilities(ctx context.Context, x block.Source, order []int, do func(l int, z []float64)) error
	LogLikelihood(ctx context.Context, x block.Source, order []int) (float64, error)
}

// MostLikely returns the most likely component of each observation.
func MostLikely(ctx context.Context, g Classifier, x block.Source, order []int) ([]int, error) {
	p, _ := x.Shape()
	of := make([]int, p)
	err := g.Responsibilities(ctx, x, order, func(l int, z []float64) {
		for j, v := range z {
			if v > z[of[l]] {
				of[l] = j
			}
		}
	})
	return of, err
}

// Expectations returns the averages of a function of each variable over the observations, weighted with the
// probabilities of each of r components: r x n, the variables as the mixture has them. One pass.
func Expectations(ctx context.Context, g Classifier, x block.Source, order []int, r int, of func(float64) float64) ([]float64, error) {
	_, n := x.Shape()
	sums, weights, values := make([]float64, r*n), make([]float64, r), make([]float64, n)
	var wide []float64
	var now block.Block
	first, next := 0, 0
	seen := &block.Watched{Source: x, See: func(b block.Block) { now, first, next = b, next, next+b.Rows }}
	err := g.Responsibilities(ctx, seen, order, func(l int, z []float64) {
		for i, v := range now.Values(l-first, l-first+1, n, &wide) {
			if order != nil {
				i = order[i]
			}
			values[i] = of(v)
		}
		for j, w := range z {
			w *= now.Weight(l - first)
			weights[j] += w
			linalg.Axpy(w, values, sums[j*n:(j+1)*n])
		}
	})
	for j, w := range weights {
		linalg.Scale(1/w, sums[j*n:(j+1)*n])
	}
	return sums, err
}

// LogLikelihood returns the log-likelihood of the observations of x, as for Responsibilities,
// with weights counted as repetitions whose mean is 1. One pass.
func (g *Mixture) LogLikelihood(ctx context.Context, x block.Source, order []int) (float64, error) {
	h, e := g.about(x, order)
	v, ok := e.LogLikelihood(ctx, h)
	if !ok {
		if err := block.Stopped(ctx, x); err != nil {
			return math.NaN(), err
		}
		return math.NaN(), fmt.Errorf("log-likelihood: %w", errSingular)
	}
	return v, nil
}
