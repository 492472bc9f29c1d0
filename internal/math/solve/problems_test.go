package solve

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/optimize/functions"
)

// problem is a test problem in the form that the solver takes.
type problem struct {
	name         string
	fg           func(x, g []float64) float64
	x0           []float64
	lower, upper []float64
	local        float64 // value of a local minimum that the start leads to, 0: none
}

func (p problem) fn() Func {
	return func(x, g []float64) (float64, bool) { return p.fg(x, g), true }
}

func (p problem) settings() Settings { return Settings{Lower: p.lower, Upper: p.upper} }

// fgOf joins a function of gonum's collection and its gradient.
func fgOf(p interface {
	Func(x []float64) float64
	Grad(grad, x []float64)
}) func(x, g []float64) float64 {
	return func(x, g []float64) float64 {
		p.Grad(g, x)
		return p.Func(x)
	}
}

// standardProblems are all functions of gonum's collection that have a gradient
// and more than one variable, from the standard starting points of Moré, Garbow
// and Hillstrom 1981 and from points near the minimum.
func standardProblems() []problem {
	fill := func(n int, v float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = v
		}
		return x
	}
	rosenbrock := make([]float64, 100)
	for i := range rosenbrock {
		rosenbrock[i] = []float64{-1.2, 1}[i%2]
	}
	dimensioned := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = 1 - float64(i+1)/float64(n)
		}
		return x
	}
	minimal := functions.NewMinimalSurface(20, 20)
	surface := func(x, g []float64) float64 {
		minimal.Grad(g, x)
		return minimal.Func(x)
	}
	return []problem{
		{name: "Beale", fg: fgOf(functions.Beale{}), x0: []float64{1, 1}},
		{name: "BiggsEXP2", fg: fgOf(functions.BiggsEXP2{}), x0: []float64{1, 2}},
		{name: "BiggsEXP3", fg: fgOf(functions.BiggsEXP3{}), x0: []float64{1, 2, 1}},
		{name: "BiggsEXP4", fg: fgOf(functions.BiggsEXP4{}), x0: []float64{1, 2, 1, 1}},
		{name: "BiggsEXP5", fg: fgOf(functions.BiggsEXP5{}), x0: []float64{1, 2, 1, 1, 1}, local: 0.00264998773141},
		{name: "BiggsEXP6", fg: fgOf(functions.BiggsEXP6{}), x0: []float64{1, 2, 1, 1, 1, 1}},
		{name: "Box3D", fg: fgOf(functions.Box3D{}), x0: []float64{0, 10, 20}},
		{name: "BrownBadlyScaled", fg: fgOf(functions.BrownBadlyScaled{}), x0: []float64{1, 1}},
		{name: "BrownAndDennis", fg: fgOf(functions.BrownAndDennis{}), x0: []float64{25, 5, -5, -1}},
		{name: "PowellSingular8", fg: fgOf(functions.ExtendedPowellSingular{}),
			x0: []float64{3, -1, 0, 3, 3, -1, 0, 3}},
		{name: "Rosenbrock2", fg: fgOf(functions.ExtendedRosenbrock{}), x0: []float64{-1.2, 1}},
		{name: "Rosenbrock2far", fg: fgOf(functions.ExtendedRosenbrock{}), x0: []float64{1e4, 1e4}},
		{name: "Rosenbrock100", fg: fgOf(functions.ExtendedRosenbrock{}), x0: rosenbrock},
		{name: "Gaussian", fg: fgOf(functions.Gaussian{}), x0: []float64{0.4, 1, 0}},
		{name: "Gulf", fg: fgOf(functions.GulfResearchAndDevelopment{}), x0: []float64{5, 2.5, 0.15}},
		{name: "HelicalValley", fg: fgOf(functions.HelicalValley{}), x0: []float64{-1, 0, 0}},
		{name: "MinimalSurface", fg: surface, x0: make([]float64, 18*18)},
		{name: "PenaltyI10", fg: fgOf(functions.PenaltyI{}), x0: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		{name: "PenaltyII4", fg: fgOf(functions.PenaltyII{}), x0: fill(4, 0.5)},
		{name: "PenaltyII10", fg: fgOf(functions.PenaltyII{}), x0: fill(10, 0.5)},
		{name: "PowellBadlyScaled", fg: fgOf(functions.PowellBadlyScaled{}), x0: []float64{0, 1}},
		{name: "Sphere", fg: fgOf(functions.Sphere{}), x0: dimensioned(10)},
		{name: "Trigonometric", fg: fgOf(functions.Trigonometric{}), x0: fill(10, 0.1)},
		{name: "VariablyDimensioned10", fg: fgOf(functions.VariablyDimensioned{}), x0: dimensioned(10)},
		{name: "VariablyDimensioned100", fg: fgOf(functions.VariablyDimensioned{}), x0: dimensioned(100)},
		{name: "Watson6", fg: fgOf(functions.Watson{}), x0: fill(6, 0)},
		{name: "Watson9", fg: fgOf(functions.Watson{}), x0: fill(9, 0)},
		{name: "Wood", fg: fgOf(functions.Wood{}), x0: []float64{-3, -1, -3, -1}},
	}
}

