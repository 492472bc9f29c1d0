package charts

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// A matrix that is a nil pointer is none: everything says of it, or draws, what it does for nil.
func TestNilMatrices(t *testing.T) {
	data, _, _ := threeClusters()
	fit := data.Moment(3).With(symmom.Options{Starts: 2}).Decompose(3)
	must(t, fit.Err())
	factors := fit.Model.Factors
	n, _ := factors.Dims()
	for name, does := range map[string]func(mat.Matrix) any{
		"FactorsOf": func(m mat.Matrix) any { return FactorsOf(m).Err() },
		"SourcesOf": func(m mat.Matrix) any { return SourcesOf(m, nil).Err() },
		"Images":    func(m mat.Matrix) any { return Images(m, n, 1).Err() },
		"Images, truth": func(m mat.Matrix) any {
			f := Images(factors, n, 1, ImageOptions{Truth: m})
			return [2]any{f.Err(), f.Caption}
		},
		"Blocks":         func(m mat.Matrix) any { return Blocks(m, n, 1) },
		"Blocks, truth":  func(m mat.Matrix) any { return Blocks(factors, n, 1, BlockOptions{Truth: m}) },
		"PrincipalPlane": func(m mat.Matrix) any { _, err := PrincipalPlane(m); return err },
		"Recovery":       func(m mat.Matrix) any { f := Recovery(fit, m); return [2]any{f.Err(), f.Caption} },
		"RecoveryOf":     func(m mat.Matrix) any { return RecoveryOf([]Recovered{{"", m}}, m).Err() },
		"RecoveryOf, factors": func(m mat.Matrix) any {
			f := RecoveryOf([]Recovered{{"", m}, {"", factors}}, factors)
			return [2]any{f.Err(), f.Caption}
		},
		"AddFit":      func(m mat.Matrix) any { return len(NewReport("").AddFit(fit, FitOptions{Truth: m}).blocks) },
		"ReportOn":    func(m mat.Matrix) any { return len(ReportOn(data, ReportOptions{Truth: m, From: 1, To: 2}).blocks) },
		"ScoreMatrix": func(m mat.Matrix) any { return ScoreMatrix(fit.Score(m)).Err() },
	} {
		want, got := fmt.Sprint(does(nil)), fmt.Sprint(does((*mat.Dense)(nil)))
		if got != want {
			t.Errorf("%s: %s; of nil %s", name, got, want)
		}
	}
}
