package symmom

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"symmom/internal/ktensor"
	"symmom/internal/linalg"
	"symmom/internal/solve"
	"symmom/internal/words"
)

// Decompose fits a model of rank r >= 1 to the moment: it minimises
// f(lambda, A) = ||X - sum_j lambda_j a_j^(x d)||^2 by damped
// Gauss-Newton steps (or as Options.Solver says) from several starts and
// returns the best. Starts run side by side; the result does not
// depend on how many threads there are. When the session's context is
// cancelled or past its deadline it stops within one evaluation and returns the
// best so far, with an error that wraps ErrInterrupted and the context's own; the
// model has no components where nothing was evaluated yet.
//
// Cost: evaluations times 4 p n r (implicit) or 4 r C(n+d-1, d) (explicit)
// operations.
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
	if err := m.checkRoom(r, o); err != nil {
		f.err = err
		return f
	}
	f.N, f.Observations, f.Seed, f.session = m.session.data.N, m.session.data.P, o.Seed, m.session
	f.Warnings = slices.Concat(m.session.data.Warnings, m.rankWarnings(r), m.offsetWarnings(r))
	began := time.Now()
	if m, f.err = m.resolved(m.session.context(), r, o.Threads); f.err != nil {
		f.err = interrupted("decompose", f.err)
		return f
	}
	f.Cumulant = m.cumulant
	if m.noise != nil && !m.cumulant {
		f.noise, f.Sigma = m.noise, m.noise.Sigma()
		f.Warnings = append(f.Warnings, m.noNoise()...)
	}
	run := &decomposition{m: m, o: o, r: r, fit: f, ctx: m.session.context(), began: began}
	if err := run.do(); err != nil {
		f.err = interrupted("decompose", err)
		if errors.Is(f.err, ErrInterrupted) && f.Model.Rank() == 0 {
			f.err = fmt.Errorf("%w before the first evaluation: nothing was found yet, give it more time", f.err)
		}
	}
	return f
}

// checkRank refuses what cannot be done.
func (m *Moment) checkRank(r int, o Options) error {
	if r < 1 {
		return &ArgumentError{Argument: "rank", Value: r, Want: "at least 1"}
	}
	if m.form == formSampled && o.Solver != SolverAuto {
		return &ArgumentError{Argument: "Solver", Value: o.Solver, Want: "auto with the sampled form, whose solver is Adam"}
	}
	if m.form == formSampled && m.debias != nil {
		return &ArgumentError{Argument: "form", Value: m.form, Want: "another form for a debiased moment: choose the implicit or the compressed one"}
	}
	if m.form == formSampled && o.Nonnegative {
		return &ArgumentError{Argument: "Nonnegative", Value: true, Want: "false with the sampled form, whose solver knows no bounds: choose the implicit form"}
	}
	if m.form == formCompressed {
		switch {
		case o.Nonnegative:
			return &ArgumentError{Argument: "Nonnegative", Value: true, Want: "false with the compressed form, whose coordinates have no signs: choose the implicit form"}
		case o.InitialModel != nil || o.Init == InitGaussian:
			return &ArgumentError{Argument: "Init", Value: "a given or a gaussian start", Want: "rrf or plain with the compressed form: choose the implicit form for others"}
		}
	}
	if i := o.InitialModel; i != nil {
		if err := m.centered("InitialModel", i); err != nil {
			return err
		}
		if i.Order != m.order || i.Rank() != r || i.N() != m.session.data.N {
			return &ArgumentError{Argument: "InitialModel", Value: fmt.Sprintf("order %d, rank %d, %s", i.Order, i.Rank(), words.Plural(i.N(), "variable")),
				Want: fmt.Sprintf("order %d, rank %d, %s, as the decomposition", m.order, r, words.Plural(m.session.data.N, "variable"))}
		}
	}
	return nil
}

// rankWarnings tells of a rank above what the data can carry: a moment of p
// observations has rank p at most, and a generic symmetric tensor of this
// size is matched by about C(n+d-1, d)/n components (Alexander & Hirschowitz).
func (m *Moment) rankWarnings(r int) []string {
	d := m.session.data
	limit, why := float64(d.P), fmt.Sprintf("a moment of %s has at most rank %s", words.Plural(d.P, "observation"), words.Count(d.P))
	if generic := m.generic(); generic < limit {
		fit := "components fit"
		if generic == 1 {
			fit = "component fits"
		}
		limit, why = generic, fmt.Sprintf("%g %s any order-%d moment of %s", generic, fit, m.order, words.Plural(d.N, "variable"))
	}
	switch {
	case float64(r) > limit:
		return []string{fmt.Sprintf("rank %d is more than the data can carry: %s; the components are not unique", r, why)}
	case m.order == 2 && r > 1:
		return []string{"components of a second moment are not unique: rotated among each other they fit as well; take order 3 or above"}
	}
	return nil
}

