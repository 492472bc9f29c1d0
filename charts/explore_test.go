package charts_test

import (
	"fmt"
	"strings"
	"testing"

	"symmom/charts"
	"symmom/datasets"
	"symmom/internal/test/slow"
	"symmom/symmom"
)

func TestExplore(t *testing.T) {
	data := datasets.GaussianMixture(datasets.MixtureOptions{N: 6, Components: 3, Observations: 300, Sigma: .05}).Session
	fit := data.Moment(3).Decompose(3)
	x := charts.Explore(fit)
	if x.Err() != nil {
		t.Fatal(x.Err())
	}
	for _, step := range []struct {
		name  string
		value any
		want  string // in the caption
	}{
		{"rank", 3, ""},
		{"component", "2", "Component 2 of 3 has λ"},
		{"rank", 2, "Component 2 of 2 has λ"},
		{"rank", 1, "There is no component 2 at rank 1"},
		{"rank", 4, "Component 2 of 4"},
		{"component", "all", "λ of the 4 components"},
		{"projection", "random", "a random plane (seed 1)"},
		{"turn", 30, "a random plane (seed 1), turned by 30° towards a random plane (seed 2)"},
		{"projection", "components 1 and 2", "the inner products with components 1 and 2, turned by 30°"},
		{"rank", 1, "rank 1 has no components 1 and 2: want another projection"},
		{"projection", "principal", "the two leading principal components, turned"},
	} {
		if _, err := x.Set(step.name, step.value); err != nil {
			t.Fatal(err)
		}
		values, err := x.Result()
		if err != nil {
			t.Fatal(err)
		}
		f := values[0].(*charts.Figure)
		shown := f.Caption + strings.Join(f.Notes, "") + f.String()
		if f.Err() != nil {
			shown += f.Err().Error()
		}
		if !strings.Contains(shown, step.want) {
			t.Errorf("%s %v: %s, want %q", step.name, step.value, shown, step.want)
		}
		if want := "projection"; f.Err() == nil && len(f.ECharts()) != 2 {
			t.Errorf("%s %v: %d charts, want the %s and the component", step.name, step.value, len(f.ECharts()), want)
		}
	}
	// The fit itself is shown at its own rank, not another one.
	again, _ := charts.Explore(fit).Result()
	if got := again[0].(*charts.Figure).Title; got != "Rank 3" {
		t.Error(got)
	}
}

// A fit without data has its components only, and one without a model says so.
func TestExploreWithoutData(t *testing.T) {
	fit := datasets.Uniform(5, 100, 1).Moment(3).Decompose(2)
	x := charts.Explore(&symmom.Fit{Model: fit.Model, Order: 3, N: 5, Rank: 2})
	if got := x.Line(); got != "component all" {
		t.Errorf("controls %q", got)
	}
	for _, none := range []*symmom.Fit{nil, symmom.Load("none.csv").Moment(3).Decompose(2)} {
		values, _ := charts.Explore(none).Result()
		if f := values[0].(*charts.Figure); f.Err() == nil || !strings.HasPrefix(f.Err().Error(), "charts: explore: ") {
			t.Errorf("%v", f.Err())
		}
	}
}

// Another rank is of the same moment, held in the same way and found with the same options.
func TestExploreMovesTheRankAlone(t *testing.T) {
	slow.Test(t)
	m := datasets.GaussianMixture(datasets.MixtureOptions{N: 8, Components: 3, Observations: 600, Sigma: .5, Congruence: .3})
	s, initial := m.Session, m.Session.Moment(3).Decompose(3).Model
	plain := explored(t, s.Moment(3).Decompose(3))
	for name, moment := range map[string]*symmom.Moment{
		"cumulant":      s.Cumulant(4),
		"noise":         s.Moment(3).Debias(symmom.Noise{Sigma: .5}),
		"its estimate":  s.Moment(3).Debias(symmom.Noise{}),
		"standardized":  s.Standardize().Moment(3),
		"nonnegative":   s.Moment(3).With(symmom.Options{Nonnegative: true}),
		"few steps":     s.Moment(3).With(symmom.Options{Starts: 1, MaxIterations: 2, Solver: symmom.SolverLBFGS}),
		"a basis":       s.Moment(3).Compressed(5).With(symmom.Options{Starts: 1, MaxIterations: 1}),
		"samples":       s.Moment(3).Sampled(20).With(symmom.Options{Starts: 1, Seed: 5, MaxIterations: 200}),
		"initial model": s.Moment(3).With(symmom.Options{InitialModel: initial}),
	} {
		at := moment
		if name == "initial model" { // of rank 3
			at = s.Moment(3)
		}
		direct := at.Decompose(2)
		if got, want := explored(t, moment.Decompose(3)), fmt.Sprintf("Relative error %.4g.", direct.RelativeError); direct.Err() != nil || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %.40q, want %q (%v)", name, got, want, direct.Err())
		} else if name != "initial model" && strings.HasPrefix(plain, want) {
			t.Errorf("%s: as the plain moment, so that this tests nothing", name)
		}
	}
	// that of a sweep is the moment alone
	if got, want := explored(t, s.Moment(3).Sweep(3, 3).Fits[0]), plain; got != want {
		t.Errorf("of a sweep: %q, want %q", got, want)
	}
}

// explored returns the caption that Explore shows for rank 2.
func explored(t *testing.T, fit *symmom.Fit) string {
	t.Helper()
	x := charts.Explore(fit)
	if _, err := x.Set("rank", 2); err != nil {
		t.Fatal(err)
	}
	values, err := x.Result()
	if err != nil {
		t.Fatal(err)
	}
	return values[0].(*charts.Figure).Caption
}
