package charts

import (
	"encoding/json"
	"math"
	"regexp"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// hostile is a name that would run a script wherever it were taken for HTML,
// and end a script element or an attribute.
const hostile = `</script><img src=x onerror="window.canary=1">'"&{{7}}<!--`

// syntheticFit has starts whose relative error falls by a fixed factor an
// iteration: start k has 4+3k points; the last start stays high.
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
				Evaluations: 1 + 2*i, Seconds: .001 * float64(i+1), Objective: norm * (e - 1), GradientNorm: e / 3,
			})
		}
		last := s.Trace[len(s.Trace)-1]
		s.ObjectiveShifted, s.GradientNorm, s.Evaluations, s.Seconds = last.Objective, last.GradientNorm, last.Evaluations, last.Seconds
		f.Starts = append(f.Starts, s)
		f.Evaluations += s.Evaluations
		if s.ObjectiveShifted < f.Starts[f.Best].ObjectiveShifted {
			f.Best = k
		}
	}
	f.ObjectiveShifted = f.Starts[f.Best].ObjectiveShifted
	f.RelativeError = 1 + f.ObjectiveShifted/norm
	return f
}

// chartOptions are those of go-echarts' JSON that the tests look at.
type chartOptions struct {
	Color  []string
	Legend struct{ Data []string }
	XAxis  []struct {
		Name, Type string
		Data       []string
		AxisLabel  struct{ Formatter any }
	}
	YAxis  []struct{ Name, Type string }
	Series []struct {
		ID, Name, Type string
		LineStyle      struct {
			Color string
			Width float64
		}
		Data []struct {
			Value     any
			ItemStyle struct{ Color string }
		}
	}
}

var optionBlock = regexp.MustCompile(`(?s)<script type="application/json" id="(chart-\d+)-options">(.*?)</script>`)

// optionsOf reads the options of every chart back out of a page.
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
