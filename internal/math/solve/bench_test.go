package solve

import "testing"

// BenchmarkOverhead is the solver's own time for an iteration with n = 5000: the
// function is a diagonal quadratic, whose evaluation is a few microseconds and is
// reported apart.
func BenchmarkOverhead(b *testing.B) {
	const n = 5000
	p := problem{x0: make([]float64, n)}
	for i := range p.x0 {
		p.x0[i] = float64(i%7) + 1
	}
	p.fg = func(x, g []float64) float64 {
		f := 0.0
		for i, v := range x {
			h := 1 + float64(i)*0.5
			d := v - float64(i%3) + 0.5 // half a third of the minima at -0.5
			g[i] = h * d
			f += 0.5 * h * d * d
		}
		return f
	}
	positive := p
	positive.lower = make([]float64, n)
	open := p
	open.lower = openBounds(n)
	for _, c := range []struct {
		name string
		problem
	}{{"two-loop", p}, {"infinite bounds", open}, {"nonnegative", positive}} {
		b.Run(c.name, func(b *testing.B) {
			s := c.settings()
			s.GradientTolerance, s.RelativeDecrease, s.MaxIterations = 1e-300, -1, 50
			iterations, evaluations := 0, 0
			for b.Loop() {
				res, err := LBFGS(c.fn(), c.x0, s)
				if err != nil {
					b.Fatal(err)
				}
				iterations += res.Iterations
				evaluations += res.Evaluations
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(iterations), "µs/iteration")
			b.ReportMetric(float64(evaluations)/float64(iterations), "evaluations/iteration")
		})
	}
	b.Run("evaluation", func(b *testing.B) {
		g := make([]float64, n)
		for b.Loop() {
			p.fg(p.x0, g)
		}
	})
}
