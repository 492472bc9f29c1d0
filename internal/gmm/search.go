package gmm

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"symmom/internal/obs"
	"symmom/internal/progress"
)

// For the search for a start of EM.
const (
	searchNumbers = 1 << 18 // of the observations that starts are tried on
	searchLeast   = 2000    // observations, at least
	shortSteps    = 10      // of EM from each start
	longStarts    = 3       // that are tried on all observations held

	longSteps    = 200
	searchRise   = 1e-4 // of the log-likelihood of an observation, to go on there
	sameMixture  = 1e-4 // the difference of it between starts that found the same
	lloydRounds  = 10
	startMoments = "moments"
)

// em makes steps in the coordinates.
func (in *coordinates) em(x *obs.Dense) *EM {
	e := in.run.em(x, nil, 1)
	if in.basis != nil {
		e.Coordinates(in.basis.N)
	}
	return e
}

// climb makes steps of EM until the log-likelihood rises by less than rise an
// observation, and leaves what they find in the candidate.
func (in *coordinates) climb(e *EM, p int, a *candidate, steps int, rise float64) bool {
	run := &Ascent{EM: e, Steps: steps, Rise: rise * float64(p)}
	ok := run.Run(in.run.ctx, a.g)
	a.logLikelihood, a.expected = run.LogLikelihood, run.LogLikelihood-a.g.Optimism(in.run.n, float64(p))
	return ok
}

// search returns the best mixture that EM finds from the moments and from
// k-means++ starts, in the coordinates: the one most likely of observations that
// it has not seen. The likelihood of those it has rises without bound where a
// component closes in on a few of them.
func (c *run) search(in *coordinates, start *Mixture) candidate {
	some := in.some()
	c.tell(progress.Report{Phase: progress.Starts, Objective: math.NaN()})
	var all []candidate
	if start != nil {
		all = append(all, candidate{name: startMoments, g: in.project(start)})
	}
	for i := range c.o.Starts {
		centers, square := KMeans(some, c.r, lloydRounds, rand.New(rand.NewPCG(c.o.Seed, uint64(i))))
		weights := make([]float64, c.r)
		for j := range weights {
			weights[j] = 1 / float64(c.r)
			if in.basis != nil {
				centers[(j+1)*some.N-1] = 0
			}
		}
		g := Isotropic(weights, centers, math.Max(c.floor, square/float64(c.n)))
		all = append(all, candidate{name: fmt.Sprintf("k-means++ %d", i+1), g: g})
	}
	all = in.rise(some, all, shortSteps, searchRise)
	// Ten steps do not show where a start ends: all that differ continue.
	all = in.rise(some, distinct(all, some.P, len(all)), longSteps, searchRise/10)
	if len(all) == 0 {
		return candidate{}
	}
	best := all[0]
	if some == in.data {
		return best
	}
	// All of them may prefer another than some do.
	if all = in.rise(in.data, distinct(all, some.P, longStarts), shortSteps, searchRise/10); len(all) > 0 {
		best = all[0]
	}
	in.climb(in.em(in.data), in.data.P, &best, longSteps, searchRise/10)
	return best
}

// rise makes steps of EM from each candidate and returns those with a finite
// likelihood, best first.
func (in *coordinates) rise(x *obs.Dense, from []candidate, steps int, rise float64) (kept []candidate) {
	e := in.em(x)
	for _, a := range from {
		if in.climb(e, x.P, &a, steps, rise) {
			kept = append(kept, a)
		}
	}
	slices.SortStableFunc(kept, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.expected, a.expected), cmp.Compare(b.logLikelihood, a.logLikelihood))
	})
	return kept
}

// distinct returns the best, most of them, that differ in their likelihood, and
// that of the moments, which noise leads astray least.
func distinct(sorted []candidate, p, most int) (kept []candidate) {
	for _, a := range sorted {
		if len(kept) >= most && a.name != startMoments {
			continue
		}
		if len(kept) == 0 || math.Abs(kept[len(kept)-1].logLikelihood-a.logLikelihood) > sameMixture*float64(p) {
			kept = append(kept, a)
		}
	}
	return kept
}
