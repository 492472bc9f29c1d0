package fit

import (
	"math"

	"symmom/internal/moment"
)

// The automatic choice follows a model of what a decomposition costs, in multiply-adds
// counted double. bench/SOLVERS.md lists the evaluations it expects, and bench -only
// forms measures how well it chooses.

// Evaluations expected for a start, and for polishing a compressed solution:
// Gauss-Newton steps, and how many times more L-BFGS takes.
const (
	expectedEvaluations = 25
	shortPolish         = 5
	slowSolver          = 4
	expectedSteps       = 50 // of conjugate gradients per Gauss-Newton step
	smallProduct        = 10 // multiply-adds that starting another costs, if r is small
)

// autoBytes bounds the memory that the automatic choice uses to form a tensor: beyond
// it an evaluation is memory-bound and the model of its cost does not hold.
const autoBytes = 256 << 20

// slowness returns slowSolver if the options choose that solver, otherwise 1.
func (o *Options) slowness() float64 {
	if o.Nonnegative || o.LBFGS {
		return slowSolver
	}
	return 1
}

// problem holds what the cost depends on.
type problem struct {
	p, n, d, r, starts int
	stored             float64 // numbers that a pass reads
	slowness           float64
}

func (m *Moment) problem(r int, o *Options) problem {
	return problem{m.Table.P, m.Table.N, m.Order, r, o.Starts, m.Table.Stored(), o.slowness()}
}

// columns returns how many columns of A are evaluated in all.
func (q problem) columns() float64 {
	return float64(q.starts) * expectedEvaluations * q.slowness * float64(q.r)
}

// entries returns C(n+d-1, d), the distinct entries of a moment of n variables.
func (q problem) entries(n int) float64 { return moment.PackedBytes(q.d, n) / 8 }

// evaluation returns the cost of evaluating f and its gradient with a tensor,
// including a Gauss-Newton step.
func (q problem) evaluation(t moment.Tensor) float64 {
	n, r := float64(t.N()), float64(q.r)
	step := 6*n*r*r + 8*expectedSteps*r*r*(r+smallProduct)
	if x, ok := t.(*moment.Implicit); ok {
		stored := q.stored
		if t.N() != q.n { // of coordinates
			p, _ := x.Data.Shape()
			stored = float64(p) * n
		}
		return 4*stored*r + step
	}
	return 4*q.entries(t.N())*r + step
}

// implicit returns 4 p n per column, or 4 per nonzero value.
func (q problem) implicit() float64 { return q.columns() * 4 * q.stored }

// explicit returns 2 p per entry once, and 4 per entry and column.
func (q problem) explicit() float64 {
	return q.entries(q.n) * (2*float64(q.p) + 4*q.columns())
}

// inBasis returns the cost of the search in the coordinates of k vectors: with the
// accumulated moment, and with the projected observations.
func (q problem) inBasis(k int) (packed, projected float64) {
	return q.entries(k) * (2*float64(q.p) + 4*q.columns()), q.columns() * 4 * float64(q.p) * float64(k)
}

// compressed returns the cost of two passes for k vectors and 10 more, one pass into
// their coordinates, the search there, and polishing.
func (q problem) compressed(k int) float64 {
	passes := 2*4*float64(k+10) + 2*float64(k) + 4*shortPolish*q.slowness*float64(q.r)
	packed, projected := q.inBasis(k)
	return passes*q.stored + math.Min(packed, projected)
}

// direct chooses the form of the full problem with the lower expected cost.
func (m *Moment) direct(r int, o *Options) Form {
	q := m.problem(r, o)
	if moment.FormingBytes(q.d, q.n) <= math.Min(o.memoryLimit(), autoBytes) && q.explicit() < q.implicit() {
		return Explicit
	}
	return Implicit
}

// cheapest chooses the form with the lowest expected cost: explicit or implicit, or
// compressed if that takes less than half as much, and the options allow it.
func (m *Moment) cheapest(r int, o *Options) Form {
	q := m.problem(r, o)
	k := min(2*r+10, q.n)
	if m.Table.Forgotten() != nil {
		return Compressed
	}
	form, cost := m.direct(r, o), q.implicit()
	if form == Explicit {
		cost = q.explicit()
	}
	switch {
	case o.Nonnegative || o.Initial != nil || o.Init == Gaussian:
		return form
	case form != Explicit && m.Table.Slow() && 8*q.entries(k) <= autoBytes:
		return Compressed // the passes dominate the cost
	case 2*k <= q.n && 2*q.compressed(k) < cost:
		return Compressed
	}
	return form
}
