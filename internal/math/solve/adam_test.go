package solve

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// noisy is a sum of cubes of errors and squares with gradients that are off
// by a deterministic disturbance, another at each call: what sampling does,
// made so that another program can do the same.
type noisy struct {
	n     int
	calls int
}

func (p *noisy) x0() []float64 {
	x := make([]float64, p.n)
	for i := range x {
		x[i] = math.Cos(float64(i + 1))
	}
	return x
}

// estimate is f = sum_i h_i (x_i - c_i)^2 / 2 + |x_i - c_i|^3 / 3.
func (p *noisy) estimate(x, g []float64) (f float64, ok bool) {
	for i, v := range x {
		h, e := 1+float64(i%5), v-float64(i%3)/2
		f += h*e*e/2 + math.Abs(e*e*e)/3
		g[i] = h*e + math.Abs(e)*e
	}
	return f, true
}

func (p *noisy) gradient(x, g []float64) (float64, bool) {
	p.calls++
	p.estimate(x, g)
	for i := range g {
		g[i] += 3 * math.Sin(float64(p.calls)*float64(i+1))
	}
	return math.NaN(), true // is not used
}

// transcribed is Adam as tt_opt_adam.m of the Tensor Toolbox has it, after
// its Python port: state is saved at a good epoch and copied back after a bad
// one, the iteration counter is turned back by an epoch.
func transcribed(gradient, estimate func(x []float64) ([]float64, float64), x0 []float64, maxEpochs int) (best []float64, fbest float64, its int, trace []float64) {
	clone := func(v []float64) []float64 { return append([]float64(nil), v...) }
	x, m, v := clone(x0), make([]float64, len(x0)), make([]float64, len(x0))
	best, fbest = clone(x), math.Inf(1)
	msave, vsave := clone(m), clone(v)
	fails, t := 0, 0
	for epoch := 1; epoch <= maxEpochs+1; epoch++ {
		_, fe := estimate(x)
		trace = append(trace, fe)
		good := fe < fbest
		if !good {
			fails++
		}
		if good {
			best, fbest, msave, vsave = clone(x), fe, clone(m), clone(v)
		} else {
			x, m, v = clone(best), clone(msave), clone(vsave)
			t -= 100
		}
		if fails > 1 || epoch == maxEpochs+1 {
			break
		}
		step := math.Pow(.1, float64(fails)) * .01
		for range 100 {
			t++
			its++
			g, _ := gradient(x)
			for i := range x {
				m[i] *= .9
				m[i] += (1 - .9) * g[i]
				v[i] *= .999
				v[i] += (1 - .999) * g[i] * g[i]
				mhat := m[i] / (1 - math.Pow(.9, float64(t)))
				vhat := v[i] / (1 - math.Pow(.999, float64(t)))
				x[i] -= step * mhat / (math.Sqrt(vhat) + 1e-8)
			}
		}
	}
	return best, fbest, its, trace
}

// The two differ in the order of multiplications alone: a few roundings an
// iteration, which a contracting iteration does not amplify.
const adamTol = 1e-12

func TestAdamAgainstTranscription(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40} {
		for _, epochs := range []int{100, 2, 1} {
			p := &noisy{n: n}
			var seen []Iterate
			got, err := Adam(p.gradient, p.estimate, p.x0(), Settings{MaxIterations: 100 * epochs,
				Recorder: func(it Iterate) { it.X = nil; seen = append(seen, it) }})
			if err != nil {
				t.Fatal(err)
			}
			q := &noisy{n: n}
			g := make([]float64, n)
			x, f, its, trace := transcribed(func(x []float64) ([]float64, float64) { q.gradient(x, g); return g, 0 },
				func(x []float64) ([]float64, float64) { f, _ := q.estimate(x, make([]float64, n)); return nil, f }, q.x0(), epochs)
			if got.Iterations != its || len(seen) != len(trace) || !(math.Abs(got.F-f) <= adamTol*max(1, f)) {
				t.Fatalf("n=%d: f = %v after %d iterations, %d estimates; transcription %v, %d, %d", n, got.F, got.Iterations, len(seen), f, its, len(trace))
			}
			for i, v := range x {
				if !(math.Abs(got.X[i]-v) <= adamTol) {
					t.Errorf("n=%d: x[%d] = %v, transcription %v", n, i, got.X[i], v)
				}
			}
			for i, v := range trace {
				if !(math.Abs(seen[i].F-v) <= adamTol*max(1, v)) || seen[i].Iteration != 100*i || seen[i].Evaluations != 101*i+1 {
					t.Errorf("n=%d: estimate %d is %+v, transcription %v", n, i, seen[i], v)
				}
			}
			// The gradient reported is that of the estimate at X.
			if p.estimate(got.X, g); !reflect.DeepEqual(got.G, g) || got.GradientNorm != projectedGradientNorm(got.X, g, nil) {
				t.Errorf("n=%d: reported gradient is not that at X", n)
			}
			want := Stalled
			if epochs < 100 {
				want = MaxIterations
			}
			if got.Status != want || got.Evaluations != got.Iterations+len(seen) {
				t.Errorf("n=%d, %d epochs: %v after %d evaluations, %d iterations", n, epochs, got.Status, got.Evaluations, got.Iterations)
			}
		}
	}
}

