package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/traces"
	"symmom/datasets"
	"symmom/symmom"
)

// checkSeries checks a series against a trace: x and y must be what the fit holds,
// to the digits that the options keep.
func checkSeries(t *testing.T, id string, data []struct {
	Name      string
	Value     any
	ItemStyle struct{ Color string }
	Label     struct{ Formatter string }
}, trace []symmom.TracePoint, norm float64, seconds bool) {
	t.Helper()
	if len(data) != len(trace) {
		t.Fatalf("%s has %d points, want %d", id, len(data), len(trace))
	}
	for i, p := range trace {
		v := data[i].Value.([]any)
		want := []float64{float64(p.Evaluations), 1 + p.Objective/norm, math.Round(p.Elapsed.Seconds()*1e6) / 1e6}
		if seconds {
			want[0], want[2] = want[2], want[0]
		}
		for k, w := range want {
			// Small relative errors are multiples of 1e-14.
			if d := math.Abs(v[k].(float64) - w); !(d <= 0) && !(k == 1 && w < 1e-8 && d < .51e-14) {
				t.Errorf("%s point %d value %d is %v, want %v", id, i, k, v[k], w)
			}
		}
		// four digits of the gradient norm: half a unit in the fourth
		if g := v[3].(float64); !(math.Abs(g-p.GradientNorm) <= .5e-3*p.GradientNorm) {
			t.Errorf("%s point %d gradient norm %v, want %v", id, i, g, p.GradientNorm)
		}
	}
}

func TestConvergenceShowsTheTraces(t *testing.T) {
	fit := syntheticFit(t, 4)
	f := Convergence(fit)
	if f.Err() != nil || len(f.Notes) != 0 {
		t.Fatal(f.Err(), f.Notes)
	}
	if got, want := f.String(), `Convergence: 4 starts of 1 fit (Save("name.html") writes it as a page)`; got != want {
		t.Errorf("String %q, want %q", got, want)
	}
	o := optionsOf(t, f.Page())
	if len(o) != 2 || len(f.ECharts()) != 2 {
		t.Fatalf("%d charts", len(o))
	}
	for c, chart := range o {
		if chart.YAxis[0].Type != "log" {
			t.Errorf("chart %d: y axis is %s", c, chart.YAxis[0].Type)
		}
		if !slices.Equal(chart.Color, palette) {
			t.Errorf("chart %d: colours %v", c, chart.Color)
		}
		if want := []string{"best start", "as low as the best", "ended higher"}; !slices.Equal(chart.Legend.Data, want) {
			t.Errorf("chart %d: legend %v, want %v", c, chart.Legend.Data, want)
		}
		if len(chart.Series) != 4 {
			t.Fatalf("chart %d: %d series, want one a start", c, len(chart.Series))
		}
		byID := map[string]int{}
		for i, s := range chart.Series {
			byID[s.ID] = i
		}
		for k, s := range fit.Starts {
			id := fmt.Sprintf("fit-0-start-%d", k)
			i, ok := byID[id]
			if !ok {
				t.Fatalf("chart %d has no series %s", c, id)
			}
			checkSeries(t, id, chart.Series[i].Data, s.Trace, fit.NormSquared.Value, c == 1)
		}
		// the best of starts 0, 1 and 2 is the longest, 2; start 3 stayed high; start
		// 0 ended at .054 and so more than .01 above start 2
		for k, want := range []string{"ended higher", "as low as the best", "best start", "ended higher"} {
			if got := chart.Series[byID[fmt.Sprintf("fit-0-start-%d", k)]].Name; got != want {
				t.Errorf("chart %d: start %d is %q, want %q", c, k, got, want)
			}
		}
		last := chart.Series[3]
		if last.Name != "best start" || last.LineStyle.Width <= chart.Series[0].LineStyle.Width {
			t.Errorf("chart %d: the best start is not on top in a thicker line: %+v", c, last)
		}
	}
	if o[0].XAxis[0].Name != "evaluations" || o[1].XAxis[0].Name != "seconds" {
		t.Errorf("axes %q, %q", o[0].XAxis[0].Name, o[1].XAxis[0].Name)
	}
	if o[0].XAxis[0].Type != "value" || o[1].XAxis[0].Type != "value" {
		t.Error("a short run has logarithmic x axes")
	}
}

