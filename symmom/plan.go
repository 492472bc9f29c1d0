package symmom

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"symmom/internal/ktensor"
	"symmom/internal/linalg"
	"symmom/internal/notice"
)

// plan is what Decompose was asked for, checked and completed. It is never
// changed: what goes on is in its tracker, what is solved in a search, and what a
// form finds in a solution.
type plan struct {
	m    *Moment
	o    Options
	r    int // rank
	p, n int // observations, variables
	ctx  context.Context
	*tracker
}

// plan makes one of arguments that were checked.
func (m *Moment) plan(r int, o Options, began time.Time) *plan {
	s := m.session
	progress := o.Progress
	if progress == nil && s.env != nil {
		progress = s.env.Progress
	}
	return &plan{m: m, o: o, r: r, p: s.data.P, n: s.data.N, ctx: s.context(),
		tracker: &tracker{progress: progress, rank: r, starts: o.Starts, began: began, best: math.NaN()}}
}

// solution is what a form finds.
type solution struct {
	found
	search   *search // which found it
	form     Form
	passes   int // over the data
	warnings []Warning

	// Of the compressed form; see Fit.
	basis         int
	spectrum      []float64
	suggestedRank int

	samples int // of the sampled form
}

// warn adds a warning of a kind.
func (s *solution) warn(code, format string, args ...any) {
	s.warnings = append(s.warnings, notice.New(code, format, args...))
}

// decompose fills the fit.
func (c *plan) decompose(f *Fit) error {
	fingerprint := make(chan string, 1) // of all data: beside the work, not before it
	go func() { fingerprint <- c.m.session.fingerprint(c.ctx) }()
	s, err := c.solution()
	if s != nil {
		f.Starts, f.Best, f.Evaluations = s.starts, s.best, s.evaluations
		f.Warnings = append(f.Warnings, s.warnings...)
	}
	if err != nil {
		return err
	}
	f.Form, f.DataPasses, f.Samples = s.form, s.passes, s.samples
	f.Basis, f.Spectrum, f.SuggestedRank = s.basis, s.spectrum, s.suggestedRank
	f.Warnings = append(f.Warnings, c.cautions(s)...)
	return c.finish(f, s, fingerprint)
}

// solution solves in the form that was asked for, or the cheapest.
func (c *plan) solution() (*solution, error) {
	form := c.m.form
	if form == FormAuto {
		form = c.m.cheapest(c.r, c.o)
	}
	if err := c.m.session.forgotten(); err != nil && form != FormCompressed {
		return nil, c.m.session.compression().remembered(err)
	}
	switch form {
	case FormCompressed:
		return c.compressed()
	case FormSampled:
		return c.sampled()
	}
	return c.full(form, nil)
}

// full solves the full problem from every start, in the implicit or the explicit
// form, in the unit of an earlier search if there was one.
func (c *plan) full(form Form, earlier *search) (*solution, error) {
	if form == FormImplicit && c.m.session.storage.slow() {
		return c.streamed(earlier)
	}
	return c.direct(form, earlier)
}

// scaled prepares a search on the full problem, in the unit of an earlier one if
// there was one, and returns the passes that this took.
func (c *plan) scaled(earlier *search) (s *search, passes int, err error) {
	c.begin(PhaseScale)
	unit, passes, err := c.m.unit(c.ctx, c.observations(), c.o.Threads)
	if err != nil {
		return nil, 0, err
	}
	s = c.search(unit, earlier)
	return s, passes, s.bound()
}

// direct solves from every start on the full problem.
func (c *plan) direct(form Form, earlier *search) (*solution, error) {
	if form == FormExplicit {
		c.begin(PhaseTensor)
	}
	tensor, err := c.m.tensor(c.ctx, form, c.o)
	if err != nil {
		return nil, err
	}
	if form == FormExplicit { // at no cost, and nothing to search for where it is 0
		if _, err := c.m.norm(c.ctx, c.o); err != nil {
			return nil, err
		}
	}
	s, passes, err := c.scaled(earlier)
	if err != nil {
		return nil, err
	}
	found := s.record(s.enough(tensor, s.start))
	sol := &solution{found: found, search: s, form: form, passes: passes + 1}
	if form == FormImplicit {
		// A start is drawn in one pass and turned in another.
		sol.passes = passes + found.evaluations + 2*len(found.starts)
	}
	return sol, c.errNoResult(found)
}

