package gmm

import (
	"context"
	"math"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
)

// offDiagonal fits weights w and means a_j to the moments M_d over distinct indices,
//
//	f = sum_d tau_d || M_d - sum_j w_j a_j^(x d) ||^2,  d = 1 to D,  tau_d = 1 / (n (n-1) ... (n-d+1)),
//
// the sum over entries whose indices all differ: these do not depend on how the variables
// of a component spread, if they are independent there (Zhang & Kileel 2022). With
// p_m = A^m (A^m)', powers by entries, the entries of a rank-one term have
//
//	F_q = sum_m (-1)^(m-1) (q-1)!/(q-m)! p_m F_(q-m),  F_0 = 1,
//
// as inner products, and the gradient follows from
//
//	Y_d = sum_m c_dm a^(m-1) v^m F_(d-m)(a v),  c_dm = (-1)^(m-1) (d-1)!/(d-m)!.
type offDiagonal struct {
	n, r, d int       // d is D
	second  []float64 // M_2, n x n, 0 on its diagonal
	higher  []moment.Worker
	tau     []float64 // from order 1 on

	// At the point of the last evaluation, by power and by order.
	w []float64
	a [][]float64 // a[m] is A^m, r x n, m = 1 to D
	f [][]float64 // F_q, r x r, q = 0 to D
	c [][]float64 // r x r: sum_d tau_d d c_dm F_(d-m), times w by rows

	p, dp, df, row [][]float64 // r x r each
	t, u           []float64   // r x n
	blocks         []float64   // r x (n+1) x (n+1): Cholesky factors

	operations float64 // so far, about
}

// newOffDiagonal makes the fit of r components to the central moments of orders 2 to D of
// observations that were divided by scale, variable by variable; a scale of 0 leaves a variable out.
func newOffDiagonal(central []*moment.Packed, scale []float64, r int) *offDiagonal {
	n, d := len(scale), len(central)+1
	o := &offDiagonal{n: n, r: r, d: d, second: central[0].Distinct(scale).Dense(), w: make([]float64, r),
		t: make([]float64, r*n), u: make([]float64, r*n), blocks: make([]float64, r*(n+1)*(n+1))}
	for _, m := range central[1:] {
		o.higher = append(o.higher, m.Distinct(scale).Worker(r, 1))
	}
	terms := 1.
	for q := range d {
		terms *= float64(n - q)
		o.tau = append(o.tau, 1/terms)
	}
	matrices := func(count, size int) [][]float64 {
		m := make([][]float64, count)
		for i := range m {
			m[i] = make([]float64, size)
		}
		return m
	}
	o.a = matrices(d+1, r*n)
	o.f, o.c, o.p, o.dp, o.df, o.row = matrices(d+1, r*r), matrices(d+1, r*r), matrices(d+1, r*r), matrices(d+1, r*r), matrices(d+1, r*r), matrices(d+1, r*r)
	for i := range o.f[0] {
		o.f[0][i] = 1
	}
	return o
}

// falling returns k (k-1) ... (k-m+1).
func falling(k, m int) float64 {
	x := 1.
	for i := range m {
		x *= float64(k - i)
	}
	return x
}

// coefficient returns c_dm.
func coefficient(d, m int) float64 {
	c := falling(d-1, m-1)
	if m%2 == 0 {
		return -c
	}
	return c
}

// evaluate returns f without the norm of the moments, and writes half its gradient at x = [w; A] to g. It
// returns false if cancelled.
func (o *offDiagonal) evaluate(ctx context.Context, x, g []float64) (f float64, ok bool) {
	n, r, d := o.n, o.r, o.d
	copy(o.w, x[:r])
	copy(o.a[1], x[r:])
	for m := 2; m <= d; m++ {
		linalg.Multiply(o.a[m], o.a[m-1], o.a[1])
	}
	for m := 1; m <= d; m++ {
		linalg.MulABt(o.p[m], o.a[m], o.a[m], r, r, n)
	}
	for q := 1; q <= d; q++ {
		clear(o.f[q])
		for m := 1; m <= q; m++ {
			k := coefficient(q, m)
			for i, p := range o.p[m] {
				o.f[q][i] += k * p * o.f[q-m][i]
			}
		}
	}
	for m := 1; m <= d; m++ {
		o.combine(o.c[m], o.f, m)
		o.byWeight(o.c[m])
	}
	clear(g)
	gw, ga := g[:r], g[r:]
	// The model's part.
	for q := 1; q <= d; q++ {
		for j := range r {
			s := linalg.Dot(o.f[q][j*r:(j+1)*r], o.w)
			gw[j] += o.tau[q-1] * s
			f += o.tau[q-1] * o.w[j] * s
		}
	}
	o.addTerms(ga, o.c, func(m int) []float64 { return o.a[m] })
	// The moments'; that of order 1 is 0.
	for q := 2; q <= d; q++ {
		if q == 2 {
			linalg.MulABt(o.t, o.a[1], o.second, r, n, n)
		} else if !o.higher[q-3].TTSV(ctx, o.t, o.a[1]) {
			return 0, false
		}
		for j := range r {
			s := linalg.Dot(o.t[j*n:(j+1)*n], o.a[1][j*n:(j+1)*n])
			gw[j] -= o.tau[q-1] * s
			f -= 2 * o.tau[q-1] * o.w[j] * s
		}
		linalg.Axpy(-o.tau[q-1]*float64(q), o.t, ga)
	}
	for j, w := range o.w {
		linalg.Scale(w, ga[j*n:(j+1)*n])
	}
	return f, true
}

