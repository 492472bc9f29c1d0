package charts

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
	"symmom/symmom"
)

var tickLabel = regexp.MustCompile(`text-anchor="end" font-size="12"[^>]*translate\(74 ([0-9.]+)\)[^>]*>([^<]*)<`)

// place is where a mark is, and what the pointer shows there.
type place struct {
	x, y float64
	text string
}

// read returns the labels of the y axis of a figure's only chart, of which there must be several
// that differ, their places, the marks and the text of the picture.
func read(t *testing.T, f *Figure) (labels []string, at []float64, marks []place, text string) {
	t.Helper()
	must(t, f.Err())
	n, charts, err := f.drawn(1000)
	must(t, err)
	if text = n.String(); regexp.MustCompile(`NaN|Infinity`).MatchString(text) {
		t.Errorf("%s: the picture has places that are no numbers", f.Title)
	}
	for _, m := range tickLabel.FindAllStringSubmatch(text, -1) {
		y, _ := strconv.ParseFloat(m[1], 64)
		labels, at = append(labels, m[2]), append(at, y)
	}
	var all struct{ Marks [][]any }
	must(t, json.Unmarshal(charts[0].Values, &all))
	for _, m := range all.Marks {
		marks = append(marks, place{m[0].(float64), m[1].(float64), m[4].(string)})
	}
	if len(labels) < 2 || len(slices.Compact(slices.Sorted(slices.Values(labels)))) < len(labels) {
		t.Fatalf("%s: labels %q", f.Title, labels)
	}
	return labels, at, marks, text
}

// read300 reads a label in units of 10^exponent: 2e308 is more than a float64 holds.
func read300(t *testing.T, label string, exponent int) float64 {
	t.Helper()
	mantissa, e, _ := strings.Cut(label, "e")
	v, err := strconv.ParseFloat(mantissa, 64)
	must(t, err)
	n, _ := strconv.Atoi("0" + strings.TrimPrefix(e, "-"))
	if strings.HasPrefix(e, "-") {
		n = -n
	}
	return v * math.Pow(10, float64(n-exponent))
}

// Labels differ, and marks stand at their values by them, however small, large or close together
// these are.
func TestAxesOfAnyRange(t *testing.T) {
	for name, c := range map[string]struct {
		values   []float64
		axis     string
		exponent int // of the labels, about
	}{
		"close":    {[]float64{.4140651234, .4140651238, .4140651231}, "f − 0.414065123", -9},
		"closer":   {[]float64{1 + 7e-15, 1 + 2e-15, 1}, "f − 1", -15},
		"negative": {[]float64{-8765.43210001, -8765.43210005, -8765.43210009}, "f + 8765.4321001", -8},
		"millions": {[]float64{1234570, 1234567, 1234568}, "f − 1234560", 0},
		"tiny":     {[]float64{2e-12, 1.8e-12, 1.6e-12}, "f", -12},
		"tinier":   {[]float64{6e-300, 5e-300, 4.5e-300}, "f", -300},
		"huge":     {[]float64{1.7e308, 1.3e308, 1.2e308}, "f", 308},
		"both":     {[]float64{1.7e308, -1.6e308, 1e307}, "f", 308},
		"plain":    {[]float64{3, 2.5, 1.9}, "f", 0},
	} {
		var line TraceLine
		for i, v := range c.values {
			line.Points = append(line.Points, symmom.TracePoint{Evaluations: i + 1, Objective: v})
		}
		f := ConvergenceLines("f", []TraceLine{line})
		f.Title = name
		if got := chartsOf(t, f)[0].YAxis[0].Name; got != c.axis {
			t.Errorf("%s: the axis is %q, want %q", name, got, c.axis)
		}
		minus := 0.
		if of := strings.Fields(c.axis); len(of) == 3 {
			minus, _ = strconv.ParseFloat(strings.Replace(of[1], "−", "", 1)+of[2], 64)
			if of[1] == "+" {
				minus = -math.Abs(minus)
			}
		}
		labels, at, marks, _ := read(t, f)
		first, last := read300(t, labels[0], c.exponent), read300(t, labels[len(labels)-1], c.exponent)
		for i, m := range marks {
			got := first + (m.y-at[0])/(at[len(at)-1]-at[0])*(last-first)
			want := (c.values[i] - minus) / math.Pow(10, float64(c.exponent))
			if math.Abs(got-want) > .01*math.Abs(last-first) {
				t.Errorf("%s: the mark of %v stands at %g by labels %q, want %g", name, c.values[i], got, labels, want)
			}
		}
	}
}

