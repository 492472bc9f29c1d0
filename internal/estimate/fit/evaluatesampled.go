package fit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"symmom/internal/estimate/progress"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/math/solve"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Sizes and limits for evaluating the results of a sampled search.
const (
	// compareRows is the number of observations that solutions are compared on if
	// there are at least compareShare times as many; otherwise all are evaluated.
	compareRows, compareShare = 1 << 14, 4
	// compareStream is their random stream.
	compareStream = math.MaxUint64 - 2

	// A solution is evaluated if its f can be lower than the lowest estimate by more
	// than alike, relative to it: lower by open standard errors than its own estimate.
	open, alike = 3, 1e-3
	// off is how many standard errors an estimate may be away from the exact f, if
	// that is more than a thousandth. On mixtures 2.1 were seen, on heavy tails 300.
	off = 5
	// heavyTails is the relative standard error of the mean of |v|^d over estimateRows
	// observations from which on samples are not representative. It is up to .01 for
	// the mixtures of the paper and .04 for exponential numbers, .3 and more if
	// moments do not exist.
	heavyTails = .1
	// farOff is the decrease that a Gauss-Newton step promises, relative to |f|, from
	// which on a solution counts as far from an optimum. On the mixtures of the paper
	// it is .01 for s = 100 and .08 for s = 10; it is close to what a search on all
	// observations gains.
	farOff = .2
	// newtonDamping keeps that step defined if components are nearly alike.
	newtonDamping = 1e-3
)

// evaluate replaces the estimates of the outcomes by exact values, in one pass for
// those that can be the best. If samples turn out to be unreliable it warns and
// evaluates all outcomes. If interrupted it leaves the estimates unchanged, with a
// warning.
func (c *search) evaluate(outcomes []outcome, draws *moment.Sampled) (warnings []diag.Warning) {
	var found []*outcome
	for i := range outcomes {
		if outcomes[i].x != nil {
			found = append(found, &outcomes[i])
		}
	}
	if len(found) == 0 {
		return nil
	}
	c.begin(progress.Evaluation)
	g, err := c.compare(found, draws)
	tails := NewTails(c.m.Table.Storage, c.m.Order, c.unit)
	if err != nil || !c.verify(g[:opened(g)], tails.Add) {
		for _, e := range found {
			e.start.Unverified = true
		}
		return []diag.Warning{diag.New(diag.Estimates, "interrupted before the solutions were evaluated on all observations: objective, relative error and gradient norm are estimates from %s", words.Plural(min(estimateRows, c.p), "observation"))}
	}
	doubts := c.doubts(g, tails)
	if rest := g[opened(g):]; len(rest) > 0 && (len(doubts) > 0 || g[0].x == nil) && c.verify(rest, nil) {
		doubts = c.doubts(g, tails)
	}
	for i := range g {
		if e := &g[i]; !e.exact {
			e.start.Unverified = true
			e.f = g[0].f + (e.estimate - g[0].estimate) // from the same observations: most of the error cancels
			e.start.ObjectiveShifted = e.f * c.back
		}
	}
	if len(doubts) > 0 {
		warnings = append(warnings, diag.New(diag.Samples, "samples are insufficient for these data: %s; take the compressed form, or the implicit one", strings.Join(doubts, ", ")).With("Compressed", "Implicit"))
	}
	return warnings
}

// evaluated is an outcome, with what is known about its f.
type evaluated struct {
	*outcome
	estimate float64 // from the drawn observations
	stderr   float64 // standard error of estimate
	behind   float64 // excess over the lowest minus its possible error; below 0: it can be the best
	exact    bool    // f was evaluated on all observations
}

// opened returns the number of outcomes that can be the best. They come first.
func opened(g []evaluated) int {
	n := 0
	for n < len(g) && g[n].behind <= 0 {
		n++
	}
	return n
}

// compare estimates f of the outcomes from observations that were not used in the
// search. It returns the lowest estimate first, then those that can be lower; if there
// are so few observations that evaluating all is better, all of them can be.
func (c *search) compare(found []*outcome, draws *moment.Sampled) ([]evaluated, error) {
	p, all := draws.Observations(), c.p
	rows := compareRows
	if all < compareShare*compareRows {
		rows = estimateRows
	}
	xs := make([][]float64, len(found))
	for i, out := range found {
		xs[i] = out.x
	}
	terms, err := draws.Terms(c.ctx, rows, rand.New(rand.NewPCG(c.o.Seed, compareStream)), c.r, c.unit, xs)
	if err != nil {
		return nil, err
	}
	wider := 1. // factor of the errors, if the observations are drawn from a sample already
	if p < all {
		wider = math.Sqrt(1 + float64(rows)/float64(p))
	}
	g := make([]evaluated, len(found))
	lowest := 0
	for i, out := range found {
		k := &ktensor.Kruskal{D: c.m.Order, N: c.n, R: c.r, Lambda: out.x[:c.r], A: out.x[c.r:]}
		mean, stderr := meanOf(terms[i], nil)
		g[i] = evaluated{outcome: out, estimate: k.NormSquared() - 2*mean, stderr: 2 * stderr * wider}
		if g[i].estimate < g[lowest].estimate {
			lowest = i
		}
	}
	if rows == estimateRows {
		return g, nil
	}
	for i := range g {
		if i != lowest {
			_, stderr := meanOf(terms[i], terms[lowest])
			g[i].behind = g[i].estimate - g[lowest].estimate + alike*math.Abs(g[lowest].estimate) - open*2*stderr*wider
		}
	}
	g[lowest].behind = math.Inf(-1)
	slices.SortStableFunc(g, func(a, b evaluated) int { return cmp.Compare(a.behind, b.behind) })
	return g, nil
}

