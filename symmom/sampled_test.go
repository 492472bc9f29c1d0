package symmom

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
	"symmom/internal/estimate/progress"
	"symmom/internal/math/linalg"
	"symmom/internal/system/clock"
	"symmom/internal/test/slow"
)

// large is a mixture with more observations than an estimate or a start uses.
func large(t *testing.T, n, r int) *gaussianData {
	t.Helper()
	m := drawGaussians(draw.Mixture{N: n, Components: r, PerComponent: 10_000 / r, Sigma: .1, Congruence: .5})
	if m.Session.Err() != nil {
		t.Fatal(m.Session.Err())
	}
	return m
}

// The scores of the paper's table stoch (n = 500, r = 10) are reached on a
// smaller problem of the same noise a variable, which is an easier one.
func TestSampledRecoversMeans(t *testing.T) {
	m := large(t, 50, 4)
	full := mustFit(t, m.Session.Moment(3).Compressed(0).Decompose(4))
	for _, c := range []struct {
		s     int
		scale string
		score float64
	}{{100, ScaleAuto, .9929}, {100, ScaleNone, .9929}, {1000, ScaleAuto, .9990}} {
		f := mustFit(t, m.Session.Moment(3).Sampled(c.s).With(Options{Starts: 2, Scale: c.scale}).Decompose(4))
		score := f.Score(m.Means).Value
		t.Logf("s=%d, scale %s: f %.5f of %.5f, score %.5f of %.5f, gradient %.2g, %d evaluations, %d passes", c.s, c.scale,
			f.ObjectiveShifted, full.ObjectiveShifted, score, full.Score(m.Means).Value, f.GradientNorm, f.Evaluations, f.DataPasses)
		if score < c.score {
			t.Errorf("s=%d, scale %s: score %.5f, the paper's is %.4f", c.s, c.scale, score, c.score)
		}
		if f.ObjectiveShifted < full.ObjectiveShifted {
			t.Errorf("s=%d, scale %s: f = %g is below the minimum %g", c.s, c.scale, f.ObjectiveShifted, full.ObjectiveShifted)
		}
		if f.Form != "sampled" || f.Solver != "adam" || f.Samples != c.s || f.Model.Origin.Options.Samples != c.s || f.Status != "stalled" {
			t.Errorf("form %s, solver %s, samples %d, status %s", f.Form, f.Solver, f.Samples, f.Status)
		}
	}
}

// The numbers of a sampled fit are those of all observations, and its best
// start is the best by them.
func TestSampledIsEvaluatedInFull(t *testing.T) {
	m := large(t, 12, 3)
	for _, scale := range []string{ScaleAuto, ScaleNone} {
		for _, s := range []*Session{m.Session, m.Session.WithWeights(ramp(9999))} {
			moment := s.Moment(3).With(Options{Scale: scale, Starts: 3, MaxIterations: 300})
			f := mustFit(t, moment.Sampled(20).Decompose(3))
			e := moment.Evaluate(f.Model)
			if e.Err() != nil {
				t.Fatal(e.Err())
			}
			// Rounding of sums of terms the size of ||X||^2.
			if v := f.NormSquared.Value; !(math.Abs(e.ObjectiveShifted-f.ObjectiveShifted) <= 1e-12*v) || !(math.Abs(e.RelativeError-f.RelativeError) <= 1e-12) {
				t.Errorf("%s: evaluation %v, fit %v", scale, e, f)
			}
			for i, st := range f.Starts {
				if st.ObjectiveShifted < f.ObjectiveShifted || (i == f.Best) != (st.ObjectiveShifted == f.ObjectiveShifted) {
					t.Errorf("start %d has f = %g, the best is %d with %g", i, st.ObjectiveShifted, f.Best, f.ObjectiveShifted)
				}
			}
			// The gradient norm is that of the fit's own point, lambda and A as
			// the solver left them; the model's are arranged. What can be tested
			// from outside: it is not an estimate's.
			st := f.Starts[f.Best]
			if f.GradientNorm != st.GradientNorm || f.GradientNorm == st.Trace[len(st.Trace)-1].GradientNorm || !(f.GradientNorm > 0) {
				t.Errorf("gradient norm %g, of the start %g", f.GradientNorm, st.GradientNorm)
			}
			evaluations := 0
			for _, st := range f.Starts {
				// Gradients, an estimate an epoch and at the start, all observations.
				if want := st.Iterations + len(st.Trace) + 1; st.Evaluations != want || !st.Estimated {
					t.Errorf("%d evaluations, want %d", st.Evaluations, want)
				}
				evaluations += st.Evaluations
			}
			// The starts are drawn from 4,096 observations, a gradient takes 20;
			// then all are read once.
			iterations := evaluations - len(f.Starts)
			for _, st := range f.Starts {
				iterations -= len(st.Trace)
			}
			rows := 4096 + 20*iterations
			want := 1 + (rows+9998)/9999
			if f.Evaluations != evaluations || f.DataPasses != want {
				t.Errorf("%d evaluations and %d passes, want %d and %d", f.Evaluations, f.DataPasses, evaluations, want)
			}
		}
	}
}

