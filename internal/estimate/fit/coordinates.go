package fit

import (
	"fmt"
	"math"
	"math/rand/v2"

	"symmom/internal/data/tables"
	"symmom/internal/estimate/progress"
	"symmom/internal/math/linalg"
	"symmom/internal/math/solve"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/system/memory"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// newBasis finds k leading eigenvectors of the second moment, without a pass if Append
// has accumulated it. If fewer is set and a sample of the observations shows that
// r = basisRank() stand out, the others are noise, and can be left to polishing: it then makes
// the basis of images, or takes r + 10 where that is not good enough. That of the space of all
// observations is the same at each rank of a sweep.
func (c *plan) newBasis(k int, fewer bool) (b *moment.Basis, sample *block.Dense, err error) {
	c.begin(progress.Basis)
	row, lead := !fewer && k == c.p && c.rowSpace(), c.basisRank()
	if b = c.m.cache.space.Load(); b != nil && row {
		return b, nil, nil
	}
	if t := c.m.Table.Sums(); t != nil && t.Second != nil {
		span, err := c.span(progress.Basis)
		if err == nil {
			b, err = c.basisOf(t.Second, k, span)
		}
		return b, nil, err
	}
	if all := c.m.Table.Array(); all != nil && row && c.m.Noise == nil {
		if b, err = c.spanned(all.Dense()); b != nil || err != nil {
			return b, nil, err
		}
	}
	draw := func() *block.Dense { return c.sample(k) }
	if c.o.Threads > 1 { // beside what follows
		drawn := make(chan *block.Dense, 1)
		go func() { drawn <- c.sample(k) }()
		draw = func() *block.Dense { return <-drawn }
	}
	span, err := c.span(progress.Basis)
	if err != nil {
		return nil, nil, err
	}
	second := &moment.Implicit{Data: c.observations(), D: 2}
	if c.m.Noise != nil && !c.m.Noise.Spherical() && !c.m.Cumulant {
		second.Noise = c.m.Noise // the rest has other eigenvectors
	}
	var start *moment.Basis
	if sample = draw(); sample != nil {
		if start, err = c.basisOf(&moment.Implicit{Data: sample, D: 2, Noise: second.Noise}, k, span); err != nil {
			return nil, nil, err
		}
		if r := c.basisRank(); fewer && moment.StandOut(start.Values) == r {
			if c.m.Noise == nil && c.m.Order > 2 && !c.m.Table.Slow() && !c.polishesTensor() {
				if b, err = c.imageBasis(start, sample, span); b != nil || err != nil {
					return b, sample, err
				}
			}
			k = min(k, r+10)
		}
	}
	if all := c.m.Table.Array(); all != nil && row {
		// The rows span it: they are all kept, and one pass is enough, whatever the rank.
		lead = 1
		start = &moment.Basis{N: c.n, K: c.p, Q: all.Dense().Spaced(c.p).V}
		k += moment.Oversampling
	}
	b, err = moment.NewBasisOf(c.ctx, second, start, k, lead, span, c.o.Threads)
	if err != nil {
		return b, sample, err
	}
	b.Whole = b.Whole || b.K >= c.p
	if row && c.m.Upto > 0 {
		c.m.cache.space.Store(b)
	}
	return b, sample, nil
}

// spanned is the basis of the space of all observations, without a copy of them.
func (c *plan) spanned(all *block.Dense) (*moment.Basis, error) {
	span, err := c.span(progress.Basis)
	if err != nil {
		return nil, err
	}
	b, err := moment.NewSpanned(c.ctx, c.observations(), all, span, c.o.Threads)
	if b != nil && err == nil && c.m.Upto > 0 {
		c.m.cache.space.Store(b)
	}
	return b, err
}

func (c *plan) basisOf(second moment.Tensor, k int, span float64) (*moment.Basis, error) {
	b, err := moment.BasisOf(c.ctx, second, k, span, c.o.Threads)
	if b == nil && err == nil {
		return nil, c.ctx.Err()
	}
	return b, err
}

// A basis of k vectors is first computed from a sample of at least sampleRows k
// observations if there are sampleShare times as many in all.
const (
	sampleRows  = 32
	sampleShare = 8
)

// sample returns a sample of the observations from which to begin a basis of k
// vectors, or nil if a pass over all of them takes hardly longer. It depends neither
// on Options.Seed nor on where the observations are stored.
func (c *plan) sample(k int) *block.Dense {
	p, n := c.p, c.n
	if m := moment.SampleSize(n); m < sampleRows*k || p < sampleShare*m {
		return nil
	}
	s, err := c.m.Table.SampleFor(c.ctx, tables.Seed)
	if err != nil {
		return nil // the next pass will end at once
	}
	return s.Data()
}

// coordinates holds a moment in the coordinates of a basis, with the eigenvectors of
// the second moment in them.
type coordinates struct {
	basis  *moment.Basis
	tensor moment.Tensor
	ritz   *moment.Basis // of the coordinates
	mean   *moment.Packed
	sample *block.Dense // of the observations, or nil
	known  *solution    // of the full problem, the first start, or nil
	stand  int          // eigenvalues that stand out,
	rank   int          // and what they suggest
}

// inBasis returns the moment in the coordinates of the basis, with the second moment
// computed in the same pass: accumulated, of a size that does not depend on p, or as
// the projected observations if they take fewer operations.
func (c *plan) inBasis(b *moment.Basis) (*coordinates, error) {
	s, d := c.m.Table, c.m.Order
	p, k := float64(s.P), float64(b.K)
	bytes := moment.PackedBytes(d, b.K)
	packed, full := c.m.problem(c.basisRank(), c.o).inBasis(b.K)
	fits := memory.Fits(bytes, autoBytes, c.o.MemoryLimit)
	packs := fits && packed < full
	projected := !packs && (!s.Slow() || 8*p*k <= streamNormBytes) && memory.Fits(8*p*k, math.Inf(1), c.o.MemoryLimit)
	if c.m.far() { // their coordinates stay where they are
		packs, projected = fits, false
	}
	unit := math.Sqrt(b.Values[0])
	c.begin(progress.Projection)
	switch {
	case packs:
	case projected:
		w, err := b.Project(c.ctx, c.observations(), c.o.Threads)
		if err != nil {
			return nil, err
		}
		low, err := moment.NewMoments(c.ctx, w, nil, []int{2, 1}, unit, c.o.Threads)
		if err != nil {
			return nil, err
		}
		return c.held(b, &moment.Implicit{Data: w, D: d, Noise: c.m.Noise.In(b)}, low[0], low[1])
	case !fits:
		limit := math.Min(c.o.memoryLimit(), autoBytes)
		return nil, &diag.Argument{Name: "basis", Value: b.K, Want: fmt.Sprintf("fewer basis vectors, or more memory: their moment of order %d needs %s, more than the %s that may be used", d, words.Bytes(bytes), words.Bytes(limit))}
	}
	b = b.Stored() // few vectors, where the moment takes fewer operations than its observations
	if c.m.Noise != nil {
		t, low, err := moment.NewDebiased(c.ctx, c.observations(), b, d, c.m.Noise, unit, c.o.Threads, 2, 1)
		if err != nil {
			return nil, err
		}
		return c.held(b, t, low[0], low[1])
	}
	t, err := moment.NewMoments(c.ctx, c.observations(), b, []int{d, 2, 1}, unit, c.o.Threads)
	if err != nil {
		return nil, err
	}
	rank := c.basisRank()
	if c.m.Basis > 0 {
		rank = 0
	}
	if err := s.Learn(c.ctx, b, c.basisSize(), rank, t[0], t[1], t[2]); err != nil {
		return nil, err
	}
	return c.held(b, t[0], t[1], t[2])
}

// held makes coordinates from a moment in them, the second moment and the mean.
func (c *plan) held(b *moment.Basis, t moment.Tensor, second, mean *moment.Packed) (*coordinates, error) {
	ritz, err := second.Ritz(c.ctx)
	if err != nil {
		return nil, err
	}
	return &coordinates{basis: b, tensor: t, ritz: ritz, mean: mean}, nil
}

// solve solves in the coordinates from all starts, which are drawn like the range
// finder's of the full problem. It adds the best to the solution, in the coordinates,
// and returns all outcomes; of just the first start if that, to be polished like the others,
// shows that the basis misses something.
func (c *plan) solve(sol *solution, in *coordinates, polished bool) ([]outcome, error) {
	values := in.ritz.Values
	s := c.search(math.Sqrt(values[0]), nil)
	if err := s.squares(in); err != nil {
		return nil, err
	}
	guess := func(k int, o *moment.Objective, x0 []float64) bool {
		if k == 0 && in.known != nil {
			lambda, a := in.known.x[:c.r], in.known.x[c.r:]
			for j := range c.r {
				norm := linalg.Norm2(a[j*c.n : (j+1)*c.n])
				x0[j] = lambda[j] * math.Pow(norm*in.known.search.unit/s.unit, float64(c.m.Order))
			}
			in.basis.Lower(x0[c.r:], a, c.r)
			return true
		}
		turned := make([]float64, c.r*in.basis.K)
		in.ritz.Start(turned, rand.New(rand.NewPCG(c.o.Seed, uint64(k))))
		in.ritz.Lift(x0[c.r:], turned, c.r)
		if c.startsLong(k) {
			long := make([]float64, c.r*c.n)
			filled, _ := s.longest(long)
			in.basis.Lower(x0[c.r:], long, filled)
		}
		return s.finishStart(k, o, x0[:c.r], x0[c.r:])
	}
	var outcomes []outcome
	missed := false
	if polished && s.cheap(in) {
		outcomes, missed = s.lookAhead(in, guess)
	}
	if !missed {
		outcomes = s.enough(in.tensor, guess, outcomes...)
	}
	sol.search, sol.found = s, s.record(outcomes)
	sol.basis, sol.spectrum, sol.stand, sol.suggestedRank = in.basis.K, values, in.stand, in.rank
	return outcomes, c.errNoResult(sol.found)
}

// standing counts the eigenvalues that stand out. Where long observations could have made them
// that takes one more pass over x, or over the coordinates where they are kept.
func (c *plan) standing(in *coordinates, x block.Source) (err error) {
	second := in.basis.SecondIn(in.tensor, in.ritz, x, c.m.known())
	if c.m.Noise == nil {
		second.Longest = c.m.known()
	}
	in.stand, err = c.m.Table.SuggestedRank(c.ctx, second)
	if in.rank = in.stand; in.stand > 0 && (c.m.Cumulant || second.AboutMean(in.mean.N(), in.mean.Mean)) {
		in.rank++
	}
	return err
}

// cheap reports whether polishing a start costs little beside the search in a basis.
func (c *search) cheap(in *coordinates) bool {
	if in.basis.Whole || in.known != nil || c.o.Starts == 1 || c.m.far() || c.m.Table.Slow() || c.polishesTensor() {
		return false
	}
	q := c.m.problem(c.r, c.o)
	return shortPolish*q.slowness*q.evaluation(c.tensor()) <= aheadShare*q.evaluated()*q.evaluation(in.tensor)
}

// lookAhead runs the first start, and polishes it to see whether the basis misses something:
// then other starts in it are in vain. It returns the outcome, not polished. The search goes
// on in the basis, and so with what it knows of ||X||^2 there.
func (c *search) lookAhead(in *coordinates, guess starter) (first []outcome, missed bool) {
	first = c.from(in.tensor, 0, 1, guess)
	if first[0].x == nil {
		return first, false
	}
	full := *c
	polished := full.polish(in, first)
	return first, len(polished) > 0 && polished[0].start.Status == solve.Enough
}

// accumulated solves from the moment that Append has kept up to date, without a pass
// over the data. done is false if there is none that will do for k basis vectors.
func (c *plan) accumulated(sol *solution, k int) (done bool, err error) {
	s := c.m.Table
	l, totals := s.Compression(c.m.Order), s.Sums()
	if c.m.Noise != nil || totals == nil || l == nil || !l.Serves(c.basisRank(), k, c.m.Basis > 0) || l.From == c.p && s.Forgotten() == nil {
		return false, nil
	}
	stale, err := l.Stale(c.ctx, totals, c.r)
	if err != nil {
		return false, err
	}
	if stale {
		missed := fmt.Sprintf("the basis chosen from the first %s of %s observations misses a direction of the others: ", words.Count(l.From), words.Count(c.p))
		if s.Forgotten() == nil {
			sol.warn(diag.BasisStale, "%srenewed, with passes over all", missed)
			return false, nil
		}
		sol.warn(diag.BasisStale, "%sit cannot be renewed, for they were forgotten", missed)
	}
	if _, err := c.m.span(c.ctx, c.o.Threads); err != nil {
		return false, err
	}
	in, err := c.held(l.Basis, l.Moment, l.Second, l.Mean)
	if err != nil {
		return false, err
	}
	if err = c.standing(in, nil); err != nil { // which are not looked at again
		return false, err
	}
	if _, err = c.solve(sol, in, false); err != nil {
		return false, err
	}
	share := 1 - l.Second.Trace()/totals.Trace
	sol.warn(diag.Accumulated, "solved from the accumulated moment, not polished: the basis is of the first %s of %s observations and has all but %.2g of the second moment's trace; f is exact, the gradient outside the basis is not known",
		words.Count(l.From), words.Count(c.p), math.Max(0, share))
	sol.outcome = c.lift(l.Basis, sol.outcome)
	return true, nil
}