// Scores that hardly differ have labels that do.
func TestScoresNearOne(t *testing.T) {
	f := SweepLines([]SweepLine{{Ranks: []int{1, 2, 3}, RelativeError: []float64{1, 1, 1}, Score: []float64{1 - 3e-10, 1 - 1e-10, 1}}})
	must(t, f.Err())
	f.charts = f.charts[1:]
	if labels, _, _, _ := read(t, f); !strings.HasSuffix(labels[0], "e-10") || chartsOf(t, f)[0].YAxis[0].Name != "score − 0.999999999" {
		t.Errorf("labels %q, axis %q", labels, chartsOf(t, f)[0].YAxis[0].Name)
	}
}

// Bars and cells are drawn, and begin at zero, for the smallest and the largest numbers.
func TestSizesOfBarsAndCells(t *testing.T) {
	slow.Test(t)
	for _, unit := range []float64{1e-300, 2e-12, 1, 1e300, 8e307} {
		model, err := symmom.NewModel(4, []float64{2 * unit, -unit}, mat.NewDense(2, 2, []float64{1, 0, 0, 1}))
		must(t, err)
		labels, _, marks, _ := read(t, Lambda(&symmom.Fit{Model: model, Order: 4, N: 2, Rank: 2}))
		if !slices.Contains(labels, "0") || math.Abs(marks[0].y-10) > 40 {
			t.Errorf("labels %q, bar at %g", labels, marks[0].y)
		}
		factors := mat.NewDense(2, 1, []float64{2 * unit, -unit})
		bars := tooltips(t, FactorsOf(factors, FactorsOptions{Kind: "bars"}))
		if got, err := strconv.ParseFloat(strings.TrimPrefix(bars[0], "variable 1\n"), 64); err != nil || math.Abs(got/unit-2) > 1e-4 {
			t.Errorf("%g: the tooltip of the bar is %q", 2*unit, bars[0])
		}
		cells := FactorsOf(factors, FactorsOptions{Kind: "heatmap"})
		if text := cells.SVG(); !strings.Contains(text, `fill="rgb(0,114,178)" stroke`) || !strings.Contains(text, `fill="rgb(226,168,122)" stroke`) {
			t.Errorf("%g: the cells have not full blue and half vermilion", unit)
		}
		if got := tooltips(t, cells)[0]; !strings.Contains(got, "entry -") {
			t.Errorf("%g: the tooltip of the cell is %q", -unit, got)
		}
	}
	if got := tooltips(t, ScreeOf([]float64{1e300, 1, 1e-300}, 0)); got[2] != "eigenvalue 3\n1.0000e-300" {
		t.Errorf("%q", got)
	}
	tiny := ScreeOf([]float64{2e-12, 1.8e-12, 1.5e-12}, 1)
	if labels, _, marks, _ := read(t, tiny); !slices.Contains(labels, "0") || !slices.Contains(labels, "2e-12") || marks[0].text != "eigenvalue 1\n2.0000e-12" {
		t.Errorf("labels %q, %v", labels, marks[0])
	}
	for _, unit := range []float64{1e-320, 2e-310} { // which have lost digits
		subnormal := ScreeOf([]float64{2 * unit, 1.5 * unit, unit}, 1)
		labels, at, marks, _ := read(t, subnormal)
		if len(labels) < 4 || labels[0] != "0" || math.Abs((marks[0].y-at[0])/(marks[2].y-at[0])-2) > .01 {
			t.Errorf("%g: labels %q, marks at %v, zero at %g", unit, labels, marks, at[0])
		}
	}
}