// With no more than 1,000 observations estimates are exact, and the starts
// are those of the other forms: the trace begins at the same point.
func TestSampledStartsWhereOthersDo(t *testing.T) {
	m := mixture(t, 15, 3, .05) // 180 observations
	for _, o := range []Options{{Starts: 3, Seed: 4}, {Starts: 2, Init: InitPlain, Scale: ScaleNone}, {Starts: 1, Init: InitGaussian}} {
		imp := mustFit(t, m.Session.Moment(3).Implicit().With(o).Decompose(3))
		f := mustFit(t, m.Session.Moment(3).Sampled(30).With(o).Decompose(3))
		for k, st := range f.Starts {
			want := imp.Starts[k].Trace[0]
			if st.Trace[0].Objective != want.Objective || st.Trace[0].GradientNorm != want.GradientNorm {
				t.Errorf("start %d begins at %+v, implicit at %+v", k, st.Trace[0], want)
			}
			// Exact estimates: the solution has the lowest of them.
			low := math.Inf(1)
			for _, p := range st.Trace {
				low = math.Min(low, p.Objective)
			}
			if !(math.Abs(low-st.ObjectiveShifted) <= 1e-13*f.NormSquared.Value) {
				t.Errorf("start %d: f = %g, lowest estimate %g", k, st.ObjectiveShifted, low)
			}
		}
	}
	first := mustFit(t, m.Session.Moment(3).Decompose(3))
	again := mustFit(t, m.Session.Moment(3).Sampled(30).With(Options{InitialModel: first.Model}).Decompose(3))
	if d := again.Starts[0].Trace[0].Objective - first.ObjectiveShifted; len(again.Starts) != 1 || !(math.Abs(d) <= 1e-12) {
		t.Errorf("%d starts, the first begins %g off the given model", len(again.Starts), d)
	}
}

func TestSampledThreadsDoNotMatter(t *testing.T) {
	m := large(t, 9, 2)
	var want string
	for _, threads := range []int{1, 2, 3, 8} {
		f := mustFit(t, m.Session.WithWeights(ramp(10_000)).Moment(3).Sampled(40).With(Options{Threads: threads, Starts: 3, MaxIterations: 300}).Decompose(2))
		got := bits(f) + fmt.Sprint(f.DataPasses)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%d threads give other bits", threads)
		}
	}
}

