package symmom

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
	"symmom/internal/test/slow"
)

// studentT returns p observations of n independent variables, Student's t of
// three degrees of freedom: their third absolute moment does not exist.
func studentT(p, n int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 0))
	x := mat.NewDense(p, n, nil)
	for i := range p {
		for j := range n {
			chi := 0.
			for range 3 {
				v := rng.NormFloat64()
				chi += v * v
			}
			x.Set(i, j, rng.NormFloat64()*math.Sqrt(3/chi))
		}
	}
	return x
}

// Samples miss a moment dominated by a few observations; a warning says so and what to do.
// Mixtures, with the sample sizes of the paper, give none.
func TestSampledWarnsWhereSamplesTellTooLittle(t *testing.T) {
	slow.Test(t)
	outlier := mat.DenseCopyOf(large(t, 20, 3).Session.Matrix())
	for j := range 20 {
		outlier.Set(7, j, 30*outlier.At(7, j))
	}
	for name, x := range map[string]mat.Matrix{"t": studentT(10_000, 20, 1), "an outlier": outlier} {
		for _, d := range []int{3, 4} {
			for _, samples := range []int{10, 1000} {
				m := FromMatrix(x).Moment(d).With(Options{Starts: 3})
				f, best := mustFit(t, m.Sampled(samples).Decompose(3)), mustFit(t, m.Compressed(0).Decompose(3))
				w := joined(f.Warnings, " ")
				if !strings.Contains(w, "heavy tails (observation ") || !strings.Contains(w, "take the compressed form, or the implicit one") {
					t.Errorf("%s, d=%d s=%d: relative error %.3g, compressed %.3g, warnings %q", name, d, samples, f.RelativeError, best.RelativeError, w)
				}
			}
		}
	}
	for _, sigma := range []float64{1e-3, .1, .3} {
		for _, d := range []int{3, 4} {
			for _, samples := range []int{10, 100, 1000} {
				x := drawGaussians(draw.Mixture{N: 40, Components: 4, PerComponent: 2500, Sigma: sigma, Congruence: .5}).Session
				f := mustFit(t, x.Moment(d).Sampled(samples).With(Options{Starts: 3}).Decompose(4))
				// The relative error is that of the optimum, except for a part that the cosine
				// tells by a quadratic model: here to two of its digits.
				best := mustFit(t, x.Moment(d).Compressed(0).Decompose(4))
				above := 1 - best.RelativeError/f.RelativeError
				if estimate := f.Cosine * f.Cosine; !(math.Abs(estimate-above) <= .02) {
					t.Errorf("mixture of sigma %g, d=%d s=%d: relative error %.3g, %.3g of it above that of the compressed form, and a cosine of %.3g", sigma, d, samples, f.RelativeError, above, f.Cosine)
				}
				codes := joined(f.Warnings, " ")
				if above > .25 && !strings.Contains(codes, "promises to lower the relative error") || above < .15 && len(f.Warnings) > 0 || len(f.Warnings) > 1 {
					t.Errorf("mixture of sigma %g, d=%d s=%d, %.3g above: %q", sigma, d, samples, above, f.Warnings)
				}
			}
		}
	}
	// Of equal observations an estimate is off by rounding alone.
	same := mat.NewDense(3000, 4, nil)
	for l := range 3000 {
		same.SetRow(l, []float64{1, 2, -1, .5})
	}
	if f := mustFit(t, FromMatrix(same).Moment(3).Sampled(10).With(Options{Starts: 2}).Decompose(1)); strings.Contains(joined(f.Warnings, " "), "samples") {
		t.Errorf("equal observations: %q", f.Warnings)
	}
	if f := mustFit(t, large(t, 5, 2).Session.Moment(3).Sampled(10).With(Options{Starts: 1}).Decompose(2)); !strings.Contains(f.String(), "estimated relative error from ") {
		t.Errorf("a trace of estimates is not called one: %v", f)
	}
	// Ten iterations lead nowhere.
	f := mustFit(t, large(t, 20, 3).Session.Moment(3).Sampled(10).With(Options{Starts: 2, MaxIterations: 10}).Decompose(3))
	if w := joined(f.Warnings, " "); !strings.Contains(w, "far from an optimum") || strings.Contains(w, "tails") {
		t.Errorf("after ten iterations: %q", w)
	}
}