func TestConvergenceOfLongRuns(t *testing.T) {
	fit := syntheticFit(t, 2)
	long := &fit.Starts[1]
	for len(long.Trace) < 5000 {
		p := long.Trace[len(long.Trace)-1]
		p.Evaluations++
		p.Objective = fit.NormSquared.Value * (.9999*(1+p.Objective/fit.NormSquared.Value) - 1)
		long.Trace = append(long.Trace, p)
	}
	f := Convergence(fit)
	o := optionsOf(t, f.Page())
	if o[0].XAxis[0].Type != "log" || o[1].XAxis[0].Type != "value" {
		t.Errorf("x axes %s, %s: want log for many evaluations, value for seconds", o[0].XAxis[0].Type, o[1].XAxis[0].Type)
	}
	if len(f.Notes) != 1 || !strings.HasPrefix(f.Notes[0], "1 trace thinned to at most 600 points") {
		t.Errorf("notes %q", f.Notes)
	}
	for _, s := range o[0].Series {
		if s.ID != "fit-0-start-1" {
			continue
		}
		first, last := s.Data[0].Value.([]any), s.Data[len(s.Data)-1].Value.([]any)
		want := long.Trace[len(long.Trace)-1]
		if len(s.Data) > 600 || len(s.Data) < 400 || first[0] != 1. || last[0] != float64(want.Evaluations) {
			t.Errorf("%d points from %v to %v", len(s.Data), first, last)
		}
	}
}

func TestThin(t *testing.T) {
	for _, c := range []struct{ n, limit int }{{1, 2}, {5, 5}, {6, 5}, {100, 2}, {100, 10}, {5000, 1000}, {1001, 1000}} {
		at := traces.Thin(c.n, c.limit)
		if len(at) > c.limit || len(at) == 0 || at[0] != 0 || !slices.IsSorted(at) {
			t.Errorf("traces.Thin(%d, %d) = %v", c.n, c.limit, at)
		}
		if c.limit >= 4 && at[len(at)-1] != c.n-1 {
			t.Errorf("traces.Thin(%d, %d) ends at %d", c.n, c.limit, at[len(at)-1])
		}
		for i := 1; i < len(at); i++ {
			if at[i] == at[i-1] {
				t.Errorf("traces.Thin(%d, %d) repeats %d", c.n, c.limit, at[i])
			}
		}
	}
}

func TestConvergenceOfAnEstimate(t *testing.T) {
	fit := syntheticFit(t, 2)
	fit.NormSquared.StdErr, fit.NormSquared.Pairs = .1, 1000
	f := Convergence(syntheticFit(t, 1), fit)
	o := optionsOf(t, f.Page())
	if o[0].YAxis[0].Type != "value" || o[0].YAxis[0].Name != "f − ‖X‖²" {
		t.Errorf("y axis %+v", o[0].YAxis[0])
	}
	// the synthetic starts begin at twice the error of the empty model
	if len(f.Notes) != 2 || !strings.Contains(f.Notes[1], "estimate") || !strings.Contains(f.Notes[0], "ends at 0") {
		t.Errorf("notes %q", f.Notes)
	}
	for _, s := range o[0].Series {
		if s.ID == "fit-1-start-0" && s.Data[0].Value.([]any)[1] != fit.Starts[0].Trace[0].Objective {
			t.Errorf("y is %v, want the objective %v", s.Data[0].Value, fit.Starts[0].Trace[0].Objective)
		}
	}
}

func TestConvergenceOfWhatCannotBeDrawn(t *testing.T) {
	fit := syntheticFit(t, 1)
	tr := fit.Starts[0].Trace
	tr[len(tr)-1].Objective = -fit.NormSquared.Value * (1 + 1e-15)
	tr[1].GradientNorm = math.NaN()
	f := Convergence(fit)
	if len(f.Notes) != 1 || !strings.HasPrefix(f.Notes[0], "1 point at or below zero") {
		t.Errorf("notes %q", f.Notes)
	}
	d := optionsOf(t, f.Page())[0].Series[0].Data
	if y := d[len(d)-1].Value.([]any)[1]; y != nil {
		t.Errorf("a relative error below zero is drawn at %v", y)
	}
	if g := d[1].Value.([]any)[3]; g != nil {
		t.Errorf("NaN became %v", g)
	}
}

func TestConvergenceWithinADecade(t *testing.T) {
	fit := syntheticFit(t, 1)
	fit.Starts[0].Trace = fit.Starts[0].Trace[:2] // 2 and .6
	if o := optionsOf(t, Convergence(fit).Page()); o[0].YAxis[0].Type != "value" {
		t.Errorf("y axis is %s for values within a factor of 4", o[0].YAxis[0].Type)
	}
}

