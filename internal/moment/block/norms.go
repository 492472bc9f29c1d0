package block

import (
	"math"

	"symmom/internal/math/linalg"
)

// Norms computes norms of observations, O(n) each; O(m log n) for sparse ones with m stored
// values, also with a Scale or a Shift, by which zeros are no longer zero.
type Norms struct {
	wide []float64
	// What zeros become, squared, and the sums of these: tree[i] = tree[2i] + tree[2i+1],
	// with variable i at n + i. A difference of sums from the first variable on would lose
	// what is small beside a large mean.
	tree []float64
	of   *Sparse
}

// Of returns the norm of observation l of a block of n variables.
func (r *Norms) Of(b Block, l, n int) float64 {
	if x := b.Sparse; x != nil && x.mapped() {
		if norm := math.Sqrt(r.mapped(x, l, n)); norm > 0 && !math.IsInf(norm, 1) {
			return norm
		}
		return linalg.Norm2(b.Values(l, l+1, n, &r.wide))
	}
	v := r.values(b, l, n)
	norm := math.Sqrt(linalg.Dot(v, v))
	if !(norm > 0) || math.IsInf(norm, 1) {
		norm = linalg.Norm2(v)
	}
	return norm
}

// values returns the values of an observation, of a sparse one those that are stored.
func (r *Norms) values(b Block, l, n int) []float64 {
	x := b.Sparse
	if x == nil {
		return b.Values(l, l+1, n, &r.wide)
	}
	from, to := x.Start[l], x.Start[l+1]
	if x.V32 == nil {
		return x.V[from:to]
	}
	v := grown(&r.wide, to-from)
	linalg.Widen(v, x.V32[from:to])
	return v
}

// mapped returns the squared norm of row l of x: of its values, and of the zeros between.
func (r *Norms) mapped(x *Sparse, l, n int) float64 {
	if r.of == nil || !r.of.Alike(x) {
		r.plant(x, n)
	}
	sum, next := 0., 0
	for k := x.Start[l]; k < x.Start[l+1]; k++ {
		i, v := int(x.Index[k]), 0.
		if x.V32 != nil {
			v = float64(x.V32[k])
		} else {
			v = x.V[k]
		}
		v = x.at(i, v)
		sum += r.between(next, i, n) + v*v
		next = i + 1
	}
	return sum + r.between(next, n, n)
}

// plant makes the tree for the Scale and the Shift of x.
func (r *Norms) plant(x *Sparse, n int) {
	r.of, r.tree = x, make([]float64, 2*n)
	for i := range n {
		v := x.at(i, 0)
		r.tree[n+i] = v * v
	}
	for i := n - 1; i > 0; i-- {
		r.tree[i] = r.tree[2*i] + r.tree[2*i+1]
	}
}

// between returns the sum over variables lo..hi-1 of n, O(log(hi-lo)).
func (r *Norms) between(lo, hi, n int) (sum float64) {
	for lo, hi = lo+n, hi+n; lo < hi; lo, hi = lo/2, hi/2 {
		if lo%2 == 1 {
			sum += r.tree[lo]
			lo++
		}
		if hi%2 == 1 {
			hi--
			sum += r.tree[hi]
		}
	}
	return sum
}
