package tables

import (
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/moment/norm"
)

// Seed is the seed of the observations that a Sketch keeps.
const Seed = 1

// Sketch summarizes observations that were read once.
type Sketch struct {
	Span     float64        // largest norm of an observation
	Sample   *moment.Sample // for ||X||^2, as is:
	Extremes *norm.Extremes // the largest
}

func newSketch(n int) *Sketch {
	return &Sketch{Sample: moment.NewSample(moment.SampleSize(n), n, Seed), Extremes: norm.NewExtremes(n)}
}

// add adds a block of observations.
func (k *Sketch) add(b block.Block) {
	k.Sample.Add(b)
	k.Extremes.Add(b)
}

// finish must be called after the last block.
func (k *Sketch) finish() { k.Span = k.Extremes.Largest() }
