package symmom

import (
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// Where starts end at many different fits, what is made of their components is better than
// all of them, for any number of threads the same.
func TestExchange(t *testing.T) {
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

// A basis in whose coordinates all starts agree may hide a better fit, which starts on the
// full problem find; on small streams too.
func TestBesides(t *testing.T) {
	x := FromMatrix(drawn(6, 10000, 40, (*rand.Rand).ExpFloat64))
	csv := filepath.Join(t.TempDir(), "x.csv")
	if err := SaveMatrix(csv, x.Matrix()); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*Session{
		"memory": x, "NPY": Stream(storedNPY(t, x)), "CSV": Stream(csv),
	} {
		m := s.Moment(4).Compressed(0)
		ten, open := mustFit(t, m.With(Options{Starts: 10}).Decompose(3)), mustFit(t, m.Decompose(3))
		if gain := 1 - ten.ObjectiveShifted/open.ObjectiveShifted; gain < 1e-5 {
			t.Errorf("%s: f = %.10g, of ten starts in the basis %.10g: lower by %g of it", name, open.ObjectiveShifted, ten.ObjectiveShifted, gain)
		}
		if open.Best < 10 || !open.Starts[open.Best].AtBest || open.Starts[open.Best].ObjectiveShifted != open.ObjectiveShifted {
			t.Errorf("%s: best start %d of %d", name, open.Best, len(open.Starts))
		}
	}
}
