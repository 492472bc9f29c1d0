package solve

import (
	"gonum.org/v1/gonum/floats"

	"symmom/internal/math/linalg"
)

// compact is the L-BFGS matrix in the compact representation of Byrd et al. 1995,
// (3.2)-(3.4):
//
//	B = theta*I - W M W',  W = [Y  theta*S],  M = [ -D      L'     ]^{-1}
//	                                              [  L  theta*S'S  ]
//
// with D the diagonal and L the strictly lower triangle of S'Y. Vectors of
// length 2*count represent W'v: first the part of Y, then that of theta*S.
type compact struct {
	pairs
	m     int
	theta float64   // y'y/s'y of the last pair (section 3)
	sy    []float64 // S'Y, m x m row major
	ss    []float64 // S'S, m x m, full
	j     []float64 // lower Cholesky factor of theta*S'S + L D^{-1} L'
}

func newCompact(n, m int) compact {
	return compact{
		pairs: newPairs(n, m), m: m, theta: 1,
		sy: make([]float64, m*m), ss: make([]float64, m*m), j: make([]float64, m*m),
	}
}

// add takes in the step from (r.x, r.g) to (r.xt, r.gt): 4*m*n multiplications.
// false: the middle matrix is not positive definite to working precision and
// the memory is of no use.
func (c *compact) add(r *run) bool {
	sy, yy, use := c.form(r)
	if !use {
		return true
	}
	m := c.m
	if c.keep() {
		for i := range m - 1 {
			copy(c.sy[i*m:i*m+m-1], c.sy[(i+1)*m+1:(i+2)*m])
			copy(c.ss[i*m:i*m+m-1], c.ss[(i+1)*m+1:(i+2)*m])
		}
	}
	k := c.count - 1
	s, y := c.pair(k)
	for i := range k {
		si, yi := c.pair(i)
		c.sy[k*m+i] = floats.Dot(s, yi)
		c.sy[i*m+k] = floats.Dot(si, y)
		v := floats.Dot(s, si)
		c.ss[k*m+i], c.ss[i*m+k] = v, v
	}
	c.sy[k*m+k] = sy
	c.ss[k*m+k] = floats.Dot(s, s)
	c.theta = yy / sy

	for a := range c.count {
		for b := range a + 1 {
			v := c.theta * c.ss[a*m+b]
			for l := range b { // L has entries left of the diagonal only
				v += c.sy[a*m+l] * c.sy[b*m+l] / c.sy[l*m+l]
			}
			c.j[a*m+b] = v
		}
	}
	return linalg.CholeskyInOrder(c.j, c.count, m)
}

// mulM writes M v to dst, both of length 2*count, by the block elimination
//
//	(theta*S'S + L D^{-1} L') q = v2 + L D^{-1} v1,   p = D^{-1} (L' q - v1)
//
// for M v = (p, q). dst may not overlap v.
func (c *compact) mulM(dst, v []float64) {
	k, m := c.count, c.m
	p, q := dst[:k], dst[k:2*k]
	for a := range k {
		t := v[k+a]
		for l := range a {
			t += c.sy[a*m+l] * v[l] / c.sy[l*m+l]
		}
		q[a] = t
	}
	linalg.CholeskySolveInOrder(c.j, k, m, q)
	for l := range k {
		t := -v[l]
		for a := l + 1; a < k; a++ {
			t += c.sy[a*m+l] * q[a]
		}
		p[l] = t / c.sy[l*m+l]
	}
}

// mulWT writes W'd to dst: 2*count*n multiplications.
func (c *compact) mulWT(dst, d []float64) {
	for j := range c.count {
		s, y := c.pair(j)
		dst[j] = floats.Dot(y, d)
		dst[c.count+j] = c.theta * floats.Dot(s, d)
	}
}

// row writes row i of W to dst.
func (c *compact) row(dst []float64, i int) {
	for j := range c.count {
		s, y := c.pair(j)
		dst[j] = y[i]
		dst[c.count+j] = c.theta * s[i]
	}
}

func (c *compact) clear() {
	c.pairs.clear()
	c.theta = 1
}
