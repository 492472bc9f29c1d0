package fit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	identity "symmom/internal/data/fingerprint"
	"symmom/internal/estimate/progress"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/math/solve"
	"symmom/internal/moment"
	"symmom/internal/text/diag"
)

// plan is a request to Decompose. It never changes: progress is kept in its
// tracker, the state of the solver in a search, and what a form finds in a solution.
type plan struct {
	m    *Moment
	o    *Options
	r    int // rank
	p, n int // observations, variables
	ctx  context.Context
	*tracker

	// identify begins with the fingerprint, once. It and a survey of the observations
	// would only wait for the memory in turns.
	identify func()
}

// solution is the result of a form.
type solution struct {
	found
	search   *search   // the search that found it
	outcomes []outcome // of its starts, if that may go on
	form     Form
	read     int // passes equivalent to the observations read at random
	warnings []diag.Warning

	// For the compressed form; see Result.
	basis                int
	spectrum             []float64
	stand, suggestedRank int
}

// warn adds a warning with a code.
func (s *solution) warn(code, format string, args ...any) {
	s.warnings = append(s.warnings, diag.New(code, format, args...))
}

// Decompose fits a model of rank r. The options must be complete, and match the form.
// If the error is ctx's, the result is the best so far.
func (m *Moment) Decompose(ctx context.Context, r int, o *Options) (_ *Result, err error) {
	c := &plan{m: m, o: o, r: r, p: m.Table.P, n: m.Table.N, ctx: ctx,
		tracker: &tracker{progress: o.Progress, rank: r, starts: o.Starts, began: time.Now(), best: math.NaN()}}
	fingerprint := make(chan string, 1) // of all data: computed alongside the work, not before it
	alongside, cancel := context.WithCancel(ctx)
	defer cancel()
	c.identify = sync.OnceFunc(func() {
		if !identity.Needed(ctx) {
			fingerprint <- ""
			return
		}
		go func() {
			text, _ := m.Table.Fingerprint(alongside)
			fingerprint <- text
		}()
	})
	if !m.surveys() {
		c.identify()
	}
	f, last := &Result{}, progress.Report{Objective: math.NaN()}
	defer func() {
		c.end(last, err != nil && ctx.Err() != nil)
		f.Phases = c.times()
	}()
	s, err := c.solution()
	if s != nil {
		f.Starts, f.Best, f.Evaluations = s.starts, s.best, s.evaluations
		f.Warnings = s.warnings
	}
	if err != nil {
		return f, err
	}
	f.Form, f.Passes = s.form, int(c.passes.Load())+s.read
	f.Basis, f.Spectrum, f.Stand, f.SuggestedRank = s.basis, s.spectrum, s.stand, s.suggestedRank
	f.Warnings = append(f.Warnings, c.cautions(s)...)
	err = c.finish(f, s, fingerprint)
	last = progress.Report{Start: s.start.Index, Iterations: s.start.Iterations, StartEvaluations: s.start.Evaluations, Objective: f.ObjectiveShifted}
	return f, err
}

// solution solves in the requested form, or the cheapest.
func (c *plan) solution() (*solution, error) {
	form := c.m.Form
	switch {
	case form == Auto && c.m.far() && (c.o.uncompressed() || c.m.Distinct):
		form = Explicit
	case form == Auto && c.m.far():
		form = Compressed
	case form == Auto:
		form = c.m.cheapest(c.r, c.o)
	case c.m.Distinct && (form == Compressed || form == Sampled):
		return nil, fmt.Errorf("decompose: the %s form is not for moments over distinct indices", form)
	case c.m.Distinct && c.m.far() && form != Explicit:
		return nil, diag.Helped(fmt.Errorf("%s: over distinct indices the implicit form takes hundreds of passes, and each is a job of its own where these observations are; use the explicit form", c.m.Table.Source), "Explicit")
	case c.m.far() && form != Compressed && form != Explicit:
		return nil, errFar(c.m.Table.Source, "the "+string(form)+" form")
	}
	if err := c.m.Table.Forgotten(); err != nil && form != Compressed {
		return nil, c.m.Table.Remembered(err)
	}
	switch form {
	case Compressed:
		return c.compressed()
	case Sampled:
		return c.sampled()
	}
	return c.full(form, nil)
}

