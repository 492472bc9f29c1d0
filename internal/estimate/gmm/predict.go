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

// Predict returns the most likely component of each observation, as Responsibilities has them.
func (g *Mixture) Predict(ctx context.Context, x block.Source, order []int) ([]int, error) {
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
