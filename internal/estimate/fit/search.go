package fit

import (
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"symmom/internal/estimate/progress"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/math/solve"
	"symmom/internal/moment"
)

// outcome is the result of one run of the solver.
type outcome struct {
	start Start
	first float64   // f of its start, of the problem in the search's unit
	f     float64   // the same at its end
	open  float64   // what rounding leaves open of f, if that is more than SameRounded of it
	x     []float64 // nil if no finite point was reached
	rows  float64   // observations read, other than by whole passes

	promise float64 // decrease of f by a Gauss-Newton step on all observations, of the sampled form
}

// atMost is an upper bound of f. Outcomes are compared by it: of components that
// are huge and cancel, f may be anything, even below -||X||^2.
func (o outcome) atMost() float64 { return o.f + o.open }

// starter fills x0 with start k; it returns false if interrupted.
type starter func(k int, o *moment.Objective, x0 []float64) bool

// search solves the problem of a plan in a given unit.
type search struct {
	*plan
	unit float64 // the observations are divided by it
	back float64 // unit^2d: from the problem's f to the user's

	// alpha is ||X||^2 of the problem, or a lower bound of it unless exact is set; 0
	// while nothing is known.
	alpha float64
	exact bool

	polishing bool                        // improving solutions found elsewhere
	second    func(k int) []float64       // then, ktensor.GaussNewton's of run k, or nil
	jobs      bool                        // each evaluation of theirs is a job on a cluster
	until     func(k int, f float64) bool // run k ends there, unless nil
	most      func(k int) int             // evaluations of run k, unless nil
}

// search returns a search in a unit, the square root of the second moment's largest
// eigenvalue (1 for the absolute problem), or in the unit of an earlier search,
// keeping what that one knew.
func (c *plan) search(unit float64, earlier *search) *search {
	if earlier != nil {
		s := *earlier
		return &s
	}
	if c.o.Absolute {
		unit = 1
	}
	return &search{plan: c, unit: unit, back: math.Pow(unit, 2*float64(c.m.Order))}
}

// found is the result of a search.
type found struct {
	outcome     // the best, without x if none was found
	starts      []Start
	best        int // index of the best
	evaluations int
}

// record keeps the starts that were begun and the best outcome; of outcomes that
// differ only by rounding it keeps the first.
func (c *search) record(outcomes []outcome) found {
	var f found
	var at []int // of starts in outcomes
	for i, out := range outcomes {
		if out.start.Evaluations == 0 {
			continue // never begun
		}
		at = append(at, i)
		f.starts = append(f.starts, out.start)
		f.evaluations += out.start.Evaluations
		if out.x != nil && (f.x == nil || out.atMost() < f.atMost()-rounding*math.Abs(f.f)) {
			f.outcome, f.best = out, len(f.starts)-1
		}
	}
	for i, at := range at {
		f.starts[i].AtBest = outcomes[at].x != nil && c.same(math.Max(outcomes[at].f, f.f), math.Min(outcomes[at].f, f.f))
	}
	return f
}

// from runs the solver on a tensor from starts lo..hi-1 in parallel.
func (c *search) from(tensor moment.Tensor, lo, hi int, guess starter) []outcome {
	if !c.polishing {
		c.begin(progress.Search)
	}
	if t, ok := tensor.(*moment.Implicit); ok && c.shares(t, hi-lo) {
		return c.sharedPasses(t, lo, hi, guess)
	}
	return c.sideBySide(hi-lo, func(threads int) func(int) outcome {
		o := moment.NewObjective(tensor, c.r, c.unit, threads)
		return func(k int) outcome { return c.run(lo+k, o, guess) }
	})
}

// sideBySide does runs 0..n-1 on all threads, and returns those that were begun, at least one.
// worker is called once per worker, with the number of threads it may use itself.
func (c *plan) sideBySide(n int, worker func(threads int) func(k int) outcome) []outcome {
	workers := min(c.o.Threads, n)
	inner := max(1, c.o.Threads/workers)
	outcomes := make([]outcome, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			run := worker(inner)
			for {
				k := int(next.Add(1)) - 1
				if k >= n || c.stopped() != nil {
					return
				}
				outcomes[k] = run(k)
			}
		}()
	}
	wg.Wait()
	return outcomes[:min(n, max(1, int(next.Load())))]
}

