package fit

import (
	"fmt"
	"math"
	"slices"

	"symmom/internal/math/ktensor"
	"symmom/internal/math/solve"
	"symmom/internal/moment"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// How many starts are tried if Options.Starts does not say.
const (
	roundStarts = 10 // at a time, so that the result does not depend on the number of threads
	mostStarts  = 200
	// moreOps bounds the operations of the search in the rounds after the first: a
	// second or two; and so much longer while the best fit is degenerate, as the starts in its
	// valley take many evaluations, and say nothing of others.
	moreOps   = 4e9
	inAValley = 3
	// unseenBest is how many better optima may be expected where a search ends: so many that ten
	// starts that agree are enough, 20 that found two optima, and ten more for each further one
	// or two.
	unseenBest = 1 / 7.
)

// SameFit is the largest difference between two f that count as the same, relative to
// f, or to ||X||^2 - f if that is less; and, relative to ||X||^2, what rounding leaves
// undecided in the flat valleys where f is near it.
const (
	SameFit     = 1e-3
	SameRounded = 1e-12
	// nothing is the share of ||X||^2 below which an f is as good as none, 0: what starts that
	// find nothing end at says nothing.
	nothing = 1e-5
)

// enough searches from Options.Starts starts. If that is not set it adds rounds until these found
// enough, or 200 starts were tried, or more would take seconds. Where the starts disagree it
// exchanges their components, and adds rounds if that finds a better fit. The first starts may
// have been run before.
func (c *search) enough(tensor moment.Tensor, guess starter, outcomes ...outcome) []outcome {
	c.restart(c.o.Starts, len(outcomes))
	outcomes = append(outcomes, c.from(tensor, len(outcomes), c.o.Starts, guess)...)
	for exchanged := 0; ; exchanged = len(outcomes) {
		for c.wanting(tensor, outcomes) {
			lo, hi := len(outcomes), min(len(outcomes)+roundStarts, mostStarts)
			c.try(hi)
			outcomes = append(outcomes, c.from(tensor, lo, hi, guess)...)
		}
		if len(outcomes) == exchanged || !c.differ(tensor, outcomes) {
			return outcomes
		}
		before := outcomes[bestOf(outcomes)].f
		outcomes = c.exchange(tensor, outcomes)
		if c.same(before, outcomes[bestOf(outcomes)].f) {
			return outcomes
		}
	}
}

// wanting reports whether another round of starts is worth its cost.
func (c *search) wanting(tensor moment.Tensor, outcomes []outcome) bool {
	if !c.o.Open || len(outcomes) >= mostStarts || c.stopped() != nil {
		return false
	}
	if c.slow(tensor) {
		return false // a round is dozens of passes
	}
	evaluations := 0
	for _, out := range outcomes {
		evaluations += out.start.Evaluations
	}
	all := float64(evaluations) * (1 + roundStarts/float64(len(outcomes)))
	if best := bestOf(outcomes); best >= 0 && c.valley(outcomes[best]) {
		all /= inAValley
	}
	return !c.found(outcomes) && all*c.m.problem(c.r, c.o).evaluation(tensor) <= moreOps
}

// found reports whether more starts are of no use. None fits better than an exact fit. Elsewhere the
// best is to be found often enough, and is likely to be the best of all optima: of N starts that
// found w, w (w+1)/(N-w-2) others are to be expected (Boender & Rinnooy Kan, Bayesian stopping
// rules for multistart global optimization methods, Math. Programming 37, 1987), and if each
// optimum is as likely as any other to be the best, then w/(N-w-2) of those are. Starts that agree
// on a degenerate best are in its valley, and say nothing.
func (c *search) found(outcomes []outcome) bool {
	best := bestOf(outcomes)
	if best < 0 {
		return false
	}
	if c.fitted(outcomes[best].f) {
		return true
	}
	if c.valley(outcomes[best]) {
		return false
	}
	hits, drawn := drawnHits(outcomes, func(out outcome) bool { return c.same(out.f, outcomes[best].f) })
	w, n := float64(c.optima(outcomes)), float64(drawn)
	return hits >= diag.EnoughHits && w <= unseenBest*(n-w-2)
}

// fitted reports whether rounding alone is left of ||X - M||^2.
func (c *search) fitted(f float64) bool { return c.exact && c.residual(f) <= exactFit*c.alpha }

// optima counts the different f that drawn starts ended at.
func (c *search) optima(outcomes []outcome) (n int) {
	var f []float64
	for _, out := range outcomes {
		if !out.start.exchanged && out.x != nil {
			f = append(f, out.f)
		}
	}
	slices.Sort(f)
	for k := range f {
		if k == 0 || !c.same(f[k], f[k-1]) {
			n++
		}
	}
	return n
}

// valley reports whether an outcome has terms that cancel, coincide or have no weight.
func (c *search) valley(out outcome) bool {
	k := &ktensor.Kruskal{D: c.m.Order, N: len(out.x)/c.r - 1, R: c.r, Distinct: c.m.Distinct, Lambda: slices.Clone(out.x[:c.r]), A: slices.Clone(out.x[c.r:])}
	k.Arrange()
	return len(degenerate(k)) > 0
}

// slow reports whether an evaluation is a pass over data that are slow to read, and not
// small.
func (c *search) slow(tensor moment.Tensor) bool {
	t, ok := tensor.(*moment.Implicit)
	return ok && c.m.Table.Slow() && !c.m.Table.Brief() && t.N() == c.n
}

// drawnHits counts the outcomes of starts that were drawn, and the hits among them. Those made
// of components of others mostly end where these came from, which says nothing.
func drawnHits(outcomes []outcome, hit func(outcome) bool) (hits, drawn int) {
	for _, out := range outcomes {
		if out.start.exchanged {
			continue
		}
		if drawn++; out.x != nil && hit(out) {
			hits++
		}
	}
	return hits, drawn
}

// same reports whether f, which is not below best, is as good.
func (c *search) same(f, best float64) bool {
	scale := math.Abs(best)
	if r := c.residual(best); c.alpha > 0 {
		scale = math.Min(math.Max(scale, nothing*c.alpha), r)
	}
	return f-best <= math.Max(SameFit*scale, SameRounded*math.Abs(best))
}

// cautions returns warnings if the search may have missed the best fit, or stopped
// short of an optimum.
func (c *plan) cautions(s *solution) []diag.Warning {
	if len(s.starts) == 0 || c.stopped() != nil {
		return nil
	}
	return slices.Concat(c.cutWarnings(), c.startsWarnings(s), c.convergenceWarnings(s))
}

// cutWarnings warns of an initial model that is not the one that was given.
func (c *plan) cutWarnings() []diag.Warning {
	if !c.o.Nonnegative || c.o.Initial == nil {
		return nil
	}
	model := c.o.Initial.Clone()
	cut := bounded(model.Lambda, model.A, model.D)
	if !(cut > rounding) {
		return nil
	}
	return []diag.Warning{diag.New(diag.Bounded, "negative entries of the initial model, up to %s of a component by squares, were set to 0: the first start is not that model", words.Percent(cut))}
}

// startsWarnings warns of a fit that few starts found.
func (c *plan) startsWarnings(s *solution) []diag.Warning {
	hits, drawn := atBest(s.starts)
	few := diag.FewFound(hits, drawn) && !s.search.fitted(s.f)
	if s.form == Sampled { // whose starts end apart by what the samples leave open
		few = 5*hits < drawn
	}
	if !few {
		return nil
	}
	advice, field := "try more starts", "Starts"
	switch {
	case s.form == Sampled:
		advice, field = "take more samples, or continue from it in another form", "InitialModel"
	case c.o.Open: // more of them, asked for, would not be exchanged
		advice, field = "try another seed", "Seed"
	}
	noun := "start"
	if drawn < len(s.starts) {
		noun = "random start"
	}
	starts := words.Plural(drawn, noun)
	found := fmt.Sprintf("only %d of %s found this fit", hits, starts)
	if hits == 0 {
		found = fmt.Sprintf("none of %s found this fit, which was made of their components", starts)
	}
	return []diag.Warning{diag.New(diag.FewStarts, "%s, so there may be a better one: %s", found, advice).With(field)}
}

// convergenceWarnings warns of a fit that is no optimum, or worth nothing.
func (c *plan) convergenceWarnings(s *solution) []diag.Warning {
	warning := func(format string, args ...any) diag.Warning {
		return diag.New(diag.NotConverged, format, args...)
	}
	switch best := s.starts[s.best]; {
	case s.f >= 0 && c.o.Nonnegative:
		return []diag.Warning{warning("f (shifted) is not below 0, so the fit is no better than one without components: where the moment is negative no non-negative one is; elsewhere try more starts").With("Nonnegative", "Starts")}
	case s.f >= 0 && s.form != Sampled:
		return []diag.Warning{warning("f (shifted) is not below 0, so the fit is no better than one without components: all starts ended where f is flat; take a lower order").With("order")}
	case s.form == Sampled || best.Status == solve.Converged:
		return nil
	default:
		step := ""
		if best.Cosine > 0 { // not NaN
			step = fmt.Sprintf(": another step would lower f by about %.1g of it", best.Cosine*best.Cosine)
		}
		advice, field := c.ended(best.Status)
		if advice == "" {
			return []diag.Warning{warning("the best start ended before it converged (%s)%s", best.Status.Words(), step)}
		}
		return []diag.Warning{warning("the best start ended before it converged (%s)%s; %s", best.Status.Words(), step, advice).With(field)}
	}
}

// ended says what helps a start that ended so before it converged, and which option that is. Where
// Gauss-Newton steps stall, f is flat or components cancel, of which another warning tells.
func (c *plan) ended(s solve.Status) (advice, field string) {
	switch {
	case s == solve.Interrupted || s == solve.NotFinite:
		return "", ""
	case s == solve.MaxIterations:
		return "allow more iterations", "MaxIterations"
	case s == solve.MaxEvaluations:
		return "allow more evaluations", "MaxEvaluations"
	case c.o.RelativeDecrease > solve.DefaultRelativeDecrease:
		return "take a lower RelativeDecrease", "RelativeDecrease"
	case c.o.LBFGS:
		return "take the solver gaussnewton", "Solver"
	}
	return "try more starts", "Starts"
}

// Lowest is the lowest f of the fits of a sweep so far.
type Lowest struct {
	rank     int
	f, sigma float64
}

// Next takes the next fit, of a higher rank, where ||X||^2 is norm, without noise of a sigma. It
// warns if f is above the lowest: with the components of that fit and any others it would not
// be. Fits without the same noise are of different moments.
func (l *Lowest) Next(r int, f, norm, sigma float64) []diag.Warning {
	before := *l
	if before.rank == 0 || sigma != before.sigma || !(f > before.f) {
		*l = Lowest{r, f, sigma}
	}
	switch {
	case before.rank > 0 && sigma != before.sigma:
		return []diag.Warning{diag.New(diag.OtherNoise, "the noise was estimated for each rank, with sigma %.6g for rank %d and %.6g for rank %d: they are of different moments, and their relative errors do not compare; give its sigma", before.sigma, before.rank, sigma, r).With("Debias")}
	case *l != before || f-l.f <= math.Max(SameFit*math.Min(math.Max(math.Abs(l.f), nothing*norm), math.Max(0, norm+l.f)), SameRounded*norm):
		return nil
	}
	return []diag.Warning{diag.New(diag.FewStarts, "rank %d fits worse than rank %d, so that no start found its best fit: try more starts", r, l.rank).With("Starts")}
}

// atBest counts the starts that were drawn, as drawnHits does, and those of them that ended at
// the best fit.
func atBest(starts []Start) (hits, drawn int) {
	for _, s := range starts {
		if s.exchanged {
			continue
		}
		if drawn++; s.AtBest {
			hits++
		}
	}
	return hits, drawn
}
