package gmm

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"symmom/internal/moment/block"
)

// Sums is the kind of block.Pass that returns the sums of a step of EM: of the logarithms
// of the densities, of the features of observations weighted with the responsibilities of each
// component, of the squares of weights, and of what the highest density leaves of the first.
// Orders are the number of components, the shape of the mixture, the shape of the next one,
// and 1, or 0 if the first sum is enough. Data are the center, weights, means and
// covariances.
const Sums = "em"

// SumsSize returns the number of these sums.
func SumsSize(n, r int, shape Shape) int { return 1 + r*features(n, shape) + r + 1 }

// mostSums bounds the bytes of what a pass returns.
const mostSums = 1 << 30

// message returns the pass for a mixture.
func (e *EM) message(g *Mixture) block.Pass {
	stats := 0
	if e.stats {
		stats = 1
	}
	return block.Pass{Kind: Sums, Orders: []int{e.r, int(g.Shape), int(e.shape), stats}, Unit: e.unit,
		Data: [][]float64{e.center, g.Weights, g.Means, g.Cov}}
}

// errPass is for what no message of EM says.
var errPass = errors.New("a pass of EM that does not fit the observations: the two programs are of different versions")

// Sum makes a pass of EM over x, whose Share must be 1, and returns its sums, which add
// up over several sources.
func Sum(ctx context.Context, x block.Source, p block.Pass, threads int) ([]float64, error) {
	_, n := x.Shape()
	if len(p.Orders) != 4 || len(p.Data) != 4 || !(p.Unit > 0) {
		return nil, errPass
	}
	r, from, to := p.Orders[0], Shape(p.Orders[1]), Shape(p.Orders[2])
	if r < 1 || min(from, to) < Spherical || max(from, to) > Full || 8*float64(SumsSize(n, r, to)) > mostSums {
		return nil, errPass
	}
	center, weights, means, cov := p.Data[0], p.Data[1], p.Data[2], p.Data[3]
	if len(center) != 0 && len(center) != n || len(weights) != r || float64(len(means)) != float64(r)*float64(n) || float64(len(cov)) != CovSize(n, r, from) {
		return nil, errPass
	}
	if len(center) == 0 {
		center = nil
	}
	e := NewEM(x, center, p.Unit, r, to, threads)
	e.stats = p.Orders[3] == 1
	if !e.density.set(ctx, &Mixture{N: n, R: r, Shape: from, Weights: weights, Means: means, Cov: cov}, e.dims) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("a covariance is not positive definite")
	}
	if !e.local(ctx) {
		return nil, block.Stopped(ctx, x)
	}
	return slices.Clone(e.sums[:e.size]), nil
}