func TestSampledSeeds(t *testing.T) {
	s := large(t, 10, 2).Session
	fit := func(starts int, seed uint64, samples int) *Fit {
		return mustFit(t, s.Moment(3).Sampled(samples).With(Options{Starts: starts, Seed: seed, MaxIterations: 200}).Decompose(2))
	}
	many, one := fit(4, 9, 30), fit(1, 9, 30)
	objectives := func(s Start) (fs []float64) {
		for _, p := range s.Trace {
			fs = append(fs, p.Objective)
		}
		return fs
	}
	// The run is the same bits; its result is evaluated together with the others',
	// which sums in another order: a few roundings.
	a, b := many.Starts[0], one.Starts[0]
	if !slices.Equal(objectives(a), objectives(b)) || !(math.Abs(a.ObjectiveShifted/b.ObjectiveShifted-1) <= 1e-13) {
		t.Error("the first of four starts is not the only one of one")
	}
	if many.Starts[0].Trace[0].Objective == many.Starts[1].Trace[0].Objective {
		t.Error("two starts are the same")
	}
	// The estimate's observations do not depend on s, nor do the starts: the
	// first estimates agree, the next do not.
	if more := fit(1, 9, 31); more.Starts[0].Trace[0].Objective != one.Starts[0].Trace[0].Objective ||
		more.Starts[0].Trace[1].Objective == one.Starts[0].Trace[1].Objective {
		t.Error("another s does not begin at the same estimate, or goes on alike")
	}
	if other := fit(1, 10, 30); other.Starts[0].Trace[0].Objective == one.Starts[0].Trace[0].Objective {
		t.Error("another seed gave the same start")
	}
	// Data in other units, by a power of two: the same run.
	var y mat.Dense
	y.Scale(0x1p-9, s.Matrix())
	scaled := mustFit(t, FromMatrix(&y).Moment(3).Sampled(30).With(Options{Starts: 1, Seed: 9, MaxIterations: 200}).Decompose(2))
	if scaled.GradientNorm != one.GradientNorm || scaled.ObjectiveShifted != one.ObjectiveShifted*0x1p-54 {
		t.Errorf("in other units f = %g and gradient %g, want %g and %g", scaled.ObjectiveShifted, scaled.GradientNorm, one.ObjectiveShifted*0x1p-54, one.GradientNorm)
	}
}

// Weights are probabilities of being drawn: with nearly all weight on the
// observations of two of four components, the model is of these two.
func TestSampledWeights(t *testing.T) {
	m := drawGaussians(draw.Mixture{N: 20, Components: 4, PerComponent: 2000, Sigma: .05, Congruence: .3})
	w := make([]float64, len(m.Labels))
	for l, j := range m.Labels {
		w[l] = 1e-6
		if j >= 2 {
			w[l] = float64(j)
		}
	}
	f := mustFit(t, m.Session.WithWeights(w).Moment(3).Sampled(100).With(Options{Starts: 3}).Decompose(2))
	truth := m.Means.Slice(0, 20, 2, 4)
	full := mustFit(t, m.Session.WithWeights(w).Moment(3).Implicit().With(Options{Starts: 3}).Decompose(2))
	// The estimates that choose among epochs are of 1,000 observations, which
	// have the share .6 to a standard deviation of sqrt(.6 .4/1000) = .015; three
	// of them are half of what there would be without weights, .1.
	for j, l := range full.Model.Lambda {
		if !(math.Abs(f.Model.Lambda[j]-l) <= .046) {
			t.Errorf("lambda %v, from all observations %v", f.Model.Lambda, full.Model.Lambda)
		}
	}
	if s := f.Score(truth).Value; s < .999 {
		t.Errorf("score %g", s)
	}
}

func TestSampledInterrupt(t *testing.T) {
	s := large(t, 40, 5).Session
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	calls := 0
	var stopped *clock.Watch
	o := Options{Starts: 6, Threads: 2, Progress: func(p Progress) {
		if p.Evaluations == 0 {
			return // nothing is found yet
		}
		if calls++; calls == 9 {
			stopped = clock.Start()
			cancel()
		}
	}}
	f := s.WithContext(ctx).Moment(3).Sampled(2000).With(o).Decompose(8)
	if _, late := stopped.Took(); late > time.Second {
		t.Errorf("went on for %v", late)
	}
	if !errors.Is(f.Err(), ErrInterrupted) || f.Status != "interrupted" || f.Model.Rank() != 8 || !linalg.Finite(f.GradientNorm) {
		t.Fatalf("the best so far is not usable: %v", f)
	}
	w := joined(f.Warnings, " ")
	// On a busy machine there is no time for ||X||^2 (fit.quickTime), which gives a warning.
	if !strings.Contains(w, "estimates from 1,000 observations") || strings.Contains(w, "exact") || linalg.Finite(f.RelativeError) == strings.Contains(w, "||X||^2 and the relative error are unknown") {
		t.Errorf("relative error %g, warnings %q", f.RelativeError, w)
	}
	for _, st := range f.Starts {
		if f.ObjectiveShifted > st.ObjectiveShifted || !st.Unverified || st.Status != "interrupted" && st.Status != "stalled" {
			t.Errorf("best is %g, a start has %g, %s", f.ObjectiveShifted, st.ObjectiveShifted, st.Status)
		}
	}
	if f.ObjectiveShifted >= f.Starts[0].Trace[0].Objective {
		t.Errorf("the best so far, %g, is the start", f.ObjectiveShifted)
	}
	cancel()
	if f := s.WithContext(ctx).Moment(3).Sampled(10).Decompose(2); !errors.Is(f.Err(), ErrInterrupted) || f.Model.Rank() != 0 {
		t.Errorf("cancelled before it began: %v", f)
	}
}

