package symmom

import (
	"gonum.org/v1/gonum/mat"

	"symmom/internal/draw"
)

// Tests of this package cannot import datasets, which imports it.

// gaussianData is what datasets.GaussianMixture returns.
type gaussianData struct {
	Session *Session
	Means   *mat.Dense
	Labels  []int
}

func drawGaussians(g draw.Mixture) *gaussianData {
	v, means, labels := g.Draw()
	return &gaussianData{FromMatrix(v), means, labels}
}

func drawUniform(n, p int, seed uint64) *Session { return FromMatrix(draw.Uniform(n, p, seed)) }
