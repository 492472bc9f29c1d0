package gmm

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"symmom/internal/data/tables"
	"symmom/internal/estimate/progress"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/system/memory"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Defaults of Options.
const (
	// DefaultTolerance, of small tables, leaves no plateau: of 400 fits of random mixtures 2 gained more than .5 when EM went on
	// from where 1e-9 had ended it, none from where this does.
	DefaultTolerance  = 1e-10
	DefaultIterations = 1000
)

// Options control how a mixture is fitted. All of them must be set.
type Options struct {
	Shape         Shape
	MomentsOnly   bool
	Nonparametric bool // components of any distributions, of independent variables; the shape is Diagonal
	Unlimited     bool // EM reads data on disk until it has converged
	Starts        int  // k-means++ starts in addition to the moments' start, and scattered ones of small tables
	Open          bool // more of them where few found the best
	Seed          uint64
	Tolerance     float64 // on the rise of the log-likelihood per observation that is left; 0: DefaultTolerance, or largeTolerance
	MaxIterations int
	RegCovar      float64 // least variance, in squared units of the data; 0: leastVariance, or what rounding leaves
	Threads       int
	MemoryLimit   uint64
	Given         *Mixture       // spherical, used instead of the moments' solution; or nil
	Spread        *tables.Spread // of the table, from another fit to it (Result), or nil
	Progress      progress.Func
}

// Result is a mixture, and how it was found.
type Result struct {
	Mixture       *Mixture  // in the data's coordinates, the heaviest component first; nil if none was found
	LogLikelihood float64   // of all observations
	Overlap       float64   // minus the sum of the logarithms of the responsibilities of their most likely components
	Members       []float64 // effective numbers of observations of the components; nil if interrupted before they were known
	Least         []float64 // n, lower bounds of the variances of variables within components, in the data's coordinates
	Start         string    // "moments", "moments 3", "k-means++ 3", or "scattered 3"
	Converged     bool
	Iterations    int        // of EM on all observations
	Passes        int        // over them
	Hits, Tried   int        // starts that ended at the mixture, as far as they differ on some observations, and all of them
	Densities     *Densities // of a nonparametric mixture, in the data's coordinates
	Spread        *tables.Spread
	Warnings      []diag.Warning
}

// Fit fits a mixture of r components to a table. If the error is ctx's, the result is
// the best so far.
func Fit(ctx context.Context, t *tables.Table, r int, o *Options) (*Result, error) {
	c := &run{t: t, o: o, r: r, ctx: ctx, shape: o.Shape, out: &Result{Overlap: math.NaN()}}
	err := c.do()
	if err != nil && ctx.Err() == nil {
		c.found, c.out.Mixture = nil, nil // they are none
	}
	if c.found != nil {
		c.found.sort(c.out.Members)
		c.out.Warnings = append(c.out.Warnings, c.doubts()...)
		c.out.Mixture, c.out.Least = c.inData(), slices.Clone(c.least)
		linalg.Scale(c.unit*c.unit, c.out.Least)
	}
	if err == nil { // a run that was interrupted is not done
		c.tell(progress.Report{Phase: progress.EM, Iterations: c.out.Iterations, Objective: c.out.LogLikelihood, Done: true})
	}
	return c.out, err
}

// run is the state of one call of Fit.
type run struct {
	t    *tables.Table
	o    *Options
	r, n int
	ctx  context.Context
	out  *Result

	spread    *tables.Spread
	unit      float64   // of the run: the mean is subtracted from observations, which are divided by the unit
	floor     float64   // of variances, in that unit, which the likelihood hangs on
	least     []float64 // of the variance of each variable: the floor, or what rounding leaves
	cell      float64   // logarithm of the volume that rounding makes one observation of; -Inf if that of a variable is not known
	shape     Shape
	passes    int
	tried     float64 // values of components that EM computed with from starts
	exchanges uint64  // rounds

	found *Mixture     // the best so far, in the coordinates of the run
	in    *coordinates // that starts were tried in; nil before

	moments *independent // nil for other covariances, and few variables

	effective float64 // number of observations; 0 if not yet known
}

