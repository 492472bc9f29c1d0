package repl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every chart can be drawn from a cell, from results and from plain numbers.
func TestChartsInCells(t *testing.T) {
	s := newSession(t)
	s.must(t, `m := datasets.GaussianMixture(datasets.MixtureOptions{N: 12, Components: 3, PerComponent: 60, Sigma: .1, Congruence: .3})
moment := m.Session.Moment(3).With(symmom.Options{Starts: 2})
fit := moment.Compressed(0).Decompose(3)
sweep := moment.Sweep(2, 4).Score(m.Means)`)
	for _, cell := range []string{
		"charts.Convergence(fit)",
		`charts.ConvergenceWith(charts.ConvergenceOptions{Best: true, Names: []string{"a", "b"}}, fit, fit)`,
		`charts.ConvergenceLines("f", []charts.TraceLine{{Name: "a", Points: []symmom.TracePoint{{Elapsed: 1, Objective: 2}}}})`,
		"charts.Sweep(sweep)",
		"charts.SweepLines([]charts.SweepLine{{Ranks: []int{1, 2}, RelativeError: []float64{1, .5}}}, charts.SweepOptions{TrueRank: 2})",
		"charts.Recovery(fit, m.Means)",
		"charts.Recovery(fit, nil, charts.RecoveryOptions{Principal: true})",
		"charts.RecoveryGrid(sweep, m.Means, charts.RecoveryOptions{Plane: charts.RandomPlane(12, 3)})",
		`charts.RecoveryOf([]charts.Recovered{{Name: "r", Factors: fit.Factors()}}, m.Means, charts.RecoveryOptions{})`,
		"charts.Scree(fit)",
		"charts.ScreeOf(m.Session.Summary().Eigenvalues, 3)",
		"charts.ScoreMatrix(fit.Score(m.Means))",
		"charts.Factors(fit)",
		"charts.FactorsOf(m.Means)",
		`charts.InitSuccess([]string{"rrf"}, fit)`,
		`charts.InitSuccessBars([]string{"a"}, []charts.InitMethod{{Name: "m", Successes: []float64{1}}})`,
		"charts.Cost(charts.CostOptions{N: 100})",
		"charts.ReportOn(m.Session, charts.ReportOptions{From: 2, To: 3, Truth: m.Means})",
	} {
		if got := s.must(t, cell); !strings.Contains(got, `(Save("name.`) {
			t.Errorf("%s shows %q", cell, got)
		}
		if err := s.must(t, "("+cell+").Err()"); err != "<nil>" {
			t.Errorf("%s: %s", cell, err)
		}
	}
}

func TestWriteReport(t *testing.T) {
	s := newSession(t)
	path := filepath.Join(t.TempDir(), "page.html")
	s.must(t, `data := datasets.GaussianMixture(datasets.MixtureOptions{N: 12, Components: 3, PerComponent: 60, Sigma: .1, Congruence: .3}).Session`)
	if got := s.must(t, fmt.Sprintf("charts.WriteReport(data, %q)", path)); got != "<nil>" {
		t.Fatal(got)
	}
	if page, err := os.ReadFile(path); err != nil || !strings.Contains(string(page), "The fit of rank 3") {
		t.Errorf("the page: %v", err)
	}
	if got := s.must(t, `charts.WriteReport(data, "page.pdf")`); !strings.Contains(got, "want a name that ends in .html") {
		t.Errorf("%q", got)
	}
}
