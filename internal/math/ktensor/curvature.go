package ktensor

import (
	"symmom/internal/math/linalg"
	"symmom/internal/math/solve"
)

// shortColumns is how many times longer than the rank columns are at most where the system of
// r^2 + r unknowns takes longer than the steps of conjugate gradients that its solution saves.
const shortColumns = 8

// Curvature returns the system of Solve, without Second, by its products, for steps within
// bounds: 8 n r^2 operations to multiply with it, and 6 n r^2 beside the r^2 + r unknowns to
// divide by it. Columns short beside the rank, and moments over distinct indices, are divided
// by its blocks alone.
func (s *GaussNewton) Curvature() solve.Curvature {
	return solve.Curvature{Form: s.formAt, Multiply: s.multiply, Precondition: s.divide,
		Stopped: func() bool { return s.Stopped != nil && s.Stopped() }}
}

// formAt sets up the system at x, which is in use until the next.
func (s *GaussNewton) formAt(x []float64, damping float64) bool {
	s.lambda, s.a = x[:s.r], x[s.r:]
	if s.distinct != nil {
		return s.formDistinct(s.lambda, s.a, damping)
	}
	return s.form(s.lambda, s.a, damping, nil)
}

// multiply writes (H + damping D) v to out.
func (s *GaussNewton) multiply(out, v []float64) {
	n, r := s.n, s.r
	if s.distinct != nil {
		s.multiplyDistinct(out, v)
	} else {
		linalg.MulABt(s.h, v[r:], s.a, r, r, n)
		s.couple(s.product, s.h, v[:r])
		copy(out, s.product[r*r:])
		clear(out[r:])
		linalg.AddAtB(out[r:], s.g, v[r:], r, n, r)
		s.addColumns(out[r:], s.product)
	}
	linalg.Scale(2, out) // that was J'J
}

// divide writes to z the solution of (H + damping D) z = q, or twice that of its blocks.
func (s *GaussNewton) divide(z, q []float64) {
	if s.distinct == nil && s.n > shortColumns*s.r {
		s.solveFormed(q, z)
		return
	}
	s.preconditionBlocks(z, q)
}
