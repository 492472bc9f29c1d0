package lab

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
		`charts.RecoveryOf([]charts.Recovered{{Name: "r", Factors: fit.Model.Factors}}, m.Means, charts.RecoveryOptions{})`,
		"charts.Scree(fit)",
		"charts.Scree(m.Session)",
		"charts.Mixing(m.Session.ICA(2))",
		"charts.Topics(datasets.GoDocs().Topics(3))",
		"charts.TopicMap(datasets.GoDocs().Topics(3))",
		"charts.Distributions(m.Session)",
		"charts.Pairs(m.Session, charts.ObservationsOptions{Mixture: m.Session.Mixture(2)})",
		"charts.Correlations(m.Session)",
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
	if got := s.must(t, fmt.Sprintf("charts.WriteReport(data, %q)", path)); got != "" {
		t.Fatal(got)
	}
	if page, err := os.ReadFile(path); err != nil || !strings.Contains(string(page), "The fit of rank 3") {
		t.Errorf("the page: %v", err)
	}
	if _, err := s.Eval(t.Context(), `charts.WriteReport(data, "page.gif")`); err == nil || !strings.Contains(err.Error(), "want a name that ends in .html") {
		t.Error(err)
	}
}

// The Go code on a page makes the page again: the same ranks of the same moment, with the same
// errors.
func TestReportMakesItselfAgain(t *testing.T) {
	s := newSession(t)
	s.must(t, `mixture := datasets.GaussianMixture(datasets.MixtureOptions{N: 6, Components: 2, PerComponent: 60, Sigma: .3})
truth, labels, plain := mixture.Means, mixture.Labels, mixture.Session
var s *symmom.Session
var m *symmom.Moment`)
	text := regexp.MustCompile(`(?s)<script.*?</script>|<style.*?</style>|<[^>]*>`)
	relative := regexp.MustCompile(`\b[01]\.\d{4,6}\b`)
	page := func(code string) (page string, errors []string) {
		s.must(t, "page := "+code)
		if err := s.must(t, "page.Err()"); err != "<nil>" {
			t.Fatalf("%s: %s", code, err)
		}
		path := filepath.Join(t.TempDir(), "page.html")
		s.must(t, fmt.Sprintf("page.Save(%q)", path))
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		page = html.UnescapeString(text.ReplaceAllString(string(b), "\n"))
		return page, relative.FindAllString(page, -1)
	}
	for _, c := range []struct{ s, m, options, says string }{
		{"plain.Standardize()", "nil", "From: 1, To: 2", "120 observations of 6 variables, standardized, of the fingerprint below"},
		{"plain", "nil", `Title: "a \"b\"", From: 1, To: 3, Rank: 2, Truth: truth, TruthNames: []string{"x", "y"}, Labels: labels, ImageRows: 2, ImageCols: 3`, "s: "},
		{"plain.Whiten(4)", "s.Cumulant(4).With(symmom.Options{Starts: 3, Seed: 7})", "Moment: m, From: 1, To: 2", "m: the 4th cumulant of data whitened to 4 coordinates"},
		{"plain", "s.Moment(3).Debias(symmom.Noise{Sigma: .3}).Compressed(4)", "Moment: m", "m: the 3rd moment of the data as they are without noise of sigma 0.3"},
	} {
		s.must(t, fmt.Sprintf("s = %s; m = %s", c.s, c.m))
		first, errors := page("charts.ReportOn(s, charts.ReportOptions{" + c.options + "})")
		_, code, _ := strings.Cut(first, "How to make it again")
		code, _, _ = strings.Cut(strings.TrimSpace(code), "\n\n")
		if !strings.Contains(code, c.says) || strings.Contains(code, "symmom.Load") {
			t.Errorf("%s, want %q", code, c.says)
		}
		i := strings.Index(code, "charts.")
		if _, again := page(code[i:]); len(errors) < 2 || !slices.Equal(again, errors) {
			t.Errorf("%s\nmakes errors %v, want %v", code, again, errors)
		}
	}
}
