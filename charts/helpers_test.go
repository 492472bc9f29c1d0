package charts

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// hostile is a name that would run a script if it were ever taken for HTML, and
// that would end a script element or an attribute.
const hostile = `</script><img src=x onerror="window.canary=1">'"&{{7}}<!--`

// syntheticFit returns a fit with starts whose relative error falls by a fixed
// factor per iteration: start k has 4+3k points; the last start stays high.
func syntheticFit(t testing.TB, starts int) *symmom.Fit {
	t.Helper()
	model, err := symmom.NewModel(3, []float64{3, 2, 1}, mat.NewDense(4, 3, []float64{
		1, 0, 0,
		0, 1, 0,
		0, 0, 1,
		0, 0, 0,
	}))
	if err != nil {
		t.Fatal(err)
	}
	const norm = 8
	f := &symmom.Fit{
		Model: model, Order: 3, N: 4, Observations: 100, Rank: 3, Form: "implicit", Solver: "lbfgs", Seed: 1,
		NormSquared: symmom.Norm{Value: norm}, Status: "converged",
	}
	for k := range starts {
		s := symmom.Start{Index: k, Status: "converged"}
		factor := .3
		if k == starts-1 && k > 0 {
			factor = .8
		}
		for i := range 4 + 3*k {
			e := 2 * math.Pow(factor, float64(i))
			s.Trace = append(s.Trace, symmom.TracePoint{
				Evaluations: 1 + 2*i, Elapsed: time.Duration(i+1) * time.Millisecond, Objective: norm * (e - 1), GradientNorm: e / 3,
			})
		}
		last := s.Trace[len(s.Trace)-1]
		s.ObjectiveShifted, s.GradientNorm, s.Evaluations, s.Elapsed = last.Objective, last.GradientNorm, last.Evaluations, last.Elapsed
		f.Starts = append(f.Starts, s)
		f.Evaluations += s.Evaluations
		if s.ObjectiveShifted < f.Starts[f.Best].ObjectiveShifted {
			f.Best = k
		}
	}
	f.ObjectiveShifted = f.Starts[f.Best].ObjectiveShifted
	for i := range f.Starts {
		f.Starts[i].AtBest = f.Starts[i].ObjectiveShifted-f.ObjectiveShifted <= .01*norm
	}
	f.RelativeError = 1 + f.ObjectiveShifted/norm
	return f
}

// chartOptions are the parts of go-echarts' JSON that the tests check.
type chartOptions struct {
	Color  []string
	Legend struct{ Data []string }
	Title  struct{ Text string }
	XAxis  []struct {
		Name, Type string
		Data       []string
		Min, Max   any
		AxisLabel  struct{ Formatter any }
	}
	YAxis []struct {
		Name, Type string
		Data       []string
		Min, Max   any
	}
	VisualMap []struct{ Min, Max float64 }
	Series    []struct {
		ID, Name, Type string
		MarkLine       struct {
			Data []struct {
				Name  string
				XAxis float64
			}
		}
		LineStyle struct {
			Color string
			Width float64
		}
		ItemStyle struct{ Opacity *float64 }
		Data      []struct {
			Name      string
			Value     any
			ItemStyle struct{ Color string }
			Label     struct{ Formatter string }
		}
	}
}

// chartsOf reads the options of a figure's charts.
func chartsOf(t testing.TB, f *Figure) []chartOptions {
	t.Helper()
	if f.Err() != nil {
		t.Fatal(f.Err())
	}
	return optionsOf(t, f.Page())
}

// series returns the points of the series with the given id, nil if there is none;
// a null among the numbers becomes NaN.
func (o chartOptions) series(id string) [][]float64 {
	for _, s := range o.Series {
		if s.ID != id {
			continue
		}
		points := [][]float64{}
		for _, d := range s.Data {
			list, ok := d.Value.([]any)
			if !ok {
				list = []any{d.Value}
			}
			var p []float64
			for _, v := range list {
				if x, ok := v.(float64); ok {
					p = append(p, x)
				} else if v == nil {
					p = append(p, math.NaN())
				}
			}
			points = append(points, p)
		}
		return points
	}
	return nil
}

// tooltips returns what the pointer shows on a figure's marks, as text.
func tooltips(t testing.TB, f *Figure) (texts []string) {
	t.Helper()
	_, charts, err := f.drawn(1000)
	must(t, err)
	for _, c := range charts {
		var values struct{ Marks [][]any }
		must(t, json.Unmarshal(c.Values, &values))
		for _, m := range values.Marks {
			texts = append(texts, fmt.Sprint(m[len(m)-1]))
		}
	}
	return texts
}

// wantError checks that a figure failed with a one-line error that contains these
// words and names the chart.
func wantError(t *testing.T, f *Figure, words ...string) {
	t.Helper()
	if f.Err() == nil {
		t.Errorf("%s: no error, want one with %q", f.Title, words)
		return
	}
	for _, w := range append(words, "charts: ") {
		if s := f.Err().Error(); !strings.Contains(s, w) || strings.Contains(s, "\n") {
			t.Errorf("error %q, want one line with %q", s, w)
		}
	}
}

var optionBlock = regexp.MustCompile(`(?s)<script type="application/json" id="(chart-\d+)-options">(.*?)</script>`)

// optionsOf reads the options of every chart from a page.
func optionsOf(t testing.TB, page string) []chartOptions {
	t.Helper()
	var all []chartOptions
	for _, m := range optionBlock.FindAllStringSubmatch(page, -1) {
		var o chartOptions
		if err := json.Unmarshal([]byte(m[2]), &o); err != nil {
			t.Fatalf("options of %s: %v", m[1], err)
		}
		all = append(all, o)
	}
	return all
}

// within counts the points between the ends that the axes are given.
func (o chartOptions) within(points [][]float64) (n int) {
	x, y := o.XAxis[0], o.YAxis[0]
	for _, at := range points {
		if at[0] >= x.Min.(float64) && at[0] <= x.Max.(float64) && at[1] >= y.Min.(float64) && at[1] <= y.Max.(float64) {
			n++
		}
	}
	return n
}
