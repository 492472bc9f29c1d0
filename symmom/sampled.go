package symmom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"symmom/internal/linalg"
	"symmom/internal/moment"
	"symmom/internal/solve"
	"symmom/internal/words"
)

// Sizes of the sampled form.
const (
	// defaultSamples is the s of the best row of the paper's table stoch.
	defaultSamples = 1000
	// estimateRows is the number of observations behind an estimate of f, the
	// same for every start (section 5 of the paper).
	estimateRows = 1000
	// startRows is the number of observations that a start is drawn from where
	// there are more: a full pass for each costs more than Adam itself.
	startRows = 4096
	// reservoirBytes bounds the observations of a stream that the others are
	// drawn from.
	reservoirBytes = 128e6
	// estimateStream is the random stream of the estimate's observations; the
	// starts have 0, 1, 2, ...
	estimateStream = math.MaxUint64
)

// Sampled solves by Adam with gradients from s observations drawn at random
// (section 5 of the paper): the learning rate is .01, f is estimated after
// each epoch of 100 iterations on the same 1,000 observations, a failed epoch
// is undone and lowers the rate to .001, a second one ends the run as
// "stalled". s = 0 means 1,000. 4 s n r operations an iteration, whatever p
// is.
//
// Starts are drawn from 4,096 random observations where there are more. All
// solutions are evaluated on all observations at the end, in one pass, and the
// best of them is the fit's: its objective, relative error and gradient norm
// are exact. Tolerance, RelativeDecrease and Memory play no part.
//
// Of a stream, whose observations are slow to reach at random, 128 MB are drawn
// with Options.Seed in one pass (all of them where they fit), and everything
// else from these: the gradients then estimate the moment of this reservoir
// without bias, not that of all observations. The unit and the evaluation at
// the end are of all of them.
func (m *Moment) Sampled(s int) *Moment {
	c := m.as(formSampled)
	c.samples = s
	if s == 0 {
		c.samples = defaultSamples
	}
	if c.err == nil && s < 0 {
		c.err = &ArgumentError{Argument: "s", Value: s, Want: "at least 1 (0 means 1,000)"}
	}
	return c
}

// sampled solves by Adam from every start and evaluates the solutions on the
// full problem.
func (c *decomposition) sampled() (outcome, error) {
	c.begin(PhaseSample)
	x, read, err := c.reservoir()
	if err != nil {
		return outcome{}, err
	}
	if _, err := c.m.span(c.ctx); err != nil {
		return outcome{}, err
	}
	passes := 0
	if c.o.Scale == ScaleAuto {
		c.begin(PhaseScale)
		unit, p, err := c.m.unit(c.ctx, c.observations(), c.o.Threads)
		if err != nil {
			return outcome{}, err
		}
		c.setUnit(unit)
		passes = p
	} else {
		c.setUnit(1)
	}
	c.fit.Samples = c.m.samples
	draws := moment.NewSampled(x, c.m.order, c.m.samples)
	fixed := &moment.Implicit{Data: x, D: c.m.order}
	if x.P > estimateRows {
		fixed.Data = draws.Draw(estimateRows, rand.New(rand.NewPCG(c.o.Seed, estimateStream)))
	}
	c.begin(PhaseSearch)
	outcomes := c.sideBySide(c.o.Starts, func(threads int) func(int) outcome {
		estimate := moment.NewObjective(fixed, c.r, c.unit, threads)
		return func(k int) outcome { return c.adam(k, x, draws, estimate) }
	})
	rows := 0.0
	for _, out := range outcomes {
		rows += out.rows
	}
	if read > 0 {
		passes += read // the rest was in memory
	} else {
		passes += int(math.Ceil(rows / float64(x.P)))
	}
	if c.judge(outcomes) {
		passes++
	}
	c.fit.DataPasses = passes
	best := c.record(outcomes)
	c.best = best.f // until now, of estimates
	return best, c.none(best)
}

// reservoir returns the observations that all others are drawn from: all in
// memory, or a part of a stream, with the passes over the stream that it took.
func (c *decomposition) reservoir() (x *moment.Data, passes int, err error) {
	s, n := c.m.session, c.fit.N
	if s.far == nil || s.far.disk == nil {
		all, err := s.whole("the sampled form")
		if err != nil {
			return nil, 0, err
		}
		return dataOf(all), 0, nil
	}
	rows := max(1, reservoirBytes/(8*n))
	if c.fit.Observations <= rows {
		x, err := moment.Gather(c.ctx, c.observations())
		return x, 1, err
	}
	sample := moment.NewSample(rows, n, c.o.Seed)
	if !c.observations().Pass(c.ctx, sample.Add) {
		return nil, 0, c.stopped()
	}
	c.fit.Warnings = append(c.fit.Warnings, fmt.Sprintf("gradients are drawn from %s of the %s observations, which fit in %s",
		words.Count(rows), words.Count(c.fit.Observations), size(reservoirBytes)))
	return sample.Data(), 1, nil
}

// adam runs Adam from start k on observations x. The stream (seed, k) gives the
// start, then the samples.
func (c *decomposition) adam(k int, x *moment.Data, draws *moment.Sampled, estimate *moment.Objective) (out outcome) {
	began := time.Now()
	out.start = Start{Index: k, Status: solve.Interrupted.String(), Estimated: true}
	rng := rand.New(rand.NewPCG(c.o.Seed, uint64(k)))
	if x.P > startRows {
		x = draws.Draw(startRows, rng)
	}
	x0 := make([]float64, estimate.Size())
	if !c.guessFrom(x, rng, k, moment.NewObjective(&moment.Implicit{Data: x, D: c.m.order}, c.r, c.unit, 1), x0) {
		return out
	}
	out.rows = 2 * float64(x.P) // it was drawn from them, and turned
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
			c.report(k, it.Iteration, it.F, false)
		}})
	out.rows += float64(gradients) * float64(c.m.samples)
	c.ended(k, &out, res, err, began)
	return out
}

// judge replaces the estimates of the outcomes by what they are on the full
// problem, in one pass. It returns false, the estimates unchanged and a
// warning given, when interrupted.
func (c *decomposition) judge(outcomes []outcome) bool {
	var found []*outcome
	var xs, gs [][]float64
	for i := range outcomes {
		if out := &outcomes[i]; out.x != nil {
			found = append(found, out)
			xs, gs = append(xs, out.x), append(gs, make([]float64, len(out.x)))
		}
	}
	if len(found) == 0 {
		return false
	}
	began := time.Now()
	c.begin(PhaseEvaluation)
	full := &moment.Implicit{Data: c.observations(), D: c.m.order}
	fs := moment.EvaluateEach(c.ctx, full, c.r, c.unit, c.o.Threads, xs, gs)
	if fs == nil {
		c.fit.Warnings = append(c.fit.Warnings, "interrupted before the solutions were evaluated on all observations: objective, relative error and gradient norm are estimates from "+words.Plural(min(estimateRows, c.fit.Observations), "observation"))
		return false
	}
	share := time.Since(began).Seconds() / float64(len(found))
	for i, out := range found {
		out.f = fs[i]
		s := &out.start
		s.ObjectiveShifted, s.GradientNorm = fs[i]*c.back, linalg.NormInf(gs[i])
		s.Evaluations++
		s.Seconds += share
		c.count()
		if !finite(fs[i]) { // all observations reach farther than the sample
			s.Status, out.x = solve.NotFinite.String(), nil
		}
	}
	return true
}
