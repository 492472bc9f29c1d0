package fit

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"symmom/internal/moment"
	"symmom/internal/notice"
	"symmom/internal/progress"
)

// Limits of the compressed form.
const (
	// Polishes is how many distinct solutions of the compressed problem are
	// carried over to the full one.
	Polishes = 3
	// nearBest bounds their f above the best, relative to it: the order of two
	// solutions can change on the full problem by what compression hides.
	nearBest = .02
	// sameSolution is the relative difference of f below which two starts
	// ended in the same place.
	sameSolution = 1e-5
	// poor is the relative decrease of f in polishing that says that the basis
	// missed something.
	poor = .05
	// mostBases is how many bases are tried, each widening times the size of the
	// one before.
	mostBases = 2
	widening  = 4
	// polishDamping of the first step, which starts near the solution: it saves
	// one of four passes on half a million observations.
	polishDamping = 1e-3
)

// compressed solves in the coordinates of the second moment's leading
// eigenvectors, where an evaluation costs next to nothing, and Polishes the
// best solutions on the full problem to the same tolerance. Where no more than
// a few eigenvectors can hold the moment it solves the full problem in another
// form.
func (c *plan) compressed() (*solution, error) {
	k := c.basisSize()
	sol := &solution{form: Compressed}
	if c.m.Warm || c.m.Table.Forgotten() != nil {
		if done, err := c.accumulated(sol, k); done || err != nil {
			return sol, err
		}
	}
	if err := c.m.Table.Forgotten(); err != nil {
		return nil, c.m.Table.Compression().Remembered(err)
	}
	row := c.rowSpace()
	if row {
		k = c.p
	}
	for step := 1; ; step++ {
		b, err := c.newBasis(k, c.m.Basis == 0 && step == 1 && !row)
		if err != nil {
			return sol, err
		}
		if c.m.Basis == 0 && !b.Whole && level(b.Values) {
			sol.warn(notice.FlatSpectrum, "the spectrum of the second moment does not fall off, so that no %d vectors hold the moment", b.K)
			return c.instead(sol)
		}
		in, err := c.inBasis(b)
		if err != nil {
			return sol, err
		}
		outcomes, err := c.solve(sol, in)
		if err != nil {
			return sol, err
		}
		polished := sol.search.polish(b, distinct(outcomes))
		final, gain := sol.search.replace(outcomes, polished)
		if final.x == nil { // interrupted before the full problem was seen
			sol.starts, sol.evaluations = final.starts, final.evaluations
			sol.outcome = c.lift(b, sol.outcome)
			return sol, nil
		}
		sol.found = final
		if gain <= poor || b.Whole || c.stopped() != nil {
			return sol, nil
		}
		missed := fmt.Sprintf("a basis of %d vectors hid %.2g of f", b.K, gain)
		k = max(widening*b.K, 2*c.r+10)
		if step == mostBases || 2*k > c.n {
			sol.warn(notice.BasisMissed, "%s", missed)
			return c.instead(sol)
		}
		sol.warn(notice.BasisMissed, "%s: widened to %d", missed, k)
	}
}

// rowSpace tells whether to take all of the space that the observations span:
// where they are fewer than the variables, that is exact and needs no polish to
// speak of. Not where it costs more than the implicit form.
func (c *plan) rowSpace() bool {
	q := c.m.problem(c.r, c.o)
	return c.m.Basis == 0 && c.m.Table.Sums() == nil && q.p <= q.n && q.compressed(q.p) <= q.implicit()
}

// level tells whether eigenvalues, descending, do not fall off: the directions
// that were left out are as strong as those that were kept.
func level(values []float64) bool {
	const decay = 2
	last := len(values) - 1
	return last > 0 && moment.SuggestedRank(values) == 0 && values[0] < decay*values[last]
}

// instead solves on the full problem, and returns the better of what it finds and
// of the solution that there is already, if any.
func (c *plan) instead(have *solution) (*solution, error) {
	form := c.m.direct(c.r, c.o)
	have.warn(notice.OtherForm, "solved in the %s form", form)
	other, err := c.full(form, have.search)
	if other == nil {
		other = &solution{form: form}
	}
	other.warnings = append(have.warnings, other.warnings...)
	if have.x == nil || err == nil && other.f <= have.f {
		return other, err
	}
	have.warnings = other.warnings
	have.evaluations += other.evaluations
	return have, nil
}

