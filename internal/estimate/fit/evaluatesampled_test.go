package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// With many observations only solutions that may be the best are evaluated, and the
// estimates of the others are accurate: differences of two estimates from the same
// 16,384 observations.
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
	set, err := load.FromMatrix(v, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := New(tables.New(set), 3)
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
		if !(math.Abs(out.f-f) <= tolerance) || out.start.ObjectiveShifted != out.f || f < best.f-alike*math.Abs(best.f) {
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

// Each doubt of an evaluated fit gives a warning with its number, and there are no others.
func TestSampledDoubts(t *testing.T) {
	const n, d, many = 2, 3, 2 * estimateRows
	// tails of observations of length 1, and one that is longer.
	tails := func(p int, longest float64) *Tails {
		x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
		for l := range p {
			x.V[l*n+l%2] = 1
		}
		x.V[7*n+1] = longest
		out := NewTails(x, d, 1)
		x.Pass(t.Context(), out.Add)
		return out
	}
	at := func(f, estimate, stderr, promise float64) evaluated {
		return evaluated{outcome: &outcome{x: []float64{1}, f: f, promise: promise}, estimate: estimate, stderr: stderr, exact: true}
	}
	// The moments of |v|^d of many ones and one longer^d: p - 1 + h and p - 1 + h^2.
	const longest = 100.
	h := math.Pow(longest, d)
	heavy := math.Sqrt(((many-1+h*h)*many/((many-1+h)*(many-1+h)) - 1) / estimateRows)
	for name, c := range map[string]struct {
		p     int
		long  float64
		found []evaluated
		want  []string
	}{
		"none":          {many, 1, []evaluated{at(-4, -4.05, .02, .79)}, nil},
		"few":           {estimateRows, longest, []evaluated{at(-4, -5, .02, 0)}, nil},
		"heavy tails":   {many, longest, []evaluated{at(-4, -4, .02, 0)}, []string{fmt.Sprintf("observation 8 has %.2g of the sum of |v|^3, and %d observations determine its mean to ± %.0f%%", h/(many-1+h), estimateRows, 100*heavy)}},
		"off":           {many, 1, []evaluated{at(-4, -3.8, .02, 0)}, []string{"off by 10 standard errors"}},
		"off the other": {many, 1, []evaluated{at(-4, -4.2, .02, 0)}, []string{"off by 10 standard errors"}},
		"off by 4":      {many, 1, []evaluated{at(-4, -3.92, .02, 0)}, nil},
		"off by little": {many, 1, []evaluated{at(-4, -3.9961, .0001, 0)}, nil},
		"far":           {many, 1, []evaluated{at(-4, -4, .02, .9)}, []string{"to lower f by 0.225 |f|"}},
		"of the best":   {many, 1, []evaluated{at(-3, -9, .02, 3), at(-4, -4, .02, 0), at(-3.5, -9, .02, 3)}, nil},
		"none exact":    {many, longest, []evaluated{{outcome: &outcome{x: []float64{1}, f: -5}, estimate: 9, stderr: .1}}, nil},
	} {
		m := planOf(t, make([]float64, 2*n), n, d, 1, 1).m
		got := (&search{plan: &plan{m: m, p: c.p}}).doubts(c.found, tails(c.p, c.long))
		same := len(got) == len(c.want)
		for i := range min(len(got), len(c.want)) {
			same = same && strings.Contains(strings.ReplaceAll(got[i], ",", ""), strings.ReplaceAll(c.want[i], ",", ""))
		}
		if !same {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
