package gmm

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"symmom/internal/estimate/progress"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
)

// Sizes and tolerances of the search for a start of EM.
const (
	searchNumbers = 1 << 18 // of the observations that starts are tried on
	searchLeast   = 2000    // observations, at least
	shortSteps    = 10      // of EM from each start
	longStarts    = 3       // that are tried on all observations held

	longSteps  = 200
	searchRise = 1e-4 // of the log-likelihood per observation, to continue there
	// endRise is where starts of small tables end. With 1e-5 they stayed on plateaus: of 400 random tables, 20 starts instead of
	// 5 or 10 led to a worse mixture in 4, now in none, for a third more time.
	endRise     = 1e-7
	sameMixture = 1e-4 // difference in that between starts that found the same mixture
	sameWeight  = .01  // and in weights

	// roundStarts are made at a time; where too few starts found the best, up to mostStarts, if
	// that takes no more than moreOps values of components that EM computes with: some ten
	// seconds. Of eight tables of 18 overlapping components of 30 variables, whose variances
	// differ, two were right with eleven starts and six with up to 101.
	roundStarts = 5
	mostStarts  = 100
	// settledStarts are enough for a mixture that exchanges leave as it is. Of 390 random tables 29 ended more than .5
	// below the best that any of 17 searches found, 5 of them without a word; with starts alone to go on, 31 and 19.
	settledStarts = 2 * roundStarts
	moreOps       = 1e11
	// roundedMixture is the difference that rounding alone may make: 1e-16 of a term of less than
	// 1e4 in any unit of the data, with room.
	roundedMixture = 1e-10
	lloydRounds    = 10
	startMoments   = "moments"
)

// em returns EM for observations in the coordinates.
func (in *coordinates) em(x *block.Dense) *EM {
	e := in.run.em(in.source(x), nil, 1)
	if in.basis != nil {
		e.Coordinates(in.basis.N)
	}
	return e
}

// climb takes steps of EM until the log-likelihood per observation rises by less
// than rise, and stores the result in the candidate. If cancelled before a step it leaves
// the candidate as it was.
func (in *coordinates) climb(e *EM, x *block.Dense, a *candidate, steps int, rise float64) bool {
	run := &Ascent{EM: e, Steps: steps, Rise: rise * float64(x.P)}
	ok := run.Run(in.run.ctx, a.g)
	in.run.tried += float64(run.Passes) * float64(x.P) * float64(len(a.g.Means)+len(a.g.Cov))
	if !math.IsNaN(run.LogLikelihood) {
		a.logLikelihood = run.LogLikelihood
		a.expected = math.Inf(-1)
		if members := in.members(e, x, a.g, run.Members); in.regular(x, a.g, members) {
			a.expected = run.LogLikelihood - a.g.Optimism(in.run.n, float64(x.P), members)
		}
	}
	return ok
}

// search returns the best mixtures that EM finds from the moments and from k-means++
// starts, in the coordinates: first the one with the highest expected likelihood of new
// observations, then others, last those that have none: the likelihood of those they were fitted to rises
// without bound if a component closes in on a few of them.
func (c *run) search(in *coordinates, start *Mixture) []candidate {
	some := in.some()
	c.tell(progress.Report{Phase: progress.Starts, Objective: math.NaN()})
	// The rounds of fewer starts are those of more, which therefore find no worse mixture.
	to := min(roundStarts, c.o.Starts)
	all := c.exchange(in, some, c.ended(in, some, c.starts(in, some, start, 0, to)))
	for c.wanting(some, all, to) {
		from := to
		if to += roundStarts; !c.o.Open {
			to = min(to, c.o.Starts)
		}
		all = c.exchange(in, some, joined(all, c.ended(in, some, c.starts(in, some, nil, from, to)), some.P))
	}
	if len(all) == 0 {
		return nil
	}
	if some != in.data {
		// All observations may prefer a different mixture than some of them do.
		if now := in.rise(in.data, slices.Values(different(all, some.P, longStarts)), shortSteps, searchRise/10); len(now) > 0 {
			all = different(now, in.data.P, len(now))
		}
		in.climb(in.em(in.data), in.data, &all[0], longSteps, searchRise/10)
	}
	return all
}

