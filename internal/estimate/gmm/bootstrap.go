package gmm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"symmom/internal/data/tables"
	"symmom/internal/moment/block"
)

// Bootstrap finds standard errors of the parameters of a mixture: EM continues from it
// on resampled observations.
type Bootstrap struct {
	Done int // draws

	t       *tables.Table
	seed    uint64
	threads int
	least   []float64 // of variances
	start   *Mixture  // minus center
	center  []float64

	exponent     []int     // of the power of 2 that is the unit of a parameter: no over- or underflow
	sum, squares []float64 // of the differences from the start in these units, over the draws
}

// NewBootstrap prepares for the mixture of a table, whose variances within components are at least those of
// the n numbers in least, or of a default if it is nil.
func NewBootstrap(t *tables.Table, g *Mixture, least []float64, seed uint64, threads int) *Bootstrap {
	b := &Bootstrap{t: t, least: least, seed: seed, threads: threads}
	b.start, b.center = g.Centered()
	if least == nil {
		b.least = []float64{leastVariance * totalVariance(b.start)}
	}
	b.sum = make([]float64, len(b.vector(b.start)))
	b.squares = make([]float64, len(b.sum))
	unit := math.Ilogb(math.Sqrt(totalVariance(b.start)))
	b.exponent = slices.Repeat([]int{unit}, len(b.sum))
	clear(b.exponent[:len(g.Weights)])
	for i := range g.Cov {
		b.exponent[len(g.Weights)+len(g.Means)+i] = 2 * unit
	}
	return b
}

// Draw fits the mixture to draw k.
func (b *Bootstrap) Draw(ctx context.Context, k uint64) error {
	x := &block.Resampled{Source: b.t.Storage, Seed: b.seed, Draw: k}
	g, err := b.fit(ctx, x)
	for ; err == nil && x.Empty; g, err = b.fit(ctx, x) {
		x.Again++ // e^-p of all draws have no observation
	}
	if err != nil {
		return err
	}
	from := b.vector(b.start)
	for i, v := range b.vector(g) {
		d := math.Ldexp(v-from[i], -b.exponent[i])
		b.sum[i] += d
		b.squares[i] += d * d
	}
	b.Done++
	return nil
}

// fit continues EM from the mixture on a draw, unless that is empty.
func (b *Bootstrap) fit(ctx context.Context, x *block.Resampled) (*Mixture, error) {
	e := NewEM(x, b.center, 1, b.start.R, b.start.Shape, b.threads)
	e.SetFloor(b.least...)
	g := b.start.Clone()
	// The likelihood of a draw rises by half the number of parameters on the
	// way from here: steps end at 1e-4 of that.
	rise := 1e-4 * float64(g.Parameters()) / 2
	last := math.Inf(-1)
	for range DefaultIterations {
		now, ok := e.Step(ctx, g)
		if x.Empty {
			return nil, b.t.Stopped(ctx)
		}
		if !ok {
			if err := b.t.Stopped(ctx); err != nil {
				return nil, err
			}
			return nil, fmt.Errorf("bootstrap: draw %d: a covariance became singular: take fewer components, or spherical ones", x.Draw+1)
		}
		if now-last < rise {
			break
		}
		last = now
	}
	return g, nil
}

// totalVariance returns the variance of a variable of a mixture about its mean, 0.
func totalVariance(g *Mixture) float64 {
	v := g.MeanVariance()
	for j, w := range g.Weights {
		for _, m := range g.Means[j*g.N : (j+1)*g.N] {
			v += w * m * m / float64(g.N)
		}
	}
	return v
}

// vector returns all parameters that get an error: weights, means, covariances,
// sigma.
func (b *Bootstrap) vector(g *Mixture) []float64 {
	v := append([]float64(nil), g.Weights...)
	v = append(append(v, g.Means...), g.Cov...)
	return append(v, math.Sqrt(g.MeanVariance()))
}

// Errors returns the standard deviations over the draws of weights, means,
// covariances and sigma, one after the other.
func (b *Bootstrap) Errors() []float64 {
	out := make([]float64, len(b.sum))
	for i := range out {
		mean := b.sum[i] / float64(b.Done)
		out[i] = math.Ldexp(math.Sqrt(math.Max(0, b.squares[i]-mean*b.sum[i])/float64(b.Done-1)), b.exponent[i])
	}
	return out
}