// generic returns the number of components that match any moment of this size.
func (m *Moment) generic() float64 {
	n := m.session.data.N
	switch m.order {
	case 1:
		return 1
	case 2:
		return float64(n)
	}
	entries := 1.
	for k := range m.order {
		entries *= float64(n+k) / float64(k+1)
	}
	return math.Ceil(entries / float64(n))
}

// decomposition is the state of one call of Decompose.
type decomposition struct {
	m     *Moment
	o     Options
	r     int
	fit   *Fit
	ctx   context.Context
	began time.Time

	unit float64 // of the problem that is solved
	back float64 // unit^2d: from the problem's f to the user's
	// alpha is ||X||^2 of the problem, or unless exact a lower bound of it.
	alpha float64
	exact bool

	mu          sync.Mutex // guards what follows, and calls of Progress
	phase       string
	pass        int     // in this phase
	seen        float64 // share of the pass
	evaluations int
	done        int
	polishing   bool
	best        float64
}

func (c *decomposition) do() error {
	fingerprint := make(chan string, 1) // of all data: beside the work, not before it
	go func() { fingerprint <- c.m.session.Fingerprint() }()
	c.best = math.Inf(1)
	form := c.m.form
	if form == formAuto {
		form = c.m.cheapest(c.r, c.o)
	}
	if err := c.m.session.forgotten(); err != nil && form != formCompressed {
		return c.m.session.learned().remembered(err)
	}
	var best outcome
	var err error
	switch form {
	case formCompressed:
		best, form, err = c.compressed()
	case formSampled:
		best, err = c.sampled()
	default:
		best, err = c.full(form)
	}
	if err != nil {
		return err
	}
	c.cautions(form)
	return c.finish(form, best, fingerprint)
}

// setUnit fixes the unit of the problem that is solved: the square root of
// the second moment's largest eigenvalue, or 1 for the absolute problem.
func (c *decomposition) setUnit(unit float64) {
	c.unit = 1
	if c.o.Scale == ScaleAuto {
		c.unit = unit
	}
	c.back = math.Pow(c.unit, 2*float64(c.m.order))
}

// full solves the full problem from every start, in the implicit or the
// explicit form.
func (c *decomposition) full(form string) (outcome, error) {
	if form == formImplicit && c.m.session.storage.slow() {
		return c.streamed()
	}
	return c.direct(form)
}

// direct solves from every start on the full problem.
func (c *decomposition) direct(form string) (outcome, error) {
	if form == formExplicit {
		c.begin(PhaseTensor)
	}
	tensor, err := c.m.tensor(c.ctx, form, c.o)
	if err != nil {
		return outcome{}, err
	}
	if form == formExplicit { // at no cost, and nothing to search for where it is 0
		if _, err := c.m.norm(c.ctx, c.o); err != nil {
			return outcome{}, err
		}
	}
	c.begin(PhaseScale)
	unit, passes, err := c.m.unit(c.ctx, c.observations(), c.o.Threads)
	if err != nil {
		return outcome{}, err
	}
	if c.unit == 0 { // or it was found another way
		c.setUnit(unit)
	}
	if err := c.bound(); err != nil {
		return outcome{}, err
	}
	outcomes := c.searchEnough(tensor, c.guess)
	best := c.record(outcomes)
	if form == formImplicit {
		// A start is drawn in one pass and turned in another.
		c.fit.DataPasses = passes + c.fit.Evaluations + 2*len(c.fit.Starts)
	} else {
		c.fit.DataPasses = passes + 1
	}
	return best, c.none(best)
}

// none is the error of a search that found nothing.
func (c *decomposition) none(best outcome) error {
	switch {
	case best.x != nil:
		return nil
	case c.stopped() != nil:
		return c.stopped()
	}
	return fmt.Errorf("decompose: no start reached a finite objective; %s", c.unreached())
}

// unreached says what to do about that.
func (c *decomposition) unreached() string {
	if c.o.Scale == ScaleNone {
		return fmt.Sprintf("in the data's own units powers of %d are out of range: leave Scale at \"auto\"", 2*c.m.order)
	}
	return fmt.Sprintf("the data may be too large or too small for the power %d: multiply them by a constant", 2*c.m.order)
}

// record keeps the starts that were begun and returns the best outcome, the
// first of those that differ by rounding alone.
func (c *decomposition) record(outcomes []outcome) outcome {
	f := c.fit
	f.Starts, f.Evaluations = nil, 0
	var best outcome
	for _, out := range outcomes {
		if out.start.Evaluations == 0 {
			continue // never begun
		}
		f.Starts = append(f.Starts, out.start)
		f.Evaluations += out.start.Evaluations
		if out.x != nil && (best.x == nil || out.f < best.f-rounding*math.Abs(best.f)) {
			best, f.Best = out, len(f.Starts)-1
		}
	}
	c.mark(outcomes, best.f)
	return best
}

