package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/math/linalg"
)

// denseCurvature is the curvature of a Hessian model given entry by entry, preconditioned by
// its diagonal.
func denseCurvature(n int, model func(x []float64) []float64) Curvature {
	var h []float64
	return Curvature{
		Form: func(x []float64, damping float64) bool {
			h = model(x)
			most := 0.
			for i := range n {
				most = math.Max(most, h[i*n+i])
			}
			for i := range n {
				h[i*n+i] += damping * most
			}
			return most > 0
		},
		Multiply: func(out, v []float64) {
			for i := range n {
				out[i] = linalg.Dot(h[i*n:(i+1)*n], v)
			}
		},
		Precondition: func(out, v []float64) {
			for i := range n {
				out[i] = v[i] / h[i*n+i]
			}
		},
	}
}

// curvature is that of J'J.
func (p *leastSquares) curvature() Curvature {
	return denseCurvature(2, func(x []float64) []float64 {
		_, j := p.residual(x)
		h := make([]float64, 4)
		for _, row := range j {
			for i := range h {
				h[i] += 2 * row[i/2] * row[i%2]
			}
		}
		return h
	})
}

// As TestBoxQuadratics, with the Hessian, and with a model that leaves half of it out. The
// damping falls to a billionth in a dozen steps.
func TestBoundedNewtonQuadratics(t *testing.T) {
	for name, share := range map[string]float64{"Hessian": 1, "half of it": .5} {
		rng := rand.New(rand.NewPCG(4, 1))
		for k := range 400 {
			p, h, c := boxQP(rng, 1+k%6)
			model := denseCurvature(len(c), func([]float64) []float64 {
				m := make([]float64, len(h))
				linalg.Axpy(share, h, m)
				return m
			})
			got, err := BoundedGaussNewton(p.fn(), model, p.x0, Settings{Lower: p.lower, Upper: p.upper, GradientTolerance: 1e-9, RelativeDecrease: -1})
			if err != nil {
				t.Fatal(err)
			}
			if got.Status != Converged && got.Status != LineSearchFailed || share == 1 && got.Iterations > 20 {
				t.Errorf("%s, problem %d: %v after %d steps, gradient %g", name, k, got.Status, got.Iterations, got.GradientNorm)
			}
			checkKKT(t, p, got.X, 1e-6)
			if want, at := activeSetMinimum(t, p, h, c); !(math.Abs(got.F-want) <= 1e-11*max(1, math.Abs(want))) {
				t.Errorf("%s, problem %d: f = %v at %v, best active set %v at %v", name, k, got.F, got.X, want, at)
			}
		}
	}
}

// The damping compares f with by how much the model decreases from x to z.
func TestBoundedNewtonDecrease(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for k := range 100 {
		p, h, c := boxQP(rng, 2+k%5)
		n := len(c)
		model := denseCurvature(n, func([]float64) []float64 { return append([]float64(nil), h...) })
		m := newBoundedNewton(n, model, Settings{Lower: p.lower, Upper: p.upper})
		x, g, d, image := append([]float64(nil), p.x0...), make([]float64, n), make([]float64, n), make([]float64, n)
		m.box.project(x)
		p.fg(x, g)
		model.Form(x, .1)
		lower := m.minimize(x, g)
		for i := range d {
			d[i] = m.z[i] - x[i]
		}
		model.Multiply(image, d)
		want := -linalg.Dot(g, d) - linalg.Dot(d, image)/2
		if lower != (want > 0) || !(math.Abs(m.decrease-want) <= 1e-9*max(1, math.Abs(want))) {
			t.Errorf("problem %d: decrease %g, want %g", k, m.decrease, want)
		}
	}
}

