package solve

import (
	"math"
	"math/rand/v2"
	"symmom/internal/math/linalg"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// checkKKT checks that x is within the bounds, exactly, and that the gradient
// there, evaluated anew, points outwards at a bound and is at most tol inside.
func checkKKT(t *testing.T, p problem, x []float64, tol float64) {
	t.Helper()
	g := make([]float64, len(x))
	p.fg(x, g)
	for i, v := range x {
		lower, upper := math.Inf(-1), math.Inf(1)
		if p.lower != nil {
			lower = p.lower[i]
		}
		if p.upper != nil {
			upper = p.upper[i]
		}
		if !(v >= lower && v <= upper) {
			t.Errorf("%s: x[%d] = %v outside [%v, %v]", p.name, i, v, lower, upper)
		}
		// The projected gradient, as far as the bounds leave room.
		if g[i] > 0 && min(g[i], v-lower) > tol || g[i] < 0 && min(-g[i], upper-v) > tol {
			t.Errorf("%s: gradient %v at x[%d] = %v in [%v, %v]", p.name, g[i], i, v, lower, upper)
		}
	}
}

// activeSetMinimum solves min x'Hx/2 + c'x in the box by trying all 3^n sets of
// active bounds.
func activeSetMinimum(t *testing.T, p problem, h, c []float64) (best float64, at []float64) {
	n := len(c)
	best = math.Inf(1)
	sets := 1
	for range n {
		sets *= 3
	}
	g := make([]float64, n)
	for set := range sets {
		x := make([]float64, n)
		var free []int
		ok := true
		for i, s := 0, set; i < n; i, s = i+1, s/3 {
			switch s % 3 {
			case 0:
				free = append(free, i)
			case 1:
				x[i] = p.lower[i]
			case 2:
				x[i] = p.upper[i]
			}
			ok = ok && linalg.Finite(x[i])
		}
		if !ok {
			continue
		}
		if k := len(free); k > 0 {
			a, b := mat.NewDense(k, k, nil), mat.NewVecDense(k, nil)
			for r, i := range free {
				v := -c[i]
				for j := range n {
					v -= h[i*n+j] * x[j]
				}
				b.SetVec(r, v)
				for q, j := range free {
					a.Set(r, q, h[i*n+j])
				}
			}
			var sol mat.VecDense
			if err := sol.SolveVec(a, b); err != nil {
				t.Fatal(err)
			}
			for r, i := range free {
				x[i] = sol.AtVec(r)
				ok = ok && x[i] >= p.lower[i] && x[i] <= p.upper[i]
			}
		}
		if ok {
			if f := p.fg(x, g); f < best {
				best, at = f, x
			}
		}
	}
	return best, at
}

// Random strictly convex quadratics in random boxes, with open sides and fixed
// variables, against all active sets. The least eigenvalue is at least 0.1, so
// ||g|| <= 1e-9 puts f within 1e-17*n and x within 1e-8*sqrt(n); the rest is the
// rounding of sums around 1e2.
func TestBoxQuadratics(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for k := range 400 {
		p, h, c := boxQP(rng, 1+k%6)
		s := Settings{Lower: p.lower, Upper: p.upper, GradientTolerance: 1e-9, RelativeDecrease: -1}
		got, err := LBFGS(p.fn(), p.x0, s)
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != Converged && got.Status != LineSearchFailed {
			t.Errorf("problem %d: status %v, gradient %g", k, got.Status, got.GradientNorm)
		}
		checkKKT(t, p, got.X, 1e-6)
		want, at := activeSetMinimum(t, p, h, c)
		if !(math.Abs(got.F-want) <= 1e-11*max(1, math.Abs(want))) {
			t.Errorf("problem %d: f = %v at %v, best active set %v at %v", k, got.F, got.X, want, at)
		}
		for i := range at {
			if !(math.Abs(got.X[i]-at[i]) <= 1e-6*max(1, math.Abs(at[i]))) {
				t.Errorf("problem %d: x = %v, best active set %v", k, got.X, at)
				break
			}
		}
	}
}

// hockSchittkowski are the problems with bounds only of Hock & Schittkowski, Test
// Examples for Nonlinear Programming Codes, 1981, with the minima given there.
func hockSchittkowski() []struct {
	problem
	min float64
} {
	inf := math.Inf(1)
	rosenbrock := func(x, g []float64) float64 {
		a, b := x[1]-x[0]*x[0], 1-x[0]
		g[0], g[1] = -400*a*x[0]-2*b, 200*a
		return 100*a*a + b*b
	}
	fill := func(n int, v float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = v
		}
		return x
	}
	// HS2 has a second local minimum on the left, where its start leads; a start
	// on the right leads to the global one:
	// f* with x1 = 2a*cos(acos(1/b)/3), a = sqrt(598/1200), b = 400a^3.
	a := math.Sqrt(598.0 / 1200)
	x1 := 2 * a * math.Cos(math.Acos(1/(400*a*a*a))/3)
	hs2 := rosenbrock([]float64{x1, 1.5}, make([]float64, 2))

	return []struct {
		problem
		min float64
	}{
		{problem{name: "HS1", fg: rosenbrock, x0: []float64{-2, 1}, lower: []float64{-inf, -1.5}}, 0},
		{problem{name: "HS2", fg: rosenbrock, x0: []float64{2, 1}, lower: []float64{-inf, 1.5}}, hs2},
		{problem{name: "HS3", x0: []float64{10, 1}, lower: []float64{-inf, 0}, fg: func(x, g []float64) float64 {
			d := x[1] - x[0]
			g[0], g[1] = -2e-5*d, 1+2e-5*d
			return x[1] + 1e-5*d*d
		}}, 0},
		{problem{name: "HS4", x0: []float64{1.125, 0.125}, lower: []float64{1, 0}, fg: func(x, g []float64) float64 {
			g[0], g[1] = (x[0]+1)*(x[0]+1), 1
			return (x[0]+1)*(x[0]+1)*(x[0]+1)/3 + x[1]
		}}, 8.0 / 3},
		{problem{name: "HS5", x0: []float64{0, 0}, lower: []float64{-1.5, -3}, upper: []float64{4, 3}, fg: func(x, g []float64) float64 {
			c, d := math.Cos(x[0]+x[1]), x[0]-x[1]
			g[0], g[1] = c+2*d-1.5, c-2*d+2.5
			return math.Sin(x[0]+x[1]) + d*d - 1.5*x[0] + 2.5*x[1] + 1
		}}, -math.Sqrt(3)/2 - math.Pi/3},
		{problem{name: "HS38", x0: []float64{-3, -1, -3, -1}, lower: fill(4, -10), upper: fill(4, 10), fg: func(x, g []float64) float64 {
			p, q := x[1]-x[0]*x[0], x[3]-x[2]*x[2]
			u, v := x[1]-1, x[3]-1
			g[0] = -400*p*x[0] - 2*(1-x[0])
			g[1] = 200*p + 20.2*u + 19.8*v
			g[2] = -360*q*x[2] - 2*(1-x[2])
			g[3] = 180*q + 20.2*v + 19.8*u
			return 100*p*p + (1-x[0])*(1-x[0]) + 90*q*q + (1-x[2])*(1-x[2]) + 10.1*(u*u+v*v) + 19.8*u*v
		}}, 0},
		{problem{name: "HS45", x0: fill(5, 2), lower: fill(5, 0), upper: []float64{1, 2, 3, 4, 5}, fg: func(x, g []float64) float64 {
			all := 1.0
			for i, v := range x {
				g[i] = -1.0 / 120
				for j, w := range x {
					if j != i {
						g[i] *= w
					}
				}
				all *= v
			}
			return 2 - all/120
		}}, 1},
		{problem{name: "HS110", x0: fill(10, 9), lower: fill(10, 2.001), upper: fill(10, 9.999), fg: func(x, g []float64) float64 {
			f, all := 0.0, 1.0
			for _, v := range x {
				all *= v
			}
			all = math.Pow(all, 0.2)
			for i, v := range x {
				p, q := math.Log(v-2), math.Log(10-v)
				f += p*p + q*q
				g[i] = 2*p/(v-2) - 2*q/(10-v) - 0.2*all/v
			}
			return f - all
		}}, -45.77846971},
	}
}

