package solve

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
)

// LinearSolver writes to z the solution of (H + damping D) z = q, where H is a
// positive semidefinite model of the Hessian at x and D a positive definite
// matrix of its size. It must not change x or q, which do not overlap z.
// ok=false says that the system cannot be solved.
type LinearSolver func(x, q, z []float64, damping float64) (ok bool)

// Constants of the damping. A factor of 4 up and 5 down, so that it does not
// swing between two values, is usual (N&W section 10.3); the start value makes
// no difference between .01 and 1 on moment data.
const (
	dampingStart = .1
	dampingLeast = 1e-9
	dampingMost  = 1e9
	dampingUp    = 4
	dampingDown  = 5
	modelPoor    = .25 // of the predicted decrease: damp more
	modelGood    = .75 // damp less
	fullStep     = .99 // what rounding makes of 1
)

// Where H alone needs more than quickSteps steps, what it leaves out of the
// Hessian decides, and correction pairs learn that: a rank too many takes a
// fifth of the evaluations, a valley a third.
const (
	quickSteps  = 10
	newtonPairs = 10
)

// GaussNewton minimizes fg from x0 along the directions -(H + damping D)^-1 g: with
// H = J'J this is the method of Levenberg and Marquardt. As in their trust
// region form (N&W section 10.3) the damping follows the ratio of actual to
// predicted decrease; but a step that fails is shortened by the line search of
// LBFGS, whose trials cost the same and whose Wolfe conditions hold here too.
// Where the system cannot be solved, or the search along its solution fails, it
// takes a step of steepest descent.
//
// It converges fast where H is close to the Hessian at the solution. Elsewhere,
// from the tenth step on, the direction is that of L-BFGS with H + damping D in
// place of a multiple of the identity as its first matrix (N&W algorithm 7.4).
//
// Settings are those of LBFGS, without Memory; bounds are an error. Memory is
// 7*n floats beside what inverse needs, and (2*newtonPairs+3)*n from the tenth
// step on; an iteration costs one call of inverse beside the evaluations.
func GaussNewton(fg Func, inverse LinearSolver, x0 []float64, s Settings) (Result, error) {
	s, err := check(fg, x0, s)
	if err != nil {
		return Result{}, err
	}
	switch {
	case inverse == nil:
		return Result{}, errors.New("solve: the inverse is nil; give a function, or use LBFGS")
	case s.Lower != nil || s.Upper != nil:
		return Result{}, errors.New("solve: Newton knows no bounds; leave Settings.Lower and Settings.Upper nil, or use BoundedGaussNewton")
	}
	m := &newton{inverse: inverse, damping: dampingStart}
	if s.Damping > 0 {
		m.damping = s.Damping
	}
	return newRun(fg, x0, s).minimize(m), nil
}

// newton is a model of f that it is given, not one it learns.
type newton struct {
	inverse  LinearSolver
	damping  float64
	steepest bool // the next direction, or the last

	twoLoop           // empty in the first steps
	q       []float64 // g less what the pairs know
}

func (m *newton) direction(r *run) (step, longest float64, ok bool) {
	q := r.g
	if m.count > 0 {
		q = m.q
		copy(q, r.g)
		m.first(q)
	}
	if !m.steepest && m.inverse(r.x, q, r.d, m.damping) {
		m.second(r.d)
		floats.Scale(-1, r.d)
		return 1, maxStep, true
	}
	m.steepest = true
	floats.ScaleTo(r.d, -1, r.g)
	return min(1/math.Sqrt(floats.Dot(r.d, r.d)), 1), maxStep, true
}

// update adapts the damping. The model's decrease along the solution z of
// (H + damping D) z = g is g'z - z'Hz/2 >= g'z/2.
func (m *newton) update(r *run) {
	if r.iterations >= quickSteps-1 {
		if m.slots == 0 {
			m.twoLoop, m.q = *newTwoLoop(len(r.x), newtonPairs), make([]float64, len(r.x))
		}
		m.twoLoop.update(r)
	}
	m.adapt(r, -floats.Dot(r.g, r.d)/2)
}

// adapt takes in by how much the model said that the whole step would lower f.
func (m *newton) adapt(r *run, predicted float64) {
	if m.steepest {
		m.steepest = false
		m.damp(dampingUp)
		return
	}
	var moved float64 // step*d'd
	for i, d := range r.d {
		moved += (r.xt[i] - r.x[i]) * d
	}
	step := moved / floats.Dot(r.d, r.d)
	ratio := r.gain / predicted
	switch {
	case step < fullStep || ratio < modelPoor:
		m.damp(dampingUp)
	case ratio > modelGood:
		m.damp(1. / dampingDown)
	}
}

func (m *newton) damp(factor float64) {
	m.damping = min(max(m.damping*factor, dampingLeast), dampingMost)
}

func (m *newton) reset() {
	m.steepest = true
	m.clear()
}

func (m *newton) empty() bool { return m.steepest }
