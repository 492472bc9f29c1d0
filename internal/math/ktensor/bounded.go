package ktensor

import "symmom/internal/math/linalg"

// Form sets up the damped system of Solve at x, for Multiply and Precondition, which read x.
// It returns false where Solve would.
func (s *GaussNewton) Form(x []float64, damping float64) bool {
	s.lambda, s.a = x[:s.r], x[s.r:]
	if s.distinct != nil {
		return s.formDistinct(s.lambda, s.a, damping)
	}
	return s.form(s.lambda, s.a, damping, nil)
}

// Multiply writes (H + damping D) v to out: 8 n r^2 operations.
func (s *GaussNewton) Multiply(out, v []float64) {
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
	linalg.Scale(2, out) // that is J'J
}

// shortColumns is how many times longer than the rank columns are at most where solving for
// r^2 + r unknowns takes longer than the steps of conjugate gradients that it saves.
const shortColumns = 8

// Precondition writes to z the solution of (H + damping D) z = q, but for distinct indices
// that of its blocks.
func (s *GaussNewton) Precondition(z, q []float64) {
	if s.distinct != nil || s.n <= shortColumns*s.r {
		s.preconditionBlocks(z, q)
		linalg.Scale(.5, z)
		return
	}
	s.solveFormed(q, z)
}

// addColumns adds A T' to out.
func (s *GaussNewton) addColumns(out, t []float64) {
	r := s.r
	for j := range r {
		for i := range r {
			s.w[i*r+j] = t[j*r+i]
		}
	}
	linalg.AddAtB(out, s.w, s.a, r, s.n, r)
}
