package symmom

import (
	"math"
	"slices"
	"strings"
	"testing"

	"symmom/internal/data/draw"

	"gonum.org/v1/gonum/mat"
)

// Against ||M||^2 and eigenvalues by hand: two columns of cosine c and order d have
// [A'A]^d with 1 +- c^d.
func TestDiagnostics(t *testing.T) {
	const c = .6
	factors := mat.NewDense(3, 2, []float64{2, 2 * c, 0, 2 * math.Sqrt(1-c*c), 0, 0}) // of norm 2
	for _, d := range []int{2, 3, 4} {
		m, err := NewModel(d, []float64{3, 1}, factors)
		if err != nil {
			t.Fatal(err)
		}
		g := math.Pow(c, float64(d))
		got := m.Diagnostics()
		total := 9 + 1 + 6*g
		// Rounding of a few operations.
		if !(math.Abs(got.Shares[0]-(9+3*g)/total) <= 1e-14) || !(math.Abs(got.Shares[1]-(1+3*g)/total) <= 1e-14) {
			t.Errorf("d = %d: shares %v", d, got.Shares)
		}
		if want := (1 + g) / (1 - g); !(math.Abs(got.Condition-want) <= 1e-13*want) {
			t.Errorf("d = %d: condition %g, want %g", d, got.Condition, want)
		}
		if len(got.Degenerate) != 0 {
			t.Errorf("d = %d: degenerate %v", d, got.Degenerate)
		}
	}
}

// Two terms that nearly cancel: by the sign of a weight or, of odd order, by that
// of a column.
func TestDegeneratePairs(t *testing.T) {
	near := []float64{1, 0, .99, 0, 1, math.Sqrt(1 - .99*.99)} // columns e1, e2 and one close to e1
	minus := slices.Clone(near)
	minus[2], minus[5] = -minus[2], -minus[5]
	for _, c := range []struct {
		d          int
		lambda     []float64
		a          []float64
		degenerate bool
	}{
		{3, []float64{5, 1, -4}, near, true},
		{3, []float64{5, 1, 4}, near, false},
		{3, []float64{5, 1, 4}, minus, true},
		{4, []float64{5, 1, -4}, near, true},
		{4, []float64{5, 1, 4}, minus, false},
		{20, []float64{5, 1, -4}, near, false}, // .99^20 = .82
	} {
		m, err := NewModel(c.d, c.lambda, mat.NewDense(2, 3, c.a))
		if err != nil {
			t.Fatal(err)
		}
		d := m.Diagnostics()
		if got := len(d.Degenerate) == 1 && d.Degenerate[0].I == 0 && d.Degenerate[0].J == 2; got != c.degenerate {
			t.Errorf("%+v: degenerate %v", c, d.Degenerate)
		}
		if strings.Contains(d.String(), "1 and 3") != c.degenerate {
			t.Errorf("%+v:\n%s", c, d)
		}
	}
}

func TestDiagnosticsAtTheEdges(t *testing.T) {
	if d := (&Model{}).Diagnostics(); len(d.Shares) != 0 || !math.IsNaN(d.Condition) {
		t.Errorf("an empty model: %+v", d)
	}
	same, _ := NewModel(3, []float64{1e200, 1e200}, mat.NewDense(2, 2, []float64{1, 1, 1, 1}))
	if d := same.Diagnostics(); !math.IsInf(d.Condition, 1) || !(math.Abs(d.Shares[0]-.5) <= 1e-15) {
		t.Errorf("the same component twice: %+v", d)
	}
	zero, _ := NewModel(3, []float64{0, 0}, mat.NewDense(2, 2, []float64{1, 0, 0, 1}))
	if d := zero.Diagnostics(); !math.IsNaN(d.Shares[0]) || !math.IsNaN(d.Shares[1]) || d.Condition != 1 {
		t.Errorf("a model of nothing: %+v", d)
	}
}

// All starts are counted, the best first, and the text mentions the others.
func TestOptima(t *testing.T) {
	m := drawGaussians(draw.Mixture{N: 20, Components: 4, PerComponent: 40, Sigma: .1, Congruence: .5, Seed: 3})
	for _, r := range []int{2, 4, 6} {
		f := m.Session.Moment(3).With(Options{Starts: 12}).Decompose(r)
		o, sum := f.Optima, 0
		for i, x := range o {
			sum += x.Starts
			if i > 0 && !(x.ObjectiveShifted > o[i-1].ObjectiveShifted) {
				t.Errorf("rank %d: optima are not in order: %+v", r, o)
			}
		}
		best := f.AtBest
		if sum != 12 || o[0].Starts != best || o[0].ObjectiveShifted != f.ObjectiveShifted {
			t.Errorf("rank %d: %d starts in %+v, %d at the best", r, sum, o, best)
		}
		if got, want := strings.Contains(f.String(), "other optima"), len(o) > 1; got != want {
			t.Errorf("rank %d: %+v\n%s", r, o, f)
		}
		if d := f.Model.Diagnostics(); !strings.Contains(f.String(), "shares") || !(math.Abs(1-sumOf(d.Shares)) <= 1e-12) {
			t.Errorf("rank %d: shares %v\n%s", r, d.Shares, f)
		}
	}
	if o := (&Fit{}).Optima; o != nil {
		t.Errorf("a fit without starts has optima %v", o)
	}
}

// A compressed fit, which polishes a few starts, names the optima of the full problem, also
// where two are within .001 of each other in its coordinates.
func TestOptimaOfCompressed(t *testing.T) {
	for _, seed := range []uint64{3, 8, 9, 10} {
		m := drawGaussians(draw.Mixture{N: 60, Components: 5, Observations: 1250, Sigma: .1, Congruence: .5, Seed: seed})
		of := m.Session.Moment(3).With(Options{Starts: 20})
		got, want := of.Compressed(12).Decompose(4).Optima, of.Implicit().Decompose(4).Optima
		if len(got) != len(want) || len(got) < 2 {
			t.Errorf("seed %d: %v, of the implicit form %v", seed, got, want)
			continue
		}
		for i, o := range got {
			// Both f are within the square of the tolerance, 1e-8 of the residual .3, of the optimum's.
			if !(math.Abs(o.ObjectiveShifted-want[i].ObjectiveShifted) <= 1e-7) {
				t.Errorf("seed %d: %v, of the implicit form %v", seed, got, want)
			}
		}
	}
}

func sumOf(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum
}
