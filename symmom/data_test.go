package symmom

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
)

// Tests of this package cannot import datasets, which imports it.

// gaussianData is what datasets.GaussianMixture returns.
type gaussianData struct {
	Session *Session
	Means   *mat.Dense
	Labels  []int
}

func drawGaussians(g draw.Mixture) *gaussianData {
	v, means, labels, err := g.Draw(context.Background())
	if err != nil {
		panic(err) // nothing ends the context
	}
	return &gaussianData{FromMatrix(v), means, labels}
}

func drawUniform(n, p int, seed uint64) *Session {
	v, err := draw.Uniform(context.Background(), n, p, seed)
	if err != nil {
		panic(err)
	}
	return FromMatrix(v)
}
