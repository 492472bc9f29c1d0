package symmom

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"symmom/internal/estimate/fit"
)

// Decompose fits a model of rank r >= 1 to the moment: it minimizes f(lambda, A) =
// ||X - sum_j lambda_j a_j^(x d)||^2 by damped Gauss-Newton steps (or as
// Options.Solver says) from several starts and returns the best. Starts run in
// parallel; the result does not depend on the number of threads. If the session's
// context is cancelled or past its deadline, Decompose stops within one evaluation
// and returns the best fit so far, with an error that wraps ErrInterrupted and the
// context's own; the model has no components if nothing was evaluated yet.
//
// Cost: evaluations times 4 p n r (implicit) or 4 r C(n+d-1, d) (explicit)
// operations.
func (m *Moment) Decompose(r int) *Fit {
	f := made(&Fit{Model: &Model{Order: m.fit.Order, Factors: noMatrix(nil)}, Order: m.fit.Order, Rank: r})
	if f.err = m.Err(); f.err != nil {
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
	if o.InitialModel != nil {
		if o.InitialModel, f.err = m.initial(r, o.InitialModel); f.err != nil {
			return f
		}
	}
	if err := m.fit.CheckRoom(r, o.engine(nil)); err != nil {
		f.err = err
		return f
	}
	f.N, f.Observations, f.Seed, f.moment = m.session.data.N, m.session.data.P, o.Seed, &Moment{m.session, m.fit.Again(), m.options, m.debias, nil}
	f.Warnings = warned(m.session.data.Warnings...)
	began := time.Now()
	if m, f.err = m.resolved(m.session.context(), r, o.Threads); f.err != nil {
		f.err = interrupted("decompose", f.err)
		return f
	}
	f.Cumulant, f.Warnings = m.fit.Cumulant, append(f.Warnings, warned(m.fit.Cautions(r)...)...)
	if m.fit.Noise != nil && !m.fit.Cumulant {
		f.noise, f.Sigma, f.SigmaStdErr = m.fit.Noise, m.fit.Noise.Sigma(), m.fit.NoiseError
	}
	found, err := m.fit.Decompose(m.session.context(), r, o.engine(reports(m.session.watcher(o.Progress), began)))
	f.fill(found, m, o)
	f.Elapsed = time.Since(began)
	if f.err = interrupted("decompose", err); errors.Is(f.err, ErrInterrupted) && f.Model.Rank() == 0 {
		f.err = fmt.Errorf("%w before the first evaluation: there is no result yet; give it more time", f.err)
	}
	return f
}

// fill copies the results.
func (f *Fit) fill(found *fit.Result, m *Moment, o Options) {
	f.Best, f.AtBest, f.Evaluations = found.Best, found.AtBest(), found.Evaluations
	for _, p := range slices.Concat(m.session.before, found.Phases) {
		f.Phases = append(f.Phases, PhaseTime(p))
	}
	for _, s := range found.Starts {
		f.Starts = append(f.Starts, startOf(s))
	}
	f.Optima = found.Optima()
	f.Warnings = append(f.Warnings, warned(found.Warnings...)...)
	if found.Model == nil {
		return
	}
	f.Form, f.DataPasses = string(found.Form), found.Passes
	f.Basis, f.Spectrum, f.Stand, f.SuggestedRank = found.Basis, found.Spectrum, found.Stand, found.SuggestedRank
	f.Solver = SolverGaussNewton
	switch {
	case f.Form == FormSampled:
		f.Solver, f.Samples = SolverAdam, m.fit.Samples
	case o.Solver == SolverLBFGS && o.Nonnegative:
		f.Solver = SolverLBFGSB
	case o.Solver == SolverLBFGS:
		f.Solver = SolverLBFGS
	}
	f.Status, f.ObjectiveShifted, f.GradientNorm, f.Cosine = found.Status.String(), found.ObjectiveShifted, found.GradientNorm, found.Cosine
	f.NormSquared, f.RelativeError = Norm(found.NormSquared), found.RelativeError
	f.Model = modelOf(found.Model)
	f.Model.named(m.session.Columns())
	f.Model.Kind = m.kind()
	f.Model.Center, f.Model.Scale = slices.Clone(m.session.move.Center), slices.Clone(m.session.move.Scale)
	f.Model.Origin = Origin{Source: m.session.data.Source, Fingerprint: found.Fingerprint, Observations: f.Observations,
		Form: f.Form, Solver: f.Solver, Status: f.Status, RelativeError: known(f.RelativeError), GradientNorm: known(f.GradientNorm)}
	saved := &f.Model.Origin.Options
	saved.Starts, saved.Seed, saved.Tolerance, saved.RelativeDecrease = found.Begun, o.Seed, o.Tolerance, o.RelativeDecrease
	saved.MaxIterations, saved.MaxEvaluations, saved.Corrections, saved.Scale, saved.Init = o.MaxIterations, o.MaxEvaluations, o.Corrections, o.Scale, o.Init
	saved.InitialModel, saved.Nonnegative, saved.Samples = o.InitialModel != nil, o.Nonnegative, f.Samples
}

// startOf is the record of a run, its trace with the names of this package.
func startOf(s fit.Start) Start {
	out := Start{Index: s.Index, Status: s.Status.String(), ObjectiveShifted: s.ObjectiveShifted, GradientNorm: s.GradientNorm, Cosine: s.Cosine,
		AtBest: s.AtBest, Iterations: s.Iterations, Evaluations: s.Evaluations, Elapsed: s.Elapsed, Estimated: s.Estimated, Unverified: s.Unverified}
	for _, p := range s.Trace {
		out.Trace = append(out.Trace, TracePoint{p.Evaluations, p.Elapsed, p.Objective, p.GradientNorm})
	}
	return out
}

// checkRank refuses invalid ranks.
func (m *Moment) checkRank(r int, o Options) error {
	if r < 1 {
		return &ArgumentError{Argument: "rank", Value: r, Want: "at least 1"}
	}
	if m.fit.Form == fit.Sampled && o.Solver != SolverAuto {
		return &ArgumentError{Argument: "Solver", Value: o.Solver, Want: "auto with the sampled form, whose solver is Adam"}
	}
	if m.fit.Form == fit.Sampled && (m.debias != nil || m.fit.Cumulant) {
		return &ArgumentError{Argument: "form", Value: m.fit.Form, Want: "another form for a debiased moment or a cumulant: choose the implicit or the compressed one"}
	}
	if m.fit.Distinct && (m.fit.Form == fit.Sampled || m.fit.Form == fit.Compressed) {
		return &ArgumentError{Argument: "form", Value: m.fit.Form, Want: "implicit or explicit over distinct indices: a basis mixes the variables, and samples are for the moment over all indices"}
	}
	if m.fit.Form == fit.Sampled && o.Nonnegative {
		return &ArgumentError{Argument: "Nonnegative", Value: true, Want: "false with the sampled form, whose solver knows no bounds: choose the implicit form"}
	}
	if m.fit.Form == fit.Compressed {
		switch {
		case o.Nonnegative:
			return &ArgumentError{Argument: "Nonnegative", Value: true, Want: "false with the compressed form, whose coordinates have no signs: choose the implicit form"}
		case o.InitialModel != nil || o.Init == InitGaussian:
			return &ArgumentError{Argument: "Init", Value: "a given or a gaussian start", Want: "rrf or plain with the compressed form: choose the implicit form for others"}
		}
	}
	return nil
}