// Where bounds cut off the minimum it ends where L-BFGS-B does, from any side, and from
// wherever the model is of no use, as steepest descent goes.
func TestBoundedNewton(t *testing.T) {
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		p                leastSquares
		x0, lower, upper []float64
		most             int // evaluations; L-BFGS-B needs 22, 55, 11, 7 and 1
	}{
		"rosenbrock, above":  {leastSquares{residual: rosenbrock}, []float64{-1.2, 3}, []float64{-inf, 1.5}, nil, 20},
		"rosenbrock, inside": {leastSquares{residual: rosenbrock}, []float64{-1.2, 1}, []float64{-3, -3}, []float64{3, 3}, 40},
		"rosenbrock, below":  {leastSquares{residual: rosenbrock}, []float64{.1, .1}, nil, []float64{.5, inf}, 15},
		"beale, left":        {leastSquares{residual: beale}, []float64{1, .2}, []float64{0, 0}, []float64{2, 2}, 40},
		"beale, fixed":       {leastSquares{residual: beale}, []float64{5, 5}, []float64{1, .5}, []float64{1, .5}, 1},
	} {
		s := Settings{Lower: c.lower, Upper: c.upper, GradientTolerance: 1e-9, RelativeDecrease: -1}
		want, err := LBFGS(c.p.fg, c.x0, s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := BoundedGaussNewton(c.p.fg, c.p.curvature(), c.x0, s)
		if err != nil || got.Status != Converged || got.Evaluations > c.most {
			t.Errorf("%s: %v after %d evaluations, %v", name, got.Status, got.Evaluations, err)
		}
		if !(math.Abs(got.F-want.F) <= 1e-9) {
			t.Errorf("%s: f = %v at %v, L-BFGS-B %v at %v", name, got.F, got.X, want.F, want.X)
		}
		of := problem{name: name, fg: func(x, g []float64) float64 { f, _ := c.p.fg(x, g); return f }, lower: c.lower, upper: c.upper}
		checkKKT(t, of, got.X, 1e-6)

		useless := c.p.curvature()
		useless.Form = func([]float64, float64) bool { return false }
		s.MaxIterations, s.GradientTolerance = 30, 1e-4
		if got, err = BoundedGaussNewton(c.p.fg, useless, c.x0, s); err != nil || got.Status == LineSearchFailed || got.Iterations > 0 && !(got.F < first(c.p, c.x0, of)) {
			t.Errorf("%s without a model: %v, f = %v, %v", name, got.Status, got.F, err)
		}
	}
}

// first is f at a start, moved within the bounds.
func first(p leastSquares, x0 []float64, of problem) float64 {
	x := append([]float64(nil), x0...)
	newBox(len(x), of.lower, of.upper).project(x)
	f, _ := p.fg(x, make([]float64, len(x)))
	return f
}

// A run that is stopped takes no more products.
func TestBoundedNewtonStopped(t *testing.T) {
	p := leastSquares{residual: rosenbrock}
	h, stopped, products := p.curvature(), false, 0
	multiply := h.Multiply
	h.Multiply = func(out, v []float64) {
		if stopped {
			products++
		}
		multiply(out, v)
	}
	h.Stopped = func() bool { return stopped }
	res, err := BoundedGaussNewton(func(x, g []float64) (float64, bool) {
		f, _ := p.fg(x, g)
		return f, !stopped
	}, h, []float64{-1.2, 1}, Settings{Lower: []float64{-3, -3}, RelativeDecrease: -1, Recorder: func(it Iterate) { stopped = it.Iteration == 3 }})
	if err != nil || res.Status != Interrupted || products > 0 {
		t.Errorf("%v, %v, %d products after the stop", res.Status, err, products)
	}
}

func TestBoundedNewtonArguments(t *testing.T) {
	p := leastSquares{residual: beale}
	x0, h := []float64{1, 1}, p.curvature()
	for name, call := range map[string]func() (Result, error){
		"no function":  func() (Result, error) { return BoundedGaussNewton(nil, h, x0, Settings{}) },
		"no curvature": func() (Result, error) { return BoundedGaussNewton(p.fg, Curvature{}, x0, Settings{}) },
		"crossed": func() (Result, error) {
			return BoundedGaussNewton(p.fg, h, x0, Settings{Lower: []float64{0, 1}, Upper: []float64{1, 0}})
		},
	} {
		if _, err := call(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// After set-up nothing is allocated: more iterations, no more allocations.
func TestBoundedNewtonAllocations(t *testing.T) {
	count := func(iterations int) float64 {
		fg := func(x, g []float64) (f float64, ok bool) { // a quartic: converges slowly
			for i, v := range x {
				f, g[i] = f+v*v*v*v, 4*v*v*v
			}
			return f, true
		}
		h := make([]float64, 4)
		model := denseCurvature(2, func(x []float64) []float64 {
			h[0], h[3] = 12*x[0]*x[0], 12*x[1]*x[1]
			return h
		})
		return testing.AllocsPerRun(5, func() {
			if _, err := BoundedGaussNewton(fg, model, []float64{1, 2}, Settings{Lower: []float64{0, 1}, MaxIterations: iterations, GradientTolerance: -1, RelativeDecrease: -1}); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := count(2), count(20); few != many {
		t.Errorf("%v allocations in 2 iterations, %v in 20", few, many)
	}
}
