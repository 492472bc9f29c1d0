package charts

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

func table() *symmom.Session {
	return symmom.FromRows([][]float64{{1, 2, 5}, {2, 4, 5}, {3, 6.5, 5}, {4, 7, 5}, {9, 1, 5}, {8, 2, 5}}).WithLabels("kind", []string{"a", "a", "a", "a", "b", "b"})
}

// Each observation is in one interval of its variable, and in the chart of each pair, in the
// series of its group or component.
func TestObservationsAreAllDrawn(t *testing.T) {
	s := table()
	for j, c := range chartsOf(t, Distributions(s)) {
		total := 0.
		points := c.series("source-" + string(rune('0'+j)))
		for _, p := range points[:len(points)-1] { // the last one ends the line
			total += p[1]
		}
		if total != 6 {
			t.Errorf("variable %d: %g observations", j+1, total)
		}
	}
	pairs := chartsOf(t, Pairs(s))
	if len(pairs) != 3 || len(pairs[0].series("data-0")) != 4 || len(pairs[0].series("data-1")) != 2 {
		t.Errorf("%d pairs", len(pairs))
	}
	mix := s.Select("1-2").Mixture(2, symmom.MixtureOptions{Starts: 1})
	byComponent := Pairs(s.Select("1-2"), ObservationsOptions{Mixture: mix})
	if page := byComponent.Page(); byComponent.Err() != nil || !strings.Contains(page, "component 2") || strings.Contains(page, "groups of labels") {
		t.Error(byComponent.Err())
	}
	if axes := Pairs(s).charts; len(axes) != 3 {
		t.Error(len(axes))
	}
	few := Pairs(s, ObservationsOptions{Points: 3, Most: 2})
	if notes := strings.Join(few.Notes, " "); len(few.charts) != 1 || !strings.Contains(notes, "3 of the 6 observations") || !strings.Contains(notes, "first 2 of 3 variables") {
		t.Error(len(few.charts), notes)
	}
}

// Correlations are those of the definition, with weights as repetitions.
func TestCorrelations(t *testing.T) {
	x := mat.NewDense(4, 2, []float64{1e9 + 1, 2, 1e9 + 2, 4, 1e9 + 3, 6.5, 1e9 + 4, 7})
	twice := mat.NewDense(5, 2, append(append([]float64(nil), x.RawMatrix().Data...), 1e9+4, 7))
	got, want := correlations(x, []float64{1, 1, 1, 2}, 2), correlations(twice, nil, 2)
	if !mat.EqualApprox(got, want, 1e-12) {
		t.Errorf("%v, want %v", got, want)
	}
	// of 1, 2, 3, 4 and 2, 4, 6.5, 7: 8.75 / sqrt(5 * 16.1875)
	if r := correlations(x, nil, 2); math.Abs(r.At(0, 1)-8.75/math.Sqrt(5*16.1875)) > 1e-12 || math.Abs(r.At(0, 0)-1) > 1e-15 {
		t.Error(r)
	}
	if r := correlations(mat.NewDense(2, 2, []float64{1, 5, 2, 5}), nil, 2); r.At(0, 1) != 0 || r.At(1, 1) != 0 {
		t.Error(r)
	}
	if f := Correlations(table()); f.Err() != nil || !strings.Contains(f.Page(), "column 2") {
		t.Error(f.Err())
	}
}

// What cannot be drawn says why.
func TestObservationsRefused(t *testing.T) {
	for name, f := range map[string]*Figure{
		"nil": Pairs(nil), "no file": Distributions(symmom.Load("nothing.csv")), "one variable": Pairs(symmom.FromRows([][]float64{{1}, {2}})),
		"two options": Correlations(table(), ObservationsOptions{}, ObservationsOptions{}), "another mixture": Pairs(table(), ObservationsOptions{Mixture: &symmom.Mixture{}}),
	} {
		if f.Err() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
