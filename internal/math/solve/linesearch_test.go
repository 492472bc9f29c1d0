package solve

import (
	"fmt"
	"math"
	"slices"
	"symmom/internal/math/linalg"
	"testing"

	"gonum.org/v1/gonum/optimize/functions"
)

// moreThuenteCases are the six functions of Moré & Thuente 1994, section 5, with
// the tolerances that the paper sets for each.
var moreThuenteCases = []struct {
	fn interface {
		Func(x []float64) float64
		Grad(grad, x []float64)
	}
	tol tolerances
	// trials is the number of evaluations that the paper's tables I to VI give
	// for the first steps 1e-3, 1e-1, 1e1, 1e3.
	trials [4]int
}{
	{functions.ConcaveRight{}, tolerances{1e-3, 1e-1, 1e-12}, [4]int{6, 3, 1, 4}},
	{functions.ConcaveLeft{}, tolerances{1e-1, 1e-1, 1e-12}, [4]int{12, 8, 8, 11}},
	{functions.Plassmann{L: 39, Beta: 0.01}, tolerances{1e-1, 1e-1, 1e-12}, [4]int{12, 12, 10, 13}},
	{functions.YanaiOzawaKaneko{Beta1: 0.001, Beta2: 0.001}, tolerances{1e-3, 1e-3, 1e-12}, [4]int{4, 1, 3, 4}},
	{functions.YanaiOzawaKaneko{Beta1: 0.01, Beta2: 0.001}, tolerances{1e-3, 1e-3, 1e-12}, [4]int{6, 3, 7, 8}},
	{functions.YanaiOzawaKaneko{Beta1: 0.001, Beta2: 0.01}, tolerances{1e-3, 1e-3, 1e-12}, [4]int{13, 11, 8, 11}},
}

var firstSteps = [4]float64{1e-3, 1e-1, 1e1, 1e3}

// drive runs one search on phi and returns its end, all trials and the verdict.
func drive(tol tolerances, phi func(a float64) (f, slope float64), step, longest float64, most int) (last endpoint, trials []float64, v verdict) {
	var l moreThuente
	f, slope := phi(0)
	l.start(tol, f, slope, step, longest)
	for v = searchOn; v == searchOn && len(trials) < most; {
		last.step = l.step
		last.f, last.slope = phi(l.step)
		trials = append(trials, l.step)
		if !linalg.Finite(last.f) || !linalg.Finite(last.slope) {
			l.reject()
			continue
		}
		v = l.next(last.f, last.slope)
	}
	return last, trials, v
}

func TestMoreThuenteFunctions(t *testing.T) {
	for n, c := range moreThuenteCases {
		phi := func(a float64) (float64, float64) {
			var g [1]float64
			x := []float64{a}
			c.fn.Grad(g[:], x)
			return c.fn.Func(x), g[0]
		}
		f0, slope0 := phi(0)
		for k, step := range firstSteps {
			t.Run(fmt.Sprintf("function %d from %g", n+1, step), func(t *testing.T) {
				end, trials, v := drive(c.tol, phi, step, maxStep, 50)
				if v != searchDone || !strongWolfe(c.tol, f0, slope0, end) {
					t.Errorf("%+v after %v: no step with the strong Wolfe conditions", end, trials)
				}
				if len(trials) != c.trials[k] {
					t.Errorf("%d trials %v, Moré & Thuente's table has %d", len(trials), trials, c.trials[k])
				}

				// With the solver's own tolerances. Functions 2 and 3 are so
				// flat at 0 that the bracket gets narrow before the slope gets
				// small; then enough decrease must do.
				end, trials, v = drive(usual, phi, step, maxStep, maxTrials)
				switch {
				case v == searchDone && strongWolfe(usual, f0, slope0, end):
				case v == searchEnded && (n == 1 || n == 2) && slices.ContainsFunc(trials, func(a float64) bool {
					f, _ := phi(a)
					return f <= f0+usual.decrease*a*slope0
				}):
				default:
					t.Errorf("solver's tolerances: verdict %d at %+v after %v", v, end, trials)
				}
			})
		}
	}
}

// strongWolfe is N&W (3.7).
func strongWolfe(tol tolerances, f0, slope0 float64, e endpoint) bool {
	return e.f <= f0+tol.decrease*e.step*slope0 && math.Abs(e.slope) <= tol.curvature*math.Abs(slope0)
}

// The search stays below its longest step, and stops there if f still falls.
func TestSearchLongestStep(t *testing.T) {
	down := func(a float64) (float64, float64) { return -a, -1 }
	end, trials, v := drive(usual, down, 1, 7.5, 50)
	if v != searchEnded || end.step != 7.5 {
		t.Errorf("ended at %v with verdict %d, want the longest step 7.5", trials, v)
	}
	for _, a := range trials {
		if a > 7.5 {
			t.Errorf("trial %v beyond the longest step 7.5", a)
		}
	}
}

// A wall of NaN or Inf anywhere between 0 and the first trial is passed over.
func TestSearchNotFinite(t *testing.T) {
	for _, wall := range []float64{1e-15, 1e-6, 0.3, 0.999, 2.5, 40} {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for _, step := range []float64{1, 100} {
				// A parabola with minimiser at 3, cut off at wall.
				phi := func(a float64) (float64, float64) {
					if a >= wall {
						return bad, bad
					}
					return (a - 3) * (a - 3), 2 * (a - 3)
				}
				var l moreThuente
				f0, slope0 := phi(0)
				l.start(usual, f0, slope0, step, maxStep)
				best := f0
				for k := 0; ; k++ {
					if k == maxTrials {
						break
					}
					f, slope := phi(l.step)
					if !linalg.Finite(f) {
						l.reject()
						continue
					}
					best = min(best, f)
					if l.next(f, slope) != searchOn {
						break
					}
				}
				if !(best < f0) {
					t.Errorf("wall at %g of %g, first step %g: no lower point found in %d trials", wall, bad, step, maxTrials)
				}
			}
		}
	}
}

// A gap of NaN inside the bracket does not lead the search astray.
func TestSearchGapInBracket(t *testing.T) {
	phi := func(a float64) (float64, float64) {
		if a > 1.2 && a < 1.9 {
			return math.NaN(), math.NaN()
		}
		return (a - 1) * (a - 1) * (a*a + 0.1), 2*(a-1)*(a*a+0.1) + 2*a*(a-1)*(a-1)
	}
	f0, slope0 := phi(0)
	end, trials, v := drive(tolerances{1e-3, 0.01, 1e-12}, phi, 2, maxStep, 40)
	if v != searchDone || end.f > f0+1e-3*end.step*slope0 {
		t.Errorf("verdict %d at %+v after %v", v, end, trials)
	}
}
