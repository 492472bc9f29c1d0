package symmom

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
)

// Sparse observations are centered and standardized as dense ones are, with the same words,
// also where squares of the values are out of range.
func TestSparseMovedAsDense(t *testing.T) {
	normal := mat.DenseCopyOf(drawGaussians(draw.Mixture{N: 3, Components: 2, Observations: 60, Sigma: 1, Congruence: .5, Seed: 5}).Session.Matrix())
	for name, of := range map[string]func(l, i int) float64{
		"plain":    func(l, i int) float64 { return normal.At(l, i) },
		"scales":   func(l, i int) float64 { return normal.At(l, i) * []float64{1, 1000, .01}[i] },
		"small":    func(l, i int) float64 { return normal.At(l, i) * []float64{1e-162, 1, 1}[i] },
		"tiny":     func(l, i int) float64 { return normal.At(l, i) * 1e-300 },
		"large":    func(l, i int) float64 { return normal.At(l, i) * []float64{1, 1e160, 1}[i] },
		"huge":     func(l, i int) float64 { return normal.At(l, i) * 1e300 },
		"constant": func(l, i int) float64 { return []float64{normal.At(l, 0), normal.At(l, 1), .1}[i] },
		"all":      func(l, i int) float64 { return []float64{.1, .3, 7}[i] },
		"zeros":    func(l, i int) float64 { return normal.At(l, i) * float64(l%2) },
	} {
		x := mat.NewDense(60, 3, nil)
		x.Apply(func(l, i int, _ float64) float64 { return of(l, i) }, x)
		dense := FromMatrix(x)
		for what, move := range map[string]func(*Session) *Session{"center": (*Session).Center, "standardize": (*Session).Standardize} {
			a, b := move(dense), move(dense.Sparse())
			if fmt.Sprint(a.Err()) != fmt.Sprint(b.Err()) {
				t.Errorf("%s, %s: %v, dense %v", name, what, b.Err(), a.Err())
			}
			if a.Err() != nil {
				continue
			}
			if got, want := fmt.Sprint(b.Warnings()), fmt.Sprint(a.Warnings()); got != want {
				t.Errorf("%s, %s: warnings %s, dense %s", name, what, got, want)
			}
			got, want := b.Matrix(), a.Matrix()
			for i := range 3 {
				top := mat.Norm(want.ColView(i), math.Inf(1))
				for l := range 60 {
					// Some roundings of values, of which the mean is at most as large.
					if d := math.Abs(got.At(l, i) - want.At(l, i)); !(d <= 1e-14*math.Max(top, math.Abs(x.At(0, i)))) {
						t.Fatalf("%s, %s: %g in row %d, column %d, dense %g", name, what, got.At(l, i), l, i, want.At(l, i))
					}
				}
			}
		}
	}
}

// Observations that are all the same have no components and no sources, wherever they are.
func TestNothingVaries(t *testing.T) {
	x := mat.NewDense(20, 3, nil)
	x.Apply(func(_, i int, _ float64) float64 { return []float64{.1, .3, 7}[i] }, x)
	path := storedNPY(t, FromMatrix(x))
	for name, s := range map[string]*Session{"memory": FromMatrix(x), "sparse": FromMatrix(x).Sparse(), "float32": Load(path, LoadOptions{Float32: true}), "stream": Stream(path)} {
		if err := s.ICA(1).Err(); err == nil || !strings.Contains(err.Error(), "want none: the observations do not differ") {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.Mixture(2).Err(); err == nil || !strings.Contains(err.Error(), "the observations do not differ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// One weight that is all of the sum is refused.
func TestWeightAlone(t *testing.T) {
	s := drawUniform(3, 60, 1)
	w := make([]float64, 60)
	for l := range w {
		w[l] = 1
	}
	w[7] = 1e18
	x := mat.DenseCopyOf(s.Matrix().Dense.Grow(0, 1))
	x.SetCol(3, w)
	path := storedNPY(t, FromMatrix(x))
	for name, s := range map[string]*Session{"given": s.WithWeights(w), "loaded": Load(path, LoadOptions{Weights: "4"}), "streamed": Stream(path, LoadOptions{Weights: "4"}), "sparse": s.Sparse().WithWeights(w)} {
		if s.Err() == nil || !strings.Contains(s.Err().Error(), "no other observation counts") {
			t.Errorf("%s: %v", name, s.Err())
		}
	}
	// A little less is exact: 59 numbers about one that is nearly the mean.
	w[7] = 1e12
	var want float64
	for l := range 60 {
		d := s.Matrix().At(l, 0) - s.Matrix().At(7, 0)
		want += d * d / 1e12
	}
	// The total of the weights is 6e-11 larger, and the mean by as much apart.
	if got := s.WithWeights(w).Summary().Variables[0].Std; !(math.Abs(got-math.Sqrt(want)) <= 1e-9*got) {
		t.Errorf("deviation %g, want %g", got, math.Sqrt(want))
	}
}

// Thousands of starts that share passes over a file end at once when they are interrupted:
// their columns are not drawn, each time 4 MB for a round of them.
func TestInterruptedStartsAreNotDrawn(t *testing.T) {
	path := storedNPY(t, drawUniform(20, 5000, 1))
	ctx, cancel := context.WithCancel(t.Context())
	var before, after runtime.MemStats
	s := Stream(path).WithContext(ctx)
	f := s.Moment(3).Implicit().With(Options{Starts: 4000, Progress: func(p Progress) {
		if before.TotalAlloc == 0 && p.Phase == PhaseStarts {
			runtime.ReadMemStats(&before)
			cancel()
		}
	}}).Decompose(6)
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; f.Err() == nil || before.TotalAlloc == 0 || made > 1<<30 {
		t.Errorf("%v, after %d bytes", f.Err(), made)
	}
}