// scripted gives estimates from a list and a gradient of ones, and keeps
// where it was asked.
type scripted struct {
	values []float64
	at     []float64 // x[0] at each estimate
	grads  int
	stop   int // gradient that is interrupted, counted from 1; 0: none
}

func (s *scripted) estimate(x, g []float64) (float64, bool) {
	s.at = append(s.at, x[0])
	g[0] = float64(len(s.at))
	if len(s.at) > len(s.values) {
		return 0, false
	}
	return s.values[len(s.at)-1], true
}

func (s *scripted) gradient(x, g []float64) (float64, bool) {
	s.grads++
	g[0] = 1
	return 0, s.grads != s.stop
}

// With a gradient of 1 the means are 1 after correction, at whatever t, so an
// iteration moves by the rate: 1 an epoch of 100 at .01, .1 at .001. An m, v
// or t that is not restored shows as another length. The factor 1/(1 + 1e-8)
// of epsilon and rounding in the corrections leave 1e-7.
func TestAdamRevertsFailedEpochs(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name   string
		values []float64
		at     []float64 // x at the estimates
		x, f   float64   // result
		g      float64   // number of the estimate that it has
		status Status
		max    int // iterations
	}{
		{"fails at once, twice", []float64{5, 6, 7}, []float64{0, -1, -.1}, 0, 5, 1, Stalled, 0},
		{"goes on after one failure", []float64{5, 4, 4.5, 3, 2, 2}, []float64{0, -1, -2, -1.1, -1.2, -1.3},
			-1.2, 2, 5, Stalled, 0},
		{"an equal estimate is no decrease", []float64{5, 5, 4, 4}, []float64{0, -1, -.1, -.2}, -.1, 4, 3, Stalled, 0},
		{"later failures", []float64{5, 4, 3, 2, 9, 1, 9}, []float64{0, -1, -2, -3, -4, -3.1, -3.2}, -3.1,
			1, 6, Stalled, 0},
		{"not a number is a failure", []float64{5, nan, 4, -inf}, []float64{0, -1, -.1, -.2}, -.1, 4, 3, Stalled, 0},
		{"the last epoch fails", []float64{5, 4, 6}, []float64{0, -1, -2}, -1, 4, 2, MaxIterations, 200},
		{"a short last epoch", []float64{5, 4, 3}, []float64{0, -1, -1.5}, -1.5, 3, 3, MaxIterations, 150},
		{"a start that is not finite", []float64{inf}, []float64{0}, 0, inf, 1, NotFinite, 0},
	} {
		s := &scripted{values: c.values}
		var seen []float64
		got, err := Adam(s.gradient, s.estimate, []float64{0}, Settings{MaxIterations: c.max, Recorder: func(it Iterate) { seen = append(seen, it.F) }})
		if err != nil {
			t.Fatal(err)
		}
		if len(s.at) != len(c.at) || fmt.Sprint(seen) != fmt.Sprint(c.values) {
			t.Fatalf("%s: %d estimates at %v, want at %v; recorded %v", c.name, len(s.at), s.at, c.at, seen)
		}
		for i, want := range c.at {
			if !(math.Abs(s.at[i]-want) <= 1e-7) {
				t.Errorf("%s: estimate %d at %v, want %v", c.name, i, s.at[i], want)
			}
		}
		if !(math.Abs(got.X[0]-c.x) <= 1e-7) || got.F != c.f || got.Status != c.status || got.G[0] != c.g || got.Iterations != s.grads {
			t.Errorf("%s: x = %v, f = %v, g = %v, %v after %d iterations", c.name, got.X, got.F, got.G, got.Status, got.Iterations)
		}
	}
}

// A gradient that changes sign in the failed epoch would leave its mark in m
// and v; after the failure the second epoch must be as the first would have
// been at a tenth of the rate.
func TestAdamRestoresTheMeans(t *testing.T) {
	run := func(bad float64) float64 {
		s := &scripted{values: []float64{5, 4, 6, 3}}
		got, err := Adam(func(x, g []float64) (float64, bool) {
			s.gradient(x, g)
			if s.grads > 100 && s.grads <= 200 {
				g[0] = bad
			}
			return 0, true
		}, s.estimate, []float64{0}, Settings{MaxIterations: 300})
		if err != nil || got.F != 3 {
			t.Fatal(got, err)
		}
		return got.X[0]
	}
	if a, b := run(1), run(-70); a != b {
		t.Errorf("the failed epoch changes the next: %v, %v", a, b)
	}
}

