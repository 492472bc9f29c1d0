package solve

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Every accepted step satisfies the strong Wolfe conditions, N&W (3.7); with
// bounds the longest step may cut the search short, with enough decrease. Where f
// is flat to rounding (a step changes it by 1e-13 or less of its value) the
// conditions are lost in noise, and a lower value is enough.
func TestAcceptedSteps(t *testing.T) {
	for _, p := range append(standardProblems(), cubeSum(20, 4)) {
		for name, p := range forms(p) {
			steps, short := 0, 0
			s := p.settings()
			s.GradientTolerance, s.RelativeDecrease, s.MaxIterations = 1e-7, -1, 500
			res, err := minimize(p.fn(), p.x0, s, func(a accepted) {
				steps++
				if !a.wolfe && a.f1 < a.f0 && a.f0-a.f1 <= 1e-13*math.Abs(a.f0) {
					return
				}
				if !(a.slope0 < 0) || a.f1 > a.f0+1e-3*a.step*a.slope0 {
					t.Errorf("%s, %s: no sufficient decrease in %+v", p.name, name, a)
				}
				if !(math.Abs(a.slope1) <= 0.9*math.Abs(a.slope0)) {
					short++
					if a.wolfe || name != "boxed" || a.step != a.longest || a.slope1 > 0 {
						t.Errorf("%s, %s: no curvature condition in %+v", p.name, name, a)
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if steps != res.Iterations {
				t.Errorf("%s, %s: %d steps seen, %d iterations", p.name, name, steps, res.Iterations)
			}
			if name == "boxed" && short > 0 {
				t.Logf("%s: %d of %d steps end at the longest step", p.name, short, steps)
			}
		}
	}
}

// With all bounds infinite L-BFGS-B is L-BFGS by other formulas, so the first
// iterates agree to rounding. Tolerance: the difference grows from 1e-16 with each
// step; 1e-6 after 8 is far below what any difference in method would make.
func TestOpenBoundsSameIterates(t *testing.T) {
	for _, p := range append(standardProblems(), cubeSum(20, 4)) {
		all := forms(p)
		a, ra, err := trace(all["unbounded"], tight)
		if err != nil {
			t.Fatal(err)
		}
		b, rb, err := trace(all["open"], tight)
		if err != nil {
			t.Fatal(err)
		}
		for k := range min(len(a), len(b), 9) {
			if p.name == "BrownBadlyScaled" {
				break // second derivatives from 2 to 1e12: differences grow at once
			}
			for i := range a[k].x {
				if d := math.Abs(a[k].x[i] - b[k].x[i]); !(d <= 1e-6*max(1, math.Abs(a[k].x[i]))) {
					t.Errorf("%s: iteration %d: x[%d] = %v without bounds, %v with infinite ones", p.name, k, i, a[k].x[i], b[k].x[i])
				}
			}
		}
		// The minima: see TestAgainstGonum for the tolerance and the exception.
		if p.name != "PowellBadlyScaled" && !(math.Abs(ra.F-rb.F) <= 1e-10*max(1, math.Abs(ra.F))) {
			t.Errorf("%s: f = %v without bounds, %v with infinite ones", p.name, ra.F, rb.F)
		}
	}
}

// Wide finite bounds that no iterate reaches give the same optimum, too.
func TestWideBoundsSameOptimum(t *testing.T) {
	for _, p := range []problem{standardProblems()[0], standardProblems()[10], standardProblems()[16], cubeSum(20, 4)} {
		want, err := LBFGS(p.fn(), p.x0, tight)
		if err != nil {
			t.Fatal(err)
		}
		s := tight
		s.Lower, s.Upper = make([]float64, len(p.x0)), make([]float64, len(p.x0))
		for i := range p.x0 {
			s.Lower[i], s.Upper[i] = -1e4, 1e4
		}
		got, err := LBFGS(p.fn(), p.x0, s)
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != Converged || !(math.Abs(got.F-want.F) <= 1e-10*max(1, math.Abs(want.F))) {
			t.Errorf("%s: %v with f = %v, without bounds %v", p.name, got.Status, got.F, want.F)
		}
	}
}

// f times a power of two, with the tolerance times the same, gives the same
// iterates to the bit: nothing in the unbounded method knows the unit of f, once
// the first gradient is above 1.
func TestScaleOfObjective(t *testing.T) {
	for _, p := range append(standardProblems(), cubeSum(20, 4)) {
		g := make([]float64, len(p.x0))
		p.fg(p.x0, g)
		norm := 0.0
		for _, v := range g {
			norm += v * v
		}
		c := 0x1p40
		for norm < 1 || norm*c*c < 1 {
			// Bring the first gradient above 1 for both.
			fg := p.fg
			p.fg = func(x, g []float64) float64 {
				f := fg(x, g)
				for i := range g {
					g[i] *= 0x1p20
				}
				return f * 0x1p20
			}
			norm *= 0x1p40
		}
		// A restart below a gradient of 1 knows the unit; stop before rounding
		// makes one: on arm64, which rounds products with sums once, at 1e-8.
		s := Settings{GradientTolerance: 1e-7 * math.Sqrt(norm), RelativeDecrease: -1, MaxIterations: 200}
		want, _, err := trace(p, s)
		if err != nil {
			t.Fatal(err)
		}
		q := p
		q.fg = func(x, g []float64) float64 {
			f := p.fg(x, g)
			for i := range g {
				g[i] *= c
			}
			return f * c
		}
		s.GradientTolerance *= c
		got, _, err := trace(q, s)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d iterates, scaled %d", p.name, len(want), len(got))
		}
		for k := range got {
			if !slices.Equal(got[k].x, want[k].x) || got[k].it.Evaluations != want[k].it.Evaluations {
				t.Errorf("%s: iterate %d differs when f is scaled", p.name, k)
				break
			}
		}
	}
}

// The order of the variables does not matter except for rounding in the sums.
func TestPermutation(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for _, p := range []problem{cubeSum(10, 3), standardProblems()[27], standardProblems()[8]} {
		for name, p := range forms(p) {
			n := len(p.x0)
			order := rng.Perm(n)
			pick := func(v []float64) []float64 {
				if v == nil {
					return nil
				}
				w := make([]float64, n)
				for i, k := range order {
					w[i] = v[k]
				}
				return w
			}
			q := problem{x0: pick(p.x0), lower: pick(p.lower), upper: pick(p.upper)}
			y, gy := make([]float64, n), make([]float64, n)
			q.fg = func(x, g []float64) float64 {
				for i, k := range order {
					y[k] = x[i]
				}
				f := p.fg(y, gy)
				for i, k := range order {
					g[i] = gy[k]
				}
				return f
			}
			s := Settings{GradientTolerance: 1e-7, RelativeDecrease: -1}
			a, ra, err := trace(p, s)
			if err != nil {
				t.Fatal(err)
			}
			b, rb, err := trace(q, s)
			if err != nil {
				t.Fatal(err)
			}
			// 1e-6 after a few steps as in TestOpenBoundsSameIterates.
			for k := range min(len(a), len(b), 6) {
				want := pick(a[k].x)
				for i := range want {
					if !(math.Abs(b[k].x[i]-want[i]) <= 1e-6*max(1, math.Abs(want[i]))) {
						t.Errorf("%s, %s: iterate %d differs: %v, permuted %v", p.name, name, k, want, b[k].x)
						break
					}
				}
			}
			if !(math.Abs(ra.F-rb.F) <= 1e-10*max(1, math.Abs(ra.F))) {
				t.Errorf("%s, %s: f = %v, permuted %v", p.name, name, ra.F, rb.F)
			}
		}
	}
}

// The same calls give the same bits.
func TestDeterministic(t *testing.T) {
	for name, p := range forms(cubeSum(20, 4)) {
		a, _, err := trace(p, tight)
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := trace(p, tight)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(a, b, func(u, v point) bool { return slices.Equal(u.x, v.x) && u.it.F == v.it.F }) {
			t.Errorf("%s: two runs differ", name)
		}
	}
}

// A run of many iterations allocates no more than one of few.
func TestNoAllocationAfterSetUp(t *testing.T) {
	for name, p := range forms(standardProblems()[12]) {
		if name == "boxed" {
			for i := range p.x0 { // many breakpoints to pass, the minimum inside
				p.lower[i], p.upper[i] = -1.3, 1.5
			}
		}
		s := p.settings()
		s.GradientTolerance, s.RelativeDecrease = -1, -1
		s.Recorder = func(Iterate) {}
		fg := p.fn()
		count := func(iterations int) float64 {
			s.MaxIterations = iterations
			return testing.AllocsPerRun(5, func() {
				res, err := LBFGS(fg, p.x0, s)
				if err != nil || res.Iterations != iterations {
					t.Fatalf("%s: %v after %d iterations of %d: %v", name, res.Status, res.Iterations, iterations, err)
				}
			})
		}
		few, many := count(2), count(25)
		if few != many {
			t.Errorf("%s: %v allocations for 2 iterations, %v for 25", name, few, many)
		}
	}
}
