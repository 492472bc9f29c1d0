package solve

import (
	"math"
	"symmom/internal/math/linalg"
	"testing"
)

// barrier is sum(x_i - log x_i) with minimum n at x = 1: no value for x_i <= 0.
func barrier(x, g []float64) float64 {
	f := 0.0
	for i, v := range x {
		f += v - math.Log(v)
		g[i] = 1 - 1/v
	}
	return f
}

// Steps into a region without values are shortened, and the run converges.
func TestNotFiniteTrials(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for name, p := range forms(problem{x0: []float64{20, 1e-3, 1.5}}) {
			if name == "boxed" {
				p.lower, p.upper = []float64{-9, -9, -9}, []float64{99, 99, 99}
			}
			trouble := 0
			p.fg = func(x, g []float64) float64 {
				f := barrier(x, g)
				if min(x[0], x[1], x[2]) <= 0 {
					trouble++
					g[1] = bad // f may look good
					return bad
				}
				return f
			}
			_, got, err := trace(p, tight)
			if err != nil {
				t.Fatal(err)
			}
			if got.Status != Converged || !(math.Abs(got.F-3) <= 1e-14*3) {
				t.Errorf("%s with %v: %+v", name, bad, got)
			}
			if trouble == 0 {
				t.Errorf("%s: no trial point was bad; the test has lost its object", name)
			}
		}
	}
}

// Only the gradient is not finite: also no point to accept.
func TestNotFiniteGradient(t *testing.T) {
	for name, p := range forms(problem{x0: []float64{20, 0.5}}) {
		if name == "boxed" {
			p.lower, p.upper = []float64{-9, -9}, []float64{99, 99}
		}
		p.fg = func(x, g []float64) float64 {
			f := x[0]*x[0] + x[1]*x[1]
			g[0], g[1] = 2*x[0], 2*x[1]
			if x[0] < 3 {
				g[1] = math.NaN()
			}
			return f
		}
		seen, got, err := trace(p, tight)
		if err != nil {
			t.Fatal(err)
		}
		if got.X[0] < 3 || got.F > 10 || got.F != seen[len(seen)-1].it.F || !linalg.Finite(got.GradientNorm) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestNotFiniteStart(t *testing.T) {
	for name, p := range forms(problem{x0: []float64{-1, 2}, fg: barrier}) {
		_, got, err := trace(p, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != NotFinite || got.Evaluations != 1 {
			t.Errorf("%s: %v after %d evaluations", name, got.Status, got.Evaluations)
		}
		p.fg = func(x, g []float64) float64 { g[0], g[1] = 1, math.Inf(-1); return 0 }
		if _, got, _ = trace(p, Settings{}); got.Status != NotFinite || got.Evaluations != 1 {
			t.Errorf("%s: infinite gradient: %v after %d evaluations", name, got.Status, got.Evaluations)
		}
	}
}

// No point but the start has a value: one search, then give up.
func TestNotFiniteEverywhere(t *testing.T) {
	for name, p := range forms(problem{x0: []float64{1, 2}}) {
		p.fg = func(x, g []float64) float64 {
			g[0], g[1] = 1, 1
			if x[0] == 1 && x[1] == 2 {
				return 5
			}
			return math.NaN()
		}
		_, got, err := trace(p, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != NotFinite || got.F != 5 || got.X[0] != 1 || got.Evaluations > 1+maxTrials {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// With a gradient of the wrong sign there is no lower point along its negative.
func TestWrongGradient(t *testing.T) {
	for name, p := range forms(problem{x0: []float64{1, 2}}) {
		p.fg = func(x, g []float64) float64 {
			g[0], g[1] = -2*x[0], -2*x[1]
			return x[0]*x[0] + x[1]*x[1]
		}
		_, got, err := trace(p, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != LineSearchFailed || got.F != 5 || got.X[0] != 1 || got.X[1] != 2 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A gradient that goes wrong on the way makes the solver drop its memory, try
// the steepest descent, and return the best accepted point.
func TestGradientGoesWrong(t *testing.T) {
	for name, p := range forms(standardProblems()[10]) {
		fg := p.fg
		calls := 0
		p.fg = func(x, g []float64) float64 {
			f := fg(x, g)
			if calls++; calls > 12 {
				for i := range g {
					g[i] = -g[i]
				}
			}
			return f
		}
		seen, got, err := trace(p, tight)
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != LineSearchFailed || got.F != seen[len(seen)-1].it.F || got.Iterations < 5 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A function without minimum: the steps grow until no value is finite.
func TestUnboundedBelow(t *testing.T) {
	p := problem{x0: []float64{1}, fg: func(x, g []float64) float64 { g[0] = -1; return -x[0] }}
	_, got, err := trace(p, Settings{RelativeDecrease: -1, MaxIterations: 100})
	if err != nil {
		t.Fatal(err)
	}
	if got.F > -1e10 || got.Status == Converged {
		t.Errorf("%+v", got)
	}
}
