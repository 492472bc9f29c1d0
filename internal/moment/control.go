package moment

import (
	"context"
	"math"

	"symmom/internal/linalg"
)

// control is a part of the kernel <v, w>^d whose mean over all pairs of
// observations can be had exactly in one pass: a control variate for estimates
// of ||X||^2. With g = <v, w> and s the inner product within the span of Q it is
//
//	c(v, w) = s^d + d s^(d-1) (g - s),
//
// the kernel to first order in what lies outside of Q. With phi the monomials
// of degree d-1 of Q'v, scaled so that phi(v)'phi(w) = s^(d-1), and C = sum_l
// nu_l phi(v_l) v_l', the mean of s^(d-1) g is ||C||^2 and that of s^d is
// ||C Q||^2. Observations count divided by unit.
type control struct {
	d, n, k  int
	q        []float64 // k x n, orthonormal rows divided by unit
	unit     float64
	linear   float64 // d; 0 leaves the second term out
	features []feature
}

// feature is a monomial of Q'v.
type feature struct {
	of     []int   // its d-1 coordinates
	weight float64 // the root of the number of their orders
}

// controlSize returns how many vectors a control of order d spans: as many as
// have at most 35 monomials, each of which costs a column of a pass, and 5 at
// most. (5 take nearly all of the variance where there are up to ten means.)
func controlSize(d, n int) int {
	const most, columns = 5, 35
	k := min(most, n)
	for k > 1 && PackedBytes(d-1, k)/8 > columns {
		k--
	}
	return k
}

// newControl makes the control of order d of the first vectors of a basis; of
// a nil basis, or d = 1, one that is 0.
func newControl(d, n int, b *Basis, unit float64) *control {
	c := &control{d: d, n: n, unit: unit}
	if b == nil || d < 2 {
		return c
	}
	c.span(b, min(controlSize(d, n), b.K))
	c.linear = float64(d)
	orders := 1.0 // (d-1)!
	for i := 2; i < d; i++ {
		orders *= float64(i)
	}
	var down func(of []int, run int, orders float64)
	down = func(of []int, run int, orders float64) {
		if len(of) == d-1 {
			c.features = append(c.features, feature{append([]int(nil), of...), math.Sqrt(orders)})
			return
		}
		from := 0
		if len(of) > 0 {
			from = of[len(of)-1]
		}
		for i := from; i < c.k; i++ {
			r := 1
			if len(of) > 0 && i == from {
				r = run + 1
			}
			down(append(of, i), r, orders/float64(r))
		}
	}
	down(make([]int, 0, d), 0, orders)
	return c
}

// Inner is what is known exactly of the part of X within the span of a basis.
type Inner struct {
	Basis       *Basis
	NormSquared float64 // of that part, of the observations divided by the unit of the estimate
}

// within makes a control of s^d alone, whose mean is i.NormSquared.
func within(d, n int, i *Inner, unit float64) *control {
	c := &control{d: d, n: n, unit: unit}
	c.span(i.Basis, i.Basis.K)
	return c
}

// span takes the first k vectors of a basis.
func (c *control) span(b *Basis, k int) {
	c.k = k
	c.q = append([]float64(nil), b.Q[:k*c.n]...)
	linalg.Scale(1/c.unit, c.q)
}

// coordinates writes Q'v of some observations to w, rows x k.
func (c *control) coordinates(w, v []float64, rows int) {
	if c.k > 0 {
		linalg.MulABt(w, v, c.q, rows, c.k, c.n)
	}
}

// monomials writes phi of an observation with coordinates w, times nu.
func (c *control) monomials(phi, w []float64, nu float64) {
	for i, f := range c.features {
		x := nu * f.weight
		for _, j := range f.of {
			x *= w[j]
		}
		phi[i] = x
	}
}

// self is <v, v>^d - c(v, v), for g = <v, v> and coordinates w.
func (c *control) self(g float64, w []float64) float64 {
	h := linalg.Powi(g, c.d)
	if c.k == 0 {
		return h
	}
	s := linalg.Dot(w, w)
	return h - linalg.Powi(s, c.d-1)*(s+c.linear*(g-s))
}

// rest turns the inner products of some observations in the data's units, and
// those of their coordinates, which it overwrites, into <v, w>^d - c(v, w). z
// is scratch of the same length.
func (c *control) rest(g, s, z []float64) {
	linalg.Scale(1/(c.unit*c.unit), g)
	if c.k == 0 {
		linalg.PowInto(g, c.d)
		return
	}
	copy(z, s)
	linalg.PowInto(z, c.d-1)
	for i, v := range z { // s becomes c
		s[i] = v * (s[i] + c.linear*(g[i]-s[i]))
	}
	linalg.PowInto(g, c.d)
	linalg.Axpy(-1, s, g)
}

