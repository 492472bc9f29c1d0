package symmom

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"symmom/internal/linalg"
	"symmom/internal/moment"
	"symmom/internal/obs"
)

// leastVariance is that of a component, relative to that of all observations.
const leastVariance = 1e-6

// mixtureRun is the state of one call of Session.Mixture.
type mixtureRun struct {
	s     *Session
	o     MixtureFitOptions
	r, n  int
	ctx   context.Context
	fit   *MixtureFit
	began time.Time
	given *moment.GMM // what the moments tell, in the data's coordinates; nil: to be found

	spread *spread
	unit   float64 // of the run: observations count less the mean, divided by it
	floor  float64 // of variances, in that unit
	shape  moment.Shape
	passes int

	found         *moment.GMM // the best so far, in the coordinates of the run
	logLikelihood float64
	warnings      []Warning
}

func (c *mixtureRun) do() error {
	c.shape = moment.Shape(slices.Index(covariances, c.o.Covariance))
	_, c.n = c.s.storage.Shape()
	c.tell(Progress{Phase: PhaseMoments, Objective: math.NaN()})
	var err error
	if c.spread, err = c.s.spread(c.ctx, c.r, c.o.Threads); err != nil {
		return err
	}
	c.passes = c.spread.passes
	c.unit = math.Sqrt(c.spread.trace / float64(c.n))
	if !(c.unit > 0) || math.IsInf(c.unit, 0) {
		return fmt.Errorf("mixture: the observations do not differ, so there are no components")
	}
	c.floor = leastVariance
	var in *gathering
	var see func(obs.Block)
	if !c.o.MomentsOnly {
		in = c.gather()
		see = in.see
	}
	var start *moment.GMM
	if c.given != nil {
		start = c.toRun(c.given)
	} else if start, err = c.fromMoments(see); err != nil {
		return err
	}
	if c.o.MomentsOnly {
		return c.alone(start)
	}
	if in.seen == 0 { // the moments took no pass
		if !c.s.storage.Pass(c.ctx, see) {
			return c.s.stopped(c.ctx)
		}
		c.passes++
	}
	return c.polish(in.all(), start)
}

// alone ends with what the moments tell.
func (c *mixtureRun) alone(g *moment.GMM) error {
	if g == nil {
		return fmt.Errorf("mixture: the moments have no solution with %d positive weights: leave MomentsOnly out, or take fewer components", c.r)
	}
	switch {
	case c.shape == moment.Spherical || c.r == 1:
	case c.spread.basis != nil:
		return &ArgumentError{Argument: "MomentsOnly", Value: true, Want: fmt.Sprintf("spherical covariances for %d variables, or EM", c.n)}
	}
	if c.shape != moment.Spherical {
		c.common(g)
	}
	e := c.em(c.s.storage, c.spread.mean, c.unit)
	c.found, c.fit.Start = g, startMoments
	var ok bool
	c.passes++
	if c.logLikelihood, ok = e.LogLikelihood(c.ctx, g); !ok {
		return cmp.Or(c.s.stopped(c.ctx), fmt.Errorf("mixture: the covariance that is left is not positive definite: take spherical components, or EM"))
	}
	c.fit.DataPasses = c.passes
	return nil
}

// common gives all components what is left of the covariance without the
// means: the matrix, or its diagonal.
func (c *mixtureRun) common(g *moment.GMM) {
	n := c.n
	s := c.covariance(1)
	for j, w := range g.Weights {
		mu := g.Means[j*n : (j+1)*n]
		for i := range n {
			linalg.Axpy(-w*mu[i], mu, s[i*n:(i+1)*n])
		}
	}
	out := moment.NewGMM(n, g.R, c.shape)
	for j := range g.R {
		switch c.shape {
		case moment.Tied:
			copy(out.Cov, s)
		case moment.Full:
			copy(out.Cov[j*n*n:], s)
		case moment.Diagonal:
			for i := range n {
				out.Cov[j*n+i] = math.Max(c.floor, s[i*n+i])
			}
		}
	}
	g.Shape, g.Cov = out.Shape, out.Cov
}

// covariance returns f times that of all observations, in the unit of the run.
func (c *mixtureRun) covariance(f float64) []float64 {
	n := c.n
	s := make([]float64, n*n)
	for k, v := range c.spread.values {
		q := c.spread.rows[k*n : (k+1)*n]
		for i := range n {
			linalg.Axpy(f*v/(c.unit*c.unit)*q[i], q, s[i*n:(i+1)*n])
		}
	}
	return s
}

// em makes steps of EM on some observations.
func (c *mixtureRun) em(x obs.Source, center []float64, unit float64) *moment.EM {
	e := moment.NewEM(x, center, unit, c.r, c.shape, c.o.Threads)
	e.SetFloor(c.floor)
	return e
}

// candidate is a mixture that EM may go on from.
type candidate struct {
	name          string
	g             *moment.GMM
	logLikelihood float64
	expected      float64 // log-likelihood of other observations, moment.GMM.Optimism
}

// polish finds the best start and has EM go on from it on all observations.
func (c *mixtureRun) polish(in *mixtureData, start *moment.GMM) error {
	best := c.search(in, start)
	if best.g == nil {
		if err := c.s.stopped(c.ctx); err != nil {
			return err
		}
		return fmt.Errorf("mixture: no start has a finite likelihood: take fewer components, or spherical ones")
	}
	c.fit.Start = best.name
	c.found = in.lift(best.g)
	return c.full(in)
}

// toRun brings a spherical mixture to the coordinates of the run.
func (c *mixtureRun) toRun(g *moment.GMM) *moment.GMM {
	h := g.Clone()
	for j := range h.R {
		mu := h.Means[j*h.N : (j+1)*h.N]
		linalg.Axpy(-1, c.spread.mean, mu)
		linalg.Scale(1/c.unit, mu)
	}
	linalg.Scale(1/(c.unit*c.unit), h.Cov)
	for j, v := range h.Cov {
		h.Cov[j] = math.Max(c.floor, v)
	}
	return h
}

// inData returns what was found in the data's coordinates.
func (c *mixtureRun) inData() *moment.GMM {
	g := c.found.Clone()
	for j := range g.R {
		mu := g.Means[j*g.N : (j+1)*g.N]
		linalg.Scale(c.unit, mu)
		linalg.Axpy(1, c.spread.mean, mu)
	}
	linalg.Scale(c.unit*c.unit, g.Cov)
	return g
}

// tell reports progress.
func (c *mixtureRun) tell(p Progress) {
	progress := c.o.Progress
	if progress == nil && c.s.env != nil {
		progress = c.s.env.Progress
	}
	if progress == nil {
		return
	}
	p.Rank, p.Elapsed, p.Remaining, p.Best = c.r, time.Since(c.began), -1, math.NaN()
	progress(p)
}