func TestSampledArguments(t *testing.T) {
	s := mixture(t, 5, 2, .1).Session
	for want, m := range map[string]*Moment{
		"s: got -1, want at least 1":             s.Moment(3).Sampled(-1),
		"samples: got 1001, want at most 1,000":  s.Moment(3).Sampled(1001),
		"Nonnegative: got true, want false with": s.Moment(3).Sampled(5).With(Options{Nonnegative: true}),
	} {
		if f := m.Decompose(2); f.Err() == nil || !strings.Contains(f.Err().Error(), want) {
			t.Errorf("error %v, want %q", f.Err(), want)
		}
	}
	if f := mustFit(t, s.Moment(3).Sampled(0).With(Options{Starts: 1, MaxIterations: 100}).Decompose(2)); f.Samples != 1000 || f.Status != "max_iterations" || f.Starts[0].Iterations != 100 {
		t.Errorf("%d samples, %s after %d iterations", f.Samples, f.Status, f.Starts[0].Iterations)
	}
	// The absolute problem of data whose third power is beyond range.
	var y mat.Dense
	y.Scale(1e110, s.Matrix())
	if f := FromMatrix(&y).Moment(3).Sampled(5).With(Options{Scale: ScaleNone}).Decompose(2); f.Err() == nil || !strings.Contains(f.Err().Error(), "no start reached a finite objective") {
		t.Errorf("error %v", f.Err())
	}
}

// An observation of next to no weight that is out of range is never drawn;
// that the model fits the rest does not hide that its f is infinite.
func TestSampledSeesAllObservations(t *testing.T) {
	x := mat.DenseCopyOf(large(t, 5, 2).Session.Matrix())
	w := make([]float64, 10_000)
	for l := range w {
		w[l] = 1
	}
	w[77] = 1e-12
	x.Set(77, 1, 1e115)
	f := FromMatrix(x).WithWeights(w).Moment(3).Sampled(5).With(Options{Starts: 2, Scale: ScaleNone, MaxIterations: 100}).Decompose(2)
	if f.Err() == nil || !strings.Contains(f.Err().Error(), "no start reached a finite objective") {
		t.Errorf("error %v", f.Err())
	}
	for _, st := range f.Starts {
		if st.Status != "not_finite" || linalg.Finite(st.ObjectiveShifted) || !linalg.Finite(st.Trace[1].Objective) {
			t.Errorf("%s: f = %g, estimates %+v", st.Status, st.ObjectiveShifted, st.Trace)
		}
	}
}

func TestSampledProgress(t *testing.T) {
	var seen []Progress
	h := progress.Host{Progress: func(p progress.Report) { seen = append(seen, Progress(p)) }}
	f := mustFit(t, FromMatrix(large(t, 5, 2).Session.Matrix()).WithContext(h.In()).Moment(3).Sampled(10).With(Options{Starts: 3, MaxIterations: 250}).Decompose(2))
	last := seen[len(seen)-1]
	if !last.Done || last.StartsDone != 3 || last.Evaluations != f.Evaluations || last.Best != f.ObjectiveShifted {
		t.Errorf("last progress %+v of fit\n%v", last, f)
	}
	// The start, three epochs, the end; of each start.
	if len(seen) < 1+3*4 {
		t.Errorf("%d reports", len(seen))
	}
}

