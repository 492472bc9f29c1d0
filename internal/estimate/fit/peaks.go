package fit

import (
	"math"
	"slices"

	"symmom/internal/math/eigen"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/text/diag"
)

// longest fills the first columns of a with directions of the longest observations. It
// returns how many, and what X a^d has of these in any direction, in the search's unit.
func (c *search) longest(a []float64) (filled int, held float64) {
	span := c.m.known()
	c.m.cache.mu.Lock()
	defer c.m.cache.mu.Unlock()
	if s := c.m.cache.survey; s != nil {
		filled, held = s.Longest(a)
	} else if k := c.m.Table.Sketch(); k != nil {
		filled, held = k.Extremes.Longest(a, c.m.Order, k.Sample)
	}
	return filled, held * math.Pow(span/c.unit, float64(c.m.Order))
}

// peaksHidden reports whether components along the longest observations, with the best
// weights, fit better than f. One pass.
func (c *search) peaksHidden(f float64) bool {
	if c.m.Order < longOrder {
		return false
	}
	a := make([]float64, c.r*c.n)
	r, _ := c.longest(a)
	if r == 0 {
		return false
	}
	p, ok := c.peaks(a[:r*c.n], r)
	if !ok {
		return false
	}
	own, ok := p.Objective(0)
	return ok && own < f
}

// peaks makes a pool of columns a, of which r are members of a set. One pass, or none with
// the tensor.
func (c *search) peaks(a []float64, r int) (p *pool, ok bool) {
	_, w, ok := moment.NewObjective(c.tensor(), len(a)/c.n, c.unit, c.o.Threads).TTSV(c.ctx, a)
	p = newPool(c.m.Order, c.n, r)
	p.Add(a, w)
	return p, ok
}

// mostPeaks is how often components along long observations are added.
const mostPeaks = 3

// addPeaks starts from the solution with components along the longest observations in the
// place of some, if that fits better. A basis hides what a few long observations make of X
// if the second moment shows too little of them: addPeaks reports whether b did so with a
// component that it added. It takes a pass to find out, only if they could change f.
func (c *search) addPeaks(sol *solution, b *moment.Basis) (hid bool) {
	if c.m.Order < 3 || c.o.papers() {
		return false // a basis holds all of the second moment; the paper adds nothing
	}
	for range mostPeaks {
		a := make([]float64, 2*c.r*c.n)
		more, held := c.longest(a[c.r*c.n:])
		if c.stopped() != nil || held*held < SameFit*math.Abs(sol.f) {
			return hid
		}
		copy(a, sol.x[c.r:])
		for j := range c.r {
			normalize(a[j*c.n : (j+1)*c.n])
		}
		p, ok := c.peaks(a[:(c.r+more)*c.n], c.r)
		if !ok {
			return hid
		}
		own := sol.f
		if best, ok := p.Objective(0); ok { // a start that ended early has other weights
			own = math.Min(own, best)
		}
		f := p.Lowest(c.stopped)
		if f >= own || c.same(own, f) {
			return hid
		}
		x, set, _ := p.Choose(c.stopped, 0, own, nil)
		if x == nil {
			return hid
		}
		k := len(sol.starts)
		c.try(k + 1)
		before := sol.f
		out := c.refine(c.tensor(), outcome{x: x, f: f, start: Start{Index: k}}, false, nil)
		c.join(sol, out)
		if c.same(before, sol.f) {
			return hid
		}
		for i, j := range set {
			if j >= c.r && c.hides(b, out.x[c.r+i*c.n:c.r+(i+1)*c.n]) {
				hid = true
			}
		}
	}
	return hid
}

// hides reports whether the part of a component in the basis lacks more than a poor share of
// the component's power.
func (c *search) hides(b *moment.Basis, a []float64) bool {
	rest := slices.Clone(a)
	normalize(rest)
	outside(rest, b.Q, b.N)
	return 1-math.Pow(1-linalg.Dot(rest, rest), float64(c.m.Order)) > poor
}

// normalize scales a to unit norm, unless it is 0.
func normalize(a []float64) {
	if norm := linalg.Norm2(a); norm > 0 {
		linalg.Scale(1/norm, a)
	}
}

// surround returns a basis with the rows of b, the components of a solution and the longest
// observations, or nil if it were no smaller than half of the space.
func (c *search) surround(b *moment.Basis, sol *solution) (*moment.Basis, error) {
	q := slices.Concat(b.Q, sol.x[c.r:], make([]float64, c.r*c.n))
	for j := b.K; j < b.K+c.r; j++ {
		normalize(q[j*c.n : (j+1)*c.n])
	}
	filled, _ := c.longest(q[(b.K+c.r)*c.n:])
	rows := b.K + c.r + filled
	if 2*rows > c.n {
		return nil, nil
	}
	k, err := eigen.Orthonormalize(c.ctx, q, rows, c.n, c.o.Threads)
	return &moment.Basis{N: c.n, K: k, Q: q[:k*c.n], Values: b.Values}, err
}

// around searches again, in a basis around a solution with a component that the last one hid,
// from that and from other starts: there may be others, and a better solution. If interrupted
// before it has as good a one, it returns that.
func (c *plan) around(have *solution, in *coordinates) (*solution, error) {
	b, err := have.search.surround(in.basis, have)
	if b == nil || err != nil {
		return have, nil
	}
	wide, err := c.inBasis(b)
	if err != nil {
		return have, nil
	}
	own := *b // what was learned is never changed
	own.Values = wide.ritz.Values
	wide.basis, wide.sample, wide.known = &own, in.sample, have
	sol := &solution{form: Compressed, warnings: have.warnings}
	gain, polished, err := c.searchIn(sol, wide)
	f := math.Inf(1)
	if err == nil && polished {
		sol.evaluations += have.evaluations
		f = sol.f * math.Pow(sol.search.unit/have.search.unit, 2*float64(c.m.Order))
	}
	if f > have.f+sameSolution*math.Abs(have.f) {
		c.try(len(have.starts))
		return have, nil
	}
	if gain > poor && c.stopped() == nil {
		sol.warn(diag.BasisMissed, "a basis of %d vectors around it hid %.2g of f", b.K, gain)
		return c.instead(sol)
	}
	return sol, nil
}
