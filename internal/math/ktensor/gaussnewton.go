package ktensor

import (
	"math"

	"symmom/internal/math/linalg"
)

// GaussNewton solves with the Gauss-Newton part of the Hessian of the
// objective at x = [lambda; a_1; ...; a_r],
//
//	H = 2 J'J,   J = d/dx sum_j lambda_j a_j^(x d),
//
// which takes no pass over the data. With B = A'A, J'J maps (dl, dA) to
//
//	entry i of lambda:  sum_j b_ij^d dl_j + sum_j f_ji a_i'da_j
//	column j of A:      sum_i g_ji da_i + sum_i (e_ji a_j'da_i + f_ji dl_i) a_i
//
// where g_ji = d l_i l_j b_ji^(d-1), e_ji = d (d-1) l_i l_j b_ji^(d-2) and
// f_ji = d l_j b_ji^(d-1). (Acar, Dunlavy & Kolda 2011 have the general CP
// model; Tichavsky, Phan & Cichocki 2013 its inverse through r^2 unknowns.)
//
// The part outside the span of A involves only G, so dA = dA_0 + A T' with dA_0 from
// G, and the r x r matrix T and dl from a system of r^2 + r unknowns. Conjugate
// gradients solve it, in the inner product tr(U B T') of the columns that U and T
// represent, preconditioned by G and [B]^d.
//
// J has a null space, a_j growing as lambda_j shrinks; there H is given a
// curvature of the size of g_jj, kappa_j (a_j'da_j - d l_j dl_j)^2.
//
// A GaussNewton must not be used by several goroutines. It allocates nothing after it
// is made.
type GaussNewton struct {
	// Second, unless nil, are r numbers s_j: Solve takes X a_j^(d-2) for s_j times the
	// identity, which adds -2d (d-1) lambda_j s_j to the Hessian of column j. For noise
	// around the components that is what J'J leaves out.
	Second []float64

	// Ridge times the squares of the terms apart is added to f, over distinct indices: a
	// residual sqrt(Ridge) lambda_j a_j^(x d) for each.
	Ridge float64

	// Stopped, unless nil, ends the work early: Solve returns false then, and Decrease NaN.
	// It is asked where a step of conjugate gradients takes long.
	Stopped func() bool

	d, n, r   int
	steps     int
	tolerance float64

	// At x, r x r by rows, damped on the diagonal:
	b, e, f []float64
	g, gl   []float64 // G and its Cholesky factor
	p, pl   []float64 // [B]^d and its Cholesky factor
	gi, pi  []float64 // the inverses of G and [B]^d, to precondition
	kappa   []float64 // r
	pull    []float64 // r: d lambda_j

	z, h, w []float64 // r x n: dA_0; r x r: dA_0'A; r x r: work space
	step    []float64 // r + r n: of Decrease

	lambda, a []float64 // of the x of the system

	distinct *distinctSystem // nil where all entries count

	// Vectors of conjugate gradients, T by rows and then dl: r^2 + r. Row j
	// of T has the coefficients of column j.
	t, residual, direction, preconditioned, product []float64
}

// Limits of conjugate gradients. With 20 steps in place of 100 the paper's grid
// takes 5% more evaluations, and data far from the origin ten times as many;
// without rounding r^2 + r would be enough. A looser tolerance would let
// rounding, which decides the number of steps, show in a fit. A direction that
// these leave without descent is for the caller to notice.
const (
	cgSteps     = 100
	cgTolerance = 1e-12 // of the residual's square, in the norm of the preconditioner
)

// NewGaussNewton makes the solver for moments of order d, n variables and rank r.
func NewGaussNewton(d, n, r int) *GaussNewton {
	s := &GaussNewton{d: d, n: n, r: r, steps: min(cgSteps, 2*(r*r+r)), tolerance: cgTolerance,
		kappa: make([]float64, r), pull: make([]float64, r), z: make([]float64, r*n), step: make([]float64, r+r*n)}
	for _, m := range []*[]float64{&s.b, &s.e, &s.f, &s.g, &s.gl, &s.p, &s.pl, &s.gi, &s.pi, &s.h, &s.w} {
		*m = make([]float64, r*r)
	}
	for _, v := range []*[]float64{&s.t, &s.residual, &s.direction, &s.preconditioned, &s.product} {
		*v = make([]float64, r*r+r)
	}
	return s
}

