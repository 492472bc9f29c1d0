package symmom

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"symmom/internal/ktensor"
	"symmom/internal/linalg"
	"symmom/internal/moment"
	"symmom/internal/solve"
)

// Decompose fits a model of rank r >= 1 to the moment: it minimises
// f(lambda, A) = ||X - sum_j lambda_j a_j^(x d)||^2 by L-BFGS from several
// starts and returns the best. Starts run side by side; the result does not
// depend on how many threads there are. When the session's context is
// cancelled it stops within one evaluation and returns the best so far, with
// an error that wraps ErrInterrupted.
//
// Cost: evaluations times 4 p n r (implicit) or 2 r n^d (explicit) operations.
func (m *Moment) Decompose(r int) *Fit {
	f := &Fit{Model: &Model{Order: m.order}, Order: m.order, Rank: r}
	if m.err != nil {
		f.err = m.err
		return f
	}
	o, err := m.options.withDefaults()
	if err != nil {
		f.err = err
		return f
	}
	if err := m.checkRank(r, o); err != nil {
		f.err = err
		return f
	}
	f.N, f.Observations, f.Seed = m.session.data.N, m.session.data.P, o.Seed
	f.Warnings = append(slices.Clone(m.session.data.Warnings), m.rankWarnings(r)...)
	run := &decomposition{m: m, o: o, r: r, fit: f, ctx: m.session.context(), began: time.Now()}
	if err := run.do(); err != nil {
		f.err = interrupted("decompose", err)
	}
	return f
}

// checkRank refuses what cannot be done.
func (m *Moment) checkRank(r int, o Options) error {
	if r < 1 {
		return &ArgumentError{Argument: "rank", Value: r, Want: "at least 1"}
	}
	if i := o.InitialModel; i != nil {
		if i.Order != m.order || i.Rank() != r || i.N() != m.session.data.N {
			return &ArgumentError{Argument: "InitialModel", Value: fmt.Sprintf("order %d, rank %d, %d variables", i.Order, i.Rank(), i.N()),
				Want: fmt.Sprintf("order %d, rank %d, %d variables, as the decomposition", m.order, r, m.session.data.N)}
		}
	}
	return nil
}

// rankWarnings tells of a rank above what the data can carry: a moment of p
// observations has rank p at most, and a generic symmetric tensor of this
// size is matched by about C(n+d-1, d)/n components (Alexander & Hirschowitz).
func (m *Moment) rankWarnings(r int) []string {
	d := m.session.data
	limit, why := float64(d.P), fmt.Sprintf("a moment of %s has at most rank %s", plural(d.P, "observation"), count(d.P))
	generic := 1.0
	switch m.order {
	case 1:
	case 2:
		generic = float64(d.N)
	default:
		for k := range m.order {
			generic *= float64(d.N+k) / float64(k+1)
		}
		generic = math.Ceil(generic / float64(d.N))
	}
	if generic < limit {
		limit, why = generic, fmt.Sprintf("%g components fit any order-%d moment of %s", generic, m.order, plural(d.N, "variable"))
	}
	if float64(r) > limit {
		return []string{fmt.Sprintf("rank %d is more than the data can carry: %s; the components are not unique", r, why)}
	}
	return nil
}

// decomposition is the state of one call of Decompose.
type decomposition struct {
	m     *Moment
	o     Options
	r     int
	fit   *Fit
	ctx   context.Context
	began time.Time

	tensor moment.Tensor
	unit   float64 // of the problem that is solved
	back   float64 // unit^2d: from the problem's f to the user's
	inner  int     // threads of one evaluation

	evaluations atomic.Int64
	mu          sync.Mutex // guards what follows, and calls of Progress
	done        int
	best        float64
}

// outcome is what a start leaves.
type outcome struct {
	start Start
	f     float64   // of the problem that was solved
	x     []float64 // nil when no finite point was reached
}