// errFar is the error for what takes too many passes over observations on other
// machines.
func errFar(source, what string) error {
	return diag.Helped(fmt.Errorf("%s: %s takes hundreds of passes, and each is a job of its own where these observations are; use the compressed form, if need be with a larger basis", source, what), "Compressed")
}

// full solves the full problem from every start, in the implicit or the explicit form,
// in the unit of an earlier search if any.
func (c *plan) full(form Form, earlier *search) (*solution, error) {
	if form == Explicit {
		return c.explicitly(earlier)
	}
	s, err := c.scaled(earlier)
	if err != nil {
		return nil, err
	}
	x := c.counted()
	if c.m.Table.Slow() {
		x = c.observations()
	}
	return s.direct(Implicit, c.m.implicit(x), c.drawn())
}

// scaled prepares a search on the observations, in the unit of an earlier one if any.
func (c *plan) scaled(earlier *search) (*search, error) {
	if earlier != nil { // which knows a unit
		s := c.search(0, earlier)
		return s, s.bound(Implicit)
	}
	c.begin(progress.Scale)
	if _, err := c.span(progress.Scale); err != nil {
		return nil, err
	}
	unit, err := c.m.Unit(c.ctx, c.observations(), c.o.Threads)
	if err != nil {
		return nil, err
	}
	s := c.search(unit, nil)
	return s, s.bound(Implicit)
}

// span returns the largest norm of an observation. Where the pass that finds it surveys the
// observations for an estimate of ||X||^2, which takes most of it, it counts as that, and
// then the phase goes on.
func (c *plan) span(phase string) (float64, error) {
	if c.m.surveys() {
		c.begin(progress.Norm)
		defer c.begin(phase)
		defer c.identify()
	}
	return c.m.span(c.ctx, c.o.Threads)
}

// direct solves from every start, whose columns draw draws.
func (c *search) direct(form Form, tensor moment.Tensor, draw drawing) (*solution, error) {
	found := c.record(c.enough(tensor, func(k int, o *moment.Objective, x0 []float64) bool { return c.start(draw, k, o, x0) }))
	return &solution{found: found, search: c, form: form}, c.errNoResult(found)
}

// errNoResult is the error of a search that found nothing.
func (c *plan) errNoResult(f found) error {
	switch {
	case f.x != nil:
		return nil
	case c.stopped() != nil:
		return c.stopped()
	}
	if c.o.Absolute {
		return diag.Helped(fmt.Errorf("decompose: no start reached a finite objective; in the data's own units powers of %d are out of range: leave Scale at \"auto\"", 2*c.m.Order), "Scale")
	}
	return fmt.Errorf("decompose: no start reached a finite objective; the data may be too large or too small for the power %d: multiply them by a constant", 2*c.m.Order)
}

// finish completes the result: ||X||^2, the model in the data's units, the
// fingerprint.
func (c *plan) finish(f *Result, s *solution, fingerprint <-chan string) error {
	unit, power := s.search.unit, 2*float64(c.m.Order)
	c.identify()
	f.Status, f.ObjectiveShifted, f.GradientNorm = s.start.Status, s.start.ObjectiveShifted, s.start.GradientNorm
	f.Cosine = s.start.Cosine
	norm, span, stopped, err := c.finalNorm(s)
	if err != nil {
		return err
	}
	if stopped != nil {
		f.Status = solve.Interrupted
	}
	toSpan := math.Pow(unit/span, power)
	if stopped == nil && !norm.Exact() && -s.f*toSpan < suspicious {
		if err := c.m.cancels(c.ctx, s.x[c.r:], span); err != nil {
			return err
		}
	}
	norm = norm.atLeast(-s.f * toSpan) // f is not negative
	if norm.Doubtful || norm.undetermined() {
		f.Warnings = append(f.Warnings, norm.times(math.Pow(span, power)).doubt())
	}
	left := c.m.leftOpen(c.r, s.x[:c.r], s.x[c.r:], norm.Value*math.Pow(span/unit, power))
	f.NormSquared, f.RelativeError = norm.times(math.Pow(span, power)), relativeError(s.f*toSpan, norm, left)
	if s.form == Sampled && s.promise > 0 { // beyond what an estimate of ||X||^2 leaves open
		share := s.promise * toSpan / math.Max(f.RelativeError*norm.Value, norm.StdErr)
		f.Cosine = math.Sqrt(math.Min(share, 1))
		f.Warnings = append(f.Warnings, c.promised(s, share)...)
	}
	f.Model = c.model(s.x, unit)
	if !math.IsNaN(f.Cosine) && !c.o.Nonnegative && s.search.ignores(s.x, s.f, f.Model.Diagnose().Condition) {
		f.Cosine = math.NaN()
	}
	if s.f < 0 { // else it is no better than none
		f.Warnings = append(f.Warnings, degenerate(f.Model)...)
		f.Warnings = append(f.Warnings, unseen(f.Model)...)
	}
	f.Warnings = append(f.Warnings, roundingWarning(left)...)
	f.Fingerprint, f.Begun = c.await(fingerprint), c.begun()
	f.Warnings = append(f.Warnings, c.unknown(f, s, norm)...)
	return stopped
}