// combine writes sum_d tau_d d c_dm f[d-m] to c.
func (o *offDiagonal) combine(c []float64, f [][]float64, m int) {
	clear(c)
	for q := m; q <= o.d; q++ {
		linalg.Axpy(o.tau[q-1]*float64(q)*coefficient(q, m), f[q-m], c)
	}
}

// byWeight multiplies row k by w_k.
func (o *offDiagonal) byWeight(c []float64) {
	for k, w := range o.w {
		linalg.Scale(w, c[k*o.r:(k+1)*o.r])
	}
}

// addTerms adds sum_m a^(m-1) (c_m' v_m) to out.
func (o *offDiagonal) addTerms(out []float64, c [][]float64, v func(m int) []float64) {
	for m := 1; m <= o.d; m++ {
		if m == 1 {
			linalg.AddAtB(out, c[m], v(m), o.r, o.n, o.r)
			continue
		}
		clear(o.u)
		linalg.AddAtB(o.u, c[m], v(m), o.r, o.n, o.r)
		linalg.Multiply(o.u, o.u, o.a[m-1])
		linalg.Axpy(1, o.u, out)
	}
}

// product writes J'J s to out, J the Jacobian of the terms at the last point, each order times the
// root of tau.
func (o *offDiagonal) product(out, s []float64) {
	n, r, d := o.n, o.r, o.d
	o.operations += float64(6 * d * r * r * n)
	sw, sa := s[:r], s[r:]
	clear(out)
	// dp_m [k, j] = m (A^(m-1) S)_k' (A^m)_j
	for m := 1; m <= d; m++ {
		v := sa
		if m > 1 {
			linalg.Multiply(o.t, o.a[m-1], sa)
			v = o.t
		}
		linalg.MulABt(o.dp[m], v, o.a[m], r, r, n)
		linalg.Scale(float64(m), o.dp[m])
	}
	// dF_q = sum_m (-1)^(m-1) q!/(m (q-m)!) F_(q-m) dp_m
	for q := 1; q <= d; q++ {
		clear(o.df[q])
		for m := 1; m <= q; m++ {
			k := coefficient(q, m) * float64(q) / float64(m)
			for i, p := range o.dp[m] {
				o.df[q][i] += k * p * o.f[q-m][i]
			}
		}
	}
	for q := 1; q <= d; q++ {
		for k := range r {
			linalg.Axpy(o.tau[q-1]*o.w[k], o.df[q][k*r:(k+1)*r], out[:r])
			linalg.Axpy(o.tau[q-1]*sw[k], o.f[q][k*r:(k+1)*r], out[:r])
		}
	}
	oa := out[r:]
	for m := 1; m <= d; m++ {
		// w_k dF + dw_k F
		o.combine(o.row[m], o.df, m)
		o.byWeight(o.row[m])
		for k, w := range o.w {
			linalg.Axpy(sw[k]/w, o.c[m][k*r:(k+1)*r], o.row[m][k*r:(k+1)*r])
		}
	}
	o.addTerms(oa, o.row, func(m int) []float64 { return o.a[m] })
	o.addTerms(oa, o.c, func(m int) []float64 {
		if m == 1 {
			return sa
		}
		linalg.Multiply(o.t, o.a[m-1], sa)
		linalg.Scale(float64(m), o.t)
		return o.t
	})
	for j, w := range o.w {
		linalg.Scale(w, oa[j*n:(j+1)*n])
	}
}