func TestHockSchittkowski(t *testing.T) {
	for _, p := range hockSchittkowski() {
		s := p.settings()
		s.GradientTolerance, s.RelativeDecrease = 1e-9, -1
		got, err := LBFGS(p.fn(), p.x0, s)
		if err != nil {
			t.Fatal(err)
		}
		// 1e-8: the book gives ten digits.
		if !(math.Abs(got.F-p.min) <= 1e-8*max(1, math.Abs(p.min))) {
			t.Errorf("%s: f = %.10g at %v, want %.10g; %v", p.name, got.F, got.X, p.min, got.Status)
		}
		checkKKT(t, p.problem, got.X, 1e-6)
		t.Logf("%s: f %.10g, %d iterations, %d evaluations, %v", p.name, got.F, got.Iterations, got.Evaluations, got.Status)
	}
}

// Boxes laid over the standard problems: the result is within and stationary.
func TestStandardProblemsInBoxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for _, p := range append(standardProblems(), cubeSum(20, 4)) {
		for range 5 {
			n := len(p.x0)
			p.lower, p.upper = make([]float64, n), make([]float64, n)
			for i, v := range p.x0 {
				p.lower[i] = v - rng.ExpFloat64()
				p.upper[i] = v + rng.ExpFloat64()
			}
			s := p.settings()
			s.GradientTolerance, s.RelativeDecrease, s.MaxIterations = 1e-7, -1, 50000
			last := math.Inf(1)
			s.Recorder = func(it Iterate) {
				if it.F > last {
					t.Errorf("%s: iteration %d goes up from %v to %v", p.name, it.Iteration, last, it.F)
				}
				last = it.F
			}
			got, err := LBFGS(p.fn(), p.x0, s)
			if err != nil {
				t.Fatal(err)
			}
			tol := 1e-7
			if got.Status == LineSearchFailed {
				// f is flat to rounding: differences of f carry eps*|f|, so
				// with second derivatives up to 1e8 (the badly scaled
				// functions) gradients are seen to sqrt(2*1e8*eps*|f|).
				tol = math.Sqrt(2e8 * machineEpsilon * max(1, math.Abs(got.F)))
			} else if got.Status != Converged {
				t.Errorf("%s: %v", p.name, got.Status)
			}
			checkKKT(t, p, got.X, tol)
		}
	}
}

// All variables fixed: one evaluation, at the only point there is.
func TestAllFixed(t *testing.T) {
	p := standardProblems()[0]
	at := []float64{0.5, -0.5}
	got, err := LBFGS(p.fn(), p.x0, Settings{Lower: at, Upper: at})
	if err != nil {
		t.Fatal(err)
	}
	if got.Status != Converged || got.Evaluations != 1 || got.X[0] != 0.5 || got.X[1] != -0.5 {
		t.Errorf("%+v", got)
	}
}