// ended returns where starts end, those that differ, the best first.
func (c *run) ended(in *coordinates, some *block.Dense, from iter.Seq[candidate]) []candidate {
	all := in.rise(some, from, shortSteps, searchRise)
	c.moments.count(all)
	// Ten steps do not show where a start ends: all that differ are continued, of small tables to their end.
	steps, rise := longSteps, searchRise/10
	if c.t.P*c.n <= smallTable {
		steps, rise = max(steps, c.o.MaxIterations), endRise
	}
	all = in.rise(some, slices.Values(different(all, some.P, len(all))), steps, rise)
	return different(all, some.P, len(all))
}

// wanting reports whether more starts of each kind are asked for or worth their cost: few found the
// best, and exchanges lead to a better one or were not all made. Where that has no maximum, or parameters have
// few observations, likelihoods do not tell what is better: starts are as many as by default.
func (c *run) wanting(some *block.Dense, all []candidate, starts int) bool {
	switch {
	case c.ctx.Err() != nil:
		return false
	case !c.o.Open || len(all) == 0 || !all[0].regular() || !c.determined(some):
		return starts < c.o.Starts
	case all[0].settled && starts >= settledStarts:
		return false
	}
	return starts+roundStarts <= mostStarts && diag.FewFound(all[0].starts, c.out.Tried) && c.tried*(1+roundStarts/float64(max(starts, 1))) <= moreOps
}

// determined reports whether a mixture has enough observations for its parameters.
func (c *run) determined(some *block.Dense) bool {
	as := Mixture{R: c.r, N: c.n, Shape: c.shape}
	return some.P >= fewestData*as.Parameters()
}

// starts returns the moments' start, if there is one, and those of k-means++ and scattered ones
// from one number up to another, each made when the ones before it have taken their steps: a
// search that is interrupted has something from early on.
// Lloyd's rounds lead most draws to the same few clusterings, from which EM finds the same mixture
// again and again, be it the best or not: every other start does without. Of fewer observations
// than fewestData for each parameter it would find higher likelihoods by chance: where that changed
// the mixture, other observations of the same distribution had a lower one in 16 of 26 tables, by
// 2.8 on average; with more observations in 23 of 52, and on average one higher by 3.9.
// Of 300 random tables with more, 2 seeds each, scikit-learn's 36 starts found a log-likelihood higher by
// more than .5 in 136 fits, with scattered starts in 95; 49 and 17 of these had no doubt. Of those where
// it found none, 326 and 333 had no doubt.
func (c *run) starts(in *coordinates, some *block.Dense, moments *Mixture, from, to int) iter.Seq[candidate] {
	return func(yield func(candidate) bool) {
		begin := func(a candidate) bool {
			c.out.Tried++
			a.logLikelihood, a.starts = math.NaN(), 1
			return yield(a)
		}
		if moments != nil && !begin(candidate{name: startMoments, g: in.project(moments)}) {
			return
		}
		drawn := c.determined(some)
		for i := from; i < to; i++ {
			if c.moments.more(c.tried) {
				g := c.moments.fit(c)
				switch {
				case c.ctx.Err() != nil:
					return
				case g == nil:
					c.out.Tried++
				case !begin(candidate{name: fmt.Sprintf("%s %d", startMoments, c.moments.made), g: in.project(g), fit: len(c.moments.found)}):
					return
				}
			}
			rounds := lloydRounds
			if drawn && i%2 == 1 {
				rounds = 0
			}
			centers, square := KMeans(c.ctx, some, in.without[some], c.r, rounds, rand.New(rand.NewPCG(c.o.Seed, uint64(i))))
			if centers == nil {
				return // cancelled
			}
			weights := make([]float64, c.r)
			for j := range weights {
				weights[j] = 1 / float64(c.r)
			}
			if !begin(candidate{name: fmt.Sprintf("k-means++ %d", i+1), g: in.asStart(Isotropic(weights, centers, square/float64(c.n)))}) {
				return
			}
		}
		if !drawn || c.t.P*c.n > smallTable {
			return
		}
		for i := from; i < to; i++ {
			g := scattered(some, c.r, c.n, rand.New(rand.NewPCG(c.o.Seed, scatteredStreams+uint64(i))))
			if c.ctx.Err() != nil || !begin(candidate{name: fmt.Sprintf("scattered %d", i+1), g: in.asStart(g)}) {
				return
			}
		}
	}
}

