package symmom

import (
	"cmp"
	"fmt"
	"math"

	"symmom/internal/gmm"
	"symmom/internal/linalg"
	"symmom/internal/notice"
)

// Of EM on all observations.
const (
	streamPasses = 10 // over data on disk

	// Between passes over many observations EM goes on with a few of them
	// (gmm.Surrogate), where all are at least so many times as many.
	surrogateFew = 4
)

// full has EM go on over all observations until the log-likelihood rises no
// more.
func (c *mixtureRun) full(in *mixtureData) error {
	c.tell(Progress{Phase: PhaseEM, Objective: math.NaN()})
	e := c.em(c.s.data.Storage, c.spread.Mean, c.unit)
	if c.shape == gmm.Tied {
		// The covariance is known, to 1e-12 where no offset dominates it.
		if s := c.spread; s.Basis == nil && linalg.Dot(s.Mean, s.Mean) < 1e4*s.Trace {
			e.SetSecond(c.covariance(float64(c.s.data.P)))
		}
	}
	a := &gmm.Ascent{EM: e, Steps: c.o.MaxIterations, Rise: c.o.Tolerance * float64(c.s.data.P)}
	if surrogateFew*in.data.P <= c.s.data.P {
		a.Some, a.Basis = in.em(in.data), in.basis
	}
	if c.s.data.Slow() && !c.o.EM {
		a.Steps = min(a.Steps, streamPasses)
	}
	a.Told = func(steps int, now float64) {
		c.tell(Progress{Phase: PhaseEM, Iterations: steps, Objective: now})
	}
	ok := a.Run(c.ctx, c.found)
	c.passes += a.Passes
	c.logLikelihood, c.fit.Iterations, c.fit.Converged, c.fit.DataPasses = a.LogLikelihood, a.Taken, a.Converged, c.passes
	if !ok {
		return cmp.Or(c.s.data.Stopped(c.ctx), fmt.Errorf("mixture: a covariance became singular"))
	}
	if !a.Converged {
		c.warnings = append(c.warnings, notice.New(notice.NotConverged, "EM ended before it converged, after %d iterations", a.Taken))
	}
	return nil
}