func (c *decomposition) do() error {
	fingerprint := c.m.session.Fingerprint()
	unit, err := c.m.unit(c.ctx, c.o.Threads)
	if err != nil {
		return err
	}
	c.unit = 1
	if c.o.Scale == ScaleAuto {
		c.unit = unit
	}
	c.back = math.Pow(c.unit, 2*float64(c.m.order))
	if c.tensor, err = c.m.tensor(c.ctx, c.o, c.r); err != nil {
		return err
	}
	c.best = math.Inf(1)
	workers := min(c.o.Threads, c.o.Starts)
	c.inner = max(1, c.o.Threads/workers)

	outcomes := make([]outcome, c.o.Starts)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				k := int(next.Add(1)) - 1
				if k >= c.o.Starts || c.ctx.Err() != nil {
					return
				}
				outcomes[k] = c.start(k)
			}
		}()
	}
	wg.Wait()
	return c.finish(outcomes, unit, fingerprint)
}

// start runs the solver from start k. Everything random in it comes from the
// stream (seed, k).
func (c *decomposition) start(k int) (out outcome) {
	began := time.Now()
	o := moment.NewObjective(c.tensor, c.r, c.unit, c.inner)
	out.start = Start{Index: k, Status: solve.Interrupted.String()}
	x0 := make([]float64, o.Size())
	if !c.guess(k, o, x0) {
		return out
	}
	settings := solve.Settings{
		Memory: c.o.Memory, MaxIterations: c.o.MaxIterations, MaxEvaluations: c.o.MaxEvaluations,
		GradientTolerance: c.o.Tolerance, RelativeDecrease: c.o.RelativeDecrease,
		Recorder: func(it solve.Iterate) {
			out.start.Trace = append(out.start.Trace, TracePoint{Evaluations: it.Evaluations,
				Seconds: time.Since(began).Seconds(), Objective: it.F * c.back, GradientNorm: it.GradientNorm})
			c.report(k, it.Iteration, it.F, false)
		},
	}
	if c.o.Nonnegative {
		settings.Lower = make([]float64, len(x0))
	}
	res, err := solve.LBFGS(func(x, g []float64) (float64, bool) {
		f, ok := o.Evaluate(c.ctx, x, g)
		if ok {
			c.evaluations.Add(1)
		}
		return f, ok
	}, x0, settings)
	if err != nil {
		// The arguments are ours, and checked: only a start that is not finite
		// gets here.
		out.start.Status = solve.NotFinite.String()
		return out
	}
	s := &out.start
	s.Status, s.Iterations, s.Evaluations = res.Status.String(), res.Iterations, res.Evaluations
	s.ObjectiveShifted, s.GradientNorm = res.F*c.back, res.GradientNorm
	s.Seconds = time.Since(began).Seconds()
	if len(s.Trace) > 0 && finite(res.F) && finite(res.X...) {
		out.f, out.x = res.F, res.X
	}
	c.report(k, res.Iterations, res.F, true)
	return out
}

// guess fills x0 with start k: lambda at ones, A as Options.Init says, or the
// given model. It returns false when interrupted.
func (c *decomposition) guess(k int, o *moment.Objective, x0 []float64) bool {
	lambda, a := x0[:c.r], x0[c.r:]
	if c.o.InitialModel != nil && k == 0 {
		given := c.o.InitialModel.kruskal()
		copy(a, given.A)
		for j, v := range given.Lambda {
			lambda[j] = v / math.Pow(c.unit, float64(c.m.order))
		}
		if c.o.Nonnegative {
			for i, v := range x0 {
				x0[i] = math.Max(v, 0)
			}
		}
		return true
	}
	for j := range lambda {
		lambda[j] = 1
	}
	x := c.m.observations()
	rng := rand.New(rand.NewPCG(c.o.Seed, uint64(k)))
	if c.o.Init == InitGaussian {
		moment.Gaussian(a, x.N, rng)
	} else if !moment.RangeFinder(c.ctx, x, a, c.r, rng) {
		return false
	}
	if c.o.Nonnegative {
		for i, v := range a {
			a[i] = math.Abs(v)
		}
		return true
	}
	return c.o.Init != InitRRF || moment.Align(c.ctx, o, a)
}

