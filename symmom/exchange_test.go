package symmom

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/internal/test/slow"
)

// Where starts end at many different fits, what is made of their components is better than
// all of them, for any number of threads the same.
func TestExchange(t *testing.T) {
	slow.Test(t)
	x := drawn(1, 3000, 100, func(rng *rand.Rand) float64 {
		if rng.Float64() < .03 {
			return 1
		}
		return 0
	})
	lower := 0
	for seed := range uint64(5) {
		m := FromMatrix(x).Moment(4)
		open := mustFit(t, m.With(Options{Seed: seed + 1}).Decompose(4))
		ten := mustFit(t, m.With(Options{Seed: seed + 1, Starts: 10}).Decompose(4))
		if open.ObjectiveShifted > ten.ObjectiveShifted*(1-1e-9) { // f is negative
			t.Errorf("seed %d: f = %g, of ten starts alone %g", seed+1, open.ObjectiveShifted, ten.ObjectiveShifted)
		}
		if open.ObjectiveShifted < ten.ObjectiveShifted*(1+1e-2) {
			lower++
		}
		three := mustFit(t, m.With(Options{Seed: seed + 1, Threads: 3}).Decompose(4))
		if three.ObjectiveShifted != open.ObjectiveShifted || len(three.Starts) != len(open.Starts) {
			t.Errorf("seed %d: f = %v after %d starts, on three threads %v after %d", seed+1, open.ObjectiveShifted, len(open.Starts), three.ObjectiveShifted, len(three.Starts))
		}
		t.Logf("seed %d: %d starts, f = %.8g, of ten %.8g", seed+1, len(open.Starts), open.ObjectiveShifted, ten.ObjectiveShifted)
	}
	if lower < 3 {
		t.Errorf("%d seeds of 5 gained a hundredth", lower)
	}
}

// A basis in whose coordinates all starts agree may hide a better fit, where it holds components
// by chance. So small problems are solved in full, streams too, and of larger ones two starts are
// on the full problem, however many were asked for.
func TestBesides(t *testing.T) {
	slow.Test(t)
	x := FromMatrix(drawn(6, 10000, 40, (*rand.Rand).ExpFloat64))
	csv := filepath.Join(t.TempDir(), "x.csv")
	if err := SaveMatrix(csv, x.Matrix()); err != nil {
		t.Fatal(err)
	}
	best := mustFit(t, x.Moment(4).Implicit().Decompose(3))
	for name, s := range map[string]*Session{
		"memory": x, "NPY": Stream(storedNPY(t, x)), "CSV": Stream(csv),
	} {
		for _, starts := range []int{0, 10} {
			f := mustFit(t, s.Moment(4).Compressed(0).With(Options{Starts: starts}).Decompose(3))
			// Converged to 1e-8 of the residual, the square of the tolerance, which is as large as f.
			if gain := 1 - f.ObjectiveShifted/best.ObjectiveShifted; gain > 1e-8 {
				t.Errorf("%s: f = %.10g, in the implicit form %.10g: lower by %g of it", name, f.ObjectiveShifted, best.ObjectiveShifted, gain)
			}
		}
	}
	large := mustFit(t, FromMatrix(drawn(6, 20000, 100, (*rand.Rand).ExpFloat64)).Moment(4).Compressed(0).With(Options{Starts: 10}).Decompose(3))
	hits := 0
	for _, s := range large.Starts[10:] {
		if s.AtBest {
			hits++
		}
	}
	if large.Form != FormCompressed || len(large.Starts) != 12 || (hits == 0) != slices.ContainsFunc(large.Warnings, func(w Warning) bool {
		return w.Code == WarnFewStarts && strings.Contains(w.Text, "holds some components by chance")
	}) {
		t.Errorf("%s form, %d starts, %d outside of the basis at the best, %v", large.Form, len(large.Starts), hits, large.Warnings)
	}
}
