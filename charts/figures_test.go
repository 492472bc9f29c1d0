package charts

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/numbers"
	"symmom/datasets"
	"symmom/symmom"
)

func TestScree(t *testing.T) {
	f := ScreeOf([]float64{8, 4, .1, .05, -1e-17}, 2)
	o := chartsOf(t, f)[0]
	if got := o.series("suggested"); len(got) != 2 || !slices.Equal(got[0], []float64{1, 8}) || !slices.Equal(got[1], []float64{2, 4}) {
		t.Errorf("suggested %v", got)
	}
	if got := o.series("others"); len(got) != 3 || !slices.Equal(got[0], []float64{3, .1}) || !math.IsNaN(got[2][1]) {
		t.Errorf("others %v", got)
	}
	if m := o.Series[0].MarkLine.Data; len(m) != 1 || m[0].XAxis != 2.5 || m[0].Name != "suggested rank 2" {
		t.Errorf("mark %+v", m)
	}
	if o.YAxis[0].Type != "log" || len(f.Notes) != 1 || !strings.HasSuffix(f.Notes[0], ": 1 eigenvalue.") {
		t.Errorf("%s axis, notes %q", o.YAxis[0].Type, f.Notes)
	}
	if o := chartsOf(t, ScreeOf([]float64{3, 2, 1}, 0))[0]; o.YAxis[0].Type != "value" || o.series("suggested") != nil || len(o.series("others")) != 3 {
		t.Errorf("three close eigenvalues: %+v", o)
	}
	// a linear axis shows zero, and what is below it asks for one
	for _, all := range [][]float64{{5, 5, 4, 0, 0}, {5, 5, 4, -1e-17, 1e-17}, {500, 5, 4, .5, -3}, {0, 0, 0, 0, 0}} {
		f := ScreeOf(all, 3)
		o := chartsOf(t, f)[0]
		if o.YAxis[0].Type != "value" || len(f.Notes) != 0 {
			t.Errorf("%v: %s axis, notes %q", all, o.YAxis[0].Type, f.Notes)
		}
		for i, p := range append(o.series("suggested"), o.series("others")...) {
			if p[1] != all[i] {
				t.Errorf("%v: %v is drawn", all, p)
			}
		}
	}
	wantError(t, ScreeOf([]float64{1, math.NaN()}, 0), "not all eigenvalues are finite")
	many := make([]float64, 200)
	for i := range many {
		many[i] = 1 / float64(i+1)
	}
	if f := ScreeOf(many, 3); len(chartsOf(t, f)[0].series("others")) != 47 || len(f.Notes) != 1 {
		t.Errorf("200 eigenvalues: %q", f.Notes)
	}

	m := datasets.GaussianMixture(datasets.MixtureOptions{N: 60, Components: 3, PerComponent: 40, Sigma: .05, Congruence: .3})
	fit := m.Session.Moment(3).Compressed(0).With(symmom.Options{Starts: 2}).Decompose(3)
	o = chartsOf(t, Scree(fit))[0]
	if got := o.series("suggested"); len(got) != fit.SuggestedRank || fit.SuggestedRank != 3 || got[2][1] != fit.Spectrum[2] {
		t.Errorf("suggested %v of a fit that suggests %d", got, fit.SuggestedRank)
	}
	centered := m.Session.Center()
	want := "2 stand out from the others: 2 independent factors, or 3 groups of observations"
	for where, s := range map[string]*symmom.Session{"here": centered, "elsewhere": symmom.FromMatrix(centered.Matrix())} {
		fit = s.Moment(3).Compressed(0).With(symmom.Options{Starts: 2}).Decompose(3)
		for _, f := range []*Figure{Scree(fit), NewReport("r").AddSummary(s.Summary()).Figures()[0]} {
			if got := chartsOf(t, f)[0].series("suggested"); len(got) != 2 || !strings.Contains(f.Caption, want) || !strings.Contains(f.String(), "suggested rank 2 or 3") {
				t.Errorf("of data centered %s: %v, %s, %s", where, got, f.Caption, f)
			}
		}
	}
	wantError(t, Scree(nil), "nil")
	wantError(t, ScreeOf(nil, 0), "no eigenvalues")
	wantError(t, ScreeOf([]float64{1}, 2), "suggested rank of 2 for 1 eigenvalue")
}

