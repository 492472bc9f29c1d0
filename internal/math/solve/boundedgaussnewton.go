package solve

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"symmom/internal/math/linalg"
)

// Curvature is H + damping D of a LinearSolver, known by its products.
type Curvature struct {
	// Form sets the matrix up at x, which does not change while it is in use. ok=false says
	// that it is not positive definite.
	Form         func(x []float64, damping float64) (ok bool)
	Multiply     func(out, v []float64)
	Precondition func(out, v []float64) // about a multiple of the inverse, positive definite
	Stopped      func() bool            // ends the work early; or nil
}

// Limits of minimizing a model within the bounds. Ten faces to a thousandth take as many
// evaluations, two faces more where many variables are at their bounds.
const (
	faces         = 5    // sets of variables at their bounds
	faceSteps     = 10   // of conjugate gradients in each
	faceTolerance = 1e-2 // of the residual's square there
	faceEnough    = 1e-2 // of the square of the free gradient, relative to the first
	faceCuts      = 8    // halvings of a step that the bounds bend
	faceDecrease  = .1   // of what the slope promises
)

// BoundedGaussNewton is GaussNewton within the bounds of the settings: each step minimizes the
// model
//
//	g'd + d'(H + damping D) d / 2
//
// over the x + d within them, about. In turns it fixes the variables that the model's gradient
// keeps at their bounds, takes conjugate gradients over the others, and projects the step on
// the bounds, halved until the model decreases (Moré & Toraldo 1991; the fixed variables as in
// Bertsekas 1982). As the model is convex, d is a direction of descent for f whatever face that
// ends at. The search along it and the damping are those of GaussNewton; there are no
// correction pairs, which took more evaluations on moment data (bench/SOLVERS.md).
//
// Memory is 17*n floats beside what the curvature needs. An iteration costs up to faces *
// (faceSteps + 1) products and as many calls of Precondition beside the evaluations, mostly ten.
func BoundedGaussNewton(fg Func, h Curvature, x0 []float64, s Settings) (Result, error) {
	s, err := check(fg, x0, s)
	if err != nil {
		return Result{}, err
	}
	if h.Form == nil || h.Multiply == nil || h.Precondition == nil {
		return Result{}, errors.New("solve: the curvature is not complete; give Form, Multiply and Precondition, or use LBFGS")
	}
	m := newBoundedNewton(len(x0), h, s)
	r := newRun(fg, x0, s)
	r.box = m.box
	m.box.project(r.x)
	return r.minimize(m), nil
}

// boundedNewton is newton within a box.
type boundedNewton struct {
	newton
	h         Curvature
	box       *box
	gradients *ConjugateGradients

	z        []float64 // about the minimizer of the model
	gz       []float64 // the model's gradient at z
	rest     []float64 // gz of the free variables
	step     []float64 // from z, over these, and then cut at the bounds
	image    []float64 // of the step
	fixed    []int     // variables that gz keeps at a bound
	decrease float64   // of the model, from x to z
}

func newBoundedNewton(n int, h Curvature, s Settings) *boundedNewton {
	m := &boundedNewton{newton: newton{damping: dampingStart}, h: h, box: newBox(n, s.Lower, s.Upper),
		z: make([]float64, n), gz: make([]float64, n), rest: make([]float64, n), step: make([]float64, n), image: make([]float64, n), fixed: make([]int, 0, n),
		gradients: NewConjugateGradients(n)}
	if s.Damping > 0 {
		m.damping = s.Damping
	}
	m.gradients.Steps, m.gradients.Tolerance, m.gradients.Stopped = faceSteps, faceTolerance, h.Stopped
	m.gradients.Product = func(out, v []float64) {
		h.Multiply(out, v)
		m.release(out)
	}
	m.gradients.Precondition = func(out, v []float64) {
		h.Precondition(out, v)
		m.release(out)
	}
	return m
}

func (m *boundedNewton) direction(r *run) (step, longest float64, ok bool) {
	if m.steepest || !m.h.Form(r.x, m.damping) || !m.minimize(r.x, r.g) {
		m.steepest = true
		floats.AddScaledTo(m.z, r.x, -min(1/math.Sqrt(floats.Dot(r.g, r.g)), 1), r.g)
		m.box.project(m.z)
	}
	floats.SubTo(r.d, m.z, r.x)
	r.target = m.z
	return 1, m.box.room(r.x, r.d, maxStep), true
}

// minimize moves z from x to about the minimizer of the model. false: it found nothing lower.
func (m *boundedNewton) minimize(x, g []float64) bool {
	copy(m.z, x)
	copy(m.gz, g)
	m.decrease = 0
	enough := 0.
	for face := range faces {
		m.fix()
		copy(m.rest, m.gz)
		m.release(m.rest)
		left := linalg.Dot(m.rest, m.rest)
		if face == 0 {
			enough = faceEnough * left
		}
		if !(left > enough) || m.h.Stopped != nil && m.h.Stopped() { // also NaN
			break
		}
		m.gradients.Solve(m.step, m.rest, -1)
		if !m.advance() {
			break
		}
	}
	return m.decrease > 0
}

// fix finds the variables that the model's gradient keeps at a bound.
func (m *boundedNewton) fix() {
	m.fixed = m.fixed[:0]
	for i, v := range m.z {
		if v <= m.box.lower[i] && m.gz[i] > 0 || v >= m.box.upper[i] && m.gz[i] < 0 {
			m.fixed = append(m.fixed, i)
		}
	}
}

// release sets the entries of fixed variables to 0.
func (m *boundedNewton) release(v []float64) {
	for _, i := range m.fixed {
		v[i] = 0
	}
}

// advance moves z along the step, cut at the bounds, by as much as lowers the model. false: it
// stays.
func (m *boundedNewton) advance() bool {
	for range faceCuts {
		for i, v := range m.z {
			m.rest[i] = min(max(v+m.step[i], m.box.lower[i]), m.box.upper[i]) - v
		}
		m.h.Multiply(m.image, m.rest)
		slope := linalg.Dot(m.gz, m.rest)
		if decrease := -slope - linalg.Dot(m.rest, m.image)/2; decrease > 0 && decrease >= -faceDecrease*slope {
			linalg.Axpy(1, m.rest, m.z)
			m.box.project(m.z) // against rounding
			linalg.Axpy(1, m.image, m.gz)
			m.decrease += decrease
			return true
		}
		linalg.Scale(.5, m.step)
	}
	return false
}

func (m *boundedNewton) update(r *run) { m.adapt(r, m.decrease) }
