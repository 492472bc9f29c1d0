package gmm

import (
	"context"
	"math"

	"symmom/internal/moment"
)

// Ascent has EM go on until the log-likelihood rises no more, faster than step by
// step: beyond every second step by extrapolation (Squarem), or beyond each by
// some observations that are at hand (Surrogate). The log-likelihood of the
// mixtures it goes through never falls: where one beyond a step has less, the
// step is taken.
type Ascent struct {
	EM    *EM
	Some  *EM           // of some of the observations, or nil
	Basis *moment.Basis // that they are coordinates in, or nil

	Steps int                                    // at most; an evaluation more tells where the last led
	Rise  float64                                // of the log-likelihood, less than which ends it
	Told  func(steps int, logLikelihood float64) // after each evaluation; may be nil

	// Of the run.
	LogLikelihood float64 // of the mixture it leaves; NaN when not known yet
	Taken         int     // steps
	Passes        int     // over the observations of EM
	Converged     bool
}

// Of what some observations go on with between passes.
const (
	surrogateSteps = 100  // at first, and at most
	surrogateLess  = 4    // that many times fewer after the likelihood fell
	surrogateEnd   = 1e-3 // of the rise an observation, the distance that ends it
)

// Run changes g to the best that was found. It returns false when cancelled or
// where g has a covariance that is not positive definite.
func (a *Ascent) Run(ctx context.Context, g *Mixture) bool {
	a.LogLikelihood, a.Taken, a.Passes, a.Converged = math.NaN(), 0, 0, false
	var beyond *Surrogate
	if a.Some != nil {
		beyond = NewSurrogate(a.EM, a.Some, a.Basis)
	}
	some := surrogateSteps
	var squarem Squarem
	if a.EM.shape == Tied && a.EM.total == nil {
		a.Passes++ // EM.Step takes it
	}
	last, still := math.Inf(-1), 0
	best := g.Clone()  // whose likelihood, last, is known
	next := g.Clone()  // what is evaluated, then the step from it
	var plain *Mixture // the step from best, where next is beyond it
	defer func() { *g = *best }()
	for {
		tried := next.Clone()
		now, ok := a.EM.Step(ctx, next)
		a.Passes++
		if !ok && (plain == nil || ctx.Err() != nil || a.EM.x.Err() != nil) {
			return false
		}
		isStep := plain == nil && !math.IsInf(last, -1) // from best
		if plain != nil {
			better := ok && now >= last
			switch {
			case beyond == nil:
				squarem.Judge(better)
			case better:
				some = min(2*some, surrogateSteps)
			default:
				some /= surrogateLess
			}
			if !better {
				if a.Taken >= a.Steps {
					return true
				}
				a.Taken++
				next, plain = plain, nil
				continue
			}
		}
		if a.Told != nil {
			a.Told(a.Taken, now)
		}
		if now-last < a.Rise {
			still++
		} else {
			still = 0
		}
		from := best
		best, last, plain, a.LogLikelihood = tried, now, nil, now
		// Steps may become small long before the end; not so what extrapolates them.
		if a.Converged = still > 1 || still > 0 && beyond != nil; a.Converged || a.Taken >= a.Steps {
			return true
		}
		a.Taken++
		step := next.Clone()
		switch {
		case beyond == nil:
			if isStep && squarem.Extrapolate(a.EM, from, best, next) {
				plain = step
			}
		case some > 0:
			if beyond.Improve(ctx, best, next, some, surrogateEnd*a.Rise/a.EM.weight) {
				plain = step
			} else {
				next = step
				some /= surrogateLess
			}
		}
	}
}
