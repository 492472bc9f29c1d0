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

	Steps    int                                    // at most; one more evaluation finds where the last one led
	Rise     float64                                // of the log-likelihood; the run ends when less is expected
	Progress func(steps int, logLikelihood float64) // called after each evaluation; may be nil

	// Results.
	LogLikelihood float64   // of the final mixture; NaN if not yet known
	Members       []float64 // effective numbers of observations of its components; nil if not yet known
	Overlap       float64   // of its components, see Result; NaN if not yet known
	Taken         int       // steps
	Passes        int       // over the observations of EM
	Converged     bool
}

// accelerator goes beyond the steps of EM.
type accelerator interface {
	// beyond moves next, the step from best, to where it expects many more to lead; before is the
	// mixture that best is the step from, nil if it is not a plain step. If it returns false,
	// next is the step as before.
	beyond(ctx context.Context, before, best, next *Mixture) bool
	// judge reports whether the log-likelihood there is as high as that of best.
	judge(better bool)
	// left is by how much the log-likelihood is expected to rise beyond x1, from a rise up to it; x2 is the step from there, and
	// x0, unless nil, the mixture that x1 is the step from.
	left(x0, x1, x2 *Mixture, rise float64) float64
	// patience is how many rises in a row that are too small end the run.
	patience() int
}

func (a *Ascent) accelerator() accelerator {
	if a.Some == nil {
		return &extrapolation{em: a.EM}
	}
	return &someSteps{NewSurrogate(a.EM, a.Some, a.Basis), surrogateSteps, surrogateEnd * a.Rise / a.EM.weight}
}

// Run changes g to the best mixture found. It returns false if cancelled or if g has a
// covariance that is not positive definite.
func (a *Ascent) Run(ctx context.Context, g *Mixture) bool {
	a.LogLikelihood, a.Members, a.Overlap, a.Taken, a.Passes, a.Converged = math.NaN(), nil, math.NaN(), 0, 0, false
	how := a.accelerator()
	if a.EM.shape == Tied && a.EM.total == nil {
		a.Passes++ // EM.Step takes it
	}
	last, small := math.Inf(-1), 0 // small rises in a row
	best := g.Clone()              // whose likelihood, last, is known
	next := g.Clone()              // the mixture to evaluate, then the step from it
	var plain *Mixture             // the step from best, if next is beyond it
	defer func() { *g = *best }()
	for {
		tried := next.Clone()
		now, ok := a.EM.Step(ctx, next)
		a.Passes++
		if !ok && (plain == nil || ctx.Err() != nil || a.EM.x.Err() != nil) {
			return false
		}
		var before *Mixture
		if plain == nil && !math.IsInf(last, -1) {
			before = best
		}
		if plain != nil {
			better := ok && now >= last
			if how.judge(better); !better {
				if a.Taken >= a.Steps {
					return true
				}
				a.Taken++
				next, plain = plain, nil
				continue
			}
		}
		if a.Progress != nil {
			a.Progress(a.Taken, now)
		}
		if how.left(before, tried, next, now-last) < a.Rise {
			small++
		} else {
			small = 0
		}
		best, last, plain, a.LogLikelihood = tried, now, nil, now
		a.Members, a.Overlap = a.EM.members(best), a.EM.overlap()
		if a.Converged = small >= how.patience(); a.Converged || a.Taken >= a.Steps {
			return true
		}
		a.Taken++
		step := next.Clone()
		if how.beyond(ctx, before, best, next) {
			plain = step
		}
	}
}