func (c *run) do() error {
	_, c.n = c.t.Shape()
	if err := Room(c.n, []int{c.r}, c.shape, c.o.MemoryLimit); err != nil {
		return err
	}
	c.tell(progress.Report{Phase: progress.Moments, Objective: math.NaN()})
	var err error
	accuracy := tables.Rough
	if c.o.MomentsOnly {
		accuracy = tables.Exact
	}
	if c.spread, err = c.t.Spread(c.ctx, c.r, accuracy, c.o.Spread, c.o.Threads); err != nil {
		return err
	}
	c.out.Spread = c.spread
	if c.o.MomentsOnly {
		c.out.Warnings = append(c.out.Warnings, c.spread.Doubt()...)
	}
	c.passes = c.spread.Passes
	c.unit = math.Sqrt(c.spread.Trace / float64(c.n))
	if !(c.unit > 0) || math.IsInf(c.unit, 0) {
		return fmt.Errorf("mixture: the observations do not differ, so there are no components")
	}
	if c.floor = leastVariance; c.o.RegCovar > 0 {
		c.floor = c.o.RegCovar / (c.unit * c.unit)
	}
	c.least = slices.Repeat([]float64{c.floor}, c.n)
	if c.o.Nonparametric {
		return c.nonparametric()
	}
	var in *gathering
	var see func(block.Block)
	if !c.o.MomentsOnly {
		if in, err = c.gather(); err != nil {
			return err
		}
		if _, far := c.t.Storage.(block.Far); !far { // otherwise sums alone come here
			see = in.see
		}
	}
	var start *Mixture
	if c.o.Given != nil {
		start = c.toRun(c.o.Given)
	} else {
		if orders := c.orders(); orders != nil {
			if c.moments, err = c.independent(orders, see); err != nil {
				return err
			}
			see = nil
		}
		if c.shape != Diagonal || c.moments == nil {
			start, err = c.fromMoments(see)
		}
	}
	if err != nil {
		return err
	}
	if c.o.MomentsOnly {
		if c.moments != nil {
			start = c.moments.best(c)
		}
		return c.alone(start)
	}
	if in.seen == 0 { // in no pass of the moments
		if !in.from.Pass(c.ctx, in.see) {
			return cmp.Or(c.t.Stopped(c.ctx), c.ctx.Err())
		}
		if !in.sampled {
			c.passes++
		}
	}
	coordinates := in.all()
	some := coordinates.some()
	c.cell = math.Inf(-1)
	if coordinates.basis == nil {
		c.cell = 0
		for i, v := range rounding(some) {
			c.cell += math.Log(2*math.Pi*v) / 2
			if c.o.RegCovar == 0 {
				c.least[i] = math.Max(c.floor, v)
			}
		}
	}
	coordinates.copies = copiesOf(some)
	c.in = coordinates
	coordinates.variances = variances(some)
	return c.polish(coordinates, start)
}

// Room refuses mixtures that do not fit in memory: the covariances of the largest, the last of
// these ascending numbers of components, and of the next, with the matrices of the densities,
// and for each component the sums of EM; and the fits before it, which are kept.
func Room(n int, components []int, shape Shape, limit uint64) error {
	last := len(components) - 1
	to, square, fits, before := components[last], float64(n)*float64(n), float64(last), 0.
	for _, r := range components[:last] {
		before += float64(r)
	}
	numbers, what := before*(2*float64(n)+CovSize(n, 1, shape)), "fits"
	switch shape {
	case Tied:
		numbers, what = 2*before*float64(n)+(fits+6)*square, "a covariance"
	case Full:
		numbers, what = numbers+(4+4*float64(to))*square, words.Plural(to, "covariance")
	}
	remedy := "take diagonal or spherical covariances, or fewer variables"
	if fits > 0 {
		what, remedy = fmt.Sprintf("%s of %d to %d components", what, components[0], to), remedy+", or fewer numbers of components"
	}
	return memory.Check(fmt.Sprintf("mixture: %s of %s", what, words.Plural(n, "variable")), 8*numbers, limit, remedy, "Covariance", "Columns")
}

// alone completes the result from the moments alone.
func (c *run) alone(g *Mixture) error {
	if g == nil {
		return fmt.Errorf("mixture: the moments have no solution with %d positive weights: fit by EM, or take fewer components", c.r)
	}
	switch {
	case g.Shape == c.shape || c.r == 1:
	case c.spread.Whole == nil:
		return &diag.Argument{Name: "MomentsOnly", Value: true, Want: fmt.Sprintf("spherical covariances for %d variables, or EM", c.n)}
	}
	if g.Shape != c.shape {
		c.common(g)
	}
	e := c.em(c.t.Storage, c.spread.Mean, c.unit)
	c.found, c.out.Start = g, startMoments
	var ok bool
	c.passes++
	if c.out.LogLikelihood, ok = e.Step(c.ctx, g.Clone()); !ok {
		c.out.LogLikelihood = math.NaN()
		return cmp.Or(c.t.Stopped(c.ctx), fmt.Errorf("mixture: the covariance that is left is not positive definite: take spherical components, or EM"))
	}
	c.out.Passes, c.out.Members, c.out.Overlap, c.effective = c.passes, e.members(g), e.overlap(), e.effective()
	return nil
}