// run runs the solver from start k.
func (c *search) run(k int, o *moment.Objective, guess starter) (out outcome) {
	began := time.Now()
	out.start = Start{Index: k, Status: solve.Interrupted}
	x0 := make([]float64, o.Size())
	o.Ridge = 0
	if !guess(k, o, x0) {
		return out
	}
	var before solve.Result // of a start that was eased
	settings := solve.Settings{
		Memory: c.o.Corrections, MaxIterations: c.o.MaxIterations, MaxEvaluations: c.evaluations(k),
		GradientTolerance: c.o.Tolerance, RelativeDecrease: c.o.RelativeDecrease,
		Recorder: func(it solve.Iterate) {
			if it.Iteration == 0 {
				if before.Evaluations > 0 {
					return // recorded
				}
				out.first = it.F
			}
			it.Iteration, it.Evaluations = it.Iteration+before.Iterations, it.Evaluations+before.Evaluations
			out.start.Trace = append(out.start.Trace, c.tracePoint(it, began))
			c.report(k, it.Iteration, it.Evaluations, it.F*c.back, false)
		},
	}
	if c.until != nil {
		settings.Until = func(f float64) bool { return c.until(k, f) }
	}
	if c.polishing {
		settings.Damping = polishDamping
	}
	gn := c.gaussNewton(len(x0)/c.r - 1)
	gn.Stopped = func() bool { return c.ctx.Err() != nil }
	if c.second != nil {
		gn.Second = c.second(k)
	}
	if !c.o.papers() {
		settings.Scale = c.residual
		settings.Stationarity = func(x []float64, f float64, g []float64) float64 { return c.cosine(gn, x, f, g, c.o.Tolerance) }
	}
	fg := func(x, g []float64) (float64, bool) {
		f, ok := o.Evaluate(c.ctx, x, g)
		if ok {
			c.count()
		}
		return f, ok
	}
	var res solve.Result
	var err error
	if c.o.Nonnegative {
		settings.Lower = make([]float64, len(x0))
	}
	switch {
	case c.o.LBFGS:
		o.Ridge = 0
		res, err = solve.LBFGS(fg, x0, settings)
	default:
		c.bounding(o, &settings)
		if o.Ridge > 0 {
			res, err = c.eased(o, gn, fg, x0, settings)
			if err != nil || res.Status == solve.Interrupted || res.Evaluations >= settings.MaxEvaluations {
				break
			}
			x0, before = res.X, res
			settings.MaxEvaluations -= before.Evaluations
		}
		if res, err = newton(fg, gn, x0, settings); c.m.Distinct && res.Status == solve.Enough {
			res.Status = solve.Stalled
		}
	}
	res.Iterations, res.Evaluations = res.Iterations+before.Iterations, res.Evaluations+before.Evaluations
	// In full, where a single column was enough to go on.
	if settings.Stationarity != nil && !(res.Stationarity <= c.o.Tolerance) && res.G != nil && linalg.Finite(res.G...) {
		res.Stationarity = c.cosine(gn, res.X, res.F, res.G, math.Inf(1))
	}
	c.ended(k, &out, res, err, began)
	return out
}

// newton takes Gauss-Newton steps, within bounds if there are any.
func newton(fg solve.Func, gn *ktensor.GaussNewton, x0 []float64, s solve.Settings) (solve.Result, error) {
	if s.Lower == nil {
		return solve.GaussNewton(fg, gn.Solve, x0, s)
	}
	s.GradientTolerance /= boundedTolerance
	return solve.BoundedGaussNewton(fg, gn.Curvature(), x0, s)
}

// gaussNewton returns the solver's system for n variables or coordinates.
func (c *plan) gaussNewton(n int) *ktensor.GaussNewton {
	if c.m.Distinct {
		return ktensor.NewDistinctGaussNewton(c.m.Order, n, c.r)
	}
	return ktensor.NewGaussNewton(c.m.Order, n, c.r)
}

// farEvaluations is how many passes polishing takes at most where each is a job on a
// cluster, unless more are asked for. A rank that the data do not have can take hundreds,
// for digits that say nothing.
const farEvaluations = 25

// evaluations returns how many run k may take.
func (c *search) evaluations(k int) int {
	most := c.o.MaxEvaluations
	if c.most != nil {
		most = min(most, c.most(k))
	}
	if c.jobs && !c.o.Patient {
		most = min(most, farEvaluations)
	}
	return most
}

// tracePoint is an iterate in the user's units.
func (c *search) tracePoint(it solve.Iterate, began time.Time) TracePoint {
	return TracePoint{Evaluations: it.Evaluations, Elapsed: time.Since(began),
		Objective: it.F * c.back, GradientNorm: it.GradientNorm}
}

// ended completes an outcome from the solver's result.
func (c *search) ended(k int, out *outcome, res solve.Result, err error, began time.Time) {
	if err != nil {
		// The arguments were checked: only a start that is not finite gets here.
		out.start.Status = solve.NotFinite
		return
	}
	s := &out.start
	s.Status, s.Iterations, s.Evaluations = res.Status, res.Iterations, res.Evaluations
	if c.m.Form != Sampled && c.settled(res) {
		s.Status = solve.Converged
	}
	s.ObjectiveShifted, s.Ends, s.GradientNorm = res.F*c.back, res.F*c.back, res.GradientNorm
	s.Elapsed = time.Since(began)
	if len(s.Trace) > 0 && linalg.Finite(res.F) && linalg.Finite(res.X...) {
		out.f, out.x = res.F, res.X
		if open := c.open(res.X); open > SameRounded*math.Abs(res.F) {
			out.open = open
		}
	}
	s.Cosine = math.NaN()
	// Of a residual that is rounding the solver knows no direction: it compares with a larger one.
	if lost := c.exact && c.residual(res.F) <= math.Max(out.open, SameRounded*math.Abs(res.F)); c.m.Form != Sampled && !c.o.papers() && !lost {
		s.Cosine = res.Stationarity
	}
	c.report(k, res.Iterations, res.Evaluations, res.F*c.back, res.Status != solve.Interrupted)
}