func TestConvergenceOfSeveralFits(t *testing.T) {
	a, b, c := syntheticFit(t, 2), syntheticFit(t, 3), syntheticFit(t, 2)
	b.Rank, b.Form = 5, "explicit"
	o := optionsOf(t, Convergence(a, b, c).Page())[0]
	want := []string{"rank 3, implicit", "rank 5, explicit", "rank 3, implicit #2"}
	if !slices.Equal(o.Legend.Data, want) {
		t.Errorf("legend %q, want %q", o.Legend.Data, want)
	}
	if len(o.Series) != 7 {
		t.Fatalf("%d series, want 7", len(o.Series))
	}
	for _, s := range o.Series {
		i := slices.Index(want, s.Name)
		if s.LineStyle.Color != palette[i] || !strings.HasPrefix(s.ID, fmt.Sprintf("fit-%d-", i)) {
			t.Errorf("series %s of %q in %s", s.ID, s.Name, s.LineStyle.Color)
		}
	}
	same := optionsOf(t, Convergence(a, c).Page())[0].Legend.Data
	if want := []string{"fit #1", "fit #2"}; !slices.Equal(same, want) {
		t.Errorf("legend %q, want %q", same, want)
	}
}

func TestConvergenceErrors(t *testing.T) {
	noTraces := syntheticFit(t, 1)
	noTraces.Starts[0].Trace = nil
	for _, c := range []struct {
		f    *Figure
		want string
	}{
		{Convergence(), "give at least one fit"},
		{Convergence(syntheticFit(t, 1), nil), "fit 2 is nil"},
		{Convergence(symmom.FromRows(nil).Moment(3).Decompose(2)), "fit 1: "},
		{Convergence(&symmom.Fit{}), "it has no starts"},
		{Convergence(noTraces), "no traces"},
	} {
		if c.f.Err() == nil || !strings.Contains(c.f.Err().Error(), c.want) {
			t.Errorf("error %v, want one with %q", c.f.Err(), c.want)
		}
		if !strings.Contains(c.f.Page(), `class="error"`) {
			t.Errorf("the page of %v does not tell the error", c.f.Err())
		}
	}
}

func TestLambda(t *testing.T) {
	fit := syntheticFit(t, 1)
	fit.Model.Lambda[2] = -1
	f := Lambda(fit)
	o := optionsOf(t, f.Page())[0]
	if want := []string{"1", "2", "3"}; !slices.Equal(o.XAxis[0].Data, want) {
		t.Errorf("components %v", o.XAxis[0].Data)
	}
	for j, d := range o.Series[0].Data {
		color := blue
		if fit.Model.Lambda[j] < 0 {
			color = vermilion
		}
		if d.Value != fit.Model.Lambda[j] || d.ItemStyle.Color != color {
			t.Errorf("bar %d is %v in %s, want %v in %s", j, d.Value, d.ItemStyle.Color, fit.Model.Lambda[j], color)
		}
	}
	for _, bad := range []*symmom.Fit{nil, {}, symmom.FromRows(nil).Moment(3).Decompose(2)} {
		if f := Lambda(bad); f.Err() == nil || !strings.HasPrefix(f.Err().Error(), "charts: lambda: ") {
			t.Errorf("error %v", f.Err())
		}
	}
}

// A real decomposition can be drawn as well as a made-up one.
func TestConvergenceOfARealFit(t *testing.T) {
	rows := make([][]float64, 60)
	for i := range rows {
		rows[i] = []float64{.01 * math.Sin(float64(i)), .01 * math.Cos(3*float64(i)), .01 * math.Sin(2*float64(i))}
		rows[i][i%2]++
	}
	fit := symmom.FromRows(rows).Moment(3).With(symmom.Options{Starts: 3}).Decompose(2)
	if fit.Err() != nil {
		t.Fatal(fit.Err())
	}
	o := optionsOf(t, Convergence(fit).Page())
	for _, s := range o[0].Series {
		var k int
		if _, err := fmt.Sscanf(s.ID, "fit-0-start-%d", &k); err != nil {
			t.Fatal(err)
		}
		checkSeries(t, s.ID, s.Data, fit.Starts[k].Trace, fit.NormSquared.Value, false)
	}
}

// A chart cannot show thousands of starts: some are drawn, including the best, and
// the note says how many.
func TestConvergenceOfManyStarts(t *testing.T) {
	f := datasets.Uniform(2, 20, 1).Moment(3).With(symmom.Options{Starts: 350, MaxIterations: 3}).Decompose(1)
	if f.Err() != nil {
		t.Fatal(f.Err())
	}
	chosen := (&traceSet{}).shownStarts(f)
	if len(chosen) > maxFitLines+1 || len(chosen) < maxFitLines/2 || !slices.Contains(chosen, f.Best) {
		t.Errorf("%d of %d starts drawn, best %d", len(chosen), len(f.Starts), f.Best)
	}
	fig := Convergence(f)
	want := fmt.Sprintf("%d of 350 starts are drawn, the best among them.", len(chosen))
	if !slices.Contains(fig.Notes, want) {
		t.Errorf("notes %q, want %q", fig.Notes, want)
	}
}

