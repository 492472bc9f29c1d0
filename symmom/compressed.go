package symmom

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"symmom/internal/moment"
)

// Limits of the compressed form.
const (
	// polishes is how many distinct solutions of the compressed problem are
	// carried over to the full one.
	polishes = 3
	// nearBest bounds their f above the best, relative to it: the order of two
	// solutions can change on the full problem by what compression hides.
	nearBest = .02
	// sameSolution is the relative difference of f below which two starts
	// ended in the same place.
	sameSolution = 1e-5
	// poor is the relative decrease of f in polishing that says that the basis
	// missed something.
	poor = .05
	// polishDamping of the first step, which starts near the solution: it saves
	// one of four passes on half a million observations.
	polishDamping = 1e-3
)

// compressed solves in the coordinates of the second moment's leading
// eigenvectors, where an evaluation costs next to nothing, and polishes the
// best solutions on the full problem to the same tolerance.
func (c *decomposition) compressed() (outcome, error) {
	n, k := c.fit.N, c.basisSize()
	if c.m.warm || c.m.session.forgotten() != nil {
		if out, ok, err := c.accumulated(k); ok || err != nil {
			return out, err
		}
	}
	if err := c.m.session.forgotten(); err != nil {
		return outcome{}, c.m.session.learned().remembered(err)
	}
	passes := 0
	for {
		b, err := c.newBasis(k, c.m.basis == 0 && passes == 0)
		if err != nil {
			return outcome{}, err
		}
		in, err := c.inBasis(b)
		if err != nil {
			return outcome{}, err
		}
		passes += b.Passes + 1
		best, starts, err := c.solve(in)
		if err != nil {
			return outcome{}, err
		}
		polished, took := c.polish(b, distinct(starts))
		passes += took
		final, gain := c.replace(starts, polished)
		c.fit.DataPasses = passes
		if final.x == nil { // interrupted before the full problem was seen
			return c.lift(b, best), nil
		}
		if gain <= poor || b.Whole || c.stopped() != nil {
			return final, nil
		}
		k = min(2*b.K, n)
		c.fit.Warnings = append(c.fit.Warnings, fmt.Sprintf("a basis of %d vectors hid %.2g of f: widened to %d", b.K, gain, k))
	}
}

// basisSize returns the number of basis vectors that are wanted.
func (c *decomposition) basisSize() int {
	k := c.m.basis
	if k == 0 {
		k = 2*c.r + 10
	}
	return min(k, c.fit.N)
}

// distinct returns the best outcomes that differ, the best first.
func distinct(outcomes []outcome) []outcome {
	sorted := slices.DeleteFunc(slices.Clone(outcomes), func(o outcome) bool { return o.x == nil })
	slices.SortStableFunc(sorted, func(a, b outcome) int { return cmp.Compare(a.f, b.f) })
	var kept []outcome
	for _, o := range sorted {
		scale := math.Abs(sorted[0].f)
		if len(kept) == polishes || o.f-sorted[0].f > nearBest*scale {
			break
		}
		if len(kept) == 0 || o.f-kept[len(kept)-1].f > sameSolution*scale {
			kept = append(kept, o)
		}
	}
	return kept
}

// polish solves the full problem from solutions of the compressed one. It
// returns the passes that this took.
func (c *decomposition) polish(b *moment.Basis, from []outcome) (polished []outcome, passes int) {
	c.polishing = true
	defer func() { c.polishing = false }()
	c.begin(PhasePolish)
	start := func(i int, x0 []float64) bool {
		copy(x0, c.lift(b, from[i]).x)
		return true
	}
	if f := c.m.session.far; f != nil && f.disk != nil && len(from) > 0 {
		polished, passes = c.together(len(from), func(k int, _ *moment.Objective, x0 []float64) bool { return start(k, x0) })
	} else {
		full := &moment.Implicit{Data: c.observations(), D: c.m.order}
		// One after the other: an evaluation of the full problem uses all threads.
		for i := range from {
			out := c.search(full, 1, func(_ int, _ *moment.Objective, x0 []float64) bool { return start(i, x0) })[0]
			polished = append(polished, out)
			passes += out.start.Evaluations
		}
	}
	for i := range polished {
		polished[i].start.Index = from[i].start.Index
	}
	return polished, passes
}

// lift brings an outcome to the coordinates of the data. Its f holds there
// too: the basis is orthonormal, and what X has outside of it is orthogonal to
// the model.
func (c *decomposition) lift(b *moment.Basis, o outcome) outcome {
	x := make([]float64, c.r+c.r*b.N)
	copy(x, o.x[:c.r])
	b.Lift(x[c.r:], o.x[c.r:], c.r)
	o.x = x
	return o
}

// replace puts the polished runs behind the starts they came from. It returns
// the best of them, and by how much polishing lowered its f.
func (c *decomposition) replace(starts, polished []outcome) (best outcome, gain float64) {
	for _, p := range polished {
		if p.x == nil {
			continue
		}
		s := &starts[p.start.Index].start
		s.Status, s.ObjectiveShifted, s.GradientNorm = p.start.Status, p.start.ObjectiveShifted, p.start.GradientNorm
		s.Evaluations += p.start.Evaluations
		s.Seconds += p.start.Seconds
		s.Iterations += p.start.Iterations
		last := s.Trace[len(s.Trace)-1]
		for _, t := range p.start.Trace {
			t.Evaluations += last.Evaluations
			t.Seconds += last.Seconds
			s.Trace = append(s.Trace, t)
		}
		if best.x == nil || p.f < best.f {
			best = p
			gain = (p.start.Trace[0].Objective/c.back - p.f) / math.Abs(p.f)
		}
	}
	c.record(starts)
	for i, s := range c.fit.Starts {
		if best.x != nil && s.Index == best.start.Index {
			c.fit.Best = i
		}
	}
	return best, gain
}
