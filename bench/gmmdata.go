package main

import (
	"symmom/datasets"

	"gonum.org/v1/gonum/mat"
)

// gaussianData is a kind of data for comparing mixtures: spherical components whose
// means have cosine .5.
type gaussianData struct {
	name      string
	n, per, p int     // per observations of each component, or p in all
	sigma     float64 // of the noise
	norms     []float64
	weights   []float64
	hard      bool // the noise is as large as the distances
}

// gaussianTable are the kinds of data, all of five components.
var gaussianTable = []gaussianData{
	{name: "paper, sigma .1", n: 500, per: 250, sigma: .1},
	{name: "sigma .5, p = 20,000", n: 50, p: 20_000, sigma: .5},
	{name: "sigma 1, p = 50,000", n: 50, p: 50_000, sigma: 1, hard: true},
	{name: "weights 1:16", n: 100, p: 12_500, sigma: .1, weights: []float64{1, 2, 4, 8, 16}},
	{name: "norms and weights unequal, sigma .3", n: 100, p: 20_000, sigma: .3,
		norms: []float64{1, 1.5, 2, 2.5, 3}, weights: []float64{5, 4, 3, 2, 1}},
}

const gaussians = 5 // components

// draw returns observations, p x n, and the true means, n x 5.
func (g gaussianData) draw(seed uint64) (x, means *mat.Dense, err error) {
	m := datasets.GaussianMixture(datasets.MixtureOptions{N: g.n, Components: gaussians, PerComponent: g.per, Observations: g.p, Sigma: g.sigma, Congruence: .5, Weights: g.weights, Seed: seed})
	if m.Err() != nil {
		return nil, nil, m.Err()
	}
	x, means = m.Session.Matrix().Dense, m.Means
	if g.norms == nil {
		return x, means, nil
	}
	for l, j := range m.Labels {
		row := x.RowView(l).(*mat.VecDense)
		row.AddScaledVec(row, g.norms[j]-1, means.ColView(j))
	}
	for j, norm := range g.norms {
		c := means.ColView(j).(*mat.VecDense)
		c.ScaleVec(norm, c)
	}
	return x, means, nil
}