// errNoResult is the error of a search that found nothing.
func (c *plan) errNoResult(f found) error {
	switch {
	case f.x != nil:
		return nil
	case c.stopped() != nil:
		return c.stopped()
	}
	if c.o.Scale == ScaleNone {
		return notice.Helped(fmt.Errorf("decompose: no start reached a finite objective; in the data's own units powers of %d are out of range: leave Scale at \"auto\"", 2*c.m.order), "Scale")
	}
	return fmt.Errorf("decompose: no start reached a finite objective; the data may be too large or too small for the power %d: multiply them by a constant", 2*c.m.order)
}

// finish completes the fit: ||X||^2, the model in the data's units, where it came
// from.
func (c *plan) finish(f *Fit, s *solution, fingerprint <-chan string) error {
	o, unit := c.o, s.search.unit
	stopped := c.stopped()
	f.Status, f.ObjectiveShifted, f.GradientNorm = s.start.Status, s.start.ObjectiveShifted, s.start.GradientNorm
	f.Cosine = s.start.Cosine
	var norm Norm // of the observations divided by span: always in range
	if stopped == nil {
		c.begin(PhaseNorm)
		if norm, stopped = c.m.norm(c.ctx, o); stopped != nil && c.stopped() == nil {
			return stopped
		}
	}
	if stopped != nil {
		f.Status = StatusInterrupted
		norm = c.m.quickNorm(o)
	}
	span, power := c.m.known(), 2*float64(c.m.order)
	norm = norm.atLeast(-s.f * math.Pow(unit/span, power)) // f is not negative
	if norm.Doubtful {
		f.Warnings = append(f.Warnings, norm.doubt())
	}
	f.NormSquared = norm.times(math.Pow(span, power))
	f.RelativeError = 1 + s.f*math.Pow(unit/span, power)/norm.Value
	f.Solver = SolverGaussNewton
	switch {
	case f.Form == FormSampled:
		f.Solver = SolverAdam
	case o.Nonnegative:
		f.Solver = SolverLBFGSB
	case o.Solver == SolverLBFGS:
		f.Solver = SolverLBFGS
	}
	f.Model = c.model(s.x, unit)
	f.Warnings = append(f.Warnings, f.degenerate()...)
	relativeError, gradientNorm := f.RelativeError, f.GradientNorm
	f.Model.Origin = Origin{Source: c.m.session.data.Source, Fingerprint: c.await(fingerprint), Observations: f.Observations,
		Form: f.Form, Solver: f.Solver, Status: f.Status, RelativeError: &relativeError, GradientNorm: &gradientNorm,
		Options: &SavedOptions{Starts: c.begun(), Seed: o.Seed, Tolerance: o.Tolerance, RelativeDecrease: o.RelativeDecrease,
			MaxIterations: o.MaxIterations, MaxEvaluations: o.MaxEvaluations, Memory: o.Memory, Scale: o.Scale,
			Init: o.Init, InitialModel: o.InitialModel != nil, Nonnegative: o.Nonnegative, Samples: f.Samples}}
	switch {
	case !finite(f.ObjectiveShifted, f.NormSquared.Value) || !finite(f.Model.Lambda...):
		f.Warnings = append(f.Warnings, c.rangeWarning("overflow", "divide"))
	case f.NormSquared.Value < smallestNormal && norm.Value > 0:
		f.Warnings = append(f.Warnings, c.rangeWarning("vanish", "multiply"))
	}
	f.Elapsed = time.Since(c.began)
	c.end(s.start, f.ObjectiveShifted)
	return stopped
}

// rangeWarning warns of results that no float64 can hold in the data's units. The
// problem that was solved has other units, unless it was asked not to.
func (c *plan) rangeWarning(what, remedy string) Warning {
	if c.o.Scale == ScaleNone {
		return notice.New(notice.OutOfRange, "numbers to the power %d %s in the data's units and so nothing here is right: leave Scale at \"auto\", or %s the data by a constant", 2*c.m.order, what, remedy).With("Scale")
	}
	return notice.New(notice.OutOfRange, "numbers to the power %d %s in the data's units (the factors and the relative error are right): %s the data by a constant", 2*c.m.order, what, remedy)
}

// await returns the fingerprint, or none when an interrupted run would have to
// wait long for it.
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

// model arranges the solution and brings it back to the data's units.
func (c *plan) model(x []float64, unit float64) *Model {
	k := &ktensor.Kruskal{D: c.m.order, N: c.n, R: c.r,
		Lambda: slices.Clone(x[:c.r]), A: slices.Clone(x[c.r:])}
	k.Arrange()
	linalg.Scale(math.Pow(unit, float64(c.m.order)), k.Lambda)
	m := modelOf(k)
	m.Names, m.Center = c.m.session.Columns(), slices.Clone(c.m.session.center)
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
