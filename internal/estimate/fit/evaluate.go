package fit

import (
	"context"
	"fmt"
	"math"

	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/text/diag"
)

// Evaluation is the objective at a model, in the data's units.
type Evaluation struct {
	ObjectiveShifted float64 // f without ||X||^2
	GradientNorm     float64 // with respect to lambda and A as given
	NormSquared      Norm
	RelativeError    float64 // 0 where rounding alone makes it negative, as of a Result
	Warnings         []diag.Warning
}

// Evaluate computes objective and gradient at a model. It takes one pass, and ||X||^2.
// If it returns an error, the evaluation holds what was found before.
func (m *Moment) Evaluate(ctx context.Context, k *ktensor.Kruskal, o *Options) (Evaluation, error) {
	var e Evaluation
	var t moment.Tensor = m.implicit(m.Table.Storage)
	if m.Form == Explicit { // otherwise a single evaluation does not repay it
		h, err := m.explicit(ctx, m.Table.Storage, o)
		if err != nil {
			return e, err
		}
		t = h.tensor
	}
	x := append(append(make([]float64, 0, len(k.Lambda)+len(k.A)), k.Lambda...), k.A...)
	g := make([]float64, len(x))
	f, ok := moment.NewObjective(t, k.R, 1, o.Threads).Evaluate(ctx, x, g)
	if !ok {
		return e, m.Table.Stopped(ctx)
	}
	e.ObjectiveShifted, e.GradientNorm = f, linalg.NormInf(g)
	var err error
	if e.NormSquared, err = m.NormSquared(ctx, o); err != nil {
		return e, err
	}
	e.NormSquared = e.NormSquared.atLeast(-f)
	if !(e.NormSquared.Value >= smallestNormal && e.NormSquared.Value <= math.MaxFloat64) {
		return e, fmt.Errorf("evaluate: ||X||^2 is %g in the data's units, so the error relative to it cannot be computed: give data and model another unit", e.NormSquared.Value)
	}
	if !linalg.Finite(f, e.GradientNorm) {
		return e, fmt.Errorf("evaluate: the objective is not finite (f = %g): the model's entries are too large for the power %d", f, 2*m.Order)
	}
	left := m.leftOpen(k.R, k.Lambda, k.A, e.NormSquared.Value)
	e.RelativeError, e.Warnings = relativeError(f, e.NormSquared, left), append(m.NoiseWarnings(), roundingWarning(left)...)
	return e, nil
}