// The caption says when a start counts as low as the best: AtBest of a real fit by its
// own numbers.
func TestConvergenceSaysWhatAsLowMeans(t *testing.T) {
	m := datasets.GaussianMixture(datasets.MixtureOptions{N: 8, Components: 5, PerComponent: 40, Sigma: .4, Congruence: .6})
	fit := m.Session.Moment(3).Implicit().With(symmom.Options{Starts: 40, MaxIterations: 12}).Decompose(5)
	model := 0.0 // ||M||^2
	a := fit.Model.Factors
	for i, x := range fit.Model.Lambda {
		for j, y := range fit.Model.Lambda {
			model += x * y * math.Pow(dot(mat.Col(nil, i, a), mat.Col(nil, j, a)), 3)
		}
	}
	f := func(shifted float64) float64 { return shifted + fit.NormSquared.Value }
	low, between := 0, 0
	for k, s := range fit.Starts {
		within := f(s.ObjectiveShifted)-f(fit.ObjectiveShifted) <= .001*math.Min(f(fit.ObjectiveShifted), model)
		if within != s.AtBest {
			t.Errorf("start %d is within .001: %t, at the best: %t", k, within, s.AtBest)
		}
		if within {
			low++
		} else if s.ObjectiveShifted-fit.ObjectiveShifted <= traces.NearBest*fit.NormSquared.Value {
			between++ // the criterion of InitSuccess
		}
	}
	if low < 2 || between == 0 {
		t.Fatalf("%d starts are low and %d differ: the test needs some of both", low, between)
	}
	if c := Convergence(fit).Caption; !strings.Contains(c, "within 0.001 of the best one, relative to f or to ‖M‖² of the model, whichever is less") {
		t.Errorf("caption %q", c)
	}
}

// A trace of one point, such as that of a polished start, is a mark: no line shows it.
func TestConvergenceShowsATraceOfOnePoint(t *testing.T) {
	fit := syntheticFit(t, 3)
	last := &fit.Starts[fit.Best]
	last.Trace = last.Trace[len(last.Trace)-1:]
	for k, chart := range chartsOf(t, Convergence(fit)) {
		for _, s := range chart.Series {
			want := 0.
			if s.ID == fmt.Sprintf("fit-0-start-%d", fit.Best) {
				want = 1
			}
			if s.ItemStyle.Opacity == nil || *s.ItemStyle.Opacity != want {
				t.Errorf("chart %d: marks of %s with %d points have the opacity %v, want %g", k, s.ID, len(s.Data), s.ItemStyle.Opacity, want)
			}
		}
	}
}

// Traces of the sampled form are drawn as what they are, and tell no order of starts.
func TestConvergenceOfTheSampledForm(t *testing.T) {
	m := datasets.GaussianMixture(datasets.MixtureOptions{N: 6, Components: 2, PerComponent: 3000, Sigma: .3, Congruence: .2})
	fit := m.Session.Moment(3).Sampled(0).With(symmom.Options{Starts: 3}).Decompose(2)
	if fit.Err() != nil || !fit.NormSquared.Exact() || !fit.Starts[0].Estimated {
		t.Fatalf("%v: the test needs estimates beside an exact norm", fit.Err())
	}
	f := Convergence(fit)
	o := chartsOf(t, f)[0]
	if got := o.YAxis[0].Name; got != "estimate of f − ‖X‖²" || strings.Contains(strings.ToLower(f.Caption), "relative error") || strings.Contains(f.Caption, "As low as") {
		t.Errorf("axis %q, caption %q", got, f.Caption)
	}
	for _, s := range o.Series {
		var k int
		fmt.Sscanf(s.ID, "fit-0-start-%d", &k)
		trace := fit.Starts[k].Trace
		if got, want := s.Data[len(s.Data)-1].Value.([]any)[1], trace[len(trace)-1].Objective; got != want {
			t.Errorf("start %d ends at %v, want the estimate %g", k, got, want)
		}
	}
	if want := []string{"best start", "other starts"}; !slices.Equal(o.Legend.Data, want) {
		t.Errorf("legend %q, want %q", o.Legend.Data, want)
	}
	if notes := strings.Join(f.Notes, " "); !strings.Contains(notes, "estimates from 1,000 observations") || !strings.Contains(notes, fmt.Sprintf("%.5g", fit.ObjectiveShifted)) {
		t.Errorf("notes %q", f.Notes)
	}
	exact := m.Session.Moment(3).With(symmom.Options{Starts: 2}).Decompose(2)
	if got := chartsOf(t, Convergence(exact, fit))[0].YAxis[0].Name; got != "f − ‖X‖², in part estimated" {
		t.Errorf("axis of both forms %q", got)
	}
}