func TestScoreMatrix(t *testing.T) {
	truth := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0, 0})
	// the found columns in a different order, and one extra
	found := mat.NewDense(3, 3, []float64{
		.6, 0, -1,
		.8, 0, 0,
		0, 1, 0})
	model, err := symmom.NewModel(3, []float64{1, 1, 1}, found)
	if err != nil {
		t.Fatal(err)
	}
	f := ScoreMatrix(model.Score(truth), ScoreMatrixOptions{TruthNames: []string{hostile}})
	o := chartsOf(t, f)[0]
	if want := []string{"component 3", "component 1", "component 2"}; !slices.Equal(o.XAxis[0].Data, want) {
		t.Errorf("columns %q, want %q", o.XAxis[0].Data, want)
	}
	if want := []string{hostile, "truth 2"}; !slices.Equal(o.YAxis[0].Data, want) {
		t.Errorf("rows %q", o.YAxis[0].Data)
	}
	got := map[[2]float64]float64{}
	for _, id := range []string{"weak", "strong"} {
		for _, c := range o.series(id) {
			got[[2]float64{c[0], c[1]}] = c[2]
			if (id == "strong") != (c[2] > .6) {
				t.Errorf("%g is %s", c[2], id)
			}
		}
	}
	want := map[[2]float64]float64{{0, 0}: 1, {1, 0}: .6, {2, 0}: 0, {0, 1}: 0, {1, 1}: .8, {2, 1}: 0}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("cells %v, want %v", got, want)
	}
	if len(f.Notes) != 1 || !strings.Contains(f.Caption, "0.9000") {
		t.Errorf("notes %q, caption %q, want the score of (1 + .8) / 2", f.Notes, f.Caption)
	}
	wantError(t, ScoreMatrix(nil), "nil")
	wantError(t, ScoreMatrix(&symmom.Score{}), "no cosines")
	wantError(t, ScoreMatrix(model.Score(nil)), "truth")
	wantError(t, ScoreMatrix(model.Score(truth), ScoreMatrixOptions{}, ScoreMatrixOptions{}), "at most one")
}

func TestFactors(t *testing.T) {
	m := mat.NewDense(3, 2, []float64{.5, -.25, 0, 1, -.125, .75})
	f := FactorsOf(m, FactorsOptions{Names: []string{"height", hostile}})
	o := chartsOf(t, f)
	if len(o) != 2 {
		t.Fatalf("%d charts, want one a component", len(o))
	}
	for j := range o {
		if want := []string{"height", hostile, "variable 3"}; !slices.Equal(o[j].YAxis[0].Data, want) {
			t.Errorf("variables %q", o[j].YAxis[0].Data)
		}
		for i, got := range o[j].series(fmt.Sprintf("factor-%d", j)) {
			if got[0] != m.At(i, j) {
				t.Errorf("bar %d of component %d is %g, want %g", i, j, got[0], m.At(i, j))
			}
		}
		if o[j].XAxis[0].Min != -.25 || o[j].XAxis[0].Max != 1. {
			t.Errorf("axis from %v to %v, want -.25 to 1 in both", o[j].XAxis[0].Min, o[j].XAxis[0].Max)
		}
	}
	o = chartsOf(t, FactorsOf(m, FactorsOptions{Kind: "heatmap"}))
	if len(o) != 1 || len(o[0].series("weak"))+len(o[0].series("strong")) != 6 || o[0].VisualMap[0].Min != -1 || o[0].VisualMap[0].Max != 1 {
		t.Fatalf("heat map %+v", o)
	}
	for _, c := range append(o[0].series("weak"), o[0].series("strong")...) {
		if want := m.At(int(c[1]), int(c[0])); c[2] != want {
			t.Errorf("cell %v, want %g", c, want)
		}
	}
	tall := mat.NewDense(200, 2, nil)
	for i := range 200 {
		tall.Set(i, i%2, float64((i*37)%200)/200) // a permutation, so all sizes differ
	}
	f = FactorsOf(tall, FactorsOptions{Variables: 10})
	rows := chartsOf(t, f)[0].YAxis[0].Data
	var want []string
	for i := range 200 {
		if (i*37)%200 >= 190 {
			want = append(want, fmt.Sprintf("variable %d", i+1))
		}
	}
	if !slices.Equal(rows, want) || len(f.Notes) != 1 || !strings.HasPrefix(f.Notes[0], "10 of 200") {
		t.Errorf("variables %q, want %q; notes %q", rows, want, f.Notes)
	}
	if n := len(chartsOf(t, FactorsOf(tall, FactorsOptions{Variables: -1}))[0].YAxis[0].Data); n != 200 {
		t.Errorf("%d of all variables", n)
	}
	if o := chartsOf(t, Factors(syntheticFit(t, 1))); len(o) != 3 {
		t.Errorf("%d charts of a fit of rank 3", len(o))
	}
	wantError(t, Factors(nil), "nil")
	wantError(t, FactorsOf(nil, FactorsOptions{}), "nil")
	wantError(t, FactorsOf(m, FactorsOptions{Kind: "pie"}), `"pie"`)
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		wantError(t, FactorsOf(mat.NewDense(3, 2, []float64{bad, 2, 1, 2, -1, .5})), "not all finite")
	}
}

