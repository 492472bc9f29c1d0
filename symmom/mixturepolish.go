package symmom

import (
	"fmt"
	"math"

	"symmom/internal/linalg"
	"symmom/internal/moment"
)

// Of EM on all observations.
const (
	streamPasses = 10 // over data on disk

	// Between passes over many observations EM goes on with a few of them
	// (moment.Surrogate), where all are at least so many times as many.
	surrogateFew   = 4
	surrogateSteps = 100  // at first, and at most
	surrogateLess  = 4    // that many times fewer after the likelihood fell
	surrogateEnd   = 1e-3 // of the tolerance, the distance that ends it
)

// full has EM go on over all observations until the log-likelihood rises no
// more. It never falls: where what goes beyond a plain step lowers it, that step
// is taken.
func (c *mixtureRun) full(in *mixtureData) error {
	c.tell(Progress{Phase: PhaseEM, Objective: math.NaN()})
	e := c.em(c.s.source(), c.spread.mean, c.unit)
	if c.shape == moment.Tied {
		// The covariance is known, to 1e-12 where no offset dominates it.
		if s := c.spread; s.basis == nil && linalg.Dot(s.mean, s.mean) < 1e4*s.trace {
			e.SetSecond(c.covariance(float64(c.s.data.P)))
		} else {
			c.passes++
		}
	}
	var beyond *moment.Surrogate
	if surrogateFew*in.data.P <= c.s.data.P {
		beyond = moment.NewSurrogate(e, in.em(in.data), in.basis)
	}
	most := c.o.MaxIterations
	if f := c.s.far; f != nil && f.disk != nil && !c.o.EM {
		most = min(most, streamPasses)
	}
	defer func() { c.fit.DataPasses = c.passes }()
	p := float64(c.s.data.P)
	last, steps := math.Inf(-1), surrogateSteps
	before := c.found.Clone() // the best whose likelihood, last, is known
	var plain *moment.GMM     // a step from there; nil where that is what was tried
	for {
		tried := c.found.Clone()
		now, ok := e.Step(c.ctx, c.found)
		c.passes++
		if !ok {
			if err := c.s.stopped(c.ctx); err != nil {
				c.found = before
				if c.logLikelihood = last; math.IsInf(last, -1) {
					c.logLikelihood = math.NaN() // not known yet
				}
				return err
			}
			if plain == nil {
				return fmt.Errorf("mixture: a covariance became singular")
			}
			now = math.Inf(-1)
		}
		if plain != nil && now < last {
			c.found, plain = plain, nil
			steps /= surrogateLess
			if c.fit.Iterations == most {
				c.found = before
				break
			}
			c.fit.Iterations++
			continue
		}
		c.logLikelihood = now
		c.tell(Progress{Phase: PhaseEM, Iterations: c.fit.Iterations, Objective: now})
		before = tried
		if c.fit.Converged = now-last < c.o.Tolerance*p; c.fit.Converged || c.fit.Iterations == most {
			c.found = before // whose likelihood is known
			break
		}
		if plain != nil {
			steps = min(2*steps, surrogateSteps)
		}
		last, plain = now, nil
		c.fit.Iterations++
		if beyond != nil && steps > 0 {
			step := c.found.Clone()
			if beyond.Improve(c.ctx, before, c.found, steps, surrogateEnd*c.o.Tolerance) {
				plain = step
			} else {
				c.found = step
				steps /= surrogateLess
			}
		}
	}
	if !c.fit.Converged {
		c.warnings = append(c.warnings, fmt.Sprintf("EM ended before it converged, after %d iterations", c.fit.Iterations))
	}
	return nil
}
