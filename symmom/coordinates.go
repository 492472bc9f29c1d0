package symmom

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"symmom/internal/moment"
)

// newBasis finds k leading eigenvectors of the second moment: without a pass
// where Append has accumulated it.
func (c *decomposition) newBasis(k int) (*moment.Basis, error) {
	span, err := c.m.span(c.ctx)
	if err != nil {
		return nil, err
	}
	if f := c.m.session.far; f != nil && f.feed != nil && f.feed.second != nil {
		b, err := moment.BasisOf(c.ctx, f.feed.second, k, span, c.o.Threads)
		if b == nil && err == nil {
			return nil, c.ctx.Err()
		}
		b.Passes = 0
		return b, err
	}
	return moment.NewBasis(c.ctx, c.m.session.source(), k, span, c.o.Threads)
}

// denseBytes bounds the tensor in coordinates that is held with all its
// entries, which for d <= 3 is faster than packed; measured.
const denseBytes = 64 << 20

// inBasis returns the moment in the coordinates of the basis: accumulated in
// one pass, of a size that does not depend on p, or the projected observations
// where they take fewer operations.
func (c *decomposition) inBasis(b *moment.Basis) (moment.Tensor, error) {
	s, d := c.m.session, c.m.order
	p, k := float64(s.data.P), float64(b.K)
	bytes := moment.PackedBytes(d, b.K)
	limit := math.Min(memoryLimit(c.o), autoBytes)
	runs := float64(c.o.Starts) * expectedEvaluations * float64(c.r)
	projected := 8*p*k <= memoryLimit(c.o) && (s.far == nil || s.far.disk == nil || 8*p*k <= streamNormBytes)
	packs := bytes <= limit && (bytes/8)*(2*p+4*runs) < runs*4*p*k
	switch {
	case packs:
	case projected:
		w, err := b.Project(c.ctx, s.source(), c.o.Threads)
		return &moment.Implicit{Data: w, D: d}, err
	case bytes > limit:
		return nil, &ArgumentError{Argument: "k", Value: b.K, Want: fmt.Sprintf("fewer basis vectors: their moment of order %d needs %s, more than the %s that may be used", d, size(bytes), size(limit))}
	}
	t, err := moment.NewPacked(c.ctx, s.source(), b, d, math.Sqrt(b.Values[0]), c.o.Threads)
	if err != nil {
		return nil, err
	}
	if err := c.learn(b, t); err != nil {
		return nil, err
	}
	return c.quick(t)
}

// quick returns a packed moment in the form whose products take less time.
func (c *decomposition) quick(t *moment.Packed) (moment.Tensor, error) {
	if t.Order() <= 3 && moment.DenseBytes(t.Order(), t.N()) <= denseBytes {
		return t.Dense(c.ctx, c.o.Threads)
	}
	return t, nil
}

// learn keeps the basis and the moment in it for sessions that stem from this
// one.
func (c *decomposition) learn(b *moment.Basis, t *moment.Packed) error {
	s := c.m.session
	l := &compression{basis: b, from: s.data.P, outside: -1,
		moments: map[int]*moment.Packed{2: b.Second(t.Unit())}}
	if old := s.learned(); old != nil && old.from == l.from && slices.Equal(old.basis.Q, b.Q) {
		maps.Copy(l.moments, old.moments) // of other orders
	}
	l.moments[t.Order()] = t
	if f := s.far; f != nil && f.feed != nil {
		var err error
		if l.outside, err = l.spread(c.ctx, f.feed); err != nil {
			return err
		}
	}
	s.memo.mu.Lock()
	s.memo.compression = l
	s.memo.mu.Unlock()
	return nil
}

// accumulated solves from the moment that Append has kept up to date, without
// a pass over the data. ok is false where there is none that will do for k
// basis vectors.
func (c *decomposition) accumulated(k int) (best outcome, ok bool, err error) {
	s := c.m.session
	l := s.learned()
	if s.far == nil || s.far.feed == nil || l == nil || l.moments[c.m.order] == nil || l.basis.K < k || l.from == s.data.P {
		return outcome{}, false, nil
	}
	b, p := l.basis, s.data.P
	stale, err := l.stale(c.ctx, s.far.feed, c.r)
	if err != nil {
		return outcome{}, false, err
	}
	if stale {
		c.fit.Warnings = append(c.fit.Warnings, fmt.Sprintf("the basis chosen from the first %s of %s observations misses a direction of the others: renewed, with passes over all", count(l.from), count(p)))
		return outcome{}, false, nil
	}
	ritz, err := l.moments[2].Ritz()
	if err != nil {
		return outcome{}, false, err
	}
	tensor, err := c.quick(l.moments[c.m.order])
	if err != nil {
		return outcome{}, false, err
	}
	if _, err := c.m.span(c.ctx); err != nil {
		return outcome{}, false, err
	}
	c.setUnit(math.Sqrt(ritz.Values[0]))
	c.fit.Basis, c.fit.Spectrum, c.fit.SuggestedRank = b.K, ritz.Values, moment.SuggestedRank(ritz.Values)
	starts := c.search(tensor, c.o.Starts, func(k int, o *moment.Objective, x0 []float64) bool {
		turned := make([]float64, c.r*b.K)
		ritz.Start(turned, rand.New(rand.NewPCG(c.o.Seed, uint64(k))))
		ritz.Lift(x0[c.r:], turned, c.r)
		return c.settle(o, x0[:c.r], x0[c.r:])
	})
	best = c.record(starts)
	if err := c.none(best); err != nil {
		return outcome{}, false, err
	}
	share := 1 - l.moments[2].Trace()/s.far.feed.trace
	c.fit.Warnings = append(c.fit.Warnings, fmt.Sprintf("solved from the accumulated moment, not polished: the basis is of the first %s of %s observations and has all but %.2g of the second moment's trace; f is exact, the gradient outside the basis is not known",
		count(l.from), count(p), math.Max(0, share)))
	return c.lift(b, best), true, nil
}
