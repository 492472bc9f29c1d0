package fit

import (
	"math"
	"math/rand/v2"
	"time"

	"symmom/internal/estimate/progress"
	"symmom/internal/math/solve"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Sizes of the sampled form.
const (
	// estimateRows is the number of observations in an estimate of f, the same for
	// every start (section 5 of the paper).
	estimateRows = 1000
	// startRows is the number of observations that the starts are drawn from, and the
	// unit computed from, if there are more: full passes for these would cost more
	// than Adam itself.
	startRows = 4096
	// reservoirBytes bounds the memory for the observations of a stream that samples
	// are drawn from.
	reservoirBytes = 128e6
	// estimateStream and startStream are the random streams of the observations for
	// estimates and for starts; the starts themselves use streams 0, 1, 2, ...
	estimateStream = math.MaxUint64
	startStream    = math.MaxUint64 - 1
)

// sampled solves by Adam from every start and evaluates the solutions on the
// full problem.
func (c *plan) sampled() (*solution, error) {
	c.begin(progress.Sample)
	sol := &solution{form: Sampled}
	x, err := c.reservoir(sol)
	if err != nil {
		return nil, err
	}
	draws := moment.NewSampled(x, c.m.Order, c.m.Samples)
	few, fixed := x, x
	if x.P > startRows {
		few = draws.Draw(startRows, rand.New(rand.NewPCG(c.o.Seed, startStream)))
	}
	if x.P > estimateRows {
		fixed = draws.Draw(estimateRows, rand.New(rand.NewPCG(c.o.Seed, estimateStream)))
	}
	unit, err := c.unitFrom(few)
	if err != nil {
		return nil, err
	}
	s := c.search(unit, nil)
	if c.startsLong(0) || c.startsLong(1) { // of the longest of all, which a pass finds
		if _, err := c.span(progress.Scale); err != nil {
			return nil, err
		}
	}
	c.begin(progress.Search)
	outcomes := c.sideBySide(c.o.Starts, func(threads int) func(int) outcome {
		estimate := moment.NewObjective(&moment.Implicit{Data: fixed, D: c.m.Order}, c.r, s.unit, threads)
		return func(k int) outcome { return s.adam(k, few, draws, estimate) }
	})
	rows := float64(few.P) // they were drawn from these
	for _, out := range outcomes {
		rows += out.rows
	}
	if !c.m.Table.Slow() { // otherwise they were in memory already
		sol.read = int(math.Ceil(rows / float64(x.P)))
	}
	warnings := s.evaluate(outcomes, draws)
	sol.search, sol.found = s, s.record(outcomes)
	sol.warnings = append(sol.warnings, warnings...)
	c.correct(sol.f * s.back) // it was an estimate until now
	return sol, c.errNoResult(sol.found)
}

// unitFrom finds the unit of the problem from few observations, which are all or a
// sample: Adam has no tolerance that depends on the unit, and passes over all
// observations for it would take longer than Adam.
func (c *plan) unitFrom(few *block.Dense) (unit float64, err error) {
	if c.o.Absolute {
		return 1, nil
	}
	c.begin(progress.Scale)
	if few.P < c.p {
		span, err := moment.Span(c.ctx, few)
		if err != nil {
			return 0, err
		}
		largest, _, err := moment.LargestEigenvalue(c.ctx, few, span, c.o.Threads)
		if err != nil {
			return 0, err
		}
		if largest >= smallestNormal && largest <= math.MaxFloat64 {
			return math.Sqrt(largest), nil
		}
	}
	// few holds all observations, or they are all zero or out of range.
	return c.m.Unit(c.ctx, c.observations(), c.o.Threads)
}

// reservoir returns the observations that samples are drawn from: all in memory, or
// part of a stream.
func (c *plan) reservoir(sol *solution) (*block.Dense, error) {
	s := c.m.Table
	if !s.Slow() {
		all, err := s.Whole(c.ctx, "the sampled form")
		if err != nil {
			return nil, err
		}
		return all.Dense(), nil
	}
	rows := max(1, reservoirBytes/(8*c.n))
	if c.p <= rows {
		return block.Gather(c.ctx, c.observations())
	}
	sample := moment.NewSample(rows, c.n, c.o.Seed)
	if !c.observations().Pass(c.ctx, sample.Add) {
		return nil, c.stopped()
	}
	sol.warn(diag.Reservoir, "gradients are drawn from %s of the %s observations, which fit in %s", words.Count(rows), words.Count(c.p), words.Bytes(reservoirBytes))
	return sample.Data(), nil
}

// adam runs Adam from start k, drawn from few observations. The stream (seed, k)
// gives the start, then the samples.
func (c *search) adam(k int, few *block.Dense, draws *moment.Sampled, estimate *moment.Objective) (out outcome) {
	began := time.Now()
	out.start = Start{Index: k, Status: solve.Interrupted, Estimated: true}
	rng := rand.New(rand.NewPCG(c.o.Seed, uint64(k)))
	x0 := make([]float64, estimate.Size())
	if !c.startFrom(c.rangeFinder(few), rng, k, moment.NewObjective(&moment.Implicit{Data: few, D: c.m.Order}, c.r, c.unit, 1), x0) {
		return out
	}
	stochastic := moment.NewObjective(draws.Stream(rng), c.r, c.unit, 1)
	gradients := 0
	res, err := solve.Adam(func(x, g []float64) (float64, bool) {
		f, ok := stochastic.Evaluate(c.ctx, x, g)
		if ok {
			gradients++
			c.count()
		}
		return f, ok
	}, func(x, g []float64) (float64, bool) {
		f, ok := estimate.Evaluate(c.ctx, x, g)
		if ok {
			c.count()
		}
		return f, ok
	}, x0, solve.Settings{MaxIterations: c.o.MaxIterations, MaxEvaluations: c.o.MaxEvaluations,
		Recorder: func(it solve.Iterate) {
			out.start.Trace = append(out.start.Trace, c.tracePoint(it, began))
			c.report(k, it.Iteration, it.Evaluations, it.F*c.back, false)
		}})
	out.rows = float64(gradients) * float64(c.m.Samples)
	c.ended(k, &out, res, err, began)
	return out
}
