package solve

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/optimize/functions"
)

// tight runs to a small gradient; a relative decrease is no reason to stop.
var tight = Settings{GradientTolerance: 1e-8, RelativeDecrease: -1, MaxIterations: 50000, MaxEvaluations: 100000}

// gonumBest is the least value that gonum's LBFGS and BFGS reach. An error of
// theirs (mostly a failed line search near the minimum) is no matter; the value
// reached counts.
func gonumBest(p problem) float64 {
	best := math.Inf(1)
	g := make([]float64, len(p.x0))
	for _, method := range []optimize.Method{
		&optimize.LBFGS{GradStopThreshold: 1e-8},
		&optimize.LBFGS{GradStopThreshold: 1e-8, Linesearcher: &optimize.MoreThuente{}},
		&optimize.BFGS{GradStopThreshold: 1e-8},
	} {
		res, _ := optimize.Minimize(optimize.Problem{
			Func: func(x []float64) float64 { return p.fg(x, g) },
			Grad: func(grad, x []float64) { p.fg(x, grad) },
		}, p.x0, &optimize.Settings{MajorIterations: 20000, Converger: optimize.NeverTerminate{}}, method)
		if res != nil && res.F < best {
			best = res.F
		}
	}
	return best
}

// The two-loop solver and L-BFGS-B reach the values that gonum reaches on its own
// collection.
//
// Tolerance: with ||g||_inf <= 1e-8 the value is within ||g||^2/(2*lambda) of
// its minimum, lambda the least eigenvalue of the Hessian; 1e-10 (relative above
// 1) allows lambda down to 1e-6 and the local minima with singular Hessians.
func TestAgainstGonum(t *testing.T) {
	const tol = 1e-10
	for _, p := range append(standardProblems(), cubeSum(20, 4)) {
		t.Run(p.name, func(t *testing.T) {
			want := max(gonumBest(p), p.local)
			for _, bounded := range []bool{false, true} {
				s := tight
				if bounded {
					s.Lower = openBounds(len(p.x0))
				}
				got, err := LBFGS(p.fn(), p.x0, s)
				if err != nil {
					t.Fatal(err)
				}
				if got.Status != Converged && got.Status != LineSearchFailed {
					t.Errorf("bounded %v: status %v after %d iterations, gradient %g", bounded, got.Status, got.Iterations, got.GradientNorm)
				}
				tol := tol
				if bounded && p.name == "PowellBadlyScaled" {
					// The condition number at the minimum is 1e15; the compact
					// form loses it in rounding. L-BFGS-B as SciPy has it
					// stops between 8e-8 and 7e-7.
					tol = 1e-6
				}
				if got.F > want+tol*max(1, math.Abs(want)) {
					t.Errorf("bounded %v: f = %v, gonum reaches %v; gradient %g, status %v", bounded, got.F, want, got.GradientNorm, got.Status)
				}
				t.Logf("bounded %v: f %.6g gonum %.6g iterations %d evaluations %d %v", bounded, got.F, want, got.Iterations, got.Evaluations, got.Status)
			}
		})
	}
}

func openBounds(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = math.Inf(-1)
	}
	return v
}

// From the standard starts the known minima of the collection are reached.
func TestKnownMinima(t *testing.T) {
	known := map[string]interface{ Minima() []functions.Minimum }{
		"Beale": functions.Beale{}, "BiggsEXP2": functions.BiggsEXP2{}, "BiggsEXP3": functions.BiggsEXP3{},
		"BiggsEXP4": functions.BiggsEXP4{}, "BiggsEXP6": functions.BiggsEXP6{}, "Box3D": functions.Box3D{},
		"BrownBadlyScaled": functions.BrownBadlyScaled{}, "BrownAndDennis": functions.BrownAndDennis{},
		"PowellSingular8": functions.ExtendedPowellSingular{}, "Rosenbrock2": functions.ExtendedRosenbrock{},
		"Gaussian": functions.Gaussian{}, "Gulf": functions.GulfResearchAndDevelopment{},
		"HelicalValley": functions.HelicalValley{}, "PenaltyI10": functions.PenaltyI{},
		"PenaltyII4": functions.PenaltyII{}, "PenaltyII10": functions.PenaltyII{},
		"PowellBadlyScaled": functions.PowellBadlyScaled{}, "Trigonometric": functions.Trigonometric{},
		"VariablyDimensioned10": functions.VariablyDimensioned{}, "Watson6": functions.Watson{},
		"Watson9": functions.Watson{}, "Wood": functions.Wood{},
	}
	seen := 0
	for _, p := range standardProblems() {
		k, ok := known[p.name]
		if !ok {
			continue
		}
		seen++
		got, err := LBFGS(p.fn(), p.x0, tight)
		if err != nil {
			t.Fatal(err)
		}
		// The collection states its values to about ten digits, and sums of
		// squares of rounded constants to 1e-10.
		nearest := math.Inf(1)
		for _, m := range k.Minima() {
			if len(m.X) == len(p.x0) {
				nearest = min(nearest, math.Abs(got.F-m.F)/max(1, math.Abs(m.F)))
			}
		}
		if nearest > 1e-9 {
			t.Errorf("%s: f = %.12g at %v is none of the known minima %+v", p.name, got.F, got.X, k.Minima())
		}
	}
	if seen != len(known) {
		t.Errorf("%d of %d functions were run", seen, len(known))
	}
}
