package fit

import (
	"fmt"
	"math"

	"symmom/internal/estimate/progress"
	"symmom/internal/moment"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Limits of the compressed form.
const (
	// Polishes is how many distinct solutions of the compressed problem are refined on
	// the full one.
	Polishes = 3
	// nearBest bounds how far their f may be above the best, relative to it:
	// compression can hide enough to change the order of two solutions.
	nearBest = .02
	// sameSolution is the relative difference of f below which two starts ended at the
	// same solution.
	sameSolution = 1e-5
	// poor is the relative decrease of f in polishing from which on the basis must
	// have missed something.
	poor = .05
	// fullStarts is how many starts look for a fit that a basis hid: where three in four
	// found it (exponential data of order 4), two of them miss it once in sixteen.
	fullStarts = 2
	// mostBases is how many bases are tried, each widening times the size of the one
	// before.
	mostBases = 2
	widening  = 4
	// decay is the least ratio of the first to the last of some eigenvalues that fall
	// off.
	decay = 2
	// aheadShare is the share of the search in a basis that polishing the first start, to see
	// whether the basis misses something, may cost.
	aheadShare = .2
	// polishDamping is the damping of the first step, which starts near the solution:
	// it saves one of four passes on half a million observations.
	polishDamping = 1e-3
)

// compressed solves in the coordinates of the second moment's leading eigenvectors,
// where an evaluation costs next to nothing, and refines the Polishes best solutions
// on the full problem to the same tolerance. If more than a few eigenvectors are
// needed to hold the moment, it solves the full problem in another form.
func (c *plan) compressed() (*solution, error) {
	k := c.basisSize()
	sol := &solution{form: Compressed}
	if c.m.Warm || c.m.Table.Forgotten() != nil {
		if done, err := c.accumulated(sol, k); done || err != nil {
			return sol, err
		}
	}
	if err := c.m.Table.Forgotten(); err != nil {
		return nil, c.m.Table.Remembered(err)
	}
	row := c.rowSpace()
	if row {
		k = c.p
	}
	for step := 1; ; step++ {
		in, err := c.compress(k, c.m.Basis == 0 && step == 1 && !row)
		if err != nil {
			return sol, err
		}
		b := in.basis
		switch {
		case in.tensor == nil:
			return c.unheld(sol, b)
		case c.m.Basis == 0 && !row && !b.Whole && few(b.Values, c.r) && c.brief():
			return c.heldInPart(sol, in)
		}
		gain, polished, err := c.searchIn(sol, in)
		switch {
		case err != nil:
			return sol, err
		case !polished || b.Whole || c.stopped() != nil:
			return sol, nil
		case gain <= poor:
			return c.hidden(sol, in)
		}
		missed := fmt.Sprintf("a basis of %d vectors hid %.2g of f", b.K, gain)
		k = max(widening*b.K, 2*c.basisRank()+10)
		if step == mostBases || 2*k > c.n || c.m.Basis == 0 && few(b.Values, c.r) {
			sol.warn(diag.BasisMissed, "%s", missed)
			return c.instead(sol)
		}
		sol.warn(diag.BasisMissed, "%s: widened to %d", missed, k)
	}
}

// unheld solves in another form a moment that no few vectors hold.
func (c *plan) unheld(sol *solution, b *moment.Basis) (*solution, error) {
	if b.Values[0] == 0 {
		sol.warn(diag.FlatSpectrum, "the second moment is 0 except for noise, so no vectors capture the moment")
	} else {
		sol.warn(diag.FlatSpectrum, "the spectrum of the second moment does not fall off, so that no %d vectors hold the moment", b.K)
	}
	return c.instead(sol)
}

// heldInPart solves in another form a moment that a basis holds fewer components of than the
// rank.
func (c *plan) heldInPart(sol *solution, in *coordinates) (*solution, error) {
	if c.m.Form == Compressed {
		sol.warn(diag.FlatSpectrum, "fewer eigenvalues of the second moment stand out than the rank, and the others do not fall off, so that no %d vectors hold the moment", in.basis.K)
	}
	other, err := c.instead(sol)
	if other != nil {
		other.spectrum, other.stand, other.suggestedRank = in.ritz.Values, in.stand, in.rank
	}
	return other, err
}

// hidden looks for what polishing does not show of what a basis hid: other fits, and components
// along long observations.
func (c *plan) hidden(sol *solution, in *coordinates) (*solution, error) {
	b := in.basis
	if sol.search.peaksHidden(sol.f) {
		sol.warn(diag.BasisMissed, "a basis of %d vectors hid the peaks at the longest observations: components along them fit better", b.K)
		return c.instead(sol)
	}
	if few(b.Values, c.r) {
		sol.search.besides(sol)
	}
	before := sol.f
	if !sol.search.addPeaks(sol, b) {
		return sol, nil
	}
	sol.warn(diag.BasisMissed, "a basis of %d vectors hid a component along long observations: it was added", b.K)
	if gained(before, sol.f) > poor {
		return c.around(sol, in)
	}
	return sol, nil
}

// searchIn solves in a basis, and polishes. It returns by how much that lowered f, unless
// interrupted before the full problem was evaluated: then the best in the basis is kept.
func (c *plan) searchIn(sol *solution, in *coordinates) (gain float64, polished bool, err error) {
	outcomes, err := c.solve(sol, in, true)
	if err != nil {
		return 0, false, err
	}
	if in.basis.Whole {
		sol.search.goOn(in, outcomes)
		sol.found = sol.search.record(outcomes)
	}
	sol.outcomes = outcomes
	final, gain := sol.search.replace(outcomes, sol.search.polish(in, differing(outcomes)))
	if final.x == nil {
		sol.starts, sol.evaluations = final.starts, final.evaluations
		sol.outcome = c.lift(in.basis, sol.outcome)
		return 0, false, nil
	}
	sol.found = final
	return gain, true, nil
}

// rowSpace reports whether to use the whole space that the observations span: if there
// are fewer of them than variables, that is exact and needs hardly any polishing. It
// returns false if that costs more than the implicit form.
func (c *plan) rowSpace() bool {
	q := c.m.problem(c.basisRank(), c.o)
	return c.m.Basis == 0 && c.m.Table.Sums() == nil && q.p <= q.n && q.compressed(q.p) <= q.implicit()
}

// level reports whether eigenvalues, in descending order, do not fall off: the
// directions left out are as strong as those kept.
func level(values []float64) bool {
	last := len(values) - 1
	return last > 0 && values[0] < decay*values[last]
}

// few reports whether fewer than r eigenvalues stand out and the others do not fall off,
// so that a wider basis misses nearly as much.
func few(values []float64, r int) bool {
	stand := moment.StandOut(values)
	return stand < r && level(values[max(1, stand):])
}

// brief reports whether all starts on the full problem take a second or two.
func (c *plan) brief() bool {
	if c.m.far() {
		return false // each pass is a job
	}
	q := c.m.problem(c.r, c.o)
	if c.m.direct(c.r, c.o, hardEvaluations) == Explicit {
		return q.explicit()-q.forming() <= moreOps
	}
	return (!c.m.Table.Slow() || c.m.Table.Brief()) && q.implicit() <= moreOps
}

// besides starts a few times on the full problem where the basis holds the directions of
// some components by chance: all starts may have ended at the same fit in it, and the full
// problem have a better one.
func (c *search) besides(sol *solution) {
	if c.o.Starts == 1 || c.m.far() || c.o.Init == Gaussian {
		return
	}
	tensor := c.tensor()
	if c.slow(tensor) {
		return
	}
	draw, k := c.drawn(), len(sol.starts)
	c.try(k + fullStarts)
	for _, out := range c.from(tensor, k, k+fullStarts, func(k int, o *moment.Objective, x0 []float64) bool { return c.start(draw, k, o, x0) }) {
		c.join(sol, out)
	}
	if hits, all := atBest(sol.starts[k:]); hits == 0 && all > 0 {
		sol.warnings = append(sol.warnings, diag.New(diag.FewStarts, "starts in a basis of %d vectors, which holds some components by chance, and %d outside of it ended at different fits, so there may be a better one", sol.basis, all))
	}
}

// join adds a run on the full problem to a solution.
func (c *search) join(sol *solution, out outcome) {
	if out.start.Evaluations == 0 {
		return // never begun
	}
	if out.x != nil && out.atMost() < sol.atMost()-rounding*math.Abs(sol.f) {
		if !c.same(sol.f, out.f) {
			for i := range sol.starts {
				sol.starts[i].AtBest = false
			}
		}
		sol.outcome, sol.best = out, len(sol.starts)
	}
	out.start.AtBest = out.x != nil && c.same(math.Max(out.f, sol.f), math.Min(out.f, sol.f))
	sol.starts, sol.evaluations = append(sol.starts, out.start), sol.evaluations+out.start.Evaluations
}

// instead solves the full problem, and returns the better of its solution and the one
// already found, if any, which is then refined to the end.
func (c *plan) instead(have *solution) (*solution, error) {
	form := c.m.direct(c.r, c.o, hardEvaluations)
	switch {
	case c.m.far() && have.x != nil:
		c.finishHere(have)
		return have, nil
	case c.m.far() && c.m.exactNorm() == normOfTensor: // a pass makes it anyway
		form = Explicit
	case c.m.far():
		return have, diag.Helped(fmt.Errorf("%s: a few vectors do not capture this moment, and each pass over these observations is a job of its own, of which the implicit form takes hundreds; choose the compressed form with more vectors, or the explicit one, a pass for a tensor of %s",
			c.m.Table.Source, words.Bytes(moment.PackedBytes(c.m.Order, c.n))), "Compressed", "basis", "Explicit")
	}
	other, err := c.full(form, have.search)
	if other == nil {
		other = &solution{form: form}
	}
	if have.x == nil || err == nil && other.atMost() <= have.atMost() {
		if have.warnings != nil { // else the form is the automatic choice
			have.warn(diag.OtherForm, "solved in the %s form", form)
		}
		other.warnings = append(have.warnings, other.warnings...)
		return other, err
	}
	have.warnings = append(have.warnings, other.warnings...)
	if err == nil {
		have.warn(diag.OtherForm, "the %s form found nothing better", form)
	}
	c.finishHere(have)
	c.try(len(have.starts))
	have.evaluations += other.evaluations
	return have, nil
}

// finishHere refines the solution already found to the end, unless interrupted.
func (c *plan) finishHere(have *solution) {
	c.begin(progress.Polish)
	if final, _ := have.search.replace(have.outcomes, []outcome{have.search.refine(have.search.tensor(), have.outcome, false, nil)}); final.x != nil {
		have.found = final
	}
}

// basisSize returns the number of basis vectors to use.
func (c *plan) basisSize() int {
	k := c.m.Basis
	if k == 0 {
		k = 2*c.basisRank() + 10
	}
	return min(k, c.n)
}