func TestInitSuccess(t *testing.T) {
	f := InitSuccessBars([]string{"1e-4", hostile}, []InitMethod{
		{Name: "RRF", Successes: []float64{100, 90}, Seconds: []float64{20, .05}},
		{Name: hostile, Successes: []float64{0, 30}},
	}, InitSuccessOptions{Group: "σ", Runs: 100})
	o := chartsOf(t, f)[0]
	for id, want := range map[string][]float64{"method-0": {100, 90}, "method-1": {0, 30}} {
		for i, p := range o.series(id) {
			if p[0] != want[i] {
				t.Errorf("%s: %v, want %v", id, p, want[i])
			}
		}
	}
	if got := o.Series[0].Data; got[0].Label.Formatter != "20 s" || got[1].Label.Formatter != "50 ms" || o.Series[1].Data[0].Label.Formatter != "" {
		t.Errorf("labels %q, %q, %q", got[0].Label, got[1].Label, o.Series[1].Data[0].Label)
	}
	if got, want := tooltips(t, f), []string{"RRF\n1e-4\n100 successful\n20 s", "RRF\n" + hostile + "\n90 successful\n50 ms",
		hostile + "\n1e-4\n0 successful", hostile + "\n" + hostile + "\n30 successful"}; !slices.Equal(got, want) {
		t.Errorf("tooltips %q, want %q", got, want)
	}
	if o.YAxis[0].Name != "successful runs (of 100)" || o.YAxis[0].Max != 100. || o.XAxis[0].Name != "σ" {
		t.Errorf("axes %+v %+v", o.YAxis[0], o.XAxis[0])
	}

	for v, want := range map[float64]string{.0004: "0.4 ms", .05: "50 ms", .91: "0.91 s", 125: "125 s", 1234.5: "1234 s"} {
		if got := shortSeconds(v); got != want {
			t.Errorf("%g above a bar: %q, want %q", v, got, want)
		}
	}

	// start 2 of the first fit is the best of all; the others end at .054, at .0015
	// and, for the last start of each fit, far above
	a, b := syntheticFit(t, 4), syntheticFit(t, 2)
	n, err := CountSuccesses(a, b)
	if err != nil || !slices.Equal(n, []int{2, 0}) {
		t.Errorf("successes %v, %v, want 2 and 0", n, err)
	}
	a.Elapsed = time.Second
	o = chartsOf(t, InitSuccess([]string{"rrf", "gaussian"}, a, b))[0]
	if got := o.series("method-0"); got[0][0] != 2 || got[1][0] != 0 || o.XAxis[0].Data[1] != "gaussian" || o.Series[0].Data[0].Label.Formatter != "1 s" {
		t.Errorf("bars %v of %q", got, o.XAxis[0].Data)
	}
	wantError(t, InitSuccess(nil), "at least one fit")
	wantError(t, InitSuccess([]string{"one"}, a, b), "1 name for 2 fits")
	other := syntheticFit(t, 1)
	other.N++
	wantError(t, InitSuccess(nil, a, other), "fit 2", "another moment")
	other = syntheticFit(t, 1)
	other.NormSquared.Value = math.Inf(1)
	wantError(t, InitSuccess(nil, other), "fit 1", "cannot be compared, as ‖X‖² is +Inf")
	if got := numbers.AtBest(&symmom.Fit{}); got != "–" {
		t.Errorf("starts at the best of none: %q", got)
	}
	wantError(t, InitSuccessBars(nil, nil, InitSuccessOptions{}), "at least one")
	wantError(t, InitSuccessBars([]string{"a"}, []InitMethod{{Successes: []float64{1, 2}}}, InitSuccessOptions{}), "method 1 has 2 successes")
}

