package main

import (
	"math"
	"testing"
)

// Components in another order, one of them moved by (3, 4), with norms 10 and 10, and weights .3 and
// .7 where they are .4 and .6.
func TestJudgeMixture(t *testing.T) {
	truth := gaussianFit{Means: [][]float64{{10, 0}, {0, 10}}, Weights: []float64{.4, .6}}
	mean, weight := judgeMixture(gaussianFit{Means: [][]float64{{3, 14}, {10, 0}}, Weights: []float64{.7, .3}}, truth)
	if want := 5 / math.Sqrt(200); !(math.Abs(mean-want) <= 1e-15) {
		t.Errorf("error of means %g, want %g", mean, want)
	}
	if want := math.Sqrt(.02 / .52); !(math.Abs(weight-want) <= 1e-15) {
		t.Errorf("error of weights %g, want %g", weight, want)
	}
}

// The least error wins, with all that are as good, of which the fastest is named; methods that
// have no result, as NaN, do not.
func TestWin(t *testing.T) {
	b := &bench{}
	results := map[string][2]float64{methodSymmom: {.101, 2}, methodMEITD: {.1, 60}, methodGaussian: {.2, 1}, methodMatching: {math.NaN(), math.NaN()}}
	b.win("demo", []string{methodSymmom, methodMEITD, methodGaussian, methodMatching}, 1e-3, func(m string) (float64, float64) { return results[m][0], results[m][1] })
	row := b.lead.rows[0]
	for i, want := range []string{"demo", "symmom; MEITD", "0.1000", "symmom", "2.00", "0.1010", "2.00"} {
		if row[i] != want {
			t.Errorf("cell %d is %q, want %q", i, row[i], want)
		}
	}
}