// Solve writes to z the solution of (H + damping D) z = q at x, D = 2 max(g_jj)
// on A and 2 max(b_jj^d) on lambda. q and z do not overlap. It returns false,
// with z void, where the matrix is not positive definite to working precision.
// Cost: 6 n r^2 operations for the long vectors, 8 r^3 a step of conjugate
// gradients, of which there are at most 100.
func (s *GaussNewton) Solve(x, q, z []float64, damping float64) bool {
	return s.solve(x, q, z, damping, s.Second)
}

func (s *GaussNewton) solve(x, q, z []float64, damping float64, second []float64) bool {
	if s.distinct != nil {
		return s.solveDistinct(x, q, z, damping)
	}
	s.lambda, s.a = x[:s.r], x[s.r:]
	if !s.form(s.lambda, s.a, damping, second) {
		return false
	}
	s.solveFormed(q, z)
	return !s.stopped()
}

// solveFormed is Solve for the system that form has set up.
func (s *GaussNewton) solveFormed(q, z []float64) {
	n, r := s.n, s.r
	copy(s.z, q[r:])
	linalg.Scale(.5, s.z) // q is of 2 J'J
	linalg.CholeskySolve(s.gl, r, r, s.z, n)
	linalg.MulABt(s.h, s.z, s.a, r, r, n)

	// The remainder of q after dA_0 is the right-hand side for T and dl.
	clear(s.t)
	s.couple(s.residual, s.h, s.t[r*r:])
	linalg.Scale(-1, s.residual)
	linalg.Axpy(.5, q[:r], s.residual[r*r:])
	s.conjugateGradients()

	copy(z[:r], s.t[r*r:])
	copy(z[r:], s.z)
	s.addColumns(z[r:], s.t)
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

// form sets up the system at x, without second if it would not be positive definite.
func (s *GaussNewton) form(lambda, a []float64, damping float64, second []float64) bool {
	r, d := s.r, float64(s.d)
	linalg.MulABt(s.b, a, a, r, r, s.n)
	var gMost, pMost float64
	for j := range r {
		s.pull[j] = d * lambda[j]
		for i := range r {
			b := s.b[j*r+i]
			low, high := 0., 1. // for d = 1, where e is 0
			if s.d > 1 {
				low = linalg.Powi(b, s.d-2)
				high = low * b
			}
			ll := lambda[i] * lambda[j]
			s.e[j*r+i] = d * (d - 1) * ll * low
			s.f[j*r+i] = d * lambda[j] * high
			s.g[j*r+i] = d * ll * high
			s.p[j*r+i] = high * b
		}
		gMost = math.Max(gMost, s.g[j*r+j])
		pMost = math.Max(pMost, s.p[j*r+j])
	}
	for j := range r {
		s.g[j*r+j] += damping * gMost
		s.p[j*r+j] += damping * pMost
		// Over the square of the null vector's length.
		s.kappa[j] = s.g[j*r+j] / (s.b[j*r+j] + s.pull[j]*s.pull[j])
	}
	copy(s.pl, s.p)
	if !s.factor(s.pl) {
		return false
	}
	if second != nil {
		copy(s.gl, s.g)
		for j, v := range second {
			s.g[j*r+j] -= d * (d - 1) * lambda[j] * v
		}
		copy(s.w, s.g)
		if s.factor(s.w) {
			s.gl, s.w = s.w, s.gl
			return s.inverted()
		}
		copy(s.g, s.gl)
	}
	copy(s.gl, s.g)
	return s.factor(s.gl) && s.inverted()
}

// inverted writes the inverses of the factored G and [B]^d, and returns true.
func (s *GaussNewton) inverted() bool {
	s.invert(s.gi, s.gl)
	s.invert(s.pi, s.pl)
	return true
}

// couple writes to out all that the operator does except for G, for the products
// w_ij = da_i'a_j and dl.
func (s *GaussNewton) couple(out, w, dl []float64) {
	r := s.r
	outT, outL := out[:r*r], out[r*r:]
	clear(outL)
	for j, v := range dl {
		// Rows of the same length need no checks of bounds.
		e, f, p, wj, t := s.e[j*r:(j+1)*r], s.f[j*r:(j+1)*r], s.p[j*r:(j+1)*r], w[j*r:(j+1)*r], outT[j*r:(j+1)*r]
		f, p, wj, t, dl, outL := f[:len(e)], p[:len(e)], wj[:len(e)], t[:len(e)], dl[:len(e)], outL[:len(e)]
		for i, x := range e {
			t[i] = x*w[i*r+j] + f[i]*dl[i]
			outL[i] += p[i]*v + f[i]*wj[i]
		}
	}
	for j := range r {
		null := s.kappa[j] * (w[j*r+j] - s.pull[j]*dl[j])
		outT[j*r+j] += null
		outL[j] -= s.pull[j] * null
	}
}

// conjugateGradients solves for s.t, which is 0 on entry (N&W algorithm 5.3).
func (s *GaussNewton) conjugateGradients() {
	r := s.r
	s.precondition()
	copy(s.direction, s.preconditioned)
	rho := s.dot(s.residual, s.preconditioned)
	enough := s.tolerance * rho
	for range s.steps {
		if !(rho > enough) || s.stopped() { // also NaN
			return
		}
		linalg.MulABt(s.w, s.direction, s.b, r, r, r) // (A T')_i'a_j
		s.couple(s.product, s.w, s.direction[r*r:])
		linalg.AddAtB(s.product, s.g, s.direction, r, r, r)
		curvature := s.inner(s.direction, s.product) // w is of direction
		if !(curvature > 0) {
			return // rounding, near a dependent set of columns
		}
		alpha := rho / curvature
		linalg.Axpy(alpha, s.direction, s.t)
		linalg.Axpy(-alpha, s.product, s.residual)
		s.precondition()
		old := rho
		rho = s.dot(s.residual, s.preconditioned)
		linalg.Scale(rho/old, s.direction)
		linalg.Axpy(1, s.preconditioned, s.direction)
	}
}

// invertColumns is how many columns of an inverse are found at a time.
const invertColumns = 64

// invert writes (LL')^-1 to inverse. Products with it take a tenth of the time of solving with
// L, for there are dozens of steps.
func (s *GaussNewton) invert(inverse, l []float64) {
	r := s.r
	for lo := 0; lo < r && !s.stopped(); lo += invertColumns {
		m := min(invertColumns, r-lo)
		x := s.w[:r*m]
		clear(x)
		for j := range m {
			x[(lo+j)*m+j] = 1
		}
		linalg.CholeskySolve(l, r, r, x, m)
		for i := range r {
			copy(inverse[i*r+lo:], x[i*m:(i+1)*m])
		}
	}
}

// longRank is the rank from which on a step of conjugate gradients takes long: a tenth of a
// millisecond.
const longRank = 64

func (s *GaussNewton) factor(a []float64) bool {
	if s.r < longRank {
		return linalg.Cholesky(a, s.r, s.r)
	}
	return linalg.CholeskyUntil(a, s.r, s.r, s.Stopped)
}

func (s *GaussNewton) stopped() bool { return s.r >= longRank && s.Stopped != nil && s.Stopped() }

func (s *GaussNewton) precondition() {
	r := s.r
	clear(s.preconditioned)
	linalg.AddAtB(s.preconditioned, s.gi, s.residual, r, r, r)
	linalg.AddAtB(s.preconditioned[r*r:], s.pi, s.residual[r*r:], r, 1, r)
}

// dot is the inner product of the columns that u and v stand for, and of dl.
func (s *GaussNewton) dot(u, v []float64) float64 {
	linalg.MulABt(s.w, u, s.b, s.r, s.r, s.r)
	return s.inner(u, v)
}

// inner is dot where w has the products of the columns of u with a_j.
func (s *GaussNewton) inner(u, v []float64) float64 {
	square := s.r * s.r
	return linalg.Dot(s.w, v[:square]) + linalg.Dot(u[square:], v[square:])
}