func dotsInRows() *Figure {
	return Dots([]DotSeries{{Name: "explicit", X: []float64{.5, math.NaN(), 20}}, {Name: hostile, X: []float64{.25, 1, 2}}},
		DotOptions{X: "milliseconds", Rows: []string{"d=3 n=75 p=3750 r=25", "second", hostile}})
}

func TestDots(t *testing.T) {
	o := chartsOf(t, dotsInRows())[0]
	if o.XAxis[0].Type != "log" || o.XAxis[0].Name != "milliseconds" || o.YAxis[0].Type != "category" || len(o.YAxis[0].Data) != 3 {
		t.Errorf("axes %+v %+v", o.XAxis, o.YAxis)
	}
	if got := o.Series[0].Data; len(got) != 2 || fmt.Sprint(got[1].Value) != fmt.Sprint([]any{20, 2, hostile}) {
		t.Errorf("marks %+v, want two, the second in the last row", got)
	}
	// each mark stands in its own row, whatever the others are called
	same := Dots([]DotSeries{{Name: "t", X: []float64{1, 2, 3, 4}}}, DotOptions{Rows: []string{"numpy", "symmom", "numpy", "2"}})
	if got := chartsOf(t, same)[0].Series[0].Data; fmt.Sprint(got[0].Value, got[2].Value, got[3].Value) != "[1 0 numpy] [3 2 numpy] [4 3 2]" {
		t.Errorf("marks %+v", got)
	}
	if got, want := tooltips(t, same), []string{"t\nnumpy\n1", "t\nsymmom\n2", "t\nnumpy\n3", "t\n2\n4"}; !slices.Equal(got, want) {
		t.Errorf("tooltips %q, want %q", got, want)
	}
	var heights []float64 // at which ECharts puts them, from the top
	for _, m := range regexp.MustCompile(`matrix\([^)]*,([\d.]+)\)`).FindAllStringSubmatch(same.SVG(), -1) {
		y, err := strconv.ParseFloat(m[1], 64)
		must(t, err)
		heights = append(heights, y)
	}
	for k := range heights {
		if len(heights) != 4 || k > 0 && heights[k]-heights[k-1] < 20 { // a row has 30 pixels
			t.Fatalf("heights of the marks: %v", heights)
		}
	}
	// no mark vanishes for the sake of a logarithmic axis
	all := chartsOf(t, Dots([]DotSeries{{X: []float64{0, 1, 10, 100}, Y: []float64{-1, 0, 5, 50}}}))[0]
	if got := all.series("dots-0"); len(got) != 4 || all.XAxis[0].Type != "value" || all.YAxis[0].Type != "value" {
		t.Errorf("marks %v on axes %s, %s", got, all.XAxis[0].Type, all.YAxis[0].Type)
	}
	f := Dots([]DotSeries{{"here", []float64{2, 3, 3}, []float64{.5, .9, math.Inf(1)}, []string{"a", "b", "c"}}}, DotOptions{Title: "T", X: "s", Y: "score"})
	o = chartsOf(t, f)[0]
	if got := o.series("dots-0"); len(got) != 2 || got[1][0] != 3 || got[1][1] != .9 || o.Series[0].Data[1].Name != "b" || o.XAxis[0].Type != "value" || o.YAxis[0].Name != "score" {
		t.Errorf("marks %v, axes %+v %+v", got, o.XAxis, o.YAxis)
	}
	if f.summary != "2 marks" || !strings.Contains(f.SVG(), ">b<") {
		t.Errorf("%s without the name of a mark", f)
	}
	wantError(t, Dots(nil, DotOptions{}), "no value")
	wantError(t, Dots([]DotSeries{{X: []float64{math.NaN()}, Y: []float64{1}}}, DotOptions{}), "no value")
	for _, s := range []DotSeries{{}, {X: []float64{1}}, {X: []float64{1}, Y: []float64{1, 2}}, {X: []float64{1}, Y: []float64{1}, Names: []string{}}} {
		wantError(t, Dots([]DotSeries{s}, DotOptions{}), "series 1", "not of one number")
	}
	wantError(t, Dots([]DotSeries{{X: []float64{1}}}, DotOptions{Rows: []string{"a", "b"}}), "series 1", "not of one number")
}

