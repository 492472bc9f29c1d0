package symmom

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/moment"
	"symmom/internal/obs"
	"symmom/internal/observations"
	"symmom/internal/words"
)

// Append returns a session that has also the observations of block, m x n, one
// a row, which it copies; it feeds a session as data arrive. Each new
// observation weighs as much as one of the session without weights, and as
// the mean of one with weights. The session itself stays as it was.
//
// The first Append goes once through the session's data. Every other costs what
// its own block does, m n^2 operations and memory for it, plus a copy of the
// sums below.
//
// What is kept up to date, exactly but for rounding: the number of
// observations, the second moment (n^2/2 numbers; its trace alone for n above
// 2,048) with its largest eigenvalue, and, once a compressed fit has fixed the
// basis Q of this session or one that it stems from, the moment of the fit's
// order in the coordinates of Q. Moment.Accumulated solves a fit of everything
// so far from that alone, without a pass over the data (Fit.DataPasses is 0);
// other fits go through all observations, and are what they would be had these
// been loaded together, but for rounding.
//
// What is approximate in an accumulated fit: Q has the leading eigenvectors of the
// observations that it was chosen from, not of all. Among the models whose
// factors lie in the span of Q the fit is the best, its f is exact, and so is
// the gradient within the span; it is not polished, so a gradient outside of
// the span is not seen. ||X||^2 is estimated from a sample of all observations
// where it costs too much. A warning of the fit says all this with numbers.
// To polish, give the model to Options.InitialModel of an implicit fit.
//
// When Q must be renewed: when an eigenvalue of the second moment outside of
// its span is more than half the r-th inside, and twice what it was, relative
// to the largest, when Q was chosen. A fit that finds this chooses a new Q,
// goes through all observations for the moment in it and for the polish, and
// says so in a warning. It also does where the fit wants more vectors than Q
// has, another order, or another form.
//
// All observations stay in memory (those of a stream on disk), 8 n bytes each,
// or 4 n where the session was loaded with Float32, until Forget.
func (s *Session) Append(block mat.Matrix) *Session {
	if s.Err() != nil {
		return s
	}
	add, err := observations.FromMatrix(block, observations.Options{Float32: s.storage.single()})
	if err == nil && add.N != s.data.N {
		err = &ArgumentError{Argument: "block", Value: words.Plural(add.N, "column"), Want: words.Plural(s.data.N, "column") + ", as the session has variables"}
	}
	if err != nil {
		return s.with(nil, fmt.Errorf("append: %w", err))
	}
	if s.center != nil {
		add = add.Shift(s.center)
	}
	c, err := s.appended(s.context(), add)
	if err != nil {
		return s.with(nil, interrupted("append", err))
	}
	return c
}

// sums is what is kept up to date of the observations of a session that was
// appended to. It is never changed.
type sums struct {
	second      *moment.Packed // nil for more than secondMost variables
	trace       float64        // of the second moment
	digest      observations.Digest
	fingerprint string
}

const (
	secondMost = 2048
	linkBytes  = 8 << 20 // blocks below it are joined
)

// compression is what a compressed fit has learned of the data. It is never
// changed.
type compression struct {
	basis   *moment.Basis
	wanted  int                    // vectors that were asked for; the basis may do with fewer
	from    int                    // observations that the basis was chosen from
	moments map[int]*moment.Packed // by order, in the coordinates of the basis; 2 is always there
	outside float64                // spread outside of the basis then, relative to the largest eigenvalue; negative while unknown
}

// appended is Append for a block that was checked.
func (s *Session) appended(ctx context.Context, add *observations.Set) (*Session, error) {
	base, links, err := s.growing(ctx)
	if err != nil {
		return nil, err
	}
	p, m := float64(s.data.P), float64(add.P)
	a, b := p/(p+m), m/(p+m)
	x := add.Dense()

	k := &kept{totals: &sums{}, disk: base.disk, weights: base.weights, float32: base.float32}
	seed := uint64(s.data.P) // of the reservoirs: another for each block
	k.seen = &sketch{sample: base.seen.sample.Clone(p, seed), extremes: base.seen.extremes.Clone(p)}
	if !x.Pass(ctx, k.seen.add) {
		return nil, ctx.Err()
	}
	k.seen.finish()

	var trace float64
	var scratch []float64
	for l := range add.P {
		for _, v := range add.Row(l, &scratch) {
			trace += v * v / m
		}
	}
	k.totals.trace = a*base.totals.trace + b*trace
	if old := base.totals.second; old != nil {
		second, err := moment.NewPacked(ctx, x, nil, 2, old.Unit(), 0)
		if err != nil {
			return nil, err
		}
		k.totals.second = old.Mix(a, second, b)
	}
	memo := new(memo)
	if old := s.compression(); old != nil {
		c := &compression{basis: old.basis, wanted: old.wanted, from: old.from, outside: old.outside, moments: map[int]*moment.Packed{}}
		for d, t := range old.moments {
			u, err := moment.NewPacked(ctx, x, old.basis, d, t.Unit(), 0)
			if err != nil {
				return nil, err
			}
			c.moments[d] = t.Mix(a, u, b)
		}
		if c.outside < 0 { // the base still is what the basis was chosen from
			if c.outside, err = c.spread(ctx, base.totals); err != nil {
				return nil, err
			}
		}
		memo.compression = c
	}
	k.totals.digest = base.totals.digest
	k.totals.digest.Add(add)
	if k.weights {
		k.totals.fingerprint = observations.JoinedFingerprint(s.Fingerprint(), add.Fingerprint())
	} else {
		k.totals.fingerprint = k.totals.digest.Fingerprint(s.data.P+add.P, s.data.N, nil)
	}

	c := *s
	data := *s.data
	data.P = s.data.P + add.P
	c.data, c.memo = &data, memo
	if s.forgotten() != nil {
		c.storage = s.gone(k, data.P)
	} else {
		c.storage = &appended{Chain: &obs.Chain{Links: link(links, x)}, kept: k}
	}
	return &c, nil
}

