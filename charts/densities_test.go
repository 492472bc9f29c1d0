package charts

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// A chart for each variable, a line for each component, under which lies its weight.
func TestDensities(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 55))
	rows, of := mat.NewDense(3000, 14, nil), make([]string, 3000)
	for l := range of {
		of[l] = "left"
		for i := range 14 {
			rows.Set(l, i, rng.ExpFloat64())
		}
		if l%3 == 0 {
			of[l] = "right"
			for i := range 13 {
				rows.Set(l, i, 3-rng.ExpFloat64())
			}
		}
	}
	fit := symmom.FromMatrix(rows).WithLabels("side", of).Mixture(2, symmom.MixtureOptions{Nonparametric: true})
	if fit.Err() != nil {
		t.Fatal(fit.Err())
	}
	f := Densities(fit)
	drawn := chartsOf(t, f)
	if len(drawn) != 12 || len(f.Notes) != 1 || !strings.HasPrefix(f.Notes[0], "12 of the 14 variables are drawn") {
		t.Errorf("%d charts, notes %q", len(drawn), f.Notes)
	}
	if only := chartsOf(t, Densities(fit, 13)); len(only) != 1 {
		t.Errorf("%d charts of one variable", len(only))
	}
	for j, line := range drawn[0].Series {
		at := func(c, k int) float64 { return line.Data[c].Value.([]any)[k].(float64) }
		var sum float64
		for c := range line.Data {
			sum += at(c, 1) * (at(1, 0) - at(0, 0))
		}
		if math.Abs(sum-fit.Weights[j]) > .01 {
			t.Errorf("under line %d lies %.3f, want %.3f", j, sum, fit.Weights[j])
		}
	}
	if err := Densities(fit, 14).Err(); err == nil || !strings.Contains(err.Error(), "0 to 13") {
		t.Errorf("variable 14: %v", err)
	}
	if err := Densities(nil).Err(); err == nil {
		t.Error("a nil mixture is drawn")
	}
}
