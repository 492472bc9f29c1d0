package solve

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"symmom/internal/math/linalg"
)

// Curvature is a model H of the Hessian of f, as LinearSolver has it, that is known by its
// products.
type Curvature interface {
	// Form sets up H + damping D at x, which is not changed while it is in use. ok=false
	// says that it is not positive definite.
	Form(x []float64, damping float64) (ok bool)
	Multiply(out, v []float64)     // (H + damping D) v
	Precondition(out, v []float64) // about (H + damping D)^-1 v
}

// Limits of the minimization of a model within the bounds.
var (
	faces         = 5    // sets of free variables
	faceSteps     = 10   // of conjugate gradients in each
	faceTolerance = 1e-2 // of the residual's square there
	faceCuts      = 8    // of a step that leaves the bounds
	modelEnough   = 1e-2
)

// BoundedGaussNewton is GaussNewton within bounds.
func BoundedGaussNewton(fg Func, h Curvature, x0 []float64, s Settings) (Result, error) {
	s, err := check(fg, x0, s)
	if err != nil {
		return Result{}, err
	}
	if h == nil {
		return Result{}, errors.New("solve: the curvature is nil; give one, or use LBFGS")
	}
	n := len(x0)
	vec := func() []float64 { return make([]float64, n) }
	m := &bounded{h: h, box: newBox(n, s.Lower, s.Upper), z: vec(), q: vec(), step: vec(), product: vec(), fixed: make([]bool, n), newton: newton{damping: dampingStart}}
	m.gradients = NewConjugateGradients(n)
	m.gradients.Product = func(out, v []float64) {
		h.Multiply(out, v)
		m.clearFixed(out)
	}
	m.gradients.Precondition = func(out, v []float64) {
		h.Precondition(out, v)
		m.clearFixed(out)
	}
	m.gradients.Steps, m.gradients.Tolerance = faceSteps, faceTolerance
	r := newRun(fg, x0, s)
	r.box = m.box
	m.box.project(r.x)
	return r.minimize(m), nil
}

type bounded struct {
	newton
	h         Curvature
	box       *box
	gradients *ConjugateGradients

	z       []float64 // minimizes the model
	q       []float64 // the model's gradient there
	step    []float64
	product []float64
	fixed   []bool
	gain    float64 // decrease of the model
}

func (m *bounded) clearFixed(v []float64) {
	for i, f := range m.fixed {
		if f {
			v[i] = 0
		}
	}
}

// fix finds the variables at a bound that the gradient keeps there.
func (m *bounded) fix() {
	for i, v := range m.z {
		m.fixed[i] = m.q[i] > 0 && v <= m.box.lower[i] || m.q[i] < 0 && v >= m.box.upper[i]
	}
}

func (m *bounded) direction(r *run) (step, longest float64, ok bool) {
	if !m.steepest && m.h.Form(r.x, m.damping) && m.minimize(r) {
		floats.SubTo(r.d, m.z, r.x)
		r.target = m.z
		return 1, m.box.room(r.x, r.d, maxStep), true
	}
	m.steepest = true
	t := math.Min(1/math.Sqrt(floats.Dot(r.g, r.g)), 1)
	floats.AddScaledTo(m.z, r.x, -t, r.g)
	m.box.project(m.z)
	floats.SubTo(r.d, m.z, r.x)
	r.target = m.z
	return 1, m.box.room(r.x, r.d, maxStep), true
}

var DebugFaces, DebugCuts, DebugDirs int

func (m *bounded) minimize(r *run) bool {
	copy(m.z, r.x)
	copy(m.q, r.g)
	m.gain = 0
	DebugDirs++
	first := 0.
	for face := range faces {
		m.fix()
		copy(m.step, m.q)
		m.clearFixed(m.step)
		size := linalg.Dot(m.step, m.step)
		if face == 0 {
			first = size
		}
		if !(size > modelEnough*first) {
			break
		}
		DebugFaces++
		m.gradients.Solve(m.step, append([]float64(nil), m.step...), -1)
		if !m.search() {
			break
		}
	}
	return m.gain > 0
}

// search moves z along step, projected on the bounds, by as much as lowers the model.
func (m *bounded) search() bool {
	scale := 1.
	for range faceCuts {
		// product: the move
		for i, v := range m.z {
			m.product[i] = min(max(v+scale*m.step[i], m.box.lower[i]), m.box.upper[i]) - v
		}
		slope := linalg.Dot(m.product, m.q)
		m.h.Multiply(m.gradients.product, m.product)
		curvature := linalg.Dot(m.product, m.gradients.product)
		if decrease := -slope - curvature/2; decrease > 0 && decrease >= -.1*slope {
			floats.Add(m.z, m.product)
			m.box.project(m.z)
			floats.Add(m.q, m.gradients.product)
			m.gain += decrease
			return true
		}
		DebugCuts++
		scale /= 2
	}
	return false
}

func (m *bounded) update(r *run) {
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
	ratio := r.gain / m.gain
	switch {
	case step < fullStep || ratio < modelPoor:
		m.damp(dampingUp)
	case ratio > modelGood:
		m.damp(1. / dampingDown)
	}
}
