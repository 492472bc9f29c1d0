package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/moment"
	"symmom/internal/observations"
	"symmom/internal/storage"
)

// Of many observations only solutions that may be the best are evaluated, and
// what is said of the others is near the truth: the difference of two estimates
// from the same 16,384 observations.
func TestSampledEvaluatesWhatMayBeTheBest(t *testing.T) {
	const n, r = 6, 2
	const p = 35_000 * r
	rng := rand.New(rand.NewPCG(1, 1))
	means := make([]float64, r*n) // each of unit norm
	moment.Gaussian(means, n, rng)
	v := mat.NewDense(p, n, nil)
	for l := range p {
		for i := range n {
			v.Set(l, i, means[l%r*n+i]+.1*rng.NormFloat64())
		}
	}
	set, err := observations.FromMatrix(v, observations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := New(storage.New(set), 3)
	m.Form, m.Samples = Sampled, 10
	c := (&plan{m: &m, o: &Options{Starts: 6, Threads: 2, Seed: 1, Absolute: true}, r: r, p: p, n: n, ctx: context.Background(), tracker: &tracker{}}).search(1, nil)
	// The true model, and others; two so near each other that either will do.
	var outcomes []outcome
	for k, off := range []float64{.3, 1e-5, .05, 0, 1, .8} {
		x := make([]float64, r+r*n)
		for j := range r {
			x[j] = 1. / r
			for i := range n {
				x[r+j*n+i] = means[j*n+i] * (1 + off*float64(i)/n)
			}
		}
		outcomes = append(outcomes, outcome{start: Start{Index: k}, x: x, f: -1})
	}
	warnings := c.evaluate(outcomes, moment.NewSampled(set.Dense(), 3, 10))
	if passes := c.passes.Load(); passes != 1 {
		t.Errorf("%d passes", passes)
	}
	full := moment.NewObjective(&moment.Implicit{Data: set.Dense(), D: 3}, r, 1, 1)
	g := make([]float64, full.Size())
	best := c.record(outcomes)
	if best.start.Unverified {
		t.Errorf("the best, %d, was not evaluated", best.start.Index)
	}
	unverified := 0
	for k, out := range outcomes {
		f, _ := full.Evaluate(c.ctx, out.x, g)
		// The terms of a model spread by less than their size, so the mean of
		// 16,384 is off by less than 5/128 of it, and the difference by less still.
		tolerance := .04 * math.Abs(f)
		if !out.start.Unverified {
			tolerance = 1e-12 * math.Abs(f)
		} else {
			unverified++
		}
		if math.Abs(out.f-f) > tolerance || out.start.ObjectiveShifted != out.f || f < best.f-alike*math.Abs(best.f) {
			t.Errorf("outcome %d (unverified: %v): f = %.8g, exactly %.8g, the best has %.8g", k, out.start.Unverified, out.f, f, best.f)
		}
	}
	if unverified < 3 {
		t.Errorf("%d of 6 outcomes were not evaluated, want those that are far from the best", unverified)
	}
	if len(warnings) > 0 {
		t.Errorf("warnings %q", warnings)
	}
}