func TestCost(t *testing.T) {
	o := chartsOf(t, Cost(CostOptions{}))
	// the paper's figure: storage 8 n^d / 1e9 and 8 n d 10 / 1e9 GB, 10 n^d and 10 n
	// d operations
	at := func(c int, id string, n float64) float64 {
		t.Helper()
		for _, p := range o[c].series(id) {
			if p[0] == n {
				return math.Pow(10, p[1])
			}
		}
		t.Fatalf("%s has no point at n = %g", id, n)
		return 0
	}
	for _, c := range []struct {
		chart int
		id    string
		want  float64
	}{
		{0, "explicit-3", 8 * 8e9 / 1e9}, {0, "explicit-4", 8 * 16e12 / 1e9}, {0, "implicit-3",
			8 * 2000 * 3 * 10 / 1e9}, {0, "implicit-4", 8 * 2000 * 4 * 10 / 1e9},
		{1, "explicit-3", 10 * 8e9}, {1, "explicit-4", 10 * 16e12}, {1, "implicit-3", 10 * 2000 * 3}, {1,
			"implicit-4", 10 * 2000 * 4},
	} {
		if got := at(c.chart, c.id, 2000); !(math.Abs(got/c.want-1) <= 1e-12) {
			t.Errorf("%s: %g, want %g", c.id, got, c.want)
		}
	}
	for _, n := range []int{1, 5, 10, 11} { // the line at n is on the axis
		f := Cost(CostOptions{N: n})
		s := chartsOf(t, f)[0].series("explicit-3")
		if s[0][0] != float64(min(n, 10)) || !strings.Contains(f.Page(), fmt.Sprintf(`"min":%d,`, min(n, 10))) {
			t.Errorf("n = %d: the axis begins at %v", n, s[0][0])
		}
	}
	f := Cost(CostOptions{Orders: []int{3}, N: 1000, Rank: 5, Observations: 1250})
	o = chartsOf(t, f)
	// from the text of the paper: for d = 3 and n = 1000 the moment takes 8 GB
	if got := at(0, "explicit-3", 1000); !(math.Abs(got-8) <= 1e-9) {
		t.Errorf("%g GB, want 8", got)
	}
	if got := at(1, "implicit-3", 1000); !(math.Abs(got/(1250*1000*5)-1) <= 1e-12) {
		t.Errorf("%g operations, want p n r", got)
	}
	if m := o[1].Series[0].MarkLine.Data; len(m) != 1 || m[0].XAxis != 1000 {
		t.Errorf("mark %+v", m)
	}
	wantError(t, Cost(CostOptions{Orders: []int{1}}), "Orders")
	wantError(t, Cost(CostOptions{N: -1}), "N", "-1")
	wantError(t, Cost(CostOptions{Orders: []int{3, 4, 3}}), "Orders", "[3 4 3]", "each once")
}

func TestConvergenceOfMethods(t *testing.T) {
	a, b := syntheticFit(t, 3), syntheticFit(t, 2)
	for i := range b.Starts { // ten times slower
		for k := range b.Starts[i].Trace {
			b.Starts[i].Trace[k].Elapsed *= 10
		}
	}
	f := ConvergenceWith(ConvergenceOptions{Best: true, Objective: true, Names: []string{"fast", hostile}}, a, b)
	o := chartsOf(t, f)
	if len(o) != 3 {
		t.Fatalf("%d charts, want the beginning as a third", len(o))
	}
	if want := []string{"fast", hostile}; !slices.Equal(o[0].Legend.Data, want) || len(o[0].Series) != 2 {
		t.Errorf("legend %q of %d lines", o[0].Legend.Data, len(o[0].Series))
	}
	trace := a.Starts[a.Best].Trace
	for i, p := range o[1].series(fmt.Sprintf("fit-0-start-%d", a.Best)) {
		if p[1] != trace[i].Objective {
			t.Errorf("point %d is %v, want f = %g", i, p, trace[i].Objective)
		}
	}
	// the third chart ends with the fast line, at .007 s, and so shows all of it but
	// nothing of the slow one, whose points are at .01, .02, ...
	end := o[2].XAxis[0].Max.(float64)
	if last := trace[len(trace)-1].Elapsed.Seconds(); end < last || end > 1.1*last {
		t.Errorf("the beginning ends at %g s, the fast line at %g s", end, last)
	}
	if got := len(o[2].series(fmt.Sprintf("fit-1-start-%d", b.Best))); got != 0 {
		t.Errorf("%d points of the slow line in the beginning, want none", got)
	}
	if n := len(chartsOf(t, ConvergenceWith(ConvergenceOptions{Best: true, Zoom: -1}, a, b))); n != 2 {
		t.Errorf("%d charts without a zoom", n)
	}
	wantError(t, ConvergenceWith(ConvergenceOptions{Names: []string{"one"}}, a, b), "1 name for 2 fits")
}

