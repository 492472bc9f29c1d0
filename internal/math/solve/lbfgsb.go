package solve

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// lbfgsb is L-BFGS-B (Byrd et al. 1995): the quadratic model of compact.go is
// minimized along the projected steepest descent (cauchy.go), then over the
// variables that are free there (subspace.go); the search goes from x to the
// point found.
type lbfgsb struct {
	compact
	box *box

	z []float64 // generalized Cauchy point, then the minimiser of the model

	// Cauchy point
	t     []float64 // breakpoint of each variable (4.1)
	heap  []int     // variables with a breakpoint ahead, the nearest on top
	left  []float64 // search direction; an entry becomes 0 at its breakpoint
	p     []float64 // W'left, length 2m
	c     []float64 // W'(z - x), length 2m
	w, mw []float64 // a row of W and M times it, length 2m

	// subspace
	free   []int     // variables strictly within their bounds at the Cauchy point
	fixed  []int     // the others
	newton []float64 // direction over the free variables, by position in free
	start  []float64 // copy of the Cauchy point
	k11    []float64 // blocks of the middle matrix K, m x m
	k21    []float64
	k22    []float64
}

func newLBFGSB(n, m int, b *box) *lbfgsb {
	vec := func(k int) []float64 { return make([]float64, k) }
	return &lbfgsb{
		compact: newCompact(n, m), box: b,
		z: vec(n), t: vec(n), left: vec(n), newton: vec(n), start: vec(n),
		heap: make([]int, n), free: make([]int, n), fixed: make([]int, n),
		p: vec(2 * m), c: vec(2 * m), w: vec(2 * m), mw: vec(2 * m),
		k11: vec(m * m), k21: vec(m * m), k22: vec(m * m),
	}
}

func (b *lbfgsb) direction(r *run) (step, longest float64, ok bool) {
	b.cauchyPoint(r.x, r.g)
	if b.count > 0 && !b.minimizeSubspace(r.x, r.g) {
		return 0, 0, false
	}
	floats.SubTo(r.d, b.z, r.x)
	r.target = b.z
	step, longest = 1, 1
	if r.iterations > 0 {
		longest = b.box.room(r.x, r.d, maxStep)
	} // else not beyond the Cauchy point, as L-BFGS-B
	if b.count == 0 && !b.box.closed {
		// Nothing is known about the scale of f, nor do the bounds give one; do
		// not move by more than 1.
		step = min(1/math.Sqrt(floats.Dot(r.d, r.d)), 1)
	}
	return min(step, longest), longest, true
}

func (b *lbfgsb) update(r *run) {
	if !b.add(r) {
		b.clear()
	}
}

func (b *lbfgsb) reset()      { b.clear() }
func (b *lbfgsb) empty() bool { return b.count == 0 }