// basisSize returns the number of basis vectors that are wanted.
func (c *plan) basisSize() int {
	k := c.m.Basis
	if k == 0 {
		k = 2*c.r + 10
	}
	return min(k, c.n)
}

// distinct returns the best outcomes that differ, the best first.
func distinct(outcomes []outcome) []outcome {
	sorted := slices.DeleteFunc(slices.Clone(outcomes), func(o outcome) bool { return o.x == nil })
	slices.SortStableFunc(sorted, func(a, b outcome) int { return cmp.Compare(a.f, b.f) })
	var kept []outcome
	for _, o := range sorted {
		scale := math.Abs(sorted[0].f)
		if len(kept) == Polishes || o.f-sorted[0].f > nearBest*scale {
			break
		}
		if len(kept) == 0 || o.f-kept[len(kept)-1].f > sameSolution*scale {
			kept = append(kept, o)
		}
	}
	return kept
}

// polish solves the full problem from solutions of the compressed one.
func (c *search) polish(b *moment.Basis, from []outcome) (polished []outcome) {
	if c.bound() != nil {
		return nil
	}
	full := *c
	full.polishing = true
	c.begin(progress.Polish)
	start := func(i int, x0 []float64) bool {
		copy(x0, c.lift(b, from[i]).x)
		return true
	}
	if c.m.Table.Slow() && len(from) > 0 {
		polished = full.sharedPasses(len(from), func(k int, _ *moment.Objective, x0 []float64) bool { return start(k, x0) })
	} else {
		tensor := c.m.implicit(c.observations())
		// One after the other: an evaluation of the full problem uses all threads.
		for i := range from {
			out := full.from(tensor, 0, 1, func(_ int, _ *moment.Objective, x0 []float64) bool { return start(i, x0) })[0]
			polished = append(polished, out)
		}
	}
	for i := range polished {
		polished[i].start.Index = from[i].start.Index
	}
	return polished
}

// lift brings an outcome to the coordinates of the data. Its f holds there
// too: the basis is orthonormal, and what X has outside of it is orthogonal to
// the model.
func (c *plan) lift(b *moment.Basis, o outcome) outcome {
	x := make([]float64, c.r+c.r*b.N)
	copy(x, o.x[:c.r])
	b.Lift(x[c.r:], o.x[c.r:], c.r)
	o.x = x
	return o
}

// replace puts the polished runs after the starts they came from. It returns
// them with the best, and by how much polishing lowered its f.
func (c *search) replace(starts, polished []outcome) (f found, gain float64) {
	var best outcome
	for _, p := range polished {
		if p.x == nil {
			continue
		}
		s := &starts[p.start.Index].start
		s.Status, s.ObjectiveShifted, s.GradientNorm = p.start.Status, p.start.ObjectiveShifted, p.start.GradientNorm
		s.Cosine = p.start.Cosine
		s.Evaluations += p.start.Evaluations
		s.Elapsed += p.start.Elapsed
		s.Iterations += p.start.Iterations
		last := s.Trace[len(s.Trace)-1]
		for _, t := range p.start.Trace {
			t.Evaluations += last.Evaluations
			t.Elapsed += last.Elapsed
			s.Trace = append(s.Trace, t)
		}
		if best.x == nil || p.f < best.f {
			best = p
			gain = (p.start.Trace[0].Objective/c.back - p.f) / math.Abs(p.f)
		}
	}
	f = c.record(starts)
	var same []float64 // f before the polish of what is as low after it
	for _, p := range polished {
		if p.x != nil && c.same(p.f, best.f) {
			same = append(same, starts[p.start.Index].f)
		}
	}
	c.mark(f.starts, starts, same...)
	for i, s := range f.starts {
		if best.x != nil && s.Index == best.start.Index {
			f.best = i
		}
	}
	f.outcome = best
	return f, gain
}
