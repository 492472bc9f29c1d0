package moment

import (
	"context"

	"symmom/internal/math/distinct"
	"symmom/internal/math/linalg"
)

// Objective is f and its gradient at x = [lambda; a_1; ...; a_r], for the moment of
// the observations divided by Unit, without the constant alpha = ||X||^2 (algorithms 1
// and 2 of the paper with alpha = 0). It must not be used by several goroutines; an
// evaluation allocates nothing.
type Objective struct {
	d, n, r int
	factor  float64 // unit of the tensor held / unit of the problem
	worker  Worker

	scaled []float64 // r x n: factor times A
	y      []float64 // r x n
	b, c   []float64 // r x r: [A'A]^d and [A'A]^(d-1)
	lc     []float64 // r x r: D_lambda C, by rows
	w      []float64 // r

	// Ridge times Apart is added to f, over distinct indices.
	Ridge float64

	distinct *distinct.Terms // of A, or nil where all entries count
}

// NewObjective makes the objective of rank r for the observations divided by
// unit, evaluated on the given number of threads.
func NewObjective(t Tensor, r int, unit float64, threads int) *Objective {
	n := t.N()
	o := &Objective{d: t.Order(), n: n, r: r, factor: t.Unit() / unit, worker: t.Worker(r, threads),
		scaled: make([]float64, r*n), y: make([]float64, r*n),
		b: make([]float64, r*r), c: make([]float64, r*r), lc: make([]float64, r*r),
		w: make([]float64, r)}
	if t.OverDistinct() {
		o.distinct = distinct.NewTerms(o.d, n, r)
	}
	return o
}

// Size returns the length of x, r + n r.
func (o *Objective) Size() int { return o.r + o.r*o.n }

// TTSV returns Y (r x n) with y_j = X a_j^(d-1) and w with w_j = X a_j^d; both are
// valid until the next call. It returns false if ctx is cancelled.
func (o *Objective) TTSV(ctx context.Context, a []float64) (y, w []float64, ok bool) {
	// X/s^d a^(d-1) = s^-1 X (a/s)^(d-1): scaling the small matrices instead
	// of the tensor keeps every power in range, whatever the unit of the data.
	in := a
	if o.factor != 1 {
		copy(o.scaled, a)
		linalg.Scale(o.factor, o.scaled)
		in = o.scaled
	}
	if !o.worker.TTSV(ctx, o.y, in) {
		return nil, nil, false
	}
	if o.factor != 1 {
		linalg.Scale(o.factor, o.y)
	}
	for j := range o.r {
		o.w[j] = linalg.Dot(a[j*o.n:(j+1)*o.n], o.y[j*o.n:(j+1)*o.n])
	}
	return o.y, o.w, true
}

// Evaluate writes the gradient at x to g and returns f. It returns false, with g and f
// invalid, if ctx is cancelled.
func (o *Objective) Evaluate(ctx context.Context, x, g []float64) (f float64, ok bool) {
	y, w, ok := o.TTSV(ctx, x[o.r:])
	if !ok {
		return 0, false
	}
	return o.complete(x, g, y, w), true
}

// EvaluateEach is like Evaluate at several points xs in a single pass over the data:
// it writes their gradients to gs and returns their f, nil if ctx is cancelled. The
// number of operations is that of separate evaluations; their order, and so the last
// bits, depends on the number of points.
func EvaluateEach(ctx context.Context, t Tensor, r int, unit float64, threads int, xs, gs [][]float64) []float64 {
	n := t.N()
	side := NewObjective(t, r*len(xs), unit, threads) // all columns side by side
	a := make([]float64, 0, len(xs)*r*n)
	for _, x := range xs {
		a = append(a, x[r:]...)
	}
	y, w, ok := side.TTSV(ctx, a)
	if !ok {
		return nil
	}
	o := NewObjective(t, r, unit, 1)
	fs := make([]float64, len(xs))
	for i, x := range xs {
		fs[i] = o.complete(x, gs[i], y[i*r*n:(i+1)*r*n], w[i*r:(i+1)*r])
	}
	return fs
}

// complete writes the gradient at x to g and returns f, given Y and w. The
// names are the paper's.
func (o *Objective) complete(x, g, y, w []float64) (f float64) {
	if o.distinct != nil {
		return o.completeDistinct(x, g, y, w)
	}
	n, r := o.n, o.r
	lambda, a := x[:r], x[r:]
	gl, ga := g[:r], g[r:]
	linalg.MulABt(o.b, a, a, r, r, n) // B = A'A
	copy(o.c, o.b)
	linalg.PowInto(o.c, o.d-1) // C = [B]^(d-1)
	copy(o.lc, o.c)
	for i, v := range o.b { // [B]^d
		o.b[i] = v * o.c[i]
	}
	for j := range r { // u = [B]^d lambda, f = lambda'u - 2 w'lambda
		u := linalg.Dot(o.b[j*r:(j+1)*r], lambda)
		f += lambda[j]*u - 2*w[j]*lambda[j]
		gl[j] = -2 * (w[j] - u)
		linalg.Scale(lambda[j], o.lc[j*r:(j+1)*r])
	}
	// G_A = -2d (Y - A D_lambda C) D_lambda
	copy(ga, y)
	linalg.Scale(-1, ga)
	linalg.AddAtB(ga, o.lc, a, r, n, r)
	for j := range r {
		linalg.Scale(2*float64(o.d)*lambda[j], ga[j*n:(j+1)*n])
	}
	return f
}

// completeDistinct is complete where only entries of distinct indices count: [B]^d becomes the
// matrix of F_d, and A D_lambda C the product of the model with a_j^(d-1), times d.
func (o *Objective) completeDistinct(x, g, y, w []float64) (f float64) {
	n, r := o.n, o.r
	lambda, a := x[:r], x[r:]
	gl, ga := g[:r], g[r:]
	o.distinct.Set(a)
	o.distinct.Slopes(ga, lambda)
	linalg.Axpy(-float64(o.d), y, ga)
	gram := o.distinct.Gram()
	for j := range r {
		u := linalg.Dot(gram[j*r:(j+1)*r], lambda)
		f += lambda[j]*u - 2*w[j]*lambda[j]
		gl[j] = -2 * (w[j] - u)
		linalg.Scale(2*lambda[j], ga[j*n:(j+1)*n])
		if o.Ridge > 0 {
			column := a[j*n : (j+1)*n]
			b := linalg.Dot(column, column)
			ridge := o.Ridge * linalg.Powi(b, o.d-1)
			f += ridge * b * lambda[j] * lambda[j]
			gl[j] += 2 * ridge * b * lambda[j]
			linalg.Axpy(2*float64(o.d)*lambda[j]*lambda[j]*ridge, column, ga[j*n:(j+1)*n])
		}
	}
	return f
}

// Apart returns sum_j lambda_j^2 |a_j|^2d, the squares of the terms apart.
func (o *Objective) Apart(x []float64) (sum float64) {
	for j, l := range x[:o.r] {
		a := x[o.r+j*o.n : o.r+(j+1)*o.n]
		sum += l * l * linalg.Powi(linalg.Dot(a, a), o.d)
	}
	return sum
}
