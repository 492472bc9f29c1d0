package gmm

import (
	"cmp"
	"fmt"
	"math"

	"symmom/internal/estimate/progress"
	"symmom/internal/math/linalg"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// For EM on all observations.
const (
	StreamPasses = 10 // over data on disk

	// Between passes over many observations EM continues with a few of them
	// (Surrogate), if all are at least this many times as many.
	surrogateFew = 4
	// largeTolerance is the default for more numbers than a smallTable has, whose passes take long.
	largeTolerance = 1e-6
)

// full runs EM on all observations until the log-likelihood stops rising.
func (c *run) full(in *coordinates) error {
	c.tell(progress.Report{Phase: progress.EM, Objective: math.NaN()})
	e := c.em(c.t.Storage, c.spread.Mean, c.unit)
	if c.shape == Tied {
		// The covariance is accurate to 1e-12 unless an offset dominates it.
		if s := c.spread; s.Whole != nil && linalg.Dot(s.Mean, s.Mean) < 1e4*s.Trace {
			e.SetSecond(c.covariance(float64(c.t.P)))
		}
	}
	tolerance := largeTolerance
	if c.t.P*c.n <= smallTable {
		tolerance = DefaultTolerance
	}
	a := &Ascent{EM: e, Steps: c.o.MaxIterations, Rise: cmp.Or(c.o.Tolerance, tolerance) * float64(c.t.P)}
	if surrogateFew*in.data.P <= c.t.P {
		a.Some, a.Basis = in.em(in.data), in.basis
	}
	more := "MaxIterations"
	if c.t.Slow() && !c.o.Unlimited {
		a.Steps, more = min(a.Steps, StreamPasses), "Converge"
	}
	a.Progress = func(steps int, now float64) {
		c.tell(progress.Report{Phase: progress.EM, Iterations: steps, Objective: now})
	}
	ok := a.Run(c.ctx, c.found)
	c.passes += a.Passes
	c.out.LogLikelihood, c.out.Overlap, c.out.Members, c.out.Iterations, c.out.Converged, c.out.Passes = a.LogLikelihood, a.Overlap, a.Members, a.Taken, a.Converged, c.passes
	if !ok {
		return cmp.Or(c.t.Stopped(c.ctx), fmt.Errorf("mixture: a covariance became singular"))
	}
	if in.data.P == c.t.P && in.basis == nil {
		c.out.Members = in.members(in.em(in.data), in.data, c.found, a.Members)
	}
	c.effective = e.effective()
	if !a.Converged {
		c.out.Warnings = append(c.out.Warnings, diag.New(diag.NotConverged, "EM ended before it converged, after %s", words.Plural(a.Taken, "iteration")).With(more))
	}
	return nil
}
