package solve

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// leastSquares is a problem ||F(x)||^2 of two unknowns with the solver of its
// Gauss-Newton system.
type leastSquares struct {
	residual func(x []float64) (f []float64, j [][2]float64)
	failing  bool // the inverse says that it cannot
	wrong    bool // the inverse gives a direction of ascent
	calls    int
}

func (p *leastSquares) fg(x, g []float64) (f float64, ok bool) {
	r, j := p.residual(x)
	g[0], g[1] = 0, 0
	for i, v := range r {
		f += v * v
		floats.AddScaled(g, 2*v, j[i][:])
	}
	return f, true
}

func (p *leastSquares) inverse(x, q, z []float64, damping float64) bool {
	p.calls++
	if p.failing {
		return false
	}
	_, j := p.residual(x)
	var a, b, d float64
	for _, row := range j {
		a, b, d = a+2*row[0]*row[0], b+2*row[0]*row[1], d+2*row[1]*row[1]
	}
	mu := damping * max(a, d)
	a, d = a+mu, d+mu
	det := a*d - b*b
	z[0], z[1] = (d*q[0]-b*q[1])/det, (a*q[1]-b*q[0])/det
	if p.wrong {
		floats.Scale(-1, z)
	}
	return true
}

// rosenbrock has residual 0 at (1, 1).
func rosenbrock(x []float64) ([]float64, [][2]float64) {
	return []float64{10 * (x[1] - x[0]*x[0]), 1 - x[0]}, [][2]float64{{-20 * x[0], 10}, {-1, 0}}
}

// beale has residual 0 at (3, .5).
func beale(x []float64) ([]float64, [][2]float64) {
	var f []float64
	var j [][2]float64
	for i, c := range []float64{1.5, 2.25, 2.625} {
		k := float64(i + 1)
		f = append(f, c-x[0]*(1-math.Pow(x[1], k)))
		j = append(j, [2]float64{math.Pow(x[1], k) - 1, x[0] * k * math.Pow(x[1], k-1)})
	}
	return f, j
}

// Near the solution of a problem without residual little damping saves steps.
func TestNewtonDamping(t *testing.T) {
	evaluations := func(damping float64) int {
		p := leastSquares{residual: beale}
		res, err := GaussNewton(p.fg, p.inverse, []float64{3.01, .501}, Settings{GradientTolerance: 1e-7, RelativeDecrease: -1, Damping: damping})
		if err != nil || res.Status != Converged {
			t.Fatal(res, err)
		}
		return res.Evaluations
	}
	usual, little := evaluations(0), evaluations(1e-6)
	if evaluations(dampingStart) != usual || little >= usual {
		t.Errorf("%d evaluations, with little damping %d", usual, little)
	}
}

// Problems without residual are solved to rounding in a few evaluations, and
// from wherever the inverse is of no use, as steepest descent goes.
func TestNewton(t *testing.T) {
	for _, c := range []struct {
		name     string
		p        leastSquares
		x0, want []float64
		most     int // evaluations; L-BFGS needs 47 and 19
	}{
		{"rosenbrock", leastSquares{residual: rosenbrock}, []float64{-1.2, 1}, []float64{1, 1}, 40},
		{"beale", leastSquares{residual: beale}, []float64{1, 1}, []float64{3, .5}, 19},
	} {
		res, err := GaussNewton(c.p.fg, c.p.inverse, c.x0, Settings{GradientTolerance: 1e-9, RelativeDecrease: -1})
		if err != nil || res.Status != Converged {
			t.Fatalf("%s: %v, %v", c.name, res, err)
		}
		if !floats.EqualApprox(res.X, c.want, 1e-8) || res.Evaluations > c.most {
			t.Errorf("%s: %v after %d evaluations", c.name, res.X, res.Evaluations)
		}
		if c.p.calls != res.Iterations {
			t.Errorf("%s: %d calls of the inverse in %d iterations", c.name, c.p.calls, res.Iterations)
		}
	}
}