// Observations far from the origin do not coincide, and tooltips show the digits that differ.
func TestRecoveryFarAway(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1e7, 1e7, 1e7 + 1, 1e7 + 3, 1e7 + 2, 1e7 + 1})
	means := mat.NewDense(2, 1, []float64{1e7 + 1, 1e7 + 1})
	f := RecoveryOf([]Recovered{{"", means}}, nil, RecoveryOptions{Observations: symmom.FromMatrix(x), Plane: axes(2, 0, 1)})
	_, _, marks, _ := read(t, f)
	if at := marks[:3]; math.Abs(at[1].x-at[0].x) < 50 || math.Abs((at[2].x-at[1].x)-(at[1].x-at[0].x)) > 1 || !strings.HasSuffix(at[1].text, "10000001, 10000003") {
		t.Errorf("%v", at)
	}
	if o := chartsOf(t, f)[0]; !strings.Contains(o.XAxis[0].Name, "first coordinate − 9999990") || !strings.Contains(o.YAxis[0].Name, "second coordinate − 9999990") {
		t.Errorf("axes %q and %q", o.XAxis[0].Name, o.YAxis[0].Name)
	}
	if len(f.Notes) > 0 {
		t.Errorf("notes %q of means that have lengths of their own", f.Notes)
	}
	for _, unit := range []float64{1e-200, 1e200} { // their squares are 0 or infinite, and so would be their distances from the means
		far := symmom.FromMatrix(mat.NewDense(2, 2, []float64{unit, 0, 0, unit}))
		wantError(t, RecoveryOf([]Recovered{{"", means}}, nil, RecoveryOptions{Observations: far, Plane: axes(2, 0, 1)}), "the observations", "cannot be squared")
	}
	if two := SourcesOf(mat.NewDense(2, 1, []float64{1, 2}), nil, SourcesOptions{Kind: "series"}).SVG(); !strings.Contains(two, ">1</text>") || !strings.Contains(two, ">2</text>") {
		t.Error("two observations have no labels")
	}
	source := SourcesOf(mat.NewDense(4, 1, []float64{1000.1, 1000.2, 1000.4, 1000.3}), nil, SourcesOptions{Kind: "series"})
	_, _, marks, _ = read(t, source)
	if a, b := marks[1].y-marks[0].y, marks[2].y-marks[1].y; a >= 0 || math.Abs(b-2*a) > 1 {
		t.Errorf("a source around 1000 is drawn at %v", marks)
	}
}

// Values that no axis can show are omitted with a note.
func TestLeftOut(t *testing.T) {
	bad := []float64{1, math.NaN(), 2, math.Inf(1)}
	var line TraceLine
	for i, v := range bad {
		line.Points = append(line.Points, symmom.TracePoint{Evaluations: i + 1, Objective: v})
	}
	for want, f := range map[string]*Figure{
		"2 values of f, not finite, are left out.":                          ConvergenceLines("f", []TraceLine{line}),
		"1 value of the relative error  f / ‖X‖², not finite, is left out.": SweepLines([]SweepLine{{Ranks: []int{1, 2, 3, 4}, RelativeError: bad}}), // a NaN has no rank
		"2 values of time, not finite, are left out.":                       Dots([]DotSeries{{X: bad, Y: []float64{1, 2, 3, 4}}}, DotOptions{X: "time"}),
		"1 value of the successes, not finite, is left out.":                InitSuccessBars([]string{"a", "b"}, []InitMethod{{Successes: bad[:2]}}),
		"2 values of source 1, not finite, are left out.":                   SourcesOf(mat.NewDense(4, 1, bad), nil),
	} {
		must(t, f.Err())
		if !slices.Contains(f.Notes, want) {
			t.Errorf("notes %q, want %q", f.Notes, want)
		}
	}
	wantError(t, InitSuccessBars([]string{"a"}, []InitMethod{{Successes: []float64{5}}}, InitSuccessOptions{Runs: 3}), "method 1 has 5 successes")
	wantError(t, InitSuccessBars([]string{"a"}, []InitMethod{{Successes: []float64{-1}}}), "-1 successes")
}