// report passes the state of a start on to whoever watches.
func (c *decomposition) report(k, iterations int, f float64, ended bool) {
	progress := c.o.Progress
	if progress == nil && c.m.session.host != nil {
		progress = c.m.session.host.Progress
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.best = math.Min(c.best, f)
	if ended {
		c.done++
	}
	if progress == nil {
		return
	}
	p := Progress{Rank: c.r, Start: k, StartsDone: c.done, Starts: c.o.Starts, Iterations: iterations,
		Evaluations: int(c.evaluations.Load()), Objective: f * c.back, Best: c.best * c.back,
		Elapsed: time.Since(c.began), Remaining: -1, Done: c.done == c.o.Starts}
	if c.done > 0 {
		p.Remaining = p.Elapsed * time.Duration(c.o.Starts-c.done) / time.Duration(c.done)
	}
	progress(p)
}

// finish chooses the best outcome and fills the fit.
func (c *decomposition) finish(outcomes []outcome, unit float64, fingerprint string) error {
	f, o := c.fit, c.o
	var best *outcome
	for i := range outcomes {
		out := &outcomes[i]
		if out.start.Evaluations == 0 {
			continue // never begun
		}
		f.Starts = append(f.Starts, out.start)
		f.Evaluations += out.start.Evaluations
		if out.x != nil && (best == nil || out.f < best.f) {
			best, f.Best = out, len(f.Starts)-1
		}
	}
	stopped := c.ctx.Err()
	if best == nil {
		if stopped != nil {
			return stopped
		}
		return fmt.Errorf("decompose: no start reached a finite objective; the data may be too large or too small for the power %d (try Scale \"auto\")", c.m.order)
	}
	f.Status, f.ObjectiveShifted, f.GradientNorm = best.start.Status, best.start.ObjectiveShifted, best.start.GradientNorm
	var norm Norm // of the observations divided by unit: always in range
	if stopped == nil {
		if norm, stopped = c.m.norm(c.ctx, o); stopped != nil && c.ctx.Err() == nil {
			return stopped
		}
	}
	if stopped != nil {
		f.Status = solve.Interrupted.String()
		norm = c.m.quickNorm(o, unit)
	}
	power := 2 * float64(c.m.order)
	f.NormSquared = norm.times(math.Pow(unit, power))
	f.RelativeError = 1 + best.f*math.Pow(c.unit/unit, power)/norm.Value
	f.Form, f.Solver = c.tensor.Name(), "lbfgs"
	if o.Nonnegative {
		f.Solver = "lbfgsb"
	}
	f.Model = c.model(best.x)
	relativeError, gradientNorm := f.RelativeError, f.GradientNorm
	f.Model.Origin = Origin{Source: c.m.session.data.Source, Fingerprint: fingerprint, Observations: f.Observations,
		Form: f.Form, Solver: f.Solver, Status: f.Status, RelativeError: &relativeError, GradientNorm: &gradientNorm,
		Options: &SavedOptions{Starts: o.Starts, Seed: o.Seed, Tolerance: o.Tolerance, RelativeDecrease: o.RelativeDecrease,
			MaxIterations: o.MaxIterations, MaxEvaluations: o.MaxEvaluations, Memory: o.Memory, Scale: o.Scale,
			Init: o.Init, InitialModel: o.InitialModel != nil, Nonnegative: o.Nonnegative}}
	if !finite(f.ObjectiveShifted, f.NormSquared.Value) || !finite(f.Model.Lambda...) {
		f.Warnings = append(f.Warnings, fmt.Sprintf("numbers to the power %d overflow in the data's units (the factors and the relative error are right): divide the data by a constant", 2*c.m.order))
	}
	f.Seconds = time.Since(c.began).Seconds()
	return stopped
}

// model arranges the solution and brings it back to the data's units.
func (c *decomposition) model(x []float64) *Model {
	k := &ktensor.Kruskal{D: c.m.order, N: c.fit.N, R: c.r,
		Lambda: slices.Clone(x[:c.r]), A: slices.Clone(x[c.r:])}
	k.Arrange()
	linalg.Scale(math.Pow(c.unit, float64(c.m.order)), k.Lambda)
	m := modelOf(k)
	m.Names = c.m.session.Columns()
	return m
}

func finite(v ...float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
