package fit

import (
	"math"

	"symmom/internal/moment"
	"symmom/internal/system/memory"
)

// The automatic choice follows a model of what a decomposition costs, in multiply-adds
// counted double. bench/SOLVERS.md lists the evaluations it expects, and bench -only
// forms measures how well it chooses.

// Evaluations expected for a start, and for polishing a compressed solution:
// Gauss-Newton steps, and how many times more L-BFGS takes.
const (
	expectedEvaluations = 25
	hardEvaluations     = 60 // where no few vectors hold the moment
	shortPolish         = 5
	slowSolver          = 4
	expectedSteps       = 50        // of conjugate gradients per Gauss-Newton step
	smallProduct        = 10        // multiply-adds that starting another costs, if r is small
	drawNumber          = 400       // multiply-adds that take as long as drawing a normal number
	longDrawing         = 1e9       // below it, starts are those of the implicit form
	longForming         = 2e9       // where ||X||^2 takes the tensor, that is most of the cost
	reading             = 20        // multiply-adds that take as long as a number from memory
	cached              = 128 << 20 // bytes that third-level caches of servers hold
	slowStep            = 10        // times as long as those of the kernels its operations take
)

// autoBytes bounds the memory that the automatic choice uses to form a tensor: beyond
// it an evaluation is memory-bound and the model of its cost does not hold.
const autoBytes = 256 << 20

// slowness returns slowSolver if the options choose that solver, otherwise 1.
func (o *Options) slowness() float64 {
	if o.LBFGS {
		return slowSolver
	}
	return 1
}

// problem holds the parameters of the cost.
type problem struct {
	p, n, d, r, starts int
	stored             float64 // numbers that a pass reads
	shared             bool    // by all starts, with their columns side by side
	evaluations        float64 // of a start
	slowness           float64 // of the solver
	distinct           bool    // only entries of distinct indices
}

func (m *Moment) problem(r int, o *Options) problem {
	t := m.Table
	shared := o.Starts > 1 && !t.Slow() && t.Stored() == float64(t.P)*float64(t.N) && moment.Together(t.N, r) >= sharers
	return problem{t.P, t.N, m.Order, r, o.Starts, t.Stored(), shared, expectedEvaluations, o.slowness(), m.Distinct}
}

// evaluated returns how many evaluations all starts take, columns how many columns of A
// these have.
func (q problem) evaluated() float64 { return float64(q.starts) * q.evaluations * q.slowness }
func (q problem) columns() float64   { return q.evaluated() * float64(q.r) }

// entries returns C(n+d-1, d), the distinct entries of a moment of n variables.
func (q problem) entries(n int) float64 { return moment.PackedBytes(q.d, n) / 8 }

// step returns the operations of a Gauss-Newton step in n variables.
func (q problem) step(n int) float64 {
	r := float64(q.r)
	if q.distinct {
		return 6 * expectedSteps * float64(q.d*n) * r * r
	}
	return 6*float64(n)*r*r + 8*expectedSteps*r*r*(r+smallProduct)
}

// evaluation returns the cost of evaluating f and its gradient with a tensor,
// including a Gauss-Newton step.
func (q problem) evaluation(t moment.Tensor) float64 {
	if x, ok := t.(*moment.Implicit); ok {
		stored := q.stored
		if t.N() != q.n { // of coordinates
			p, _ := x.Data.Shape()
			stored = float64(p) * float64(t.N())
		}
		return q.powers()*4*stored*float64(q.r) + q.step(t.N())
	}
	return 4*q.entries(t.N())*float64(q.r) + q.step(t.N())
}

// steps returns the cost of the steps of a search in n variables.
func (q problem) steps(n int) float64 {
	if q.slowness > 1 {
		return 0 // those of L-BFGS are short
	}
	return float64(q.starts) * q.evaluations * slowStep * q.step(n)
}

// implicit returns 4 p n per column, or 4 per nonzero value. What all starts read together
// costs nothing more.
func (q problem) implicit() float64 {
	pass := q.pass(q.stored)
	if q.shared {
		pass = q.powers() * 4 * q.stored * float64(q.r)
	}
	return q.evaluated()*pass + q.steps(q.n)
}

// pass returns the cost of an evaluation of r columns that reads so many numbers: 4 for
// each and column, and not less than reading takes if they are in no cache.
func (q problem) pass(stored float64) float64 {
	products := q.powers() * 4 * float64(q.r)
	if 8*stored > cached {
		return stored * math.Max(products, reading)
	}
	return stored * products
}

// powers returns how many products with powers of the data the implicit form takes in the place
// of one.
func (q problem) powers() float64 {
	if q.distinct {
		return float64(max(1, q.d-1))
	}
	return 1
}

// explicit returns 2 p per entry once, and 4 per entry and column.
func (q problem) explicit() float64 {
	return q.forming() + 4*q.entries(q.n)*q.columns() + q.steps(q.n)
}

// drawing returns the cost of starts from the range finder.
func (q problem) drawing() float64 {
	return float64(q.starts*q.p*q.r) * (drawNumber + 2*float64(q.n))
}

// forming returns 2 p per entry.
func (q problem) forming() float64 { return 2 * float64(q.p) * q.entries(q.n) }

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
	return passes*q.stored + math.Min(packed, projected) + q.steps(k)
}

// direct chooses the form of the full problem with the lower cost, if a start takes so
// many evaluations.
func (m *Moment) direct(r int, o *Options, evaluations float64) Form {
	q := m.problem(r, o)
	q.evaluations = evaluations
	explicit := q.explicit()
	if m.exactNorm() == normOfTensor {
		explicit -= q.forming() // ||X||^2 takes it in any form
	}
	if explicit < q.implicit() && memory.Fits(moment.FormingBytes(q.d, q.n), autoBytes, o.MemoryLimit) {
		return Explicit
	}
	return Implicit
}

// cheapest chooses the form with the lowest expected cost: explicit or implicit, or
// compressed if that takes less than half as much, steps of Gauss-Newton apart, and the
// options allow it.
func (m *Moment) cheapest(r int, o *Options) Form {
	q := m.problem(r, o)
	k := min(2*r+10, q.n)
	if m.Table.Forgotten() != nil {
		return Compressed
	}
	if m.Distinct {
		return m.direct(r, o, expectedEvaluations)
	}
	form, cost, compressed, limit := m.direct(r, o, expectedEvaluations), q.implicit(), q.compressed(k), .5
	if form == Explicit {
		cost = q.explicit()
		if m.exactNorm() == normOfTensor {
			compressed += q.forming() // for ||X||^2
			if cost > longForming {   // what counts is the search, if it is a hard one
				q.evaluations = hardEvaluations
				cost, limit = q.explicit(), 1
			}
		}
	}
	switch {
	case o.uncompressed():
		return form
	case form != Explicit && m.Table.Slow() && 8*q.entries(k) <= autoBytes:
		return Compressed // the passes dominate the cost
	case 2*k <= q.n && compressed < cost && compressed-q.steps(k) < limit*(cost-q.steps(q.n)):
		return Compressed
	}
	return form
}
