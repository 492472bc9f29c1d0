package charts

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Options may be left out, and are not merged.
func TestAtMostOneOptions(t *testing.T) {
	a := mat.NewDense(2, 1, []float64{1, 2})
	for _, f := range []*Figure{
		Cost(CostOptions{}, CostOptions{}),
		Dots(nil, DotOptions{}, DotOptions{}),
		FactorsOf(a, FactorsOptions{}, FactorsOptions{}),
		Images(a, 2, 1, ImageOptions{}, ImageOptions{}),
		InitSuccessBars(nil, nil, InitSuccessOptions{}, InitSuccessOptions{}),
		RecoveryOf(nil, a, RecoveryOptions{}, RecoveryOptions{}),
		SourcesOf(a, nil, SourcesOptions{}, SourcesOptions{}),
		SweepLines(nil, SweepOptions{}, SweepOptions{}),
		ConvergenceLines("f", nil, ConvergenceOptions{}, ConvergenceOptions{}),
	} {
		wantError(t, f, "give at most one")
	}
	if got := Blocks(a, 2, 1, BlockOptions{}, BlockOptions{}); got != "failed blocks: give at most one BlockOptions" {
		t.Errorf("blocks: %q", got)
	}
	if err := ReportOn(small().Session, ReportOptions{}, ReportOptions{}).Err(); err == nil || !strings.Contains(err.Error(), "give at most one ReportOptions") {
		t.Errorf("report: %v", err)
	}
	if err := NewReport("r").AddFit(syntheticFit(t, 1), FitOptions{}, FitOptions{}).Err(); err == nil || !strings.Contains(err.Error(), "give at most one FitOptions") {
		t.Errorf("fit: %v", err)
	}
	if f := FactorsOf(a); f.Err() != nil {
		t.Error(f.Err())
	}
}