// asStart makes a spherical mixture one in the coordinates, whose variances are not below the floor.
func (in *coordinates) asStart(g *Mixture) *Mixture {
	for j := range g.R {
		g.Cov[j] = math.Max(in.run.floor, g.Cov[j])
		if in.basis != nil {
			g.Means[(j+1)*g.N-1] = 0
		}
	}
	return g
}

// rise takes steps of EM from each candidate and returns those with a finite
// likelihood, best first. If cancelled it appends those that it did not come to, as they
// were.
func (in *coordinates) rise(x *block.Dense, from iter.Seq[candidate], steps int, rise float64) (kept []candidate) {
	e := in.em(x)
	var waiting []candidate
	for a := range from {
		switch ok := in.climb(e, x, &a, steps, rise); {
		case ok:
			kept = inserted(kept, a, x.P)
		case in.run.ctx.Err() != nil && a.g.Shape == in.run.shape && !math.IsNaN(a.logLikelihood):
			waiting = append(waiting, a)
		}
	}
	return append(kept, waiting...)
}

// inserted returns candidates, the best first, with another one behind those that are as good.
func inserted(sorted []candidate, a candidate, p int) []candidate {
	at := len(sorted)
	for at > 0 && a.above(&sorted[at-1], roundedMixture*float64(p)) {
		at--
	}
	return slices.Insert(sorted, at, a)
}

// joined returns those of candidates and others that differ, the best first.
func joined(sorted, others []candidate, p int) []candidate {
	for _, a := range others {
		sorted = inserted(sorted, a, p)
	}
	return different(sorted, p, len(sorted))
}

// regular reports whether others would have a finite expected likelihood.
func (a *candidate) regular() bool { return !math.IsInf(a.expected, -1) }

// above reports whether a candidate is better than another by more than rounding. Of two that
// ended at one mixture the earlier start is kept, in any unit of the data.
func (a *candidate) above(b *candidate, rounding float64) bool {
	if a.expected != b.expected {
		return a.expected > b.expected+rounding
	}
	return a.logLikelihood > b.logLikelihood+rounding
}

// different returns the best candidates that differ, up to most of them, and the one from the moments, which noise
// misleads least. Each has the starts of those that are the same.
func different(sorted []candidate, p, most int) (kept []candidate) {
	for _, a := range sorted {
		at := slices.IndexFunc(kept, func(b candidate) bool { return a.same(&b, p) })
		switch {
		case at >= 0:
			kept[at].starts += a.starts
		case len(kept) < most || a.name == startMoments:
			kept = append(kept, a)
		}
	}
	return kept
}

// same reports whether two candidates have the same likelihood and weights: after few steps some have the same likelihood
// by chance, and end elsewhere.
func (a *candidate) same(b *candidate, p int) bool {
	if math.Abs(a.logLikelihood-b.logLikelihood) > sameMixture*float64(p) {
		return false
	}
	u, v := slices.Sorted(slices.Values(a.g.Weights)), slices.Sorted(slices.Values(b.g.Weights))
	for j := range u {
		if math.Abs(u[j]-v[j]) > sameWeight {
			return false
		}
	}
	return true
}
