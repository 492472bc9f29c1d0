package ktensor

import (
	"math"

	"symmom/internal/math/distinct"
	"symmom/internal/math/linalg"
	"symmom/internal/math/solve"
)

// distinctSystem is the Gauss-Newton system where only the entries count whose indices all
// differ. Its blocks are not multiples of the identity plus products of columns, as [B]^(d-1)
// and [B]^(d-2) make them for all entries, so that conjugate gradients go over all r + n r
// unknowns. They are preconditioned by what is left of G,
//
//	g_ji = d l_i l_j F_(d-1)(a_j*a_i),
//
// which is that of all entries but for those without the variable itself, and by the matrix
// of F_d.
type distinctSystem struct {
	terms      *distinct.Terms
	derivative *distinct.Derivative

	lambda, a      []float64
	shiftL, shiftA float64   // the damping
	squares        []float64 // of J's columns, r + r n

	gradients *solve.ConjugateGradients
}

// NewDistinctGaussNewton is NewGaussNewton where only the entries count whose indices all
// differ. A step of conjugate gradients takes 6 d n r^2 operations; Second is ignored.
func NewDistinctGaussNewton(d, n, r int) *GaussNewton {
	s := NewGaussNewton(d, n, r)
	terms := distinct.NewTerms(d, n, r)
	c := &distinctSystem{terms: terms, derivative: distinct.NewDerivative(terms)}
	c.squares, c.gradients = make([]float64, r+r*n), solve.NewConjugateGradients(r+r*n)
	c.gradients.Product, c.gradients.Precondition, c.gradients.Steps = s.multiplyDistinct, s.preconditionBlocks, cgSteps
	s.distinct = c
	return s
}

// solveDistinct is solve.
func (s *GaussNewton) solveDistinct(x, q, z []float64, damping float64) bool {
	c := s.distinct
	if !s.formDistinct(x[:s.r], x[s.r:], damping) {
		return false
	}
	c.gradients.Tolerance, c.gradients.Stopped = s.tolerance, s.Stopped
	c.gradients.Solve(z, q, .5) // q is of 2 J'J
	return !(s.Stopped != nil && s.Stopped()) && linalg.Finite(z...)
}

// formDistinct sets up the system at x.
func (s *GaussNewton) formDistinct(lambda, a []float64, damping float64) bool {
	d, n, r, c := float64(s.d), s.n, s.r, s.distinct
	c.lambda, c.a = lambda, a
	c.terms.Set(a)
	c.terms.Squares(c.squares[:r], c.squares[r:], lambda)
	var gMost, pMost float64
	for j := range r {
		pMost = math.Max(pMost, c.squares[j])
	}
	for _, v := range c.squares[r:] {
		gMost = math.Max(gMost, v)
	}
	c.shiftL, c.shiftA = damping*pMost, damping*gMost
	copy(s.p, c.terms.Gram())
	c.terms.Lower(s.g)
	for j := range r {
		for i := range r {
			s.g[j*r+i] *= lambda[i] * lambda[j]
		}
	}
	for j := range r {
		column := a[j*n : (j+1)*n]
		b := linalg.Dot(column, column)
		ridge := s.Ridge * linalg.Powi(b, s.d-1)
		s.p[j*r+j] += c.shiftL + ridge*b
		s.g[j*r+j] += c.shiftA + d*lambda[j]*lambda[j]*ridge
		own := 0.
		for _, v := range c.squares[r+j*n : r+(j+1)*n] {
			own = math.Max(own, v)
		}
		s.pull[j] = d * lambda[j]
		s.kappa[j] = (own + c.shiftA) / (b + s.pull[j]*s.pull[j])
	}
	copy(s.pl, s.p)
	copy(s.gl, s.g)
	return s.factor(s.pl) && s.factor(s.gl) && s.inverted()
}

// multiplyDistinct writes what the damped system does to x to out.
func (s *GaussNewton) multiplyDistinct(out, x []float64) {
	n, r, c, a := s.n, s.r, s.distinct, s.distinct.a
	dl, dA := x[:r], x[r:]
	outL, outA := out[:r], out[r:]
	c.derivative.Multiply(outL, outA, c.lambda, dl, dA)
	linalg.Axpy(c.shiftL, dl, outL)
	linalg.Axpy(c.shiftA, dA, outA)
	if s.Ridge > 0 { // that of the terms apart
		d := float64(s.d)
		for j, l := range c.lambda {
			column, da := a[j*n:(j+1)*n], dA[j*n:(j+1)*n]
			b, along := linalg.Dot(column, column), linalg.Dot(column, da)
			low := s.Ridge * linalg.Powi(b, s.d-2)
			linalg.Axpy(d*l*l*low*b, da, outA[j*n:(j+1)*n])
			linalg.Axpy(d*l*low*((d-1)*l*along+b*dl[j]), column, outA[j*n:(j+1)*n])
			outL[j] += low * b * (b*dl[j] + d*l*along)
		}
	}
	for j := range r {
		column := a[j*n : (j+1)*n]
		null := s.kappa[j] * (linalg.Dot(column, dA[j*n:(j+1)*n]) - s.pull[j]*dl[j])
		linalg.Axpy(null, column, outA[j*n:(j+1)*n])
		outL[j] -= s.pull[j] * null
	}
}

// preconditionBlocks divides x by [B]^d and G.
func (s *GaussNewton) preconditionBlocks(out, x []float64) {
	clear(out)
	linalg.AddAtB(out, s.pi, x, s.r, 1, s.r)
	linalg.AddAtB(out[s.r:], s.gi, x[s.r:], s.r, s.n, s.r)
}

// columnsDistinct is columns, but that columns of J without more than the damping's share of
// the longest count as if they had it.
func (s *GaussNewton) columnsDistinct(x, g []float64, damping float64, nonnegative bool) float64 {
	r, c := s.r, s.distinct
	c.terms.Set(x[r:])
	c.terms.Squares(c.squares[:r], c.squares[r:], x[:r])
	most := 0.
	for _, part := range [][2]int{{0, r}, {r, len(x)}} {
		longest := 0.
		for _, v := range c.squares[part[0]:part[1]] {
			longest = math.Max(longest, v)
		}
		for i := part[0]; i < part[1]; i++ {
			room := math.Inf(1)
			if nonnegative && g[i] > 0 {
				room = x[i]
			}
			most = math.Max(most, along(g[i], math.Max(c.squares[i], damping*longest), room))
		}
	}
	return most
}