// growing returns what is kept of the session's data, and the data as links of a
// chain, to append to: none of data that were forgotten.
func (s *Session) growing(ctx context.Context) (*kept, []obs.Source, error) {
	switch x := s.storage.(type) {
	case *appended:
		return x.kept, x.Links, nil
	case *forgotten:
		return x.kept, nil, nil
	}
	x, n := s.storage, s.data.N
	k := &kept{seen: x.sketch(), totals: &sums{}, disk: x.slow(), weights: x.weighted(), float32: x.single()}
	var err error
	if k.totals.digest, err = x.digest(ctx); err != nil {
		return nil, nil, err
	}
	if k.seen == nil {
		k.seen = newSketch(n)
		if !x.Pass(ctx, k.seen.add) {
			return nil, nil, s.stopped(ctx)
		}
		k.seen.finish()
	}
	unit := k.seen.span
	if unit == 0 {
		unit = 1 // all zero so far
	}
	links := []obs.Source{x}
	if n <= secondMost {
		second, err := moment.NewPacked(ctx, x, nil, 2, unit, 0)
		if err != nil {
			return nil, nil, err
		}
		k.totals.second, k.totals.trace = second, second.Trace()
		return k, links, nil
	}
	var scratch []float64
	if !x.Pass(ctx, func(b obs.Block) {
		for l := range b.Rows {
			w := x.Share()
			if b.Nu != nil {
				w *= b.Nu[l]
			}
			for _, v := range b.Values(l, l+1, n, &scratch) {
				k.totals.trace += w * v * v
			}
		}
	}) {
		return nil, nil, s.stopped(ctx)
	}
	return k, links, nil
}

// link returns links and x behind them; small blocks are joined with those
// before them so that there are never many, at log p copies of each.
func link(links []obs.Source, x *obs.Dense) []obs.Source {
	all := append([]obs.Source(nil), links...)
	for len(all) > 1 { // the first is not ours
		last := all[len(all)-1].(*obs.Dense)
		if last.P > 2*x.P || 8*(last.P+x.P)*x.N > linkBytes {
			break
		}
		x = &obs.Dense{P: last.P + x.P, N: x.N, V: slices.Concat(last.V, x.V), V32: slices.Concat(last.V32, x.V32)}
		all = all[:len(all)-1]
	}
	return append(all, x)
}

// compression returns what compressed fits have learned of the session, or nil.
func (s *Session) compression() *compression {
	s.memo.mu.Lock()
	defer s.memo.mu.Unlock()
	return s.memo.compression
}

// spread returns how far the data reach out of the basis: the largest
// eigenvalue of the second moment outside, relative to the largest inside; for
// data whose second moment is not kept, all of its trace outside.
func (c *compression) spread(ctx context.Context, f *sums) (float64, error) {
	inside, err := c.moments[2].Ritz()
	if err != nil || inside.Values[0] == 0 {
		return 0, err
	}
	if f.second == nil {
		return math.Max(0, f.trace-c.moments[2].Trace()) / inside.Values[0], nil
	}
	outside, err := c.basis.Outside(ctx, f.second, 0)
	return outside / inside.Values[0], err
}

// stale tells whether the basis must be renewed for a fit of rank r.
func (c *compression) stale(ctx context.Context, f *sums, r int) (bool, error) {
	now, err := c.spread(ctx, f)
	if err != nil {
		return false, err
	}
	inside, err := c.moments[2].Ritz()
	if err != nil {
		return false, err
	}
	least := inside.Values[min(r, len(inside.Values))-1] / inside.Values[0]
	if f.second == nil { // all directions together: only growth says something
		return now-c.outside > least/2, nil
	}
	return now > least/2 && now > 2*c.outside, nil
}

// largest returns the largest eigenvalue of the second moment, and the passes
// over the data x that it took.
func (s *Session) largest(ctx context.Context, x obs.Source, span float64, threads int) (float64, int, error) {
	if t := s.storage.sums(); t != nil && t.second != nil {
		value, _, err := moment.LargestOf(ctx, t.second, span, threads, ctx.Err)
		return value, 0, err
	}
	return moment.LargestEigenvalue(ctx, x, span, threads)
}
