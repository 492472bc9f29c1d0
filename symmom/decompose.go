package symmom

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"symmom/internal/notice"
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
	if err := m.plan(r, o, began).decompose(f); err != nil {
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
	if m.form == FormSampled && o.Solver != SolverAuto {
		return &ArgumentError{Argument: "Solver", Value: o.Solver, Want: "auto with the sampled form, whose solver is Adam"}
	}
	if m.form == FormSampled && m.debias != nil {
		return &ArgumentError{Argument: "form", Value: m.form, Want: "another form for a debiased moment: choose the implicit or the compressed one"}
	}
	if m.form == FormSampled && o.Nonnegative {
		return &ArgumentError{Argument: "Nonnegative", Value: true, Want: "false with the sampled form, whose solver knows no bounds: choose the implicit form"}
	}
	if m.form == FormCompressed {
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
func (m *Moment) rankWarnings(r int) []Warning {
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
		return []Warning{notice.New(notice.Rank, "rank %d is more than the data can carry: %s; the components are not unique", r, why)}
	case m.order == 2 && r > 1:
		return []Warning{notice.New(notice.SecondOrder, "components of a second moment are not unique: rotated among each other they fit as well; take order 3 or above")}
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
