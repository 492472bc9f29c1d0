package solve

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestArguments(t *testing.T) {
	fg := func(x, g []float64) (float64, bool) { clear(g); return 0, true }
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		want string
		fg   Func
		x0   []float64
		s    Settings
	}{
		{"function to minimize is nil", nil, []float64{1}, Settings{}},
		{"x0 is empty", fg, nil, Settings{}},
		{"x0[1] is NaN", fg, []float64{1, nan}, Settings{}},
		{"x0[0] is +Inf", fg, []float64{inf}, Settings{}},
		{"Settings.Memory is -1", fg, []float64{1}, Settings{Memory: -1}},
		{"Settings.MaxIterations is -2", fg, []float64{1}, Settings{MaxIterations: -2}},
		{"Settings.MaxEvaluations is -3", fg, []float64{1}, Settings{MaxEvaluations: -3}},
		{"Settings.GradientTolerance is NaN", fg, []float64{1}, Settings{GradientTolerance: nan}},
		{"Settings.RelativeDecrease is NaN", fg, []float64{1}, Settings{RelativeDecrease: nan}},
		{"Settings.Lower has 2 entries for 1 variables", fg, []float64{1}, Settings{Lower: []float64{0, 0}}},
		{"Settings.Upper has 0 entries for 1 variables", fg, []float64{1}, Settings{Upper: []float64{}}},
		{"Settings.Lower[0] is NaN", fg, []float64{1}, Settings{Lower: []float64{nan}}},
		{"Settings.Lower[0] is +Inf", fg, []float64{1}, Settings{Lower: []float64{inf}}},
		{"Settings.Upper[0] is -Inf", fg, []float64{1}, Settings{Upper: []float64{-inf}}},
		{"no x[1] can satisfy Lower 3 and Upper 2", fg, []float64{1, 1},
			Settings{Lower: []float64{0, 3}, Upper: []float64{0, 2}}},
	} {
		_, err := LBFGS(c.fg, c.x0, c.s)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

func TestStatusString(t *testing.T) {
	want := map[Status]string{
		Converged: "converged", Stalled: "stalled", MaxIterations: "max_iterations",
		MaxEvaluations: "max_evaluations", Interrupted: "interrupted",
		LineSearchFailed: "line_search_failed", NotFinite: "not_finite", 0: "unknown", 99: "unknown",
	}
	for s, w := range want {
		if s.String() != w {
			t.Errorf("Status(%d) = %q, want %q", s, s, w)
		}
	}
}

// forms runs a problem unbounded, with all bounds infinite, and in a box.
func forms(p problem) map[string]problem {
	open, boxed := p, p
	open.lower = openBounds(len(p.x0))
	boxed.lower, boxed.upper = make([]float64, len(p.x0)), make([]float64, len(p.x0))
	for i, v := range p.x0 {
		boxed.lower[i], boxed.upper[i] = v-0.7, v+1.3
	}
	return map[string]problem{"unbounded": p, "open": open, "boxed": boxed}
}

func TestStationaryStart(t *testing.T) {
	p := standardProblems()[10]
	for name, p := range forms(p) {
		p.x0 = []float64{1, 1}
		p.lower, p.upper = nil, nil
		if name != "unbounded" {
			p.lower, p.upper = []float64{1, 0}, []float64{2, 1}
		}
		var seen []Iterate
		s := p.settings()
		s.Recorder = func(it Iterate) { seen = append(seen, it) }
		got, err := LBFGS(p.fn(), p.x0, s)
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != Converged || got.Evaluations != 1 || got.Iterations != 0 || len(seen) != 1 || seen[0].Evaluations != 1 {
			t.Errorf("%s: %+v, recorded %+v", name, got, seen)
		}
	}
}

// point is an accepted point as the recorder saw it.
type point struct {
	it Iterate
	x  []float64
}

func trace(p problem, s Settings) ([]point, Result, error) {
	var seen []point
	s.Lower, s.Upper = p.lower, p.upper
	s.Recorder = func(it Iterate) { seen = append(seen, point{it, slices.Clone(it.X)}) }
	res, err := LBFGS(p.fn(), p.x0, s)
	return seen, res, err
}

// lastBefore is the last accepted point that took at most n evaluations.
func lastBefore(seen []point, n int) point {
	k := 0
	for i, a := range seen {
		if a.it.Evaluations <= n {
			k = i
		}
	}
	return seen[k]
}

// Interrupted in any evaluation, the solver returns the best accepted point so
// far, to the bit, and makes no further call.
func TestInterruptedAnywhere(t *testing.T) {
	for name, p := range forms(standardProblems()[10]) {
		seen, full, err := trace(p, tight)
		if err != nil {
			t.Fatal(err)
		}
		for stop := 1; stop <= full.Evaluations; stop++ {
			calls := 0
			s := tight
			s.Lower, s.Upper = p.lower, p.upper
			got, err := LBFGS(func(x, g []float64) (float64, bool) {
				calls++
				if calls == stop {
					for i := range g {
						g[i] = math.NaN() // void values
					}
					return -1e300, false
				}
				return p.fg(x, g), true
			}, p.x0, s)
			if err != nil {
				t.Fatal(err)
			}
			if got.Status != Interrupted || got.Evaluations != stop || calls != stop {
				t.Fatalf("%s, stop at %d: %d calls, %+v", name, stop, calls, got)
			}
			if stop == 1 {
				if !slices.Equal(got.X, p.x0) || !math.IsNaN(got.F) || got.G != nil {
					t.Errorf("%s, stop at 1: %+v, want the start point", name, got)
				}
				continue
			}
			checkResult(t, p, got, lastBefore(seen, stop-1))
		}
	}
}

// checkResult checks a result against the accepted point that it must be.
func checkResult(t *testing.T, p problem, got Result, want point) {
	t.Helper()
	if got.F != want.it.F || got.Iterations != want.it.Iteration || got.GradientNorm != want.it.GradientNorm || !slices.Equal(got.X, want.x) {
		t.Errorf("%v after %d evaluations: got %+v, want accepted point %+v", got.Status, got.Evaluations, got, want)
	}
	g := make([]float64, len(got.X))
	if f := p.fg(got.X, g); f != got.F || !slices.Equal(g, got.G) {
		t.Errorf("F and G are not those at X: %v %v, want %v %v", got.F, got.G, f, g)
	}
}

func TestLimitsExact(t *testing.T) {
	for name, p := range forms(standardProblems()[10]) {
		seen, full, err := trace(p, tight)
		if err != nil {
			t.Fatal(err)
		}
		for limit := 1; limit <= full.Evaluations+2; limit++ {
			s := tight
			s.MaxEvaluations = limit
			calls := 0
			q := p
			q.fg = func(x, g []float64) float64 { calls++; return p.fg(x, g) }
			_, got, err := trace(q, s)
			if err != nil {
				t.Fatal(err)
			}
			if limit >= full.Evaluations {
				if got.Status != full.Status || calls != full.Evaluations {
					t.Errorf("%s, limit %d: %v after %d calls, want %v after %d", name, limit, got.Status, calls, full.Status, full.Evaluations)
				}
				continue
			}
			if got.Status != MaxEvaluations || calls != limit || got.Evaluations != limit {
				t.Errorf("%s, limit %d: %v after %d calls", name, limit, got.Status, calls)
			}
			checkResult(t, p, got, lastBefore(seen, limit))
		}
		for limit := 1; limit < full.Iterations; limit++ {
			s := tight
			s.MaxIterations = limit
			_, got, err := trace(p, s)
			if err != nil {
				t.Fatal(err)
			}
			if got.Status != MaxIterations || got.Iterations != limit {
				t.Errorf("%s: %v after %d iterations, want max_iterations after %d", name, got.Status, got.Iterations, limit)
			}
			checkResult(t, p, got, seen[limit])
		}
	}
}

// Each stopping rule stops at the first accepted point where it holds.
func TestStoppingRules(t *testing.T) {
	for name, p := range forms(standardProblems()[10]) {
		seen, _, err := trace(p, tight)
		if err != nil {
			t.Fatal(err)
		}
		for _, tol := range []float64{10, 1e-1, 1e-3, 1e-5} {
			_, got, err := trace(p, Settings{GradientTolerance: tol, RelativeDecrease: -1})
			if err != nil {
				t.Fatal(err)
			}
			k := slices.IndexFunc(seen, func(a point) bool { return a.it.GradientNorm <= tol })
			if got.Status != Converged || got.Iterations != k {
				t.Errorf("%s, gradient tolerance %g: %v after %d iterations, want %d", name, tol, got.Status, got.Iterations, k)
			}
		}
		for _, rel := range []float64{1e-1, 1e-2, 1e-4} {
			_, got, err := trace(p, Settings{GradientTolerance: -1, RelativeDecrease: rel})
			if err != nil {
				t.Fatal(err)
			}
			k := 1
			for k < len(seen)-1 {
				a, b := seen[k-1].it.F, seen[k].it.F
				if a-b <= rel*max(math.Abs(a), math.Abs(b), 1) {
					break
				}
				k++
			}
			if got.Status != Stalled || got.Iterations != k {
				t.Errorf("%s, relative decrease %g: %v after %d iterations, want %d", name, rel, got.Status, got.Iterations, k)
			}
		}
	}
}

// The zero Settings are the paper's defaults.
func TestDefaults(t *testing.T) {
	s, err := check(standardProblems()[0].fn(), []float64{1}, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Memory != 5 || s.MaxIterations != 10000 || s.MaxEvaluations != 50000 || s.GradientTolerance != 1e-4 {
		t.Errorf("defaults %+v", s)
	}
	if eps := math.Nextafter(1, 2) - 1; s.RelativeDecrease != 1e7*eps {
		t.Errorf("relative decrease %v, want 1e7 eps = %v", s.RelativeDecrease, 1e7*eps)
	}
}

// The caller's slices are left alone.
func TestArgumentsUnchanged(t *testing.T) {
	for name, p := range forms(standardProblems()[10]) {
		x0, lower, upper := slices.Clone(p.x0), slices.Clone(p.lower), slices.Clone(p.upper)
		got, err := LBFGS(p.fn(), p.x0, p.settings())
		if err != nil {
			t.Fatal(err)
		}
		got.X[0] = 77
		if !slices.Equal(x0, p.x0) || !slices.Equal(lower, p.lower) || !slices.Equal(upper, p.upper) {
			t.Errorf("%s: an argument has changed", name)
		}
	}
}

// The relative decrease is taken of the larger of both values, at least 1.
func TestStop(t *testing.T) {
	for _, c := range []struct {
		old, f, rel float64
		want        Status
	}{
		{100, 95, 0.0501, Stalled}, // 5/100, not 5/95
		{100, 95, 0.0499, 0},
		{-95, -100, 0.0501, Stalled}, // 5/100, not 5/95
		{-95, -100, 0.0499, 0},
		{0.2, 0.1, 0.101, Stalled}, // 0.1/1
		{0.2, 0.1, 0.099, 0},
		{1, 1, 1e-300, Stalled},
		{1, 1, -1, 0}, // off
	} {
		r := &run{f: c.f, gain: c.old - c.f, stationarity: 1, s: Settings{GradientTolerance: 0.5, RelativeDecrease: c.rel, MaxIterations: 9, MaxEvaluations: 9}}
		if got := r.stop(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	// Relative to what the caller says.
	for _, c := range []struct {
		old, f, scale float64
		want          Status
	}{
		{-95, -100, 50, Stalled}, // 5/50 is at most .1
		{-95, -100, 49, 0},
		{-100, -100, 0, Stalled},
		{-99.99, -100, 0, 0},
	} {
		r := &run{f: c.f, gain: c.old - c.f, stationarity: 1, s: Settings{GradientTolerance: 0.5, RelativeDecrease: .1, MaxIterations: 9, MaxEvaluations: 9,
			Scale: func(float64) float64 { return c.scale }}}
		if got := r.stop(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// A measure of the caller's takes the place of the gradient's norm, and sees
// the gradient, at a bound too and however near that is.
func TestStationarity(t *testing.T) {
	fg := func(x, g []float64) (float64, bool) {
		g[0], g[1] = 2*x[0], 2*(x[1]+1)
		return x[0]*x[0] + (x[1]+1)*(x[1]+1), true
	}
	far, err := LBFGS(fg, []float64{3, 4}, Settings{Stationarity: func([]float64, float64, []float64) float64 { return 0 }})
	if err != nil || far.Status != Converged || far.Iterations != 0 || far.Stationarity != 0 || far.GradientNorm != 10 {
		t.Errorf("a measure of 0: %+v, %v", far, err)
	}
	never, err := LBFGS(fg, []float64{3, 4}, Settings{Stationarity: func([]float64, float64, []float64) float64 { return 1 }})
	if err != nil || never.Status == Converged || never.Stationarity != 1 {
		t.Errorf("a measure of 1: %+v, %v", never, err)
	}
	bound, err := LBFGS(fg, []float64{3, 4}, Settings{Lower: []float64{-1, 0}, Stationarity: func(x []float64, f float64, g []float64) float64 {
		if g[0] != 2*x[0] || g[1] != 2*(x[1]+1) {
			t.Errorf("the gradient at %v is given as %v", x, g)
		}
		if x[1] == 0 {
			return math.Abs(g[0])
		}
		return math.Abs(g[0]) + math.Abs(g[1])
	}})
	if err != nil || bound.Status != Converged || bound.X[1] != 0 {
		t.Errorf("at a bound: %+v, %v", bound, err)
	}
}

// A step along which the slope does not grow is not taken into the memory, and
// does not cost the oldest pair.
func TestCurvatureSkipped(t *testing.T) {
	r := newRun(nil, []float64{0, 0}, Settings{})
	tl, lb := newTwoLoop(2, 1), newLBFGSB(2, 1, newBox(2, nil, nil))
	step := func(xt, g, gt []float64) {
		r.xt, r.g, r.gt = xt, g, gt
		tl.update(r)
		lb.update(r)
	}
	step([]float64{1, 1}, []float64{-3, -3}, []float64{-1, -2}) // s'y = 3, y'y = 5
	step([]float64{1, 1}, []float64{-3, -3}, []float64{-4, -3}) // s'y = -1
	step([]float64{1, 1}, []float64{-3, -3}, []float64{-3, -3}) // s'y = 0
	if s, y := tl.pair(0); tl.count != 1 || !slices.Equal(s, []float64{1, 1}) || !slices.Equal(y, []float64{2, 1}) || tl.gamma != 3.0/5 {
		t.Errorf("two-loop memory: %d pairs, %v %v, gamma %v", tl.count, s, y, tl.gamma)
	}
	if s, y := lb.pair(0); lb.count != 1 || !slices.Equal(s, []float64{1, 1}) || !slices.Equal(y, []float64{2, 1}) || lb.theta != 5.0/3 {
		t.Errorf("compact memory: %d pairs, %v %v, theta %v", lb.count, s, y, lb.theta)
	}
}

// The first trial goes no farther than the gradient is long, and than 1.
func TestFirstTrial(t *testing.T) {
	for _, c := range []struct{ slope, want float64 }{{1e3, 1}, {0.25, 0.25}} {
		for name, p := range forms(problem{x0: []float64{0, 0}}) {
			if name == "boxed" {
				continue // a box has a scale of its own
			}
			var first []float64
			p.fg = func(x, g []float64) float64 {
				if first == nil && x[0] != 0 {
					first = slices.Clone(x)
				}
				g[0], g[1] = 0.6*c.slope+x[0], 0.8*c.slope+x[1]
				return c.slope*(0.6*x[0]+0.8*x[1]) + (x[0]*x[0]+x[1]*x[1])/2
			}
			if _, _, err := trace(p, Settings{}); err != nil {
				t.Fatal(err)
			}
			if got := math.Hypot(first[0], first[1]); !(math.Abs(got-c.want) <= 1e-15) {
				t.Errorf("%s, gradient %g: first trial is %v away, want %v", name, c.slope, got, c.want)
			}
		}
	}
}
