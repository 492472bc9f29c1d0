package symmom

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/moment"
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
	add, err := observations.FromMatrix(block, observations.Options{Float32: s.single()})
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

// feed is what is kept of the observations of a session that was appended to.
// It is never changed.
type feed struct {
	links       []moment.Source
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
	base, err := s.fed(ctx)
	if err != nil {
		return nil, err
	}
	p, m := float64(s.data.P), float64(add.P)
	a, b := p/(p+m), m/(p+m)
	x := dataOf(add)

	f := &far{feed: &feed{}, disk: base.disk, heavy: base.heavy, single: base.single}
	if s.forgotten() != nil {
		f.source = s.gone(s.data.P + add.P)
	} else {
		f.feed.links = link(base.feed.links, x)
		f.source = &moment.Chain{Links: f.feed.links}
	}
	seed := uint64(s.data.P) // of the reservoirs: another for each block
	f.sample = base.sample.Clone(p, seed)
	f.extremes = base.extremes.Clone(p)
	if !x.Pass(ctx, f.look) {
		return nil, ctx.Err()
	}
	f.span = f.extremes.Largest()

	var trace float64
	var scratch []float64
	for l := range add.P {
		for _, v := range add.Row(l, &scratch) {
			trace += v * v / m
		}
	}
	f.feed.trace = a*base.feed.trace + b*trace
	if old := base.feed.second; old != nil {
		second, err := moment.NewPacked(ctx, x, nil, 2, old.Unit(), 0)
		if err != nil {
			return nil, err
		}
		f.feed.second = old.Mix(a, second, b)
	}
	memo := new(memo)
	if old := s.learned(); old != nil {
		c := &compression{basis: old.basis, wanted: old.wanted, from: old.from, outside: old.outside, moments: map[int]*moment.Packed{}}
		for d, t := range old.moments {
			u, err := moment.NewPacked(ctx, x, old.basis, d, t.Unit(), 0)
			if err != nil {
				return nil, err
			}
			c.moments[d] = t.Mix(a, u, b)
		}
		if c.outside < 0 { // the base still is what the basis was chosen from
			if c.outside, err = c.spread(ctx, base.feed); err != nil {
				return nil, err
			}
		}
		memo.compression = c
	}
	f.feed.digest = base.feed.digest
	f.feed.digest.Add(add)
	if f.heavy {
		f.feed.fingerprint = observations.JoinedFingerprint(s.Fingerprint(), add.Fingerprint())
	} else {
		f.feed.fingerprint = f.feed.digest.Fingerprint(s.data.P+add.P, s.data.N, nil)
	}

	c := *s
	data := *s.data
	data.P, data.Values, data.Values32, data.Weights = s.data.P+add.P, nil, nil, nil
	c.data, c.far, c.memo = &data, f, memo
	return &c, nil
}

// fed returns the session's data as something that can be appended to.
func (s *Session) fed(ctx context.Context) (*far, error) {
	if s.far != nil && s.far.feed != nil {
		return s.far, nil
	}
	f := &far{source: s.source(), feed: &feed{}, heavy: s.weighted(), single: s.single()}
	f.feed.links = []moment.Source{f.source}
	n := s.data.N
	if s.far == nil {
		f.feed.digest.Add(s.data)
	} else {
		var err error
		if f.feed.digest, err = s.far.disk.Digest(ctx); err != nil {
			return nil, err
		}
	}
	if s.far != nil {
		f.disk, f.span, f.sample, f.extremes = s.far.disk, s.far.span, s.far.sample, s.far.extremes
	} else {
		f.sample = moment.NewSample(moment.SampleSize(n), n, normSeed)
		f.extremes = moment.NewExtremes(n)
		if !f.source.Pass(ctx, f.look) {
			return nil, s.stopped(ctx)
		}
		f.span = f.extremes.Largest()
	}
	unit := f.span
	if unit == 0 {
		unit = 1 // all zero so far
	}
	if n <= secondMost {
		second, err := moment.NewPacked(ctx, f.source, nil, 2, unit, 0)
		if err != nil {
			return nil, err
		}
		f.feed.second, f.feed.trace = second, second.Trace()
		return f, nil
	}
	var scratch []float64
	if !f.source.Pass(ctx, func(b moment.Block) {
		for l := range b.Rows {
			w := f.source.Share()
			if b.Nu != nil {
				w *= b.Nu[l]
			}
			for _, v := range b.Values(l, l+1, n, &scratch) {
				f.feed.trace += w * v * v
			}
		}
	}) {
		return nil, s.stopped(ctx)
	}
	return f, nil
}

// link returns links and x behind them; small blocks are joined with those
// before them so that there are never many, at log p copies of each.
func link(links []moment.Source, x *moment.Data) []moment.Source {
	all := append([]moment.Source(nil), links...)
	for len(all) > 1 { // the first is not ours
		last := all[len(all)-1].(*moment.Data)
		if last.P > 2*x.P || 8*(last.P+x.P)*x.N > linkBytes {
			break
		}
		x = &moment.Data{P: last.P + x.P, N: x.N, V: slices.Concat(last.V, x.V), V32: slices.Concat(last.V32, x.V32)}
		all = all[:len(all)-1]
	}
	return append(all, x)
}

// learned returns what compressed fits have learned of the session, or nil.
func (s *Session) learned() *compression {
	s.memo.mu.Lock()
	defer s.memo.mu.Unlock()
	return s.memo.compression
}

// spread returns how far the data reach out of the basis: the largest
// eigenvalue of the second moment outside, relative to the largest inside; for
// data whose second moment is not kept, all of its trace outside.
func (c *compression) spread(ctx context.Context, f *feed) (float64, error) {
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
func (c *compression) stale(ctx context.Context, f *feed, r int) (bool, error) {
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
func (s *Session) largest(ctx context.Context, x moment.Source, span float64, threads int) (float64, int, error) {
	if s.far != nil && s.far.feed != nil && s.far.feed.second != nil {
		value, _, err := moment.LargestOf(ctx, s.far.feed.second, span, threads, ctx.Err)
		return value, 0, err
	}
	return moment.LargestEigenvalue(ctx, x, span, threads)
}
