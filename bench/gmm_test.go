package main

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Means in a different order, one of them moved by (3, 4), with norms 10 and 10.
func TestJudgeMeans(t *testing.T) {
	truth := mat.NewDense(2, 2, []float64{10, 0, 0, 10})
	relative, score := judgeMeans([][]float64{{3, 14}, {10, 0}}, truth)
	if want := 5 / math.Sqrt(200); math.Abs(relative-want) > 1e-15 {
		t.Errorf("error %g, want %g", relative, want)
	}
	if want := (1 + 14/math.Hypot(3, 14)) / 2; math.Abs(score-want) > 1e-15 {
		t.Errorf("score %g, want %g", score, want)
	}
}

// Norms, weights and noise are as stated in the report.
func TestGaussianData(t *testing.T) {
	g := gaussianData{n: 20, p: 8000, sigma: .2, norms: []float64{1, 1.5, 2, 2.5, 3}, weights: []float64{5, 4, 3, 2, 1}}
	x, means, err := g.draw(1)
	if err != nil {
		t.Fatal(err)
	}
	counts, square := make([]float64, gaussians), 0.
	for l := range g.p {
		best, least := 0, math.Inf(1)
		for j := range gaussians {
			var d mat.VecDense
			d.SubVec(x.RowView(l), means.ColView(j))
			if s := mat.Dot(&d, &d); s < least {
				best, least = j, s
			}
		}
		counts[best]++
		square += least
	}
	for j, norm := range g.norms {
		if got := mat.Norm(means.ColView(j), 2); math.Abs(got-norm) > 1e-12 {
			t.Errorf("norm %g, want %g", got, norm)
		}
		// Five standard deviations of a count; means are 5 sigma and more apart,
		// so that fewer than one in a hundred is nearest to another's.
		if want := g.weights[j] / 15 * float64(g.p); math.Abs(counts[j]-want) > 5*math.Sqrt(want)+80 {
			t.Errorf("component %d: %g observations, want about %g", j, counts[j], want)
		}
	}
	// 160,000 squares: 5 standard deviations are 2%, as much as a few of the
	// nearest take away.
	if v := square / float64(g.p*g.n); math.Abs(v-.04) > .0016 {
		t.Errorf("variance %g, want .04", v)
	}
}

// Stored results are found again if data are kept, including values that JSON
// cannot represent, and otherwise are not.
func TestKept(t *testing.T) {
	b, calls := &bench{dir: t.TempDir(), keep: true}, 0
	find := func() (map[string]judgedFit, error) {
		calls++
		return map[string]judgedFit{"a": {Fit: gaussianFit{LogLikelihood: math.NaN(), Seconds: float64(calls)}, MeanError: .5}}, nil
	}
	for range 2 {
		v, err := kept(b, "sigma .5, n/p, seed 1", find)
		if a := v["a"]; err != nil || a.MeanError != .5 || a.Fit.Seconds != 1 || !math.IsNaN(a.Fit.LogLikelihood) {
			t.Errorf("%+v, %v", v, err)
		}
	}
	b.keep = false
	if _, err := kept(b, "sigma .5, n/p, seed 1", find); err != nil || calls != 2 {
		t.Errorf("%d calls, %v, want one that is kept and one that is not", calls, err)
	}
}
