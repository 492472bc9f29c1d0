package charts

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// marksOf returns the marks of each chart of a figure that is so wide: x, y, width, height, text.
func marksOf(t *testing.T, f *Figure, width int) (all [][][]any) {
	t.Helper()
	whole := *f
	whole.Width = width
	_, marks, err := whole.drawn(500)
	must(t, err)
	for _, m := range marks {
		var told struct{ Marks [][]any }
		must(t, json.Unmarshal(m.Values, &told))
		all = append(all, told.Marks)
	}
	return all
}

// units returns how many pixels a unit of both axes of a plane is long, by its marks.
func units(t *testing.T, marks [][]any) (u [2]float64) {
	t.Helper()
	var lo, hi, from, to [2]float64
	for i, m := range marks {
		text := m[4].(string)
		var at [2]float64
		if _, err := fmt.Sscanf(text[strings.LastIndex(text, "\n")+1:], "%g, %g", &at[0], &at[1]); err != nil {
			t.Fatalf("a mark says %q: %v", text, err)
		}
		for k := range at {
			pixel := m[k].(float64) + m[k+2].(float64)/2
			if i == 0 || at[k] < lo[k] {
				lo[k], from[k] = at[k], pixel
			}
			if i == 0 || at[k] > hi[k] {
				hi[k], to[k] = at[k], pixel
			}
		}
	}
	for k := range u {
		u[k] = math.Abs(to[k]-from[k]) / (hi[k] - lo[k])
	}
	return u
}

// A unit is of one length on both axes of a projection, however wide the page is: a sphere looks
// round.
func TestProjectionsHaveOneUnit(t *testing.T) {
	s, truth, _ := threeClusters()
	fit := s.Moment(3).With(symmom.Options{Starts: 1}).Decompose(2)
	for name, f := range map[string]*Figure{
		"mixture":  Mixture(twoComponents(t)),
		"recovery": Recovery(fit, truth, RecoveryOptions{Principal: true}),
		"grid":     RecoveryOf([]Recovered{{"a", fit.Model.Factors}, {"b", truth}}, truth, RecoveryOptions{Observations: s}),
	} {
		for _, width := range []int{400, 1400} {
			for i, marks := range marksOf(t, f, width) {
				// marks are rounded to a tenth of a pixel, and some units are of 20 pixels
				if u := units(t, marks); math.Abs(u[0]/u[1]-1) > .02 {
					t.Errorf("%s, chart %d of %d pixels: %.1f pixels a unit across, %.1f up", name, i+1, width, u[0], u[1])
				}
			}
		}
	}
}

// Where one unit would leave a thin strip, each axis has its own, and a note says so.
func TestStripsHaveTwoUnits(t *testing.T) {
	p, err := VariablePlane(2, 0, 1)
	must(t, err)
	x := mat.NewDense(4, 2, []float64{0, .1, 1, .3, 500, .2, 499, .3})
	f := RecoveryOf([]Recovered{{}}, mat.NewDense(2, 2, []float64{0, 500, .1, .3}), RecoveryOptions{Plane: p, Observations: symmom.FromMatrix(x)})
	must(t, f.Err())
	if notes := strings.Join(f.Notes, " "); !strings.Contains(notes, "units of different length") {
		t.Errorf("notes %q", notes)
	}
	if u := units(t, marksOf(t, f, 960)[0]); u[1] < 8*u[0] {
		t.Errorf("%v pixels a unit", u)
	}
}

// The axes of a principal plane have the shares of the variance in their names.
func TestPrincipalAxesHaveTheirShares(t *testing.T) {
	// variances 4, 1 and 0 around the mean
	x := mat.NewDense(4, 3, []float64{7, 0, 5, 3, 0, 5, 5, 1, 5, 5, -1, 5})
	p, err := PrincipalPlane(x)
	must(t, err)
	if p.XName != "PC1 (80%)" || p.YName != "PC2 (20%)" {
		t.Errorf("axes %q and %q", p.XName, p.YName)
	}
	o := chartsOf(t, RecoveryOf([]Recovered{{"", axes(3, 0, 1).matrix()}}, nil, RecoveryOptions{Observations: symmom.FromMatrix(x), Principal: true}))[0]
	if o.XAxis[0].Name != p.XName || o.YAxis[0].Name != p.YName {
		t.Errorf("the chart has the axes %q and %q", o.XAxis[0].Name, o.YAxis[0].Name)
	}
}

// Names below a heat map are rotated only where they have no room, which the cells get otherwise.
func TestNamesAreRotatedWhereTheyHaveNoRoom(t *testing.T) {
	model, err := symmom.NewModel(3, slices.Repeat([]float64{1}, 7), eye(7))
	must(t, err)
	f := ScoreMatrix(model.Score(eye(7)))
	must(t, f.Err())
	for width, rotated := range map[int]bool{400: true, 1400: false} {
		f.Width = width
		if got := strings.Contains(f.SVG(), "matrix(0.707,"); got != rotated {
			t.Errorf("%d pixels: rotated: %v, want %v", width, got, rotated)
		}
		tall := 0.
		for _, m := range marksOf(t, f, width)[0] {
			tall = max(tall, m[3].(float64))
		}
		if rotated != (tall < 40) {
			t.Errorf("%d pixels: cells are %g pixels high", width, tall)
		}
	}
}

func eye(n int) *mat.Dense {
	d := mat.NewDense(n, n, nil)
	for i := range n {
		d.Set(i, i, 1)
	}
	return d
}

// A chart whose axes have a common unit is lower on a narrow page, the others are not.
func TestProjectionsAreLowerOnNarrowPages(t *testing.T) {
	s, truth, _ := threeClusters()
	r := NewReport("").Add(RecoveryOf([]Recovered{{"a", truth}}, truth, RecoveryOptions{Observations: s})).Add(Lambda(syntheticFit(t, 1)))
	page := r.Page()
	if !regexp.MustCompile(`style="height:(\d+)px;height:clamp\(260px,-?\d+px &#43; \d+\.\dcqw,(\d+)px\)"`).MatchString(page) {
		t.Error("the projection has one height")
	}
	if n := strings.Count(page, "cqw,"); n != 1 {
		t.Errorf("%d charts have a height that depends on the width, want 1", n)
	}
}