// cubeSum is f(x) = ||sum_j a_j^{o3} - sum_j b_j^{o3}||^2, a small relative of what
// the solver is for, with x the columns a_j one after the other. By the kernel
// trick f = 1'(A'A)^3 1 - 2 1'(A'B)^3 1 + 1'(B'B)^3 1, powers taken entry by
// entry. b_j has entries cos(i*(j+1)), i = 1..n, over sqrt(n), so that other
// languages can build the same problem.
func cubeSum(n, r int) problem {
	b := make([]float64, n*r)
	x0 := make([]float64, n*r)
	for j := range r {
		for i := range n {
			b[j*n+i] = math.Cos(float64((i+1)*(j+1))) / math.Sqrt(float64(n))
			x0[j*n+i] = b[j*n+i] + 0.3*math.Sin(float64(7*i+3*j+1))/math.Sqrt(float64(n))
		}
	}
	norm := 0.0
	col := func(v []float64, j int) []float64 { return v[j*n : (j+1)*n] }
	dot := func(u, v []float64) (s float64) {
		for i := range u {
			s += u[i] * v[i]
		}
		return s
	}
	for j := range r {
		for k := range r {
			norm += math.Pow(dot(col(b, j), col(b, k)), 3)
		}
	}
	return problem{
		name: "cubeSum", x0: x0,
		fg: func(x, g []float64) float64 {
			clear(g)
			f := norm
			for j := range r {
				aj, gj := col(x, j), col(g, j)
				for k := range r {
					for _, c := range []struct {
						v    []float64
						sign float64
					}{{col(x, k), 1}, {col(b, k), -1}} {
						p := dot(aj, c.v)
						if c.sign > 0 {
							f += p * p * p
						} else {
							f -= 2 * p * p * p
						}
						for i := range gj {
							gj[i] += c.sign * 6 * p * p * c.v[i]
						}
					}
				}
			}
			return f
		},
	}
}

// boxQP is a random strictly convex quadratic problem in a random box; some
// sides are open.
func boxQP(rng *rand.Rand, n int) (problem, []float64, []float64) {
	h := make([]float64, n*n)
	m := make([]float64, n*n)
	for i := range m {
		m[i] = rng.NormFloat64()
	}
	for i := range n {
		for j := range n {
			for k := range n {
				h[i*n+j] += m[i*n+k] * m[j*n+k]
			}
		}
		h[i*n+i] += 0.1
	}
	c := make([]float64, n)
	p := problem{name: "box QP", x0: make([]float64, n), lower: make([]float64, n), upper: make([]float64, n)}
	for i := range c {
		c[i] = 3 * rng.NormFloat64()
		p.lower[i] = rng.NormFloat64() - 0.5
		p.upper[i] = p.lower[i] + rng.ExpFloat64()
		switch rng.IntN(6) {
		case 0:
			p.lower[i] = math.Inf(-1)
		case 1:
			p.upper[i] = math.Inf(1)
		case 2:
			p.upper[i] = p.lower[i]
		}
		p.x0[i] = rng.NormFloat64()
	}
	p.fg = func(x, g []float64) float64 {
		f := 0.0
		for i := range n {
			g[i] = c[i]
			for j := range n {
				g[i] += h[i*n+j] * x[j]
			}
			f += 0.5 * x[i] * (g[i] + c[i])
		}
		return f
	}
	return p, h, c
}
