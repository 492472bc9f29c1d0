package gmm

import (
	"context"
	"math"

	"symmom/internal/math/distinct"
	"symmom/internal/math/linalg"
	"symmom/internal/math/solve"
	"symmom/internal/moment"
)

// offDiagonal fits weights w and means a_j to the moments M_q over distinct indices,
//
//	f = sum_q tau_q || M_q - sum_j w_j a_j^(x q) ||^2,  q = 0 to d,  tau_q = 1 / (n (n-1) ... (n-q+1)),
//
// the sum over entries whose indices all differ: these do not depend on how the variables
// of a component spread, if they are independent there (Zhang & Kileel 2022). M_0 is 1: without it
// two components were not determined by orders 1 to 3 (errors of the means of 1.3, with it .02).
type offDiagonal struct {
	n, r       int
	second     []float64       // M_2, n x n
	higher     []moment.Worker // of M_3 and on
	tau        []float64       // by order, from 1 on; that of 0 is 1
	terms      *distinct.Terms
	derivative *distinct.Derivative
	gradients  *solve.ConjugateGradients
	w          []float64 // at the point of the terms
	t          []float64 // r x n
	squares    []float64 // of the norms of J's columns, r + r n
	damping    float64
	operations float64 // so far, about
}

// newOffDiagonal makes the fit of r components to the central moments of orders 2 and on, of
// observations times scale, variable by variable, as the moments hold them; a scale of 0 leaves a
// variable out.
func newOffDiagonal(central []*moment.Packed, scale []float64, r int) *offDiagonal {
	n := len(scale)
	o := &offDiagonal{n: n, r: r, second: central[0].Distinct(scale).Dense(), w: make([]float64, r), t: make([]float64, r*n), squares: make([]float64, r+r*n)}
	linalg.Scale(1/(central[0].Unit()*central[0].Unit()), o.second)
	for _, m := range central[1:] {
		o.higher = append(o.higher, m.Distinct(scale).Worker(r, 1))
	}
	terms := 1.
	for q := range len(central) + 1 {
		terms *= float64(n - q)
		o.tau = append(o.tau, 1/terms)
	}
	o.terms = distinct.NewTermsOf(o.tau, n, r)
	o.derivative = distinct.NewDerivative(o.terms)
	o.gradients = solve.NewConjugateGradients(r + r*n)
	o.gradients.Product, o.gradients.Precondition = o.product, o.precondition
	o.gradients.Steps, o.gradients.Tolerance = stepIterations, stepTolerance
	return o
}

// set makes the terms those of x.
func (o *offDiagonal) set(x []float64) {
	copy(o.w, x[:o.r])
	o.terms.Set(x[o.r:])
}

// evaluate returns f without the norm of the moments, and writes half its gradient at x = [w; A] to g. It
// returns false if cancelled.
func (o *offDiagonal) evaluate(ctx context.Context, x, g []float64) (f float64, ok bool) {
	n, r := o.n, o.r
	o.operations += 4 * float64(r) * moment.PackedBytes(len(o.tau), n) / 8
	o.set(x)
	a := x[r:]
	gw, ga := g[:r], g[r:]
	clear(gw)
	linalg.AddAtB(gw, o.terms.Gram(), o.w, r, 1, r)
	f = linalg.Dot(gw, o.w)
	total := sum(o.w)
	f += total * (total - 2) // of order 0
	for j := range gw {
		gw[j] += total - 1
	}
	o.terms.Slopes(ga, o.w)
	for i, tau := range o.tau[1:] { // the mean is 0
		if i == 0 {
			linalg.MulABt(o.t, a, o.second, r, n, n)
		} else if !o.higher[i-1].TTSV(ctx, o.t, a) {
			return 0, false
		}
		for j := range r {
			s := tau * linalg.Dot(o.t[j*n:(j+1)*n], a[j*n:(j+1)*n])
			gw[j] -= s
			f -= 2 * o.w[j] * s
		}
		linalg.Axpy(-tau*float64(i+2), o.t, ga)
	}
	for j, w := range o.w {
		linalg.Scale(w, ga[j*n:(j+1)*n])
	}
	return f, true
}

// Constants of the search.
const (
	leastShare     = .1    // of 1 / r, of a weight: without it components vanish
	leastCurvature = 1e-14 // that variables left out have
	firstDamping   = .01   // of the diagonal of J'J
	mostDamping    = 1e12
	fitIterations  = 100
	fitDecrease    = 1e-10 // of f, in a step, that ends the search
	// Of conjugate gradients; with a tolerance of 1e-4 or 1e-8 they take two to five times as many
	// steps in all, and searches find no more.
	stepTolerance  = 1e-2
	stepIterations = 50
	callOps        = 2e4 // that a product takes besides its own
)

// minimize changes x to a minimum of f and returns that; the method is Levenberg and Marquardt's,
// weights are moved to their bound. It returns false if cancelled.
func (o *offDiagonal) minimize(ctx context.Context, x []float64) (f float64, ok bool) {
	size := len(x)
	g, gt, xt, step := make([]float64, size), make([]float64, size), make([]float64, size), make([]float64, size)
	damping := firstDamping
	if f, ok = o.evaluate(ctx, x, g); !ok {
		return 0, false
	}
	for range fitIterations {
		var ft float64
		for {
			o.terms.Squares(o.squares[:o.r], o.squares[o.r:], o.w)
			for j := range o.r {
				o.squares[j]++ // of order 0
			}
			o.damping = damping
			o.gradients.Solve(step, g, 1)
			for i := range x {
				xt[i] = x[i] - step[i]
			}
			for j := range o.r {
				xt[j] = math.Max(xt[j], leastShare/float64(o.r))
			}
			if ft, ok = o.evaluate(ctx, xt, gt); !ok {
				return 0, false
			}
			if ft < f {
				break
			}
			if damping *= 4; !(damping < mostDamping) {
				return f, true
			}
			o.set(x)
		}
		gain := f - ft
		copy(x, xt)
		g, gt, f = gt, g, ft
		damping = math.Max(damping/3, 1e-9)
		if gain <= fitDecrease*math.Abs(f) {
			break
		}
	}
	return f, true
}

// product writes what J'J + damping D, D its diagonal, does to x to out.
func (o *offDiagonal) product(out, x []float64) {
	r := o.r
	o.derivative.Multiply(out[:r], out[r:], o.w, x[:r], x[r:])
	total := sum(x[:r])
	for j := range r {
		out[j] += total
	}
	for i, v := range x {
		out[i] += (o.damping*o.squares[i] + leastCurvature) * v
	}
	o.operations += float64(6*len(o.tau)*r*r*o.n + callOps)
}

func (o *offDiagonal) precondition(out, x []float64) {
	for i, d := range o.squares {
		out[i] = x[i] / (d*(1+o.damping) + leastCurvature)
	}
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}