// start fills x0 with start k: lambda at ones, A as Options.Init says, or the given
// model. All its randomness comes from the stream (seed, k). It returns false if
// interrupted.
func (c *search) start(draw drawing, k int, o *moment.Objective, x0 []float64) bool {
	return c.startFrom(draw, c.stream(k), k, o, x0)
}

// startFrom is like start with a given stream.
func (c *search) startFrom(draw drawing, rng *rand.Rand, k int, o *moment.Objective, x0 []float64) bool {
	lambda, a := x0[:c.r], x0[c.r:]
	if c.o.Initial != nil && k == 0 {
		c.initialModel(lambda, a)
		return true
	}
	if c.o.Init == Gaussian {
		moment.Gaussian(a, c.n, rng)
	} else if !draw(k, a, rng) {
		return false
	} else if c.startsLong(k) {
		c.longest(a)
	}
	return c.finishStart(k, o, lambda, a)
}

// initialModel copies the initial model, in the units of the problem.
func (c *search) initialModel(lambda, a []float64) {
	model := c.o.Initial
	copy(a, model.A)
	for j, v := range model.Lambda {
		lambda[j] = v / math.Pow(c.unit, float64(c.m.Order))
	}
	if c.o.Nonnegative {
		bounded(lambda, a, c.m.Order)
	}
}

// bounded makes a model non-negative. A column that is the same term with the other sign is
// turned to its larger part; what is negative then is set to 0. It returns the largest share of
// a term's size that was, of squares in its column.
func bounded(lambda, a []float64, d int) (cut float64) {
	n := len(a) / len(lambda)
	for j := range lambda {
		column := a[j*n : (j+1)*n]
		var negative, all float64
		for _, v := range column {
			all += v * v
			negative += math.Min(v, 0) * v
		}
		if 2*negative > all {
			linalg.Scale(-1, column)
			negative = all - negative
			if d%2 == 1 {
				lambda[j] = -lambda[j]
			}
		}
		if lambda[j] < 0 {
			lambda[j], negative = 0, all
		}
		for i, v := range column {
			column[i] = math.Max(v, 0)
		}
		if all > 0 {
			cut = math.Max(cut, negative/all)
		}
	}
	return cut
}

// indefinite reports whether X a^d can be of both signs for all a and -a.
func (c *plan) indefinite() bool { return !c.m.plain() && c.m.Order%2 == 0 }

// signStream and what follows are the random streams of the signs of starts.
const signStream = 1 << 63

// finishStart completes start k, whose columns are drawn: lambda at ones, and the
// signs. It returns false if interrupted.
func (c *search) finishStart(k int, o *moment.Objective, lambda, a []float64) bool {
	for j := range lambda {
		lambda[j] = 1
	}
	if c.m.Distinct {
		o.Ridge = ridge
	}
	if c.o.Nonnegative {
		for i, v := range a {
			a[i] = math.Abs(v)
		}
		return true
	}
	if c.indefinite() {
		// Components of both signs: those of X a_j^d for the columns as drawn, which are
		// all the same where one component outweighs the others, and in every other start
		// drawn as well. Over distinct indices terms of one sign are the rule.
		if c.m.Distinct && k%4 != 3 {
			return true
		}
		if k%2 == 1 && !c.m.Distinct {
			signs := rand.New(rand.NewPCG(c.o.Seed, signStream+uint64(k)))
			for j := range lambda {
				lambda[j] -= float64(2 * signs.IntN(2))
			}
			return true
		}
		_, w, ok := o.TTSV(c.ctx, a)
		for j := range lambda {
			if ok && w[j] < 0 {
				lambda[j] = -1
			}
		}
		return ok
	}
	if c.o.Init != Turned {
		return true
	}
	largest, ok := moment.Align(c.ctx, o, a)
	return ok && !c.vanished(largest, a)
}

// vanished ends the run where X a_j^d is 0 up to rounding for all columns of a start on the
// full problem: searching for nothing takes thousands of evaluations.
func (c *search) vanished(largest float64, a []float64) bool {
	if largest*largest >= suspicious || len(a) != c.r*c.n {
		return false
	}
	err := c.m.cancels(c.ctx, a, c.unit)
	if err != nil {
		c.fail(err)
	}
	return err != nil
}