// mean returns the mean of the control over all pairs, an observation with
// itself included, from C (times unit), and the part of it within Q alone.
func (c *control) mean(cross []float64) (all, within float64) {
	if c.k == 0 {
		return 0, 0
	}
	f := len(c.features)
	inside := make([]float64, f*c.k)
	linalg.MulABt(inside, cross, c.q, f, c.k, c.n)
	for _, v := range inside {
		within += v * v
	}
	full := linalg.Norm2(cross) / c.unit
	return within + c.linear*(full*full-within), within
}

// sweep goes through observations once for what is summed over all of them:
// the norms, C, and the pairs with the heavy ones.
type sweep struct {
	control *control
	heavy   *heavies // nil: none

	cross []float64 // C times unit, features x n
	self  float64   // sum nu^2 (<v, v>^d - c(v, v)) of all
	pairs float64   // sum over l and heavy h of nu_l nu_h (<v_l, v_h>^d - c)
	norms []float64 // |v|^2 of each, in units of unit^2; nil unless asked for
}

// sweepRows is the number of observations of one group of a sweep, with sums
// of its own.
const sweepRows = 2048

// run makes the pass. keep asks for the norms. It returns ctx's error when
// cancelled.
func (s *sweep) run(ctx context.Context, x Source, keep bool, threads int) error {
	p, n := x.Shape()
	c := s.control
	size := len(c.features) * n
	step := linalg.BlockRows(n)
	groups := max(1, min(maxGroups, (x.BlockRows()+sweepRows-1)/sweepRows, maxGroupMem/(8*max(size, 1))))
	if keep {
		s.norms = make([]float64, p)
	}
	share := x.Share()
	cross := make([]float64, groups*size)
	self, pairs := make([]float64, groups), make([]float64, groups)
	t := &team{threads: min(Threads(threads), groups)}
	work := make([]sweepScratch, t.threads)
	for i := range work {
		work[i] = newSweepScratch(c, s.heavy, step)
	}
	var now Block
	done := 0
	t.job = func(worker, group int) {
		z := &work[worker]
		lo, hi := groupStart(group, groups, now.Rows), groupStart(group+1, groups, now.Rows)
		for ; lo < hi && ctx.Err() == nil; lo += step {
			end := min(lo+step, hi)
			rows := end - lo
			v := now.Values(lo, end, n, &z.wide)
			c.coordinates(z.w, v, rows)
			for l := range rows {
				nu := share
				if now.Nu != nil {
					nu *= now.Nu[lo+l]
				}
				row := v[l*n : (l+1)*n]
				z.nu[l] = nu
				w := z.w[l*c.k : (l+1)*c.k]
				g := linalg.Dot(row, row) / (c.unit * c.unit)
				if keep {
					s.norms[done+lo+l] = g
				}
				self[group] += nu * nu * c.self(g, w)
				c.monomials(z.phi[l*len(c.features):], w, nu)
			}
			if size > 0 {
				linalg.AddAtB(cross[group*size:(group+1)*size], z.phi, v, len(c.features), n, rows)
			}
			if s.heavy != nil {
				pairs[group] += s.heavy.with(v, z, rows)
			}
		}
	}
	if !x.Pass(ctx, func(b Block) {
		now = b
		t.run(ctx, groups)
		done += b.Rows
	}) {
		return stopped(ctx, x)
	}
	s.cross = cross[:size]
	for g := range groups {
		if g > 0 {
			linalg.Axpy(1, cross[g*size:(g+1)*size], s.cross)
		}
		s.self += self[g]
		s.pairs += pairs[g]
	}
	return nil
}

// sweepScratch is what one thread of a sweep works on.
type sweepScratch struct {
	wide, w, phi, nu []float64
	g, s, z          []float64 // step x heavy
}

func newSweepScratch(c *control, h *heavies, step int) sweepScratch {
	z := sweepScratch{w: make([]float64, step*c.k), phi: make([]float64, step*len(c.features)), nu: make([]float64, step)}
	if h != nil {
		z.g, z.s, z.z = make([]float64, step*h.m), make([]float64, step*h.m), make([]float64, step*h.m)
	}
	return z
}