// meanOf returns the mean of x - y and its standard error; a nil y is zero.
func meanOf(x, y []float64) (mean, stderr float64) {
	n := float64(len(x))
	at := func(l int) float64 {
		if y == nil {
			return x[l]
		}
		return x[l] - y[l]
	}
	for l := range x {
		mean += at(l) / n
	}
	for l := range x {
		stderr += (at(l) - mean) * (at(l) - mean)
	}
	return mean, math.Sqrt(stderr / (n * (n - 1)))
}

// verify evaluates outcomes on all observations, in one pass; see, if not nil, is
// called with every block. It returns false, with nothing changed, if interrupted.
func (c *search) verify(g []evaluated, see func(block.Block)) bool {
	began := time.Now()
	var xs, gs [][]float64
	for _, e := range g {
		xs, gs = append(xs, e.x), append(gs, make([]float64, len(e.x)))
	}
	full := &moment.Implicit{Data: accompanied{c.observations(), see}, D: c.m.Order}
	fs := moment.EvaluateEach(c.ctx, full, c.r, c.unit, c.o.Threads, xs, gs)
	if fs == nil {
		return false
	}
	share := time.Since(began) / time.Duration(len(g))
	gn := ktensor.NewGaussNewton(c.m.Order, c.n, c.r)
	step := make([]float64, len(xs[0]))
	for i := range g {
		e := &g[i]
		e.f, e.exact = fs[i], true
		s := &e.start
		s.ObjectiveShifted, s.GradientNorm = fs[i]*c.back, linalg.NormInf(gs[i])
		s.Evaluations++
		s.Elapsed += share
		c.count()
		if gn.Solve(e.x, gs[i], step, newtonDamping) {
			e.promise = linalg.Dot(step, gs[i]) / 2
		}
		if !linalg.Finite(fs[i]) { // all observations reach farther than the sample
			s.Status, e.x = solve.NotFinite, nil
		}
	}
	return true
}

// accompanied is a source whose blocks are also passed to another function.
type accompanied struct {
	block.Source
	see func(block.Block)
}

func (a accompanied) Pass(ctx context.Context, do func(block.Block)) bool {
	if a.see == nil {
		return a.Source.Pass(ctx, do)
	}
	return a.Source.Pass(ctx, func(b block.Block) {
		do(b)
		a.see(b)
	})
}

// doubts lists the reasons to doubt the best of the evaluated outcomes.
func (c *search) doubts(g []evaluated, tails *Tails) (doubts []string) {
	var best *evaluated
	for i := range g {
		if e := &g[i]; e.exact && e.x != nil && (best == nil || e.f < best.f) {
			best = e
		}
	}
	if best == nil {
		return nil
	}
	few := c.p <= estimateRows
	if e := tails.Error(estimateRows); !few && !(e <= heavyTails) {
		part, l := tails.Largest()
		doubts = append(doubts, fmt.Sprintf("heavy tails (observation %s has %.2g of the sum of |v|^%d, and %s determine its mean to ± %.0f%%)",
			words.Count(l+1), part, c.m.Order, words.Plural(estimateRows, "observation"), 100*e))
	}
	if miss := math.Abs(best.f - best.estimate); !few && miss > off*best.stderr && miss > alike*math.Abs(best.f) {
		doubts = append(doubts, fmt.Sprintf("an estimate of f was off by %.3g standard errors", miss/best.stderr))
	}
	if promise := best.promise / math.Abs(best.f); promise > farOff {
		doubts = append(doubts, fmt.Sprintf("far from an optimum (on all observations a Gauss-Newton step promises to lower f by %.3g |f|)", promise))
	}
	return doubts
}

// promised warns where a Gauss-Newton step promises to lower the relative error by more than a
// fifth, so that it is the samples' as much as the components', however small beside f
// (shifted), which doubts looks at. share is that part of it.
func (c *plan) promised(s *solution, share float64) []diag.Warning {
	if !(share > farOff) || s.promise > farOff*math.Abs(s.f) {
		return nil
	}
	return []diag.Warning{diag.New(diag.NotConverged, "the best start ended before it converged (%s): on all observations a Gauss-Newton step promises to lower the relative error by %.0f%%; continue from it in another form", s.start.Status.Words(), 100*math.Min(share, 1)).With("InitialModel")}
}
