package symmom

import (
	"fmt"
	"strings"

	"symmom/internal/words"
)

// Evaluation is the value of the objective at a given model.
type Evaluation struct {
	Order, Rank, Observations int

	ObjectiveShifted float64 // f with alpha = 0, in the data's units to the power 2d
	NormSquared      Norm    // ||X||^2
	RelativeError    float64 // f / ||X||^2
	// GradientNorm is the infinity norm of the gradient with respect to
	// lambda and A, exactly as the model has them, of the absolute objective
	// (the data's own units).
	GradientNorm float64

	err error
}

// Evaluate computes objective and gradient at a model's lambda and A as they
// are, normalised or not. One pass over the data and ||X||^2.
func (m *Moment) Evaluate(model *Model) *Evaluation {
	e := &Evaluation{Order: m.fit.Order, err: m.err}
	if m.err != nil {
		return e
	}
	if model == nil || model.Rank() == 0 {
		e.err = &ArgumentError{Argument: "model", Value: "an empty model", Want: "at least one component"}
		return e
	}
	if model.N() != m.session.data.N || model.Order != m.fit.Order {
		e.err = &ArgumentError{Argument: "model", Value: fmt.Sprintf("order %d of %s", model.Order, words.Plural(model.N(), "variable")),
			Want: fmt.Sprintf("order %d of %s, as the moment", m.fit.Order, words.Plural(m.session.data.N, "variable"))}
		return e
	}
	if e.err = m.centered("model", model); e.err != nil {
		return e
	}
	o, err := m.options.withDefaults()
	if err != nil {
		e.err = err
		return e
	}
	ctx := m.session.context()
	if m, err = m.resolved(ctx, model.Rank(), o.Threads); err != nil {
		e.err = interrupted("evaluate", err)
		return e
	}
	found, err := m.fit.Evaluate(ctx, model.kruskal(), o.engine(nil))
	if err != nil {
		e.err = interrupted("evaluate", err)
		return e
	}
	e.Rank, e.Observations = model.Rank(), m.session.data.P
	e.ObjectiveShifted, e.GradientNorm, e.NormSquared = found.ObjectiveShifted, found.GradientNorm, Norm(found.NormSquared)
	e.RelativeError, _ = e.NormSquared.Relative(found.ObjectiveShifted)
	return e
}

// Err returns the first error of the chain that led here, or nil.
func (e *Evaluation) Err() error { return e.err }

// String describes the evaluation in a few lines.
func (e *Evaluation) String() string {
	if e.err != nil {
		return errorLine("evaluation", e.err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Model of rank %d against the %s moment of %s\n", e.Rank, words.Ordinal(e.Order), words.Plural(e.Observations, "observation"))
	fmt.Fprintf(&b, "  relative error  %.6g", e.RelativeError)
	if !e.NormSquared.Exact() {
		_, stderr := e.NormSquared.Relative(e.ObjectiveShifted)
		fmt.Fprintf(&b, " ± %.2g", stderr)
	}
	fmt.Fprintf(&b, "\n  f (shifted)     %.8g\n", e.ObjectiveShifted)
	fmt.Fprintf(&b, "  ||X||^2         %s\n", e.NormSquared)
	fmt.Fprintf(&b, "  gradient norm   %.3g (at lambda and A as they are)", e.GradientNorm)
	return b.String()
}