// common gives all components the part of the covariance that the means do not
// explain: the matrix, or its diagonal.
func (c *run) common(g *Mixture) {
	n := c.n
	s := c.covariance(1)
	for j, w := range g.Weights {
		mu := g.Means[j*n : (j+1)*n]
		for i := range n {
			linalg.Axpy(-w*mu[i], mu, s[i*n:(i+1)*n])
		}
	}
	out := NewMixture(n, g.R, c.shape)
	for j := range g.R {
		switch c.shape {
		case Tied:
			copy(out.Cov, s)
		case Full:
			copy(out.Cov[j*n*n:], s)
		case Diagonal:
			for i := range n {
				out.Cov[j*n+i] = math.Max(c.floor, s[i*n+i])
			}
		}
	}
	g.Shape, g.Cov = out.Shape, out.Cov
}

// covariance returns f times the covariance of all observations, in the unit of the
// run.
func (c *run) covariance(f float64) []float64 {
	s := c.spread.Whole.Dense()
	linalg.Scale(f/(c.unit*c.unit), s)
	return s
}

// em makes steps of EM on some observations.
func (c *run) em(x block.Source, center []float64, unit float64) *EM {
	e := NewEM(x, center, unit, c.r, c.shape, c.o.Threads)
	if _, n := x.Shape(); n == c.n {
		e.SetFloor(c.least...)
	} else { // coordinates
		e.SetFloor(c.floor)
	}
	return e
}

// candidate is a mixture that EM may continue from.
type candidate struct {
	name          string
	g             *Mixture
	logLikelihood float64 // NaN until EM has computed it
	expected      float64 // log-likelihood of other observations, Mixture.Optimism
	starts        int     // that ended here
	settled       bool    // exchanges led to nothing better
	fit           int     // of the moments over distinct indices that it began from, counted from 1; or 0
}

// polish finds the best start and continues it by EM on all observations. If a component
// then closes in on a few of them after all, those that come next are tried. Where that happens to all that
// were regular, the highest likelihood counts, the best of the others among them.
func (c *run) polish(in *coordinates, start *Mixture) error {
	starts := c.search(in, start)
	if len(starts) == 0 {
		if err := c.t.Stopped(c.ctx); err != nil {
			return err
		}
		return fmt.Errorf("mixture: no start has a finite likelihood: take fewer components, or spherical ones")
	}
	warnings := slices.Clip(c.out.Warnings)
	for i, a := range starts {
		found, out := c.found, *c.out
		c.found, c.out.Hits, c.out.Start, c.out.Warnings = in.lift(a.g), a.starts, a.name, warnings
		err := c.full(in)
		closed := err == nil && !in.regular(in.data, c.found, c.out.Members)
		if i > 0 && (err != nil || closed && c.out.LogLikelihood <= out.LogLikelihood) { // no better than those before
			c.found, *c.out = found, out
			c.out.Passes = c.passes
		}
		if err != nil {
			return err
		}
		if !closed {
			c.setAside(&a, starts)
			return nil
		}
		if !a.regular() {
			return nil
		}
	}
	return nil
}

// toRun converts a spherical mixture to the coordinates of the run.
func (c *run) toRun(g *Mixture) *Mixture {
	h := g.Clone()
	for j := range h.R {
		mu := h.Means[j*h.N : (j+1)*h.N]
		linalg.Axpy(-1, c.spread.Mean, mu)
		linalg.Scale(1/c.unit, mu)
	}
	linalg.Scale(1/(c.unit*c.unit), h.Cov)
	for j, v := range h.Cov {
		h.Cov[j] = math.Max(c.floor, v)
	}
	return h
}

// inData returns the mixture found, in the data's coordinates.
func (c *run) inData() *Mixture {
	g := c.found.Clone()
	for j := range g.R {
		mu := g.Means[j*g.N : (j+1)*g.N]
		linalg.Scale(c.unit, mu)
		linalg.Axpy(1, c.spread.Mean, mu)
	}
	linalg.Scale(c.unit*c.unit, g.Cov)
	return g
}

// tell reports progress.
func (c *run) tell(p progress.Report) {
	if c.o.Progress != nil {
		p.Rank, p.Remaining, p.Best = c.r, -1, math.NaN()
		c.o.Progress(p)
	}
}
