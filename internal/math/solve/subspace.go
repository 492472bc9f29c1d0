package solve

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"symmom/internal/math/linalg"
)

// minimizeSubspace moves b.z from the generalized Cauchy point to an approximate
// minimiser of the model over the variables that are strictly within their bounds
// there, with the others fixed (Byrd et al. 1995, section 5.1), and back within
// the bounds as in Morales & Nocedal 2011, section 2. false: the middle matrix
// is not definite to working precision.
//
// With Z the columns of the identity for the free variables, the reduced
// gradient is r = Z'(g + theta*(z-x) - W M c) (5.4), and by Sherman-Morrison-
// Woodbury the Newton direction is
//
//	-(Z'BZ)^{-1} r = -r/theta - Z'W K^{-1} W'Z r / theta^2,   K = M^{-1} - W'ZZ'W/theta
//
// (5.11 with K = M^{-1} N).
func (b *lbfgsb) minimizeSubspace(x, g []float64) bool {
	b.free, b.fixed = b.free[:0], b.fixed[:0]
	for i, v := range b.z {
		if b.box.free(i, v) {
			b.free = append(b.free, i)
		} else {
			b.fixed = append(b.fixed, i)
		}
	}
	if len(b.free) == 0 {
		return true
	}
	if !b.factorK() {
		return false
	}
	d := b.newton[:len(b.free)]
	b.reducedGradient(d, x, g)
	b.newtonDirection(d)
	b.project(d, x, g)
	return true
}

// reducedGradient writes r to d.
func (b *lbfgsb) reducedGradient(d, x, g []float64) {
	k := b.count
	mc := b.mw[:2*k]
	b.mulM(mc, b.c[:2*k])
	for f, i := range b.free {
		d[f] = g[i] + b.theta*(b.z[i]-x[i])
	}
	for j := range k {
		s, y := b.pair(j)
		cy, cs := mc[j], b.theta*mc[k+j]
		for f, i := range b.free {
			d[f] -= y[i]*cy + s[i]*cs
		}
	}
}

// newtonDirection turns d from r into -(Z'BZ)^{-1} r.
func (b *lbfgsb) newtonDirection(d []float64) {
	k := b.count
	v := b.w[:2*k]
	for j := range k {
		s, y := b.pair(j)
		var vy, vs float64
		for f, i := range b.free {
			vy += y[i] * d[f]
			vs += s[i] * d[f]
		}
		v[j], v[k+j] = vy, b.theta*vs
	}
	b.solveK(v)
	for j := range k {
		s, y := b.pair(j)
		cy, cs := v[j]/b.theta, v[k+j]
		for f, i := range b.free {
			d[f] += y[i]*cy + s[i]*cs
		}
	}
	floats.Scale(-1/b.theta, d)
}

// factorK factors
//
//	K = [ -(D + Y'ZZ'Y/theta)   (L_A - R_Z)' ]
//	    [  L_A - R_Z            theta*S'AA'S ]
//
// where A are the fixed variables, L_A is the strictly lower triangle of
// S'AA'Y and R_Z the upper triangle of S'ZZ'Y with its diagonal. This form
// needs no differences of nearly equal numbers. K is quasidefinite: the
// negative of its first block and the Schur complement are positive definite,
// so two Cholesky factors do. m^2 n multiplications.
func (b *lbfgsb) factorK() bool {
	k, m := b.count, b.m
	for a := range k {
		sa, ya := b.pair(a)
		for c := range k {
			sc, yc := b.pair(c)
			if c <= a {
				yy, ss := dotAt(ya, yc, b.free), dotAt(sa, sc, b.fixed)
				b.k11[a*m+c] = yy / b.theta
				b.k22[a*m+c] = ss * b.theta
			}
			if c < a {
				b.k21[a*m+c] = dotAt(sa, yc, b.fixed)
			} else {
				b.k21[a*m+c] = -dotAt(sa, yc, b.free)
			}
		}
		b.k11[a*m+a] += b.sy[a*m+a]
	}
	if !linalg.CholeskyInOrder(b.k11, k, m) {
		return false
	}
	// k21 becomes k21 L^{-T}, with -K11 = LL'; row by row that is a forward
	// substitution.
	for a := range k {
		linalg.CholeskyForwardInOrder(b.k11, k, m, b.k21[a*m:a*m+k])
	}
	for a := range k {
		for c := range a + 1 {
			b.k22[a*m+c] += floats.Dot(b.k21[a*m:a*m+k], b.k21[c*m:c*m+k])
		}
	}
	return linalg.CholeskyInOrder(b.k22, k, m)
}

// solveK overwrites v with K^{-1} v.
func (b *lbfgsb) solveK(v []float64) {
	k, m := b.count, b.m
	p, q := v[:k], v[k:2*k]
	linalg.CholeskyForwardInOrder(b.k11, k, m, p)
	for a := range k {
		q[a] += floats.Dot(b.k21[a*m:a*m+k], p)
	}
	linalg.CholeskySolveInOrder(b.k22, k, m, q)
	for l := range k {
		p[l] = -p[l]
		for a := range k {
			p[l] += b.k21[a*m+l] * q[a]
		}
	}
	for i := k - 1; i >= 0; i-- {
		t := p[i]
		for l := i + 1; l < k; l++ {
			t -= b.k11[l*m+i] * p[l]
		}
		p[i] = t / b.k11[i*m+i]
	}
}

// project moves b.z by d over the free variables and projects it on the bounds;
// if that is no direction of descent, it cuts d off at the first bound instead,
// as the original L-BFGS-B always did (5.8) (Morales & Nocedal 2011, section 2).
func (b *lbfgsb) project(d, x, g []float64) {
	copy(b.start, b.z)
	hit := false
	for f, i := range b.free {
		v := b.z[i] + d[f]
		w := min(max(v, b.box.lower[i]), b.box.upper[i])
		hit = hit || !b.box.free(i, w)
		b.z[i] = w
	}
	if !hit {
		return
	}
	slope := 0.0
	for i, v := range b.z {
		slope += (v - x[i]) * g[i]
	}
	if slope <= 0 {
		return
	}

	copy(b.z, b.start)
	alpha, first := 1.0, -1
	for f, i := range b.free {
		limit := math.Inf(1)
		if d[f] < 0 {
			limit = (b.box.lower[i] - b.z[i]) / d[f]
		} else if d[f] > 0 {
			limit = (b.box.upper[i] - b.z[i]) / d[f]
		}
		if limit < alpha {
			alpha, first = limit, f
		}
	}
	for f, i := range b.free {
		switch {
		case f != first:
			b.z[i] = min(max(b.z[i]+alpha*d[f], b.box.lower[i]), b.box.upper[i])
		case d[f] > 0:
			b.z[i] = b.box.upper[i]
		default:
			b.z[i] = b.box.lower[i]
		}
	}
}

// dotAt is the dot product over the entries in at, which has no entry twice.
func dotAt(a, b []float64, at []int) float64 {
	if len(at) == len(a) {
		return floats.Dot(a, b) // all of them: several times as fast
	}
	sum := 0.0
	for _, i := range at {
		sum += a[i] * b[i]
	}
	return sum
}