// Names are drawn as they are, whatever they mean to ECharts and JavaScript, and leave the
// figures after them alone.
func TestNamesAsTheyAre(t *testing.T) {
	names := []string{"$& $1 $$", "{b} {c}", "{@0}", "__proto__", "constructor", "a"}
	x := []float64{1, 2, 3, 4, 5, 6}
	f := Dots([]DotSeries{{Name: "__proto__", X: x, Names: names}}, DotOptions{Rows: []string{"1", "2", "3", "4", "5", "6"}})
	must(t, f.Err())
	text := f.SVG()
	for _, name := range names {
		if !strings.Contains(text, ">"+strings.ReplaceAll(name, "&", "&amp;")+"<") {
			t.Errorf("the picture lacks %q", name)
		}
	}
	var lines []SweepLine
	for range 20 {
		lines = append(lines, SweepLine{Name: strings.Repeat("long ", len(lines)+1), Ranks: []int{1}, RelativeError: []float64{1}})
	}
	f = SweepLines(append(lines, SweepLine{Name: "__proto__", Ranks: []int{1}, RelativeError: []float64{1}}))
	if _, err := f.static(); err != nil {
		t.Error(err)
	}
	if text = f.SVG(); strings.Contains(text, lines[19].Name[:90]) || !strings.Contains(text, "long lo") || !strings.Contains(text, "…") {
		t.Error("a long name of the legend is cut off by the edge of the picture")
	}
	if _, err := Lambda(syntheticFit(t, 1)).static(); err != nil {
		t.Error(err)
	}
}

// Lines whose colours repeat are dashed.
func TestManyLines(t *testing.T) {
	var lines []TraceLine
	for i := range 12 {
		lines = append(lines, TraceLine{Name: strconv.Itoa(i), Points: []symmom.TracePoint{{Evaluations: 1, Objective: float64(i)}, {Evaluations: 2, Objective: 1}}})
	}
	if text := ConvergenceLines("f", lines).SVG(); strings.Count(text, "stroke-dasharray") < 2 {
		t.Error("the eleventh and twelfth lines look as the first two")
	}
}

// Logarithmic axes reach the largest numbers, and their ends have short labels.
func TestLargeLogarithms(t *testing.T) {
	f := SweepLines([]SweepLine{{Ranks: []int{1, 2, 3}, RelativeError: []float64{1.7e308, 9e307, 2e307}}})
	if labels, _, _, _ := read(t, f); !slices.Contains(labels, "10³⁰⁸") {
		t.Errorf("labels %q", labels)
	}
	f = SweepLines([]SweepLine{{Ranks: []int{1, 2, 3}, RelativeError: []float64{4e-323, 3e-323, 2e-323}}})
	if labels, _, _, _ := read(t, f); !slices.Contains(labels, "10⁻³²²") {
		t.Errorf("labels %q", labels)
	}
	if text := Cost(CostOptions{MaxN: 550000000}).SVG(); !strings.Contains(text, ">5.5e8</text>") {
		t.Error("the last label of the axis is not 5.5e8")
	}
}

// The pointer shows storage, not its logarithm.
func TestCostTooltip(t *testing.T) {
	got := tooltips(t, Cost(CostOptions{Orders: []int{3}, MaxN: 1000}))
	if !slices.Contains(got, "explicit, d = 3\nn = 1000\n8 GB") || !slices.Contains(got, "explicit, d = 3\nn = 1000\n1.000e10 operations") {
		t.Errorf("%q", got)
	}
}

// There is no half evaluation.
func TestWholeEvaluations(t *testing.T) {
	f := ConvergenceLines("f", []TraceLine{{Points: []symmom.TracePoint{{Evaluations: 1, Objective: 2}, {Evaluations: 2, Objective: 1}, {Evaluations: 3, Objective: .5}}}})
	if text := f.SVG(); strings.Contains(text, ">1.5</text>") && strings.Contains(text, ">2.5</text>") {
		t.Error("the axis of evaluations has labels between them")
	}
}