// block writes the block of J'J of component j, (n+1) x (n+1), to h: the weight first.
func (o *offDiagonal) block(h []float64, j int) {
	n, r, w := o.n, o.r, o.w[j]
	clear(h)
	a := o.a[1][j*n : (j+1)*n]
	// Y_d and dY_d/dv of v = a, by the recursion Y_d = v (F_(d-1) - (d-1) a Y_(d-1)).
	y, inner := make([]float64, n), make([]float64, n)
	dy, df := make([]float64, n*n), make([]float64, n)
	for i := range n {
		y[i] = a[i]
		dy[i*n+i] = 1
	}
	for q := 1; q <= o.d; q++ {
		if q > 1 {
			clear(df)
			for i := range n {
				linalg.Axpy(a[i], dy[i*n:(i+1)*n], df)
			}
			for i := range n {
				inner[i] = o.f[q-1][j*r+j] - float64(q-1)*a[i]*y[i]
				row := dy[i*n : (i+1)*n]
				linalg.Scale(-float64(q-1)*a[i]*a[i], row)
				linalg.Axpy(a[i], df, row)
				row[i] += inner[i]
				y[i] = a[i] * inner[i]
			}
		}
		tau := o.tau[q-1]
		h[0] += tau * o.f[q][j*r+j]
		for i := range n {
			c := tau * float64(q) * w
			h[(i+1)*(n+1)] += c * y[i]
			linalg.Axpy(c*w, dy[i*n:(i+1)*n], h[(i+1)*(n+1)+1:(i+2)*(n+1)])
		}
	}
	for i := range n {
		h[i+1] = h[(i+1)*(n+1)]
	}
}

// Constants of the search.
const (
	leastShare     = .1  // of 1 / r, of a weight: without it components vanish
	firstDamping   = .01 // of the diagonal of J'J
	mostDamping    = 1e12
	stepTolerance  = 1e-2 // of conjugate gradients, of the residual's square: looser ones take more steps, tighter ones no fewer
	stepIterations = 50
	fitIterations  = 100
	fitDecrease    = 1e-10 // of f, in a step, that ends the search
)

// minimize changes x to a minimum of f and returns that; the method is Levenberg and Marquardt's, weights
// are moved to their bound. It returns false if cancelled.
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
			o.solve(step, g, damping)
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
			if _, ok = o.evaluate(ctx, x, g); !ok { // solve is at the last point
				return 0, false
			}
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

// solve writes about (J'J + damping D)^-1 g to z, D its diagonal, by conjugate gradients with the blocks of the
// components.
func (o *offDiagonal) solve(z, g []float64, damping float64) {
	n, r := o.n, o.r
	diagonal := make([]float64, len(g))
	at := func(j, i int) int { // of entry i of block j
		if i == 0 {
			return j
		}
		return r + j*n + i - 1
	}
	size := (n + 1) * (n + 1)
	for j := range r {
		h := o.blocks[j*size : (j+1)*size]
		o.block(h, j)
		for i := range n + 1 {
			e := damping * (h[i*(n+1)+i] + 1e-12)
			diagonal[at(j, i)] = e
			h[i*(n+1)+i] += e
		}
		linalg.Cholesky(h, n+1, n+1)
	}
	v := make([]float64, n+1)
	precondition := func(out, in []float64) {
		for j := range r {
			for i := range v {
				v[i] = in[at(j, i)]
			}
			linalg.CholeskySolve(o.blocks[j*size:(j+1)*size], n+1, n+1, v, 1)
			for i := range v {
				out[at(j, i)] = v[i]
			}
		}
	}
	clear(z)
	residual, best, direction, product := append([]float64(nil), g...), make([]float64, len(g)), make([]float64, len(g)), make([]float64, len(g))
	precondition(best, residual)
	copy(direction, best)
	rho := linalg.Dot(residual, best)
	enough := stepTolerance * rho
	for range stepIterations {
		o.product(product, direction)
		for i, d := range direction {
			product[i] += diagonal[i] * d
		}
		curvature := linalg.Dot(direction, product)
		if !(curvature > 0) {
			return
		}
		linalg.Axpy(rho/curvature, direction, z)
		linalg.Axpy(-rho/curvature, product, residual)
		precondition(best, residual)
		old := rho
		if rho = linalg.Dot(residual, best); !(rho > enough) {
			return
		}
		linalg.Scale(rho/old, direction)
		linalg.Axpy(1, best, direction)
	}
}
