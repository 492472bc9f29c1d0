package ica

import (
	"context"
	"math"

	"symmom/internal/linalg"
	"symmom/internal/moment"
	"symmom/internal/obs"
	"symmom/internal/parallel"
)

// fixedPoint finds the directions of independent components of whitened observations
// in memory. It belongs to one goroutine; a step allocates nothing but for the
// orthogonalisation.
type fixedPoint struct {
	x      *obs.Dense
	k      int
	groups int
	sums   []float64 // groups x (k k + k): sum nu g(z) y', sum nu g'(z)
	z      [][]float64
	super  []bool // which components have tails heavier than normal ones
	pool   parallel.Pool
	ctx    context.Context
	w      []float64
}

// newFixedPoint prepares steps for k rows of W; super tells which components have a
// positive kurtosis.
func newFixedPoint(x *obs.Dense, super []bool, threads int) *fixedPoint {
	k := x.N
	c := &fixedPoint{x: x, k: k, super: super, groups: obs.Groups(x, 1)}
	c.sums = make([]float64, c.groups*(k*k+k))
	c.z = make([][]float64, min(parallel.Threads(threads), c.groups))
	for i := range c.z {
		c.z[i] = make([]float64, linalg.BlockRows(k)*k)
	}
	c.pool = parallel.Pool{Threads: len(c.z), Job: c.group}
	return c
}

// step replaces the orthonormal rows of w (k x k) by those after one step of the
// symmetric fixed point (Hyvarinen 1999) with nonlinearities that suit each
// component, tanh(z) for heavy tails and z^3 for light ones:
//
//	w_j <- sum nu g(w_j'y) y - [sum nu g'(w_j'y)] w_j.
//
// It returns the largest 1 - |cosine| between a row and the one before; ok is
// false when cancelled. 4 p k^2 operations.
func (c *fixedPoint) step(ctx context.Context, w []float64) (moved float64, ok bool) {
	k := c.k
	clear(c.sums)
	c.ctx, c.w = ctx, w
	ok = c.pool.Run(ctx, c.groups)
	c.ctx, c.w = nil, nil
	if !ok {
		return 0, false
	}
	size := k*k + k
	for g := 1; g < c.groups; g++ {
		linalg.Axpy(1, c.sums[g*size:(g+1)*size], c.sums[:size])
	}
	next, slopes := c.sums[:k*k], c.sums[k*k:size]
	linalg.Scale(c.x.Share(), c.sums[:size])
	for j := range k {
		linalg.Axpy(-slopes[j], w[j*k:(j+1)*k], next[j*k:(j+1)*k])
	}
	if !decorrelate(next, k, k) {
		return 0, true // nothing to be found: w stays
	}
	for j := range k {
		moved = math.Max(moved, 1-math.Abs(linalg.Dot(next[j*k:(j+1)*k], w[j*k:(j+1)*k])))
	}
	copy(w, next)
	return moved, true
}

func (c *fixedPoint) group(worker, g int) {
	k := c.k
	sum := c.sums[g*(k*k+k):][:k*k]
	slopes := c.sums[g*(k*k+k)+k*k:][:k]
	step := linalg.BlockRows(k)
	end := obs.GroupStart(g+1, c.groups, c.x.P)
	for lo := obs.GroupStart(g, c.groups, c.x.P); lo < end && c.ctx.Err() == nil; lo += step {
		hi := min(lo+step, end)
		rows := hi - lo
		y, z := c.x.V[lo*k:hi*k], c.z[worker][:rows*k]
		linalg.MulABt(z, y, c.w, rows, k, k)
		for l := range rows {
			nu := 1.
			if c.x.Nu != nil {
				nu = c.x.Nu[lo+l]
			}
			for j, v := range z[l*k : (l+1)*k] {
				var g, slope float64
				if c.super[j] {
					g = tanh(v)
					slope = 1 - g*g
				} else {
					g, slope = v*v*v, 3*v*v
				}
				z[l*k+j] = nu * g
				slopes[j] += nu * slope
			}
		}
		linalg.AddAtB(sum, z, y, k, k, rows)
	}
}

// tanh by one exponential: to 1e-16, which is all that is needed here.
func tanh(x float64) float64 {
	if math.Abs(x) > 20 {
		return math.Copysign(1, x)
	}
	e := math.Exp(2 * x)
	return (e - 1) / (e + 1)
}

// decorrelate replaces the rows of w (r x n, r <= n) by the nearest orthonormal
// ones, (W W')^(-1/2) W. It returns false where they are dependent.
func decorrelate(w []float64, r, n int) bool {
	gram := make([]float64, r*r)
	linalg.MulABt(gram, w, w, r, r, n)
	values, columns, ok := moment.EigenSym(moment.SymOf(gram, r), true)
	if !ok || !(values[0] > 1e-13*values[r-1]) {
		return false
	}
	root := make([]float64, r*r)
	for k, v := range values {
		v = 1 / math.Sqrt(v)
		for i := range r {
			for j := range r {
				root[i*r+j] += v * columns[i*r+k] * columns[j*r+k]
			}
		}
	}
	out := make([]float64, r*n)
	linalg.AddAtB(out, root, w, r, n, r) // root is symmetric
	copy(w, out)
	return true
}
