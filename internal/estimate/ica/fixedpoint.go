package ica

import (
	"context"
	"math"

	"symmom/internal/math/eigen"
	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// fixedPoint finds the directions of independent components of whitened observations
// in memory. It must not be used by several goroutines; a step allocates nothing
// except for the orthogonalization.
type fixedPoint struct {
	x      *block.Dense
	k      int
	parts  []part // of W
	normal []bool // components that may be normal
	groups int
	sums   []float64 // groups x (k k + 3 k): sum nu g(z) y', sum nu g'(z), sum nu g(z), sum nu g(z)^2
	z      [][]float64
	pool   parallel.Pool
	ctx    context.Context
	w      []float64
}

// contrast is the contrast function of a component: the nonlinearity g of its steps.
type contrast int

const (
	heavyTails contrast = iota // tanh(z)
	lightTails                 // z^3
	skewness                   // z^2
)

// part is a run of rows of W with the same contrast.
type part struct {
	first, many int
	by          contrast
}

// newFixedPoint prepares steps for rows of W with these contrasts, in ascending order, some of
// which may be normal.
func newFixedPoint(x *block.Dense, by []contrast, normal []bool, threads int) *fixedPoint {
	k := x.N
	c := &fixedPoint{x: x, k: k, normal: normal, groups: block.Groups(x, 1)}
	for j, g := range by {
		if j == 0 || g != by[j-1] {
			c.parts = append(c.parts, part{first: j, by: g})
		}
		c.parts[len(c.parts)-1].many++
	}
	c.sums = make([]float64, c.groups*(k*k+3*k))
	c.z = make([][]float64, min(parallel.Threads(threads), c.groups))
	for i := range c.z {
		c.z[i] = make([]float64, linalg.BlockRows(k)*k)
	}
	c.pool = parallel.Pool{Threads: len(c.z), Job: c.group}
	return c
}

// step replaces the orthonormal rows of w (k x k) by those after one step of the
// symmetric fixed point (Hyvarinen 1999) with the nonlinearity of each component:
//
//	w_j <- sum nu g(w_j'y) y - [sum nu g'(w_j'y)] w_j,
//
// weighted before they are made orthogonal.
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
	size := k*k + 3*k
	for g := 1; g < c.groups; g++ {
		linalg.Axpy(1, c.sums[g*size:(g+1)*size], c.sums[:size])
	}
	next, of := c.sums[:k*k], c.sums[k*k:size]
	linalg.Scale(c.x.Share(), c.sums[:size])
	c.weigh(next, w, of)
	if !eigen.Nearest(next, k, k) {
		return 0, true // nothing to find: w is unchanged
	}
	for j := range k {
		moved = math.Max(moved, 1-math.Abs(linalg.Dot(next[j*k:(j+1)*k], w[j*k:(j+1)*k])))
	}
	copy(w, next)
	return moved, true
}

// weigh takes E g' w_j from the rows E g(z_j) y, given the means of g', g and g^2, which it replaces, and
// weights them. Of each pair of rows both tell the angle between them, by a = E z g - E g'
// and with the variance v of g - z E z g - E g: the weights a/v, of EFICA (Koldovsky,
// Tichavsky & Oja 2006), make the variance of what both say least. Unweighted, the noise of
// a normal component, whose a is 0, is in all others. Normal ones have a weight in common,
// so that chance does not favor some.
func (c *fixedPoint) weigh(rows, w, of []float64) {
	k := c.k
	a, v := of[:k], of[k:2*k] // in place of the means that they come from
	most, normalA, normalV := 0., 0., 0.
	for j := range k {
		row, was := rows[j*k:(j+1)*k], w[j*k:(j+1)*k]
		along, slope, mean, square := linalg.Dot(row, was), of[j], of[k+j], of[2*k+j]
		linalg.Axpy(-slope, was, row)
		a[j] = math.Abs(along - slope)
		v[j] = math.Max(square-along*along-mean*mean, 1e-3*square) // 0 for a component of two values
		if c.normal[j] {
			normalA, normalV = normalA+a[j], normalV+v[j]
		}
		most = math.Max(most, a[j]/v[j])
	}
	for j := range k {
		weight := a[j] / v[j]
		if c.normal[j] {
			weight = normalA / normalV
		}
		linalg.Scale(math.Max(weight, 1e-3*most), rows[j*k:(j+1)*k]) // at 0 the row would have no direction
	}
}

func (c *fixedPoint) group(worker, g int) {
	k := c.k
	size := k*k + 3*k
	sum, of := c.sums[g*size:][:k*k], c.sums[g*size+k*k:][:3*k]
	step := linalg.BlockRows(k)
	end := block.GroupStart(g+1, c.groups, c.x.P)
	for lo := block.GroupStart(g, c.groups, c.x.P); lo < end && c.ctx.Err() == nil; lo += step {
		hi := min(lo+step, end)
		rows := hi - lo
		y := c.x.V[lo*k : hi*k]
		var nu []float64
		if c.x.Nu != nil {
			nu = c.x.Nu[lo:hi]
		}
		for _, part := range c.parts {
			w, sum := c.w[part.first*k:][:part.many*k], sum[part.first*k:][:part.many*k]
			z := c.z[worker][:rows*part.many]
			linalg.MulABt(z, y, w, rows, part.many, k)
			part.by.apply(z, of[part.first:][:part.many], of[k+part.first:][:part.many], of[2*k+part.first:][:part.many], nu)
			linalg.AddAtB(sum, z, y, part.many, k, rows)
		}
	}
}

// apply replaces the observations z of sources, one per row, by nu g(z), and adds nu g'(z),
// nu g(z) and nu g(z)^2 to the sums of their sources.
func (by contrast) apply(z, slopes, means, squares, nu []float64) {
	if by == heavyTails {
		linalg.Tanh(z)
	}
	k := len(slopes)
	for l := 0; l*k < len(z); l++ {
		share := 1.
		if nu != nil {
			share = nu[l]
		}
		row := z[l*k : (l+1)*k]
		for j, v := range row {
			var g, slope float64
			switch by {
			case heavyTails:
				g, slope = v, 1-v*v
			case lightTails:
				g, slope = v*v*v, 3*v*v
			case skewness:
				g, slope = v*v, 2*v
			}
			slopes[j] += share * slope
			means[j] += share * g
			squares[j] += share * g * g
			row[j] = share * g
		}
	}
}
