package gmm

import (
	"context"
	"math"

	"symmom/internal/moment"
)

// Ascent runs EM until the log-likelihood stops rising, faster than step by step:
// it goes beyond every second step by extrapolation (Squarem), or beyond every step
// with the help of some observations in memory (Surrogate). The log-likelihood of
// successive mixtures never falls: if it is lower beyond a step, the plain step is
// taken instead.
type Ascent struct {
	EM    *EM
	Some  *EM           // of some of the observations, or nil
	Basis *moment.Basis // of which they are coordinates, or nil

	Steps int                                    // at most; one more evaluation finds where the last one led
	Rise  float64                                // of the log-likelihood, below which the run ends
	Told  func(steps int, logLikelihood float64) // called after each evaluation; may be nil

	// Results.
	LogLikelihood float64   // of the final mixture; NaN if not yet known
	Members       []float64 // effective numbers of observations of its components; nil if not yet known
	Overlap       float64   // of its components, see Result; NaN if not yet known
	Taken         int       // steps
	Passes        int       // over the observations of EM
	Converged     bool
}

// For steps on some observations between passes.
const (
	surrogateSteps = 100  // at first, and at most
	surrogateLess  = 4    // divides the number of steps after the likelihood fell
	surrogateEnd   = 1e-3 // of the rise an observation, the distance that ends it
)

// Run changes g to the best mixture found. It returns false if cancelled or if g has a
// covariance that is not positive definite.
func (a *Ascent) Run(ctx context.Context, g *Mixture) bool {
	a.LogLikelihood, a.Members, a.Overlap, a.Taken, a.Passes, a.Converged = math.NaN(), nil, math.NaN(), 0, 0, false
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
	next := g.Clone()  // the mixture to evaluate, then the step from it
	var plain *Mixture // the step from best, if next is beyond it
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
		a.Members, a.Overlap = a.EM.members(best), a.EM.overlap()
		// Plain steps may become small long before the end; extrapolated steps do
		// not.
		if a.Converged = still > 1 || still > 0 && beyond != nil; a.Converged || a.Taken >= a.Steps {
			return true
		}
		a.Taken++
		step := next.Clone()
		switch {
		case beyond == nil:
			if isStep && squarem.Extrapolate(ctx, a.EM, from, best, next) {
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
