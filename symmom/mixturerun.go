package symmom

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"symmom/internal/linalg"
	"symmom/internal/moment"
)

// Of the search for a start of EM.
const (
	searchNumbers = 1 << 18 // of the observations that starts are tried on
	searchLeast   = 2000    // observations, at least
	shortSteps    = 10      // of EM from each start
	longStarts    = 3       // of which as many go on
	longSteps     = 200
	searchRise    = 1e-4 // of the log-likelihood of an observation, to go on there
	sameMixture   = 1e-4 // the difference of it between starts that found the same
	lloydRounds   = 10
	streamPasses  = 10 // of EM over data on disk
	leastVariance = 1e-6
	mixtureBytes  = 512e6 // of coordinates
)

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
	warnings      []string
}

func (c *mixtureRun) do() error {
	c.shape = moment.Shape(slices.Index(covariances, c.o.Covariance))
	_, c.n = c.s.source().Shape()
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
	var start *moment.GMM
	if c.given != nil {
		start = c.toRun(c.given)
	} else if start, err = c.fromMoments(); err != nil {
		return err
	}
	if c.o.MomentsOnly {
		return c.alone(start)
	}
	return c.polish(start)
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
	e := c.em(c.s.source(), c.spread.mean, c.unit)
	c.found, c.fit.Start = g, "moments"
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
	s := make([]float64, n*n)
	for k, v := range c.spread.values {
		q := c.spread.rows[k*n : (k+1)*n]
		for i := range n {
			linalg.Axpy(v/(c.unit*c.unit)*q[i], q, s[i*n:(i+1)*n])
		}
	}
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

// em makes steps of EM on some observations.
func (c *mixtureRun) em(x moment.Source, center []float64, unit float64) *moment.EM {
	e := moment.NewEM(x, center, unit, c.r, c.shape, c.o.Threads)
	e.SetFloor(c.floor)
	return e
}

// candidate is a mixture that EM may go on from.
type candidate struct {
	name          string
	g             *moment.GMM
	logLikelihood float64
}

// polish finds the best start and has EM go on from it on all observations.
func (c *mixtureRun) polish(start *moment.GMM) error {
	in, err := c.coordinates()
	if err != nil {
		return err
	}
	best := c.search(in, start)
	if best.g == nil {
		if err := c.s.stopped(c.ctx); err != nil {
			return err
		}
		return fmt.Errorf("mixture: no start has a finite likelihood: take fewer components, or spherical ones")
	}
	c.fit.Start = best.name
	c.found = in.lift(best.g)
	return c.full()
}

// full has EM go on over all observations until the log-likelihood rises no
// more.
func (c *mixtureRun) full() error {
	c.tell(Progress{Phase: PhaseEM, Objective: math.NaN()})
	e := c.em(c.s.source(), c.spread.mean, c.unit)
	most := c.o.MaxIterations
	if f := c.s.far; f != nil && f.disk != nil && !c.o.EM {
		most = min(most, streamPasses)
	}
	defer func() { c.fit.DataPasses = c.passes }()
	last := math.Inf(-1)
	before := c.found.Clone()
	for {
		now, ok := e.Step(c.ctx, c.found)
		c.passes++
		if !ok {
			if err := c.s.stopped(c.ctx); err != nil {
				c.logLikelihood = last
				return err
			}
			return fmt.Errorf("mixture: a covariance became singular")
		}
		c.logLikelihood = now
		c.tell(Progress{Phase: PhaseEM, Iterations: c.fit.Iterations, Objective: now})
		if c.fit.Converged = now-last < c.o.Tolerance*float64(c.s.data.P); c.fit.Converged || c.fit.Iterations == most {
			c.found = before // whose likelihood is known
			break
		}
		last = now
		c.fit.Iterations++
		before = c.found.Clone()
	}
	if !c.fit.Converged {
		c.warnings = append(c.warnings, fmt.Sprintf("EM ended before it converged, after %d iterations", c.fit.Iterations))
	}
	return nil
}

// mixtureData is what starts are tried on: observations in memory, less the
// mean, or their coordinates in the leading eigenvectors with the distance from
// their span.
type mixtureData struct {
	run   *mixtureRun
	basis *moment.Basis // nil: the observations themselves
	data  *moment.Data
	every int // of the observations are here
}

// coordinates gathers them in a pass.
func (c *mixtureRun) coordinates() (*mixtureData, error) {
	p, n := c.s.data.P, c.n
	in := &mixtureData{run: c, every: 1}
	k := min(2*c.r+10, len(c.spread.rows)/n)
	columns := n
	if c.shape == moment.Spherical && 2*k < n {
		in.basis = &moment.Basis{N: n, K: k, Q: c.spread.rows[:k*n]}
		columns = k + 1
	}
	most := math.Min(mixtureBytes, memoryLimit(Options{MemoryLimit: c.o.MemoryLimit})/4) / 8
	if in.basis == nil {
		most = searchNumbers
	} else if c.s.far != nil {
		most = math.Min(most, 8*searchNumbers)
	}
	rows := max(searchLeast, int(most)/columns)
	in.every = max(1, (p+rows-1)/rows)
	x := c.s.source()
	kept := (p + in.every - 1) / in.every
	in.data = &moment.Data{P: kept, N: columns, V: make([]float64, kept*columns)}
	var nu []float64
	at, seen := 0, 0
	const batch = 256
	v, w := make([]float64, batch*n), make([]float64, batch*k)
	var wide []float64
	f := 1 / c.unit
	flush := func(rows int) {
		out := in.data.V[(at-rows)*columns:]
		if in.basis == nil {
			copy(out, v[:rows*n])
			return
		}
		linalg.MulABt(w, v, in.basis.Q, rows, k, n)
		for l := range rows {
			u, q := v[l*n:(l+1)*n], w[l*k:(l+1)*k]
			copy(out[l*columns:], q)
			out[l*columns+k] = math.Sqrt(math.Max(0, linalg.Dot(u, u)-linalg.Dot(q, q)))
		}
	}
	held := 0
	if !x.Pass(c.ctx, func(b moment.Block) {
		for l := range b.Rows {
			if seen++; (seen-1)%in.every != 0 {
				continue
			}
			row := b.Values(l, l+1, n, &wide)
			for i, m := range c.spread.mean {
				v[held*n+i] = (row[i] - m) * f
			}
			if b.Nu != nil {
				nu = append(nu, b.Nu[l])
			}
			held++
			at++
			if held == batch {
				flush(held)
				held = 0
			}
		}
	}) {
		return nil, c.s.stopped(c.ctx)
	}
	flush(held)
	c.passes++
	if nu != nil {
		var sum float64
		for _, w := range nu {
			sum += w
		}
		linalg.Scale(1/sum, nu)
		in.data.Nu = nu
	}
	return in, nil
}

// some returns about as many of them as starts are tried on.
func (in *mixtureData) some() *moment.Data {
	x := in.data
	rows := max(searchLeast, searchNumbers/x.N)
	if x.P <= rows {
		return x
	}
	y := &moment.Data{N: x.N}
	var sum float64
	for i := range rows {
		l := i * x.P / rows
		y.V = append(y.V, x.V[l*x.N:(l+1)*x.N]...)
		if x.Nu != nil {
			y.Nu = append(y.Nu, x.Nu[l])
			sum += x.Nu[l]
		}
	}
	y.P = rows
	if y.Nu != nil {
		linalg.Scale(1/sum, y.Nu)
	}
	return y
}

// project brings a spherical mixture to the coordinates.
func (in *mixtureData) project(g *moment.GMM) *moment.GMM {
	if in.basis == nil {
		return g.Clone()
	}
	n, k := in.basis.N, in.basis.K
	h := moment.NewGMM(k+1, g.R, moment.Spherical)
	copy(h.Weights, g.Weights)
	copy(h.Cov, g.Cov)
	for j := range g.R {
		linalg.MulABt(h.Means[j*(k+1):], g.Means[j*n:(j+1)*n], in.basis.Q, 1, k, n)
	}
	return h
}

// lift brings one back.
func (in *mixtureData) lift(g *moment.GMM) *moment.GMM {
	if in.basis == nil {
		return g.Clone()
	}
	n, k := in.basis.N, in.basis.K
	h := moment.NewGMM(n, g.R, moment.Spherical)
	copy(h.Weights, g.Weights)
	copy(h.Cov, g.Cov)
	a := make([]float64, g.R*k)
	for j := range g.R {
		copy(a[j*k:(j+1)*k], g.Means[j*(k+1):])
	}
	in.basis.Lift(h.Means, a, g.R)
	return h
}

// em makes steps in the coordinates.
func (in *mixtureData) em(x *moment.Data) *moment.EM {
	e := in.run.em(x, nil, 1)
	if in.basis != nil {
		e.Coordinates(in.basis.N)
	}
	return e
}

// climb makes steps of EM until the log-likelihood rises by less than rise an
// observation, and leaves that of the last step in the candidate.
func (in *mixtureData) climb(e *moment.EM, p int, a *candidate, steps int, rise float64) bool {
	last := math.Inf(-1)
	for range steps {
		now, ok := e.Step(in.run.ctx, a.g)
		if !ok {
			return false
		}
		a.logLikelihood = now
		if now-last < rise*float64(p) {
			break
		}
		last = now
	}
	return true
}

// search returns the best mixture that EM finds from the moments and from
// k-means++ starts, in the coordinates.
func (c *mixtureRun) search(in *mixtureData, start *moment.GMM) candidate {
	some := in.some()
	c.tell(Progress{Phase: PhaseStarts, Objective: math.NaN()})
	var all []candidate
	if start != nil {
		all = append(all, candidate{name: "moments", g: in.project(start)})
	}
	for i := range c.o.Starts {
		centers, square := moment.KMeans(some, c.r, lloydRounds, rand.New(rand.NewPCG(c.o.Seed, uint64(i))))
		weights := make([]float64, c.r)
		for j := range weights {
			weights[j] = 1 / float64(c.r)
			if in.basis != nil {
				centers[(j+1)*some.N-1] = 0
			}
		}
		g := moment.Isotropic(weights, centers, math.Max(c.floor, square/float64(c.n)))
		all = append(all, candidate{name: fmt.Sprintf("k-means++ %d", i+1), g: g})
	}
	e := in.em(some)
	short := func(from []candidate, steps int, rise float64) []candidate {
		var kept []candidate
		for _, a := range from {
			if in.climb(e, some.P, &a, steps, rise) {
				kept = append(kept, a)
			}
		}
		slices.SortStableFunc(kept, func(a, b candidate) int { return cmp.Compare(b.logLikelihood, a.logLikelihood) })
		return kept
	}
	all = short(all, shortSteps, searchRise)
	all = short(distinctMixtures(all, some.P), longSteps, searchRise/10)
	if len(all) == 0 || some == in.data {
		if len(all) == 0 {
			return candidate{}
		}
		return all[0]
	}
	best := all[0]
	whole := in.em(in.data)
	in.climb(whole, in.data.P, &best, longSteps, searchRise/10)
	return best
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

// distinctMixtures returns the best few that differ in their likelihood.
func distinctMixtures(sorted []candidate, p int) (kept []candidate) {
	for _, a := range sorted {
		if len(kept) == longStarts {
			break
		}
		if len(kept) == 0 || kept[len(kept)-1].logLikelihood-a.logLikelihood > sameMixture*float64(p) {
			kept = append(kept, a)
		}
	}
	return kept
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
	if progress == nil && c.s.host != nil {
		progress = c.s.host.Progress
	}
	if progress == nil {
		return
	}
	p.Rank, p.Elapsed, p.Remaining, p.Best = c.r, time.Since(c.began), -1, math.NaN()
	progress(p)
}