// Of a stream that fits in the reservoir the fit is that of the data in memory;
// of a larger one it is nearly as good, and its numbers are those of all
// observations.
func TestSampledStream(t *testing.T) {
	slow.Test(t)
	m := large(t, 30, 4)
	path := storedNPY(t, m.Session)
	o := Options{Starts: 2, Seed: 3}
	f := mustFit(t, m.Session.Moment(3).Sampled(200).With(o).Decompose(4))
	g := mustFit(t, Stream(path).Moment(3).Sampled(200).With(o).Decompose(4))
	// The unit differs by rounding, which Adam's thousand steps carry on.
	if d := math.Abs(g.RelativeError - f.RelativeError); !(d <= 1e-9) || g.Evaluations != f.Evaluations {
		t.Errorf("relative error %g and %d evaluations, in memory %g and %d", g.RelativeError, g.Evaluations, f.RelativeError, f.Evaluations)
	}
	if g.DataPasses > 25 || len(g.Warnings) > 0 { // Lanczos, one into memory, one at the end
		t.Errorf("%d passes, %q", g.DataPasses, g.Warnings)
	}

	const n = 500 // 32,000 observations in 128 MB
	wide := drawGaussians(draw.Mixture{N: n, Components: 3, PerComponent: 12_000, Sigma: .1, Congruence: .5})
	path = storedNPY(t, wide.Session)
	s := Stream(path)
	moment := func(seed uint64, threads int) *Moment {
		return s.Moment(3).Sampled(300).With(Options{Starts: 2, Seed: seed, Threads: threads})
	}
	f = mustFit(t, moment(1, 1).Decompose(3))
	if len(f.Warnings) != 1 || f.Warnings[0].Text != "gradients are drawn from 32,000 of the 36,000 observations, which fit in 128 MB" {
		t.Errorf("warnings %q", f.Warnings)
	}
	// The paper's table stoch has .9929 for s = 100 and .9990 for s = 1000.
	if v := f.Score(wide.Means).Value; v < .9929 {
		t.Errorf("score %g", v)
	}
	if e := moment(1, 2).Evaluate(f.Model); !(math.Abs(e.ObjectiveShifted-f.ObjectiveShifted) <= 1e-12*e.NormSquared.Value) {
		t.Errorf("evaluated f = %g, fit says %g", e.ObjectiveShifted, f.ObjectiveShifted)
	}
	if bits(mustFit(t, moment(1, 2).Decompose(3))) != bits(f) {
		t.Error("two threads give other bits")
	}
	if bits(mustFit(t, moment(2, 2).Decompose(3))) == bits(f) {
		t.Error("another seed gives the same bits")
	}
}

// Weights that are all the same are none, wherever they come from: the same observations are
// drawn.
func TestEqualWeightsAreNone(t *testing.T) {
	s := drawUniform(5, 3000, 1)
	w := make([]float64, 3000)
	for l := range w {
		w[l] = .3
	}
	x := mat.DenseCopyOf(s.Matrix().Dense.Grow(0, 1))
	x.SetCol(5, w)
	path := storedNPY(t, FromMatrix(x))
	plain := Stream(storedNPY(t, s))
	for name, c := range map[string][2]*Session{
		"given": {s, s.WithWeights(w)}, "loaded": {s, Load(path, LoadOptions{Weights: "6"})}, "sparse": {s.Sparse(), s.Sparse().WithWeights(w)},
		"streamed": {plain, Stream(path, LoadOptions{Weights: "6"})},
	} {
		if c[1].Weighted() || c[1].Weights() != nil {
			t.Errorf("%s: weighted", name)
		}
		a, b := mustFit(t, c[0].Moment(3).Sampled(50).Decompose(2)), mustFit(t, c[1].Moment(3).Sampled(50).Decompose(2))
		if a.ObjectiveShifted != b.ObjectiveShifted || c[0].Fingerprint() != c[1].Fingerprint() {
			t.Errorf("%s: f = %.17g, without weights %.17g", name, b.ObjectiveShifted, a.ObjectiveShifted)
		}
	}
}
