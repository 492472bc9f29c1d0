package charts

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/box"
	"symmom/symmom"
)

// twoComponents returns a mixture of three variables with correlated noise and full
// covariances.
func twoComponents(t testing.TB) *symmom.Mixture {
	t.Helper()
	rows := mat.NewDense(240, 3, nil)
	for l := range 240 {
		// noise from a linear congruential generator is good enough here
		u := func(k int) float64 { return float64((l*7+k)*1103515245%65536)/65536 - .5 }
		x, y := u(0)+u(1)+u(2), u(3)+u(4)+u(5)
		rows.SetRow(l, []float64{x + 3*float64(l%2), .8*x + .3*y, u(6)})
	}
	f := symmom.FromMatrix(rows).Mixture(2, symmom.MixtureOptions{Covariance: symmom.CovarianceFull, Starts: 2})
	if f.Err() != nil {
		t.Fatal(f.Err())
	}
	return f
}

// The ellipses belong to the covariances: x'S^-1 x is 1 and 4 on them, in the plane
// of two variables.
func TestMixtureEllipses(t *testing.T) {
	fit := twoComponents(t)
	plane, err := VariablePlane(3, 1, 0)
	must(t, err)
	f := Mixture(fit, MixtureOptions{Plane: plane, Names: []string{"one", hostile}, Points: 100})
	o := chartsOf(t, f)[0]
	marks := 0
	for j := range 2 {
		marks += len(o.series(fmt.Sprintf("data-%d", j)))
		mean := []float64{fit.Means.At(1, j), fit.Means.At(0, j)}
		if got := o.series(fmt.Sprintf("mean-%d", j))[0]; !(math.Abs(got[0]-mean[0]) <= 1e-5) || !(math.Abs(got[1]-mean[1]) <= 1e-5) {
			t.Errorf("mean %d at %v, want %v", j, got, mean)
		}
		s := fit.CovarianceOf(j)
		var inverse mat.Dense
		must(t, inverse.Inverse(mat.NewDense(2, 2, []float64{s.At(1, 1), s.At(1, 0), s.At(0, 1), s.At(0, 0)})))
		for _, k := range []float64{1, 2} {
			points := o.series(fmt.Sprintf("ellipse-%d-%.0f", j, k))
			if len(points) != box.EllipsePoints+1 || points[0][0] != points[box.EllipsePoints][0] {
				t.Errorf("an ellipse of %d points", len(points))
			}
			for _, at := range points {
				v := mat.NewVecDense(2, []float64{at[0] - mean[0], at[1] - mean[1]})
				// coordinates have six digits
				if d := mat.Inner(v, &inverse, v); !(math.Abs(d-k*k) <= 1e-3) {
					t.Fatalf("component %d: x'S^-1 x = %g, want %g", j, d, k*k)
				}
			}
		}
	}
	if marks != 100 {
		t.Errorf("%d observations, want 100", marks)
	}
	if len(f.Notes) != 1 || !strings.HasPrefix(f.Notes[0], "100 of the 240") || !strings.Contains(f.Caption, "variables 2 and 1") {
		t.Errorf("notes %q, caption %q", f.Notes, f.Caption)
	}
}

// An observation has the colour of its most likely component.
func TestMixtureLabels(t *testing.T) {
	fit := twoComponents(t)
	labels, err := fit.Predict(fit.Session())
	must(t, err)
	counts := make([]int, 2)
	for _, j := range labels {
		counts[j]++
	}
	o := chartsOf(t, Mixture(fit))[0]
	for j, want := range counts {
		if got := len(o.series(fmt.Sprintf("data-%d", j))); got != want || want == 0 {
			t.Errorf("%d observations of component %d, want %d", got, j, want)
		}
	}
}

// Observations whose variables are in another order, or that are as they were loaded, are drawn
// where the mixture has them; those in other coordinates are refused.
func TestMixtureOfOtherObservations(t *testing.T) {
	data := twoComponents(t).Session()
	fit := data.Center().Mixture(2)
	must(t, fit.Err())
	order := make([]string, fit.N)
	for i := range order {
		order[i] = fmt.Sprint((i+1)%fit.N + 1)
	}
	plane, err := VariablePlane(fit.N, 1, 2)
	must(t, err)
	o := MixtureOptions{Plane: plane}
	want := chartsOf(t, Mixture(fit, o))[0]
	for name, other := range map[string]*symmom.Session{"in another order": data.Center().Select(order...), "as loaded": data, "as loaded, in another order": data.Select(order...)} {
		o.Observations = other
		got := chartsOf(t, Mixture(fit, o))[0]
		for _, series := range []string{"data-0", "data-1"} {
			if a, b := fmt.Sprint(want.series(series)), fmt.Sprint(got.series(series)); a != b || len(want.series(series)) == 0 {
				t.Errorf("%s is %.200s, %s %.200s", series, a, name, b)
			}
		}
	}
	o.Observations = data.Standardize()
	wantError(t, Mixture(fit, o), "mixture", "data that are centered")
}

func TestMixtureFromAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mixture.json")
	must(t, twoComponents(t).Save(path))
	fit, err := symmom.LoadMixture(path)
	must(t, err)
	f := Mixture(fit)
	if o := chartsOf(t, f)[0]; o.series("data-0") != nil || len(o.series("mean-1")) != 1 || !strings.HasPrefix(f.Caption, "Means as crosses") {
		t.Errorf("%+v, caption %q", o, f.Caption)
	}
	if o := chartsOf(t, Mixture(fit, MixtureOptions{Observations: twoComponents(t).Session()}))[0]; o.series("data-0") == nil {
		t.Error("no observations, though they were given")
	}
}

func TestMixtureOfNothing(t *testing.T) {
	fit := twoComponents(t)
	wantError(t, Mixture(nil), "mixture", "nil")
	wantError(t, Mixture(&symmom.Mixture{}), "mixture", "empty")
	wantError(t, Mixture(fit, MixtureOptions{}, MixtureOptions{}), "at most one")
	wantError(t, Mixture(fit, MixtureOptions{Plane: axes(4, 0, 1)}), "4 and 4 variables, want 3")
	wantError(t, Mixture(fit, MixtureOptions{Observations: symmom.FromRows([][]float64{{1, 2}, {3, 4}})}), "as the mixture")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	wantError(t, Mixture(fit.Session().WithContext(ctx).Mixture(2, symmom.MixtureOptions{})), "mixture", "interrupted")
	if _, err := VariablePlane(3, 1, 3); err == nil || !strings.Contains(err.Error(), "0 to 2") {
		t.Errorf("a plane of variables that are not there: %v", err)
	}
}

// threeSources returns waves of different shapes.
func threeSources() (*mat.Dense, []float64) {
	s := mat.NewDense(300, 3, nil)
	for l := range 300 {
		x := float64(l) / 20
		s.SetRow(l, []float64{math.Sqrt2 * math.Sin(2*x), 2*math.Mod(x, 1.7) - 1.7, math.Pow(math.Sin(x), 15)})
	}
	return s, []float64{6.25, -1.5, -1.2}
}

func TestSources(t *testing.T) {
	s, kurtosis := threeSources()
	f := SourcesOf(s, kurtosis, SourcesOptions{First: 10, Points: 50, Names: []string{hostile}, Most: 2})
	o := chartsOf(t, f)
	if len(o) != 2 || o[0].Title.Text != hostile+", kurtosis 6.25" || o[1].Title.Text != "source 2, kurtosis -1.5" {
		t.Fatalf("%d charts, titles %q", len(o), o[0].Title.Text)
	}
	points := o[1].series("source-1")
	if len(points) != 50 || points[0][0] != 11 || !(math.Abs(points[0][1]-s.At(10, 1)) <= 1e-3) || points[49][0] != 60 {
		t.Errorf("points %v", points)
	}
	if len(f.Notes) != 2 || f.Notes[1] != "Observations 11 to 60 of 300 are drawn." || f.Notes[0] != "2 of 3 sources are drawn." {
		t.Errorf("notes %q", f.Notes)
	}

	var mixed mat.Dense
	mixed.Mul(s, mat.NewDense(3, 4, []float64{1, .5, 0, 1, -1, 1, .3, 0, .2, .1, 1, -1}))
	data := symmom.FromMatrix(&mixed)
	ica := data.ICA(3)
	must(t, ica.Err())
	all, err := ica.Sources(data)
	must(t, err)
	for j, o := range chartsOf(t, Sources(ica, data)) {
		points := o.series(fmt.Sprintf("source-%d", j))
		if len(points) != 300 || !(math.Abs(points[7][1]-all.At(7, j)) <= 1e-3*math.Abs(all.At(7, j))) {
			t.Errorf("source %d: %d points", j, len(points))
		}
		if want := fmt.Sprintf("source %d, kurtosis %.3g", j+1, ica.Kurtosis[j]); o.Title.Text != want {
			t.Errorf("title %q, want %q", o.Title.Text, want)
		}
	}
	wantError(t, Sources(nil, data), "nil")
	wantError(t, Sources(&symmom.ICA{}, data), "empty")
	wantError(t, Sources(ica, data, SourcesOptions{}, SourcesOptions{}), "at most one")
	wantError(t, Sources(data.ICA(9), data), "components")
	wantError(t, Sources(ica, symmom.FromMatrix(s)), "4 variables")
	wantError(t, SourcesOf(nil, nil, SourcesOptions{}), "nil")
	wantError(t, SourcesOf(s, []float64{1}, SourcesOptions{}), "1 kurtosis value for 3 sources")
	wantError(t, SourcesOf(s, nil, SourcesOptions{First: 299}), "First", "0 to 298")
}
