package topics

import (
	"context"
	"math"
	"slices"

	"symmom/internal/estimate/progress"
	"symmom/internal/moment/block"
)

// Bootstrap finds standard errors of topics, their weights and the concentration: the polish
// continues from them on documents that are there a random number of times.
type Bootstrap struct {
	Done int // draws

	of           *Result
	x            block.Source
	o            Options
	sum, squares []float64 // of the differences from what was found, over the draws
}

// NewBootstrap prepares for topics that were found in x with these options.
func NewBootstrap(x block.Source, topics, weights []float64, concentration, prior float64, o Options) *Bootstrap {
	b := &Bootstrap{of: &Result{Topics: topics, Weights: weights, Concentration: concentration, Prior: prior}, x: x, o: o}
	b.sum = make([]float64, len(b.vector(b.of)))
	b.squares = make([]float64, len(b.sum))
	return b
}

// Draw finds the topics of draw k.
func (b *Bootstrap) Draw(ctx context.Context, k uint64) error {
	x := &block.Resampled{Source: b.x, Seed: b.o.Seed, Draw: k}
	d, err := Survey(ctx, x)
	for ; err == nil && d.used[least] == 0; d, err = Survey(ctx, x) {
		x.Again++
	}
	if err != nil {
		return err
	}
	r := &Result{Topics: b.of.Topics, Weights: slices.Clone(b.of.Weights), Concentration: b.of.Concentration, Prior: b.of.Prior, given: b.o.Concentration > 0}
	if err := r.polish(ctx, d, b.o, func(progress.Report) {}); err != nil {
		return err
	}
	from := b.vector(b.of)
	for i, v := range b.vector(r) {
		b.sum[i] += v - from[i]
		b.squares[i] += (v - from[i]) * (v - from[i])
	}
	b.Done++
	return nil
}

// vector returns topics, weights and the logarithm of the concentration.
func (b *Bootstrap) vector(r *Result) []float64 {
	return append(slices.Concat(r.Topics, r.Weights), math.Log(r.Concentration))
}

// Errors returns the standard deviations over at least two draws: of topics, k x n, weights and the
// concentration, of which it is relative.
func (b *Bootstrap) Errors() (topics, weights []float64, concentration float64) {
	n := float64(b.Done)
	v := make([]float64, len(b.sum))
	for i, s := range b.sum {
		v[i] = math.Sqrt(max(0, b.squares[i]-s*s/n) / (n - 1))
	}
	k := len(b.of.Weights)
	at := len(b.of.Topics)
	return v[:at], v[at : at+k], v[at+k]
}