// report passes the state of a run on to whoever watches.
func (c *decomposition) report(k, iterations int, f float64, ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f < c.best { // false for a NaN
		c.best = f
	}
	if ended && !c.polishing {
		c.done++
	}
	p := Progress{Start: k, StartsDone: c.done, Iterations: iterations, Objective: f * c.back, Polishing: c.polishing, Remaining: -1}
	if elapsed := time.Since(c.began); c.done > 0 && !c.polishing {
		p.Remaining = elapsed * time.Duration(c.o.Starts-c.done) / time.Duration(c.done)
	}
	c.tell(p)
}

// finish fills the fit from the best outcome.
func (c *decomposition) finish(form string, best outcome, fingerprint <-chan string) error {
	f, o := c.fit, c.o
	stopped := c.stopped()
	f.Status, f.ObjectiveShifted, f.GradientNorm = best.start.Status, best.start.ObjectiveShifted, best.start.GradientNorm
	f.Cosine = best.start.Cosine
	var norm Norm // of the observations divided by span: always in range
	if stopped == nil {
		c.begin(PhaseNorm)
		if norm, stopped = c.m.norm(c.ctx, o); stopped != nil && c.stopped() == nil {
			return stopped
		}
	}
	if stopped != nil {
		f.Status = solve.Interrupted.String()
		norm = c.m.quickNorm(o)
	}
	span, power := c.m.known(), 2*float64(c.m.order)
	norm = norm.atLeast(-best.f * math.Pow(c.unit/span, power)) // f is not negative
	if norm.Doubtful {
		f.Warnings = append(f.Warnings, norm.doubt())
	}
	f.NormSquared = norm.times(math.Pow(span, power))
	f.RelativeError = 1 + best.f*math.Pow(c.unit/span, power)/norm.Value
	f.Form, f.Solver = form, SolverGaussNewton
	switch {
	case form == formSampled:
		f.Solver = "adam"
	case o.Nonnegative:
		f.Solver = "lbfgsb"
	case o.Solver == SolverLBFGS:
		f.Solver = SolverLBFGS
	}
	f.Model = c.model(best.x)
	f.Warnings = append(f.Warnings, f.degenerate()...)
	relativeError, gradientNorm := f.RelativeError, f.GradientNorm
	f.Model.Origin = Origin{Source: c.m.session.data.Source, Fingerprint: c.await(fingerprint), Observations: f.Observations,
		Form: f.Form, Solver: f.Solver, Status: f.Status, RelativeError: &relativeError, GradientNorm: &gradientNorm,
		Options: &SavedOptions{Starts: o.Starts, Seed: o.Seed, Tolerance: o.Tolerance, RelativeDecrease: o.RelativeDecrease,
			MaxIterations: o.MaxIterations, MaxEvaluations: o.MaxEvaluations, Memory: o.Memory, Scale: o.Scale,
			Init: o.Init, InitialModel: o.InitialModel != nil, Nonnegative: o.Nonnegative, Samples: f.Samples}}
	switch {
	case !finite(f.ObjectiveShifted, f.NormSquared.Value) || !finite(f.Model.Lambda...):
		f.Warnings = append(f.Warnings, c.beyond("overflow", "divide"))
	case f.NormSquared.Value < smallestNormal && norm.Value > 0:
		f.Warnings = append(f.Warnings, c.beyond("vanish", "multiply"))
	}
	f.Seconds = time.Since(c.began).Seconds()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tell(Progress{Start: best.start.Index, StartsDone: c.done, Iterations: best.start.Iterations, Objective: f.ObjectiveShifted, Done: true})
	return stopped
}

// beyond warns of results that no float64 can hold in the data's units. The
// problem that was solved has other units, unless it was asked not to.
func (c *decomposition) beyond(what, remedy string) string {
	consequence := "(the factors and the relative error are right): "
	if c.o.Scale == ScaleNone {
		consequence = "and so nothing here is right: leave Scale at \"auto\", or "
	}
	return fmt.Sprintf("numbers to the power %d %s in the data's units %s%s the data by a constant", 2*c.m.order, what, consequence, remedy)
}

// await returns the fingerprint, or none when an interrupted run would have to
// wait long for it.
func (c *decomposition) await(fingerprint <-chan string) string {
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
func (c *decomposition) model(x []float64) *Model {
	k := &ktensor.Kruskal{D: c.m.order, N: c.fit.N, R: c.r,
		Lambda: slices.Clone(x[:c.r]), A: slices.Clone(x[c.r:])}
	k.Arrange()
	linalg.Scale(math.Pow(c.unit, float64(c.m.order)), k.Lambda)
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
