package ica

import (
	"context"
	"math"

	"symmom/internal/eigen"
	"symmom/internal/linalg"
	"symmom/internal/obs"
	"symmom/internal/parallel"
)

// fixedPoint finds the directions of independent components of whitened observations
// in memory. It must not be used by several goroutines; a step allocates nothing
// except for the orthogonalization.
type fixedPoint struct {
	x      *obs.Dense
	k      int
	heavy  int // number of components with heavier tails than normal ones: the first rows of W
	groups int
	sums   []float64 // groups x (k k + k): sum nu g(z) y', sum nu g'(z)
	z      [][]float64
	pool   parallel.Pool
	ctx    context.Context
	w      []float64
}

// newFixedPoint prepares steps for k rows of W; the first heavy of them belong to
// components with a positive kurtosis.
func newFixedPoint(x *obs.Dense, heavy, threads int) *fixedPoint {
	k := x.N
	c := &fixedPoint{x: x, k: k, heavy: heavy, groups: obs.Groups(x, 1)}
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
		return 0, true // nothing to find: w is unchanged
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
		y := c.x.V[lo*k : hi*k]
		var nu []float64
		if c.x.Nu != nil {
			nu = c.x.Nu[lo:hi]
		}
		for _, part := range [...]struct {
			first, many int
			g           func(z, slopes, nu []float64)
		}{{0, c.heavy, heavyTails}, {c.heavy, k - c.heavy, lightTails}} {
			if part.many == 0 {
				continue
			}
			w, sum := c.w[part.first*k:][:part.many*k], sum[part.first*k:][:part.many*k]
			z := c.z[worker][:rows*part.many]
			linalg.MulABt(z, y, w, rows, part.many, k)
			part.g(z, slopes[part.first:][:part.many], nu)
			linalg.AddAtB(sum, z, y, part.many, k, rows)
		}
	}
}

// heavyTails replaces the observations z of sources, one per row, by nu tanh(z),
// and adds nu (1 - tanh(z)^2) to the slopes of their sources.
func heavyTails(z, slopes, nu []float64) {
	linalg.Tanh(z)
	k := len(slopes)
	for l := 0; l*k < len(z); l++ {
		share := 1.
		if nu != nil {
			share = nu[l]
		}
		row := z[l*k : (l+1)*k]
		for j, g := range row {
			slopes[j] += share * (1 - g*g)
			row[j] = share * g
		}
	}
}

// lightTails is like heavyTails with z^3 and 3 z^2.
func lightTails(z, slopes, nu []float64) {
	k := len(slopes)
	for l := 0; l*k < len(z); l++ {
		share := 1.
		if nu != nil {
			share = nu[l]
		}
		row := z[l*k : (l+1)*k]
		for j, v := range row {
			slopes[j] += share * 3 * v * v
			row[j] = share * v * v * v
		}
	}
}

// decorrelate replaces the rows of w (r x n, r <= n) by the nearest orthonormal
// rows, (W W')^(-1/2) W. It returns false if the rows are dependent.
func decorrelate(w []float64, r, n int) bool {
	gram := make([]float64, r*r)
	linalg.MulABt(gram, w, w, r, r, n)
	values, columns, ok := eigen.Sym(eigen.SymOf(gram, r), true)
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