func TestConvergenceLines(t *testing.T) {
	f := ConvergenceLines("f (shifted)", []TraceLine{
		{"Adam", []symmom.TracePoint{{Elapsed: time.Second, Objective: 3}, {Elapsed: 2 * time.Second, Objective: -.2}}},
		{"Standard",
			[]symmom.TracePoint{{Elapsed: time.Second, Objective: -.1}, {Elapsed: 3 * time.Second, Objective: -.25}}},
	}, ConvergenceOptions{})
	o := chartsOf(t, f)
	if len(o) != 1 || o[0].XAxis[0].Name != "seconds" || o[0].YAxis[0].Name != "f (shifted)" || o[0].YAxis[0].Max != 0. {
		t.Fatalf("%d charts, axes %+v %+v", len(o), o[0].XAxis[0], o[0].YAxis[0])
	}
	if got := o[0].series("line-1")[1]; got[0] != 3 || got[1] != -.25 {
		t.Errorf("point %v", got)
	}
	if len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "ends at 0") {
		t.Errorf("notes %q", f.Notes)
	}
	positive := chartsOf(t, ConvergenceLines("error", []TraceLine{{"a", []symmom.TracePoint{{Evaluations: 1, Objective: 1}, {Evaluations: 2, Objective: .01}}}}, ConvergenceOptions{}))
	if len(positive) != 1 || positive[0].YAxis[0].Type != "log" || positive[0].XAxis[0].Name != "evaluations" {
		t.Errorf("%+v", positive)
	}
	wantError(t, ConvergenceLines("f", nil, ConvergenceOptions{}), "at least one line")
	wantError(t, ConvergenceLines("f", []TraceLine{{Name: "empty"}}, ConvergenceOptions{}), "line 1 has no points")
}

// A component that is chosen is drawn by its own name, and no note speaks of a chart that
// is not there.
func TestExploreDrawsWhatItNames(t *testing.T) {
	m := datasets.GaussianMixture(datasets.MixtureOptions{N: 10, Components: 3, Observations: 400, Sigma: .5, Congruence: .3})
	fit := m.Session.Moment(3).With(symmom.Options{Starts: 1}).Decompose(3)
	x := Explore(fit)
	if _, err := x.Set("component", "2"); err != nil {
		t.Fatal(err)
	}
	values, err := x.Result()
	if err != nil {
		t.Fatal(err)
	}
	f := values[0].(*Figure)
	o := chartsOf(t, f)
	if len(o) != 2 || o[1].Title.Text != "component 2" || o[0].Title.Text != "" {
		t.Fatalf("%d charts, the second %q of %q", len(o), o[1].Title.Text, f.Title)
	}
	if bars, a := o[1].series("factor-0"), fit.Model.Factors; !(math.Abs(bars[4][0]-a.At(4, 1)) <= 1e-4) { // five digits
		t.Errorf("the bars have %v, component 2 %g", bars[4], a.At(4, 1))
	}
	if len(chartsOf(t, Recovery(fit, nil))) != 2 {
		t.Fatal("the means are no part of the observations: this test looks at nothing")
	}
	for _, note := range f.Notes {
		if strings.Contains(note, "near the") {
			t.Errorf("note %q", note)
		}
	}
}

// Long names stay distinct in every kind of chart that lists them, where they differ at
// their ends; names with enough room are complete.
func TestLongNamesDiffer(t *testing.T) {
	names := []string{"average income of households, 2019", "average income of households, 2020", "收入的平均数的平均数的平均数 甲", "收入的平均数的平均数的平均数 乙", "proanthocyanins"}
	for kind, r := range map[string]int{"bars": 2, "heat map": 20} {
		svg := FactorsOf(mat.NewDense(5, r, slices.Repeat([]float64{.5}, 5*r)), FactorsOptions{Names: names}).SVG()
		for _, want := range []string{"ds, 2019<", "ds, 2020<", " 甲<", " 乙<", ">proanthocyanins<"} {
			if !strings.Contains(svg, want) {
				t.Errorf("%s: no label has %q", kind, want)
			}
		}
	}
}