// finalNorm returns ||X||^2, of the observations divided by span, for a solution. If the run was
// stopped, stopped is non-nil, and the norm is the known or estimated value.
func (c *plan) finalNorm(s *solution) (norm Norm, span float64, stopped, err error) {
	if stopped = c.stopped(); stopped == nil {
		c.begin(progress.Norm)
		bounded, err := c.m.norm(c.ctx, c.o, s.form)
		if err == nil {
			return bounded.Norm, c.m.known(), nil, nil
		}
		if c.stopped() == nil {
			return Norm{}, 0, nil, err
		}
		stopped = err
	}
	m := c.m
	if m.known() == 0 { // the remaining figures need it, and cannot wait for who computes it
		own := m.Of(m.Table)
		m = &own
		if _, err := m.span(context.WithoutCancel(c.ctx), c.o.Threads); err != nil {
			return Norm{}, 0, stopped, err
		}
	}
	return m.quickNorm(c.o, s.form), m.known(), stopped, nil
}

// relativeError returns 1 + f/||X||^2, or 0 where it is below that by no more than rounding, and
// left, leave open.
func relativeError(f float64, norm Norm, left float64) float64 {
	e := 1 + f/norm.Value
	if e < 0 && e > -math.Max(SameRounded, left) {
		e = 0
	}
	if norm.Exact() {
		e = Rounded(e)
	}
	return e
}

// unknown warns of missing or unrepresentable results.
func (c *plan) unknown(f *Result, s *solution, norm Norm) []diag.Warning {
	switch {
	case math.IsNaN(norm.Value): // interrupted
		exact := "; f (shifted) is exact and comparable"
		if s.start.Unverified {
			exact = ""
		}
		return []diag.Warning{diag.New(diag.Norm, "||X||^2 and the relative error are unknown, as the run was interrupted%s", exact)}
	case !linalg.Finite(f.ObjectiveShifted, f.NormSquared.Value) || !linalg.Finite(f.Model.Lambda...):
		return []diag.Warning{c.rangeWarning("overflow", "divide")}
	case f.NormSquared.Value < smallestNormal && norm.Value > 0:
		return []diag.Warning{c.rangeWarning("vanish", "multiply")}
	}
	return nil
}

// rangeWarning warns of results that do not fit in a float64 in the data's units. The
// problem that was solved has other units, unless it was absolute.
func (c *plan) rangeWarning(what, remedy string) diag.Warning {
	if c.o.Absolute {
		return diag.New(diag.OutOfRange, "numbers to the power %d %s in the data's units and so nothing here is right: leave Scale at \"auto\", or %s the data by a constant", 2*c.m.Order, what, remedy).With("Scale")
	}
	return diag.New(diag.OutOfRange, "numbers to the power %d %s in the data's units (the factors and the relative error are right): %s the data by a constant", 2*c.m.Order, what, remedy)
}

// await returns the fingerprint, or "" if an interrupted run would have to wait long
// for it.
func (c *plan) await(fingerprint <-chan string) string {
	if c.ctx.Err() == nil {
		return <-fingerprint
	}
	select {
	case s := <-fingerprint:
		return s
	case <-time.After(200 * time.Millisecond):
		return ""
	}
}

// model arranges the solution and converts it to the data's units.
func (c *plan) model(x []float64, unit float64) *ktensor.Kruskal {
	k := &ktensor.Kruskal{D: c.m.Order, N: c.n, R: c.r, Distinct: c.m.Distinct,
		Lambda: slices.Clone(x[:c.r]), A: slices.Clone(x[c.r:])}
	k.Arrange()
	linalg.Scale(math.Pow(unit, float64(c.m.Order)), k.Lambda)
	return k
}