func TestNewtonWithoutModel(t *testing.T) {
	for name, p := range map[string]leastSquares{
		"failing": {residual: beale, failing: true},
		"ascent":  {residual: beale, wrong: true},
	} {
		start := make([]float64, 2)
		f0, _ := p.fg([]float64{1, 1}, start)
		res, err := GaussNewton(p.fg, p.inverse, []float64{1, 1}, Settings{MaxIterations: 30, RelativeDecrease: -1})
		if err != nil || res.Status != MaxIterations || !(res.F < f0/2) {
			t.Errorf("%s: %v, %v from %v", name, res, err, f0)
		}
	}
	// No descent in either: the end, not a loop.
	p := leastSquares{residual: beale, wrong: true}
	uphill := func(x, g []float64) (float64, bool) {
		f, ok := p.fg(x, g)
		floats.Scale(-1, g)
		return f, ok
	}
	if res, err := GaussNewton(uphill, p.inverse, []float64{1, 1}, Settings{}); err != nil || res.Status != LineSearchFailed {
		t.Errorf("uphill: %v, %v", res, err)
	}
}

func TestNewtonArguments(t *testing.T) {
	p := leastSquares{residual: beale}
	x0 := []float64{1, 1}
	for name, call := range map[string]func() (Result, error){
		"no function": func() (Result, error) { return GaussNewton(nil, p.inverse, x0, Settings{}) },
		"no inverse":  func() (Result, error) { return GaussNewton(p.fg, nil, x0, Settings{}) },
		"bounds":      func() (Result, error) { return GaussNewton(p.fg, p.inverse, x0, Settings{Lower: x0}) },
	} {
		if _, err := call(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// After set-up nothing is allocated: more iterations, no more allocations.
func TestNewtonAllocations(t *testing.T) {
	count := func(iterations int) float64 {
		fg := func(x, g []float64) (f float64, ok bool) { // a quartic: converges slowly
			for i, v := range x {
				f, g[i] = f+v*v*v*v, 4*v*v*v
			}
			return f, true
		}
		inverse := func(x, q, z []float64, damping float64) bool {
			for i, v := range x {
				z[i] = q[i] / (12*v*v + damping)
			}
			return true
		}
		return testing.AllocsPerRun(5, func() {
			if _, err := GaussNewton(fg, inverse, []float64{1, -2}, Settings{MaxIterations: iterations, GradientTolerance: -1, RelativeDecrease: -1}); err != nil {
				t.Fatal(err)
			}
		})
	}
	for _, c := range [][2]int{{2, quickSteps - 1}, {quickSteps + 2, 3 * quickSteps}} {
		if few, many := count(c[0]), count(c[1]); few != many {
			t.Errorf("%v allocations in %d iterations, %v in %d", few, c[0], many, c[1])
		}
	}
}

// What the inverse leaves out of the Hessian is learned from the steps: as with
// conjugate gradients, whose preconditioner it then is, the eigenvalues of their
// product that stand apart cost a few steps each.
func TestNewtonLearnsTheRest(t *testing.T) {
	const n = 50
	factor := func(i int) float64 { // of the Hessian in the model's
		if i < 5 {
			return 1e-4 / float64(i+1)
		}
		return 1
	}
	curvature := func(i int) float64 { return math.Pow(10, float64(i%7)-3) }
	fg := func(x, g []float64) (f float64, ok bool) {
		for i, v := range x {
			g[i] = factor(i) * curvature(i) * v
			f += g[i] * v / 2
		}
		return f, true
	}
	inverse := func(x, q, z []float64, damping float64) bool {
		for i, v := range q {
			z[i] = v / (curvature(i) * (1 + damping))
		}
		return true
	}
	x0 := make([]float64, n)
	for i := range x0 {
		x0[i] = 1 + float64(i%3)
	}
	res, err := GaussNewton(fg, inverse, x0, Settings{GradientTolerance: 1e-12, RelativeDecrease: -1})
	if err != nil {
		t.Fatal(err)
	}
	// Without pairs the rate is 1 - 1e-4/5: a million steps.
	if res.Status != Converged || res.Iterations > 250 {
		t.Errorf("%v after %d iterations with gradient %g", res.Status, res.Iterations, res.GradientNorm)
	}
}
