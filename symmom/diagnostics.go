package symmom

import (
	"fmt"
	"math"
	"slices"

	"symmom/internal/estimate/fit"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
)

// Diagnostics measure how well the components of a model are separated. With unit
// columns, the terms lambda_j a_j^(x d) have the inner products lambda_i lambda_j
// (a_i'a_j)^d, entries of [A'A]^d between weights.
type Diagnostics = ktensor.Diagnostics

// TermPair is two terms of a model, counted from 0 with I < J, and the cosine of
// the angle between these tensors.
type TermPair = ktensor.TermPair

// Diagnostics returns shares, condition and degenerate pairs of the components.
// O(n r^2 + r^3).
func (m *Model) Diagnostics() *Diagnostics { return m.kruskal().Diagnose() }

// Optimum is where some starts ended.
type Optimum struct {
	ObjectiveShifted float64 // of the best of them
	Starts           int
}

// Optima counts the starts that ended at each f, the best first: values within .001 of f =
// ||X - M||^2 or of ||M||^2, whichever is less, count as one. A start of the compressed form
// that was not polished counts with the polished start nearest to it, as for Start.AtBest.
// Optima is nil for the sampled form, whose f are estimates.
func (f *Fit) Optima() []Optimum {
	best, ok := f.AtBest()
	if !ok || best == 0 || f.Form == FormSampled {
		return nil
	}
	all := []Optimum{{f.ObjectiveShifted, best}}
	var rest []float64
	for _, s := range f.Starts {
		if !s.AtBest && linalg.Finite(s.ends) {
			rest = append(rest, s.ends)
		}
	}
	slices.Sort(rest)
	same := fit.SameFit * math.Min(math.Abs(f.ObjectiveShifted), math.Max(f.RelativeError, fit.SameRounded)*f.NormSquared.Value)
	for i, v := range rest {
		if i > 0 && v-all[len(all)-1].ObjectiveShifted <= same {
			all[len(all)-1].Starts++
			continue
		}
		all = append(all, Optimum{v, 1})
	}
	return all
}

// OtherOptima summarizes where the starts ended that did not find the best; it is empty
// if all did.
func (f *Fit) OtherOptima() string {
	o := f.Optima()
	if len(o) < 2 {
		return ""
	}
	starts := 0
	for _, x := range o[1:] {
		starts += x.Starts
	}
	if len(o) == 2 {
		return fmt.Sprintf("%s at f = %.6g", words.Plural(starts, "start"), o[1].ObjectiveShifted)
	}
	return fmt.Sprintf("%s at %d others, the next at f = %.6g", words.Plural(starts, "start"), len(o)-1, o[1].ObjectiveShifted)
}
