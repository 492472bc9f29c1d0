package fit

import (
	"cmp"
	"math"
	"slices"

	"symmom/internal/estimate/progress"
	"symmom/internal/math/solve"
	"symmom/internal/moment"
	"symmom/internal/system/memory"
)

// differing returns the best outcomes that differ, the best first.
func differing(outcomes []outcome) []outcome {
	sorted := slices.DeleteFunc(slices.Clone(outcomes), func(o outcome) bool { return o.x == nil })
	slices.SortStableFunc(sorted, func(a, b outcome) int { return cmp.Compare(a.atMost(), b.atMost()) })
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

// polishVectors is how many times the memory of its factors polishing a solution takes.
const polishVectors = 16

// polish solves the full problem from solutions of the compressed one, the best first.
// If that shows that the basis has missed something, it ends there. In a basis of all that
// the observations span it is the same problem: where a run did not converge, this one
// would not either, and does a few steps.
func (c *search) polish(in *coordinates, from []outcome) (polished []outcome) {
	if c.bound(Compressed) != nil {
		return nil
	}
	c.begin(progress.Polish)
	b, tensor := in.basis, c.tensor()
	if t, passes := tensor.(*moment.Implicit); passes && len(from) > 0 && (c.m.Table.Slow() || !b.Whole && c.shares(t, len(from))) {
		full := c.polisher(tensor)
		full.second = func(k int) []float64 { return c.beyond(in, from[k]) }
		if b.Whole {
			full.most = func(k int) int { return c.again(from[k]) }
		} else {
			full.until = func(k int, f float64) bool { return gained(from[k].f, f) > poor }
		}
		polished = full.from(tensor, 0, len(from), func(k int, _ *moment.Objective, x0 []float64) bool {
			copy(x0, c.lift(b, from[k]).x)
			return true
		})
		for i := range polished {
			polished[i].start.Index = from[i].start.Index
			full.unfinished(&polished[i], from[i])
		}
		return polished
	}
	// One after the other, since an evaluation of the full problem uses all threads.
	takes := polishVectors * 8 * float64(c.r) * float64(c.n)
	defer memory.Collect(takes)
	for i := range from {
		memory.Collect(takes)
		full := *c
		if b.Whole {
			full.most = func(int) int { return c.again(from[i]) }
		}
		out := full.refine(tensor, c.lift(b, from[i]), i == 0 && !b.Whole, c.beyond(in, from[i]))
		full.unfinished(&out, from[i])
		polished = append(polished, out)
		if out.start.Status == solve.Enough {
			break
		}
	}
	return polished
}

// again returns how many evaluations polishing may take where a run solved the same problem.
func (c *search) again(from outcome) int {
	if from.start.Status == solve.Converged {
		return c.o.MaxEvaluations
	}
	return min(shortPolish, c.o.MaxEvaluations)
}

// unfinished gives a run that was not to go on the status of the one that it came from.
func (c *search) unfinished(out *outcome, from outcome) {
	if c.most != nil && out.start.Status == solve.MaxEvaluations && out.start.Evaluations < c.o.MaxEvaluations {
		out.start.Status = from.start.Status
	}
}

// goOn adds a run that went on where this one ended.
func (s *Start) goOn(p *Start) {
	s.Status, s.ObjectiveShifted, s.GradientNorm = p.Status, p.ObjectiveShifted, p.GradientNorm
	s.Cosine = p.Cosine
	s.Evaluations += p.Evaluations
	s.Elapsed += p.Elapsed
	s.Iterations += p.Iterations
	last := s.Trace[len(s.Trace)-1]
	for _, t := range p.Trace {
		t.Evaluations += last.Evaluations
		t.Elapsed += last.Elapsed
		s.Trace = append(s.Trace, t)
	}
}

// goOn takes up the best of some runs in the coordinates of a basis again, if they did not
// converge: in the coordinates an evaluation costs less.
func (c *search) goOn(in *coordinates, outcomes []outcome) {
	for _, from := range differing(outcomes) {
		if from.start.Status == solve.Converged || c.stopped() != nil {
			continue
		}
		if out := c.refine(in.tensor, from, false, nil); out.x != nil && out.atMost() <= from.atMost() {
			from.start.goOn(&out.start)
			out.start = from.start
			outcomes[from.start.Index] = out
		}
	}
}

// polishesTensor reports whether polishing evaluates the explicit moment: if ||X||^2 takes
// that, unless an evaluation costs more.
func (c *plan) polishesTensor() bool {
	q := c.m.problem(c.r, c.o)
	return c.m.normHolds(c.o) && !c.o.papers() && 4*q.entries(q.n)*float64(q.r) < q.pass(q.stored)
}

// tensor returns the moment for polishing.
func (c *search) tensor() moment.Tensor {
	if c.polishesTensor() {
		if h, err := c.m.explicit(c.ctx, c.observations(), c.o); err == nil {
			return h.tensor
		}
	}
	return c.m.implicit(c.observations())
}

// polisher returns a search that improves solutions with a moment.
func (c *search) polisher(t moment.Tensor) *search {
	full := *c
	full.polishing = true
	_, passes := t.(*moment.Implicit)
	full.jobs = passes && c.m.far()
	return &full
}

// refine solves the full problem from a solution of it, or only until its f has fallen so
// far that it counts as missed. second is newton.GaussNewton's.
func (c *search) refine(tensor moment.Tensor, from outcome, untilMissed bool, second []float64) outcome {
	full := c.polisher(tensor)
	full.second = func(int) []float64 { return second }
	if untilMissed {
		full.until = func(_ int, f float64) bool { return gained(from.f, f) > poor }
	}
	out := full.from(tensor, 0, 1, func(_ int, _ *moment.Objective, x0 []float64) bool {
		copy(x0, from.x)
		return true
	})[0]
	out.start.Index = from.start.Index
	return out
}

// beyond returns what X a_j^(d-2) is outside the basis at a solution in its coordinates,
// as far as a sample tells, or nil.
func (c *search) beyond(in *coordinates, at outcome) []float64 {
	if in.sample == nil || c.m.Noise != nil {
		return nil
	}
	return actsBeyond(in.basis, in.sample, at.x[c.r:], c.m.Order, c.unit)
}

// gained is the decrease of f in polishing, relative to it.
func gained(before, after float64) float64 { return (before - after) / math.Abs(after) }

// lift converts an outcome to the coordinates of the data. Its f stays valid: the
// basis is orthonormal, and the part of X outside it is orthogonal to the model.
func (c *plan) lift(b *moment.Basis, o outcome) outcome {
	x := make([]float64, c.r+c.r*b.N)
	copy(x, o.x[:c.r])
	b.Lift(x[c.r:], o.x[c.r:], c.r)
	o.x = x
	return o
}

// replace puts the polished runs after the starts they came from. It returns them with
// the best, and by how much polishing lowered its f, or that of one that ended with enough.
func (c *search) replace(starts, polished []outcome) (f found, gain float64) {
	var best outcome
	var missed float64
	for _, p := range polished {
		if p.x == nil {
			continue
		}
		s := &starts[p.start.Index].start
		s.goOn(&p.start)
		own := gained(p.first, p.f)
		if s.Status == solve.Enough { // for now; see instead
			s.Status = solve.Interrupted
			missed = math.Max(missed, own)
		}
		if best.x == nil || p.atMost() < best.atMost() {
			best, gain = p, own
		}
	}
	gain = math.Max(gain, missed)
	f = c.record(starts)
	for i := range f.starts {
		s := &f.starts[i]
		if end := c.nearest(starts, polished, s.Index); end.x != nil {
			s.Ends, s.AtBest = end.start.ObjectiveShifted, c.same(end.f, best.f)
		} else if best.x != nil {
			s.AtBest = false
		}
		if best.x != nil && s.Index == best.start.Index {
			f.best = i
		}
	}
	f.outcome = best
	return f, gain
}

// nearest returns the polished run whose f was nearest to that of a start before, if they were
// as good: where the start would end if it was polished, too. Otherwise x is nil.
func (c *search) nearest(starts, polished []outcome, index int) (near outcome) {
	of, apart := starts[index], math.Inf(1)
	for _, p := range polished {
		if f := starts[p.start.Index].f; p.x != nil && math.Abs(of.f-f) < apart && c.same(math.Max(of.f, f), math.Min(of.f, f)) {
			near, apart = p, math.Abs(of.f-f)
		}
	}
	if of.x == nil {
		return outcome{}
	}
	return near
}
