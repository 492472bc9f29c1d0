package symmom

import (
	"cmp"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/moment/frame"
	"symmom/internal/text/diag"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// Evaluation is the value of the objective at a given model.
type Evaluation struct {
	Result // Err, String and HTML

	Order, Rank, Observations int

	ObjectiveShifted float64 // f with alpha = 0, in the data's units to the power 2d
	NormSquared      Norm    // ||X||^2
	RelativeError    float64 // f / ||X||^2
	// GradientNorm is the infinity norm of the gradient with respect to
	// lambda and A, exactly as the model has them, of the absolute objective
	// (the data's own units).
	GradientNorm float64

	// Kind describes the moment that the model was compared with; nil if it is unknown.
	Kind     *MomentKind
	Warnings []Warning

	model *Model // in the order of the data
}

// Evaluate computes objective and gradient at a model's lambda and A as they
// are, normalized or not. One pass over the data and ||X||^2.
//
// The model's variables are put in the order of the data, by name. A model of another
// kind of moment (Model.Kind), or of data in other coordinates, is refused; data are
// centered and standardized by their own numbers. A model without a Kind is compared
// with this moment.
func (m *Moment) Evaluate(model *Model) *Evaluation {
	e := made(&Evaluation{Order: m.fit.Order, Result: Result{err: m.Err()}})
	if e.err != nil {
		return e
	}
	if model == nil || model.Rank() == 0 {
		e.err = &ArgumentError{Argument: "model", Value: "an empty model", Want: "at least one component"}
		return e
	}
	if model, e.Warnings, e.err = m.fits("model", model, false); e.err != nil {
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
	e.Rank, e.Observations, e.model, e.Kind = model.Rank(), m.session.data.P, model, m.kind()
	if e.Kind != nil && model.Kind != nil && e.Kind.Noise != nil && !frame.SameNoise(e.Kind.Noise, model.Kind.Noise) {
		e.Warnings = append(e.Warnings, warned(diag.New(diag.OtherNoise, "the model is of a moment without noise of sigma %.6g; it was compared with one without noise of sigma %.6g", model.Kind.Noise.Sigma, e.Kind.Noise.Sigma).With("Debias"))...)
	}
	e.Warnings = append(e.Warnings, warned(m.session.frame(m.session.Columns()).Restandardized(model.Center, model.Scale)...)...)
	e.ObjectiveShifted, e.GradientNorm, e.NormSquared = found.ObjectiveShifted, found.GradientNorm, Norm(found.NormSquared)
	e.RelativeError, e.Warnings = found.RelativeError, append(e.Warnings, warned(found.Warnings...)...)
	return e
}

// Score compares the model's factors, in the order of the data's variables, with the true
// ones; see Model.Score.
func (e *Evaluation) Score(truth mat.Matrix) *Score {
	if e.err != nil {
		return made(&Score{Result: Result{err: e.err}})
	}
	return cmp.Or(e.model, &Model{}).Score(truth)
}

func (e *Evaluation) shown() shown {
	if e.err != nil {
		return &htmltext.Facts{Title: errorLine("evaluation", e.err)}
	}
	t := &htmltext.Facts{Title: fmt.Sprintf("Model of rank %d against %s, of %s", e.Rank, e.Kind.Describe(e.Order), words.Plural(e.Observations, "observation"))}
	t.Lines = e.Facts()
	return htmltext.Beside(t, e.Warnings, nil)
}

// Facts are the numbers in String: names and values.
func (e *Evaluation) Facts() [][]string {
	t := &htmltext.Facts{}
	t.Add("relative error", "%s", e.NormSquared.relative(e.RelativeError, e.ObjectiveShifted, isEstimate))
	t.Add("f (shifted)", "%.8g", e.ObjectiveShifted)
	t.Add("||X||^2", "%s", e.NormSquared)
	t.Add("gradient norm", "%.3g (at lambda and A as they are)", e.GradientNorm)
	return t.Lines
}