func TestAdamInterrupted(t *testing.T) {
	for _, c := range []struct {
		values []float64 // the estimate after the last is interrupted
		stop   int
		x, f   float64
		evals  int
	}{
		{nil, 0, 0, math.NaN(), 1},
		{[]float64{5}, 1, 0, 5, 2},
		{[]float64{5, 4}, 150, -1, 4, 152},
		{[]float64{5, 4}, 0, -1, 4, 203},
		{[]float64{5, 4, 6}, 230, -1, 4, 233},
	} {
		s := &scripted{values: c.values, stop: c.stop}
		got, err := Adam(s.gradient, s.estimate, []float64{0}, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(got.X[0]-c.x) <= 1e-7) || fmt.Sprint(got.F) != fmt.Sprint(c.f) || got.Status != Interrupted || got.Evaluations != c.evals {
			t.Errorf("%+v: %+v", c, got)
		}
		if (got.G == nil) != math.IsNaN(c.f) || math.IsNaN(got.GradientNorm) != math.IsNaN(c.f) {
			t.Errorf("%+v: gradient %v of norm %v", c, got.G, got.GradientNorm)
		}
	}
}

// The limit of evaluations is kept, with an estimate of the last point.
func TestAdamLimits(t *testing.T) {
	for _, c := range []struct{ max, iterations, evaluations int }{
		{1, 0, 1}, {2, 0, 1}, {3, 1, 3}, {101, 99, 101}, {102, 100, 102}, {103, 100, 102}, {104, 101,
			104}, {250, 246, 250},
	} {
		values := make([]float64, 10)
		for i := range values {
			values[i] = float64(-i)
		}
		s := &scripted{values: values}
		got, err := Adam(s.gradient, s.estimate, []float64{0}, Settings{MaxEvaluations: c.max})
		if err != nil || got.Status != MaxEvaluations || got.Evaluations != c.evaluations || got.Iterations != s.grads {
			t.Fatalf("%+v: %+v, %v", c, got, err)
		}
		if got.Iterations != c.iterations {
			t.Errorf("%d evaluations allowed: %d iterations, want %d", c.max, got.Iterations, c.iterations)
		}
		if x := -float64(got.Iterations) * .01; !(math.Abs(got.X[0]-x) <= 1e-7) {
			t.Errorf("%d evaluations allowed: x = %v, want %v", c.max, got.X[0], x)
		}
	}
}

func TestAdamArguments(t *testing.T) {
	p := &noisy{n: 1}
	for _, c := range []struct {
		want               string
		gradient, estimate Func
		x0                 []float64
		s                  Settings
	}{
		{"function to minimize is nil", p.gradient, nil, []float64{1}, Settings{}},
		{"stochastic gradient is nil", nil, p.estimate, []float64{1}, Settings{}},
		{"x0[0] is NaN", p.gradient, p.estimate, []float64{math.NaN()}, Settings{}},
		{"Settings.MaxIterations is -1", p.gradient, p.estimate, []float64{1}, Settings{MaxIterations: -1}},
		{"Adam knows no bounds", p.gradient, p.estimate, []float64{1}, Settings{Lower: []float64{0}}},
	} {
		if _, err := Adam(c.gradient, c.estimate, c.x0, c.s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// A run allocates its state and its result, whatever the iterations.
func TestAdamAllocatesOnce(t *testing.T) {
	run := func(epochs int) float64 {
		p := &noisy{n: 30}
		x0 := p.x0()
		return testing.AllocsPerRun(5, func() { Adam(p.gradient, p.estimate, x0, Settings{MaxIterations: 100 * epochs}) })
	}
	if one, many := run(1), run(10); one != many {
		t.Errorf("%v allocations in one epoch, %v in ten", one, many)
	}
}

func BenchmarkAdam(b *testing.B) {
	const n = 5010 // n = 500, r = 10
	x0 := make([]float64, n)
	nothing := func(x, g []float64) (float64, bool) { return 0, true }
	f := 0.0
	falling := func(x, g []float64) (float64, bool) { f--; return f, true }
	its := 0
	for b.Loop() {
		res, err := Adam(nothing, falling, x0, Settings{MaxIterations: 1000})
		if err != nil {
			b.Fatal(err)
		}
		its += res.Iterations
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(its), "µs/iteration")
}
