package symmom

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
)

// ownVariances draws p observations of groups of equal weight, whose means are standard normal
// and whose variables have standard deviations of their own in each, |N(0, 1)|.
func ownVariances(p, n, groups int, seed uint64) (*mat.Dense, *mat.Dense) {
	rng := rand.New(rand.NewPCG(seed, 57))
	means, deviations := mat.NewDense(n, groups, nil), mat.NewDense(n, groups, nil)
	for i := range n {
		for c := range groups {
			means.Set(i, c, rng.NormFloat64())
			deviations.Set(i, c, math.Abs(rng.NormFloat64()))
		}
	}
	x := mat.NewDense(p, n, nil)
	for l := range p {
		c := rng.IntN(groups)
		for i := range n {
			x.Set(l, i, means.At(i, c)+deviations.At(i, c)*rng.NormFloat64())
		}
	}
	return x, means
}

// The means of groups with variances of their own are in the entries of distinct indices, and
// not in the whole moment.
func TestDistinctRecovers(t *testing.T) {
	slow.Test(t)
	x, means := ownVariances(20000, 15, 5, 1)
	s := FromMatrix(x)
	for _, d := range []int{3, 4} {
		fit := mustFit(t, s.Moment(d).Distinct().Decompose(5))
		plain := mustFit(t, s.Moment(d).Decompose(5))
		// The noise of an average over 4,000 observations is a thousandth of a mean's length.
		if score, other := fit.Score(means).Value, plain.Score(means).Value; !(score > .999 && other < .9) {
			t.Errorf("order %d: score %g, and of the plain moment %g", d, score, other)
		}
		if !(fit.RelativeError >= 0 && fit.RelativeError < .01) || d == 3 && len(fit.Warnings) > 0 {
			t.Errorf("order %d: relative error %g, %v", d, fit.RelativeError, fit.Warnings)
		}
		if text := fit.String(); !strings.Contains(text, "moment over distinct indices") {
			t.Error(text)
		}
	}
}

// What holds the terms of a start over distinct indices is not in the objective of any solver at
// its end: all find the positive means.
func TestDistinctSolvers(t *testing.T) {
	x, _ := ownVariances(600, 10, 3, 2)
	x.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, x)
	m := FromMatrix(x).Moment(3).Distinct()
	want := mustFit(t, m.With(Options{Starts: 5}).Decompose(3))
	for _, o := range []Options{{Starts: 5, Nonnegative: true}, {Starts: 5, Solver: SolverLBFGS}, {Starts: 5, Nonnegative: true, Solver: SolverLBFGS}} {
		f := mustFit(t, m.With(o).Decompose(3))
		e := m.Evaluate(f.Model)
		if e.Err() != nil {
			t.Fatal(e.Err())
		}
		if off := math.Abs(e.ObjectiveShifted - f.ObjectiveShifted); !(off <= 1e-9*f.NormSquared.Value) {
			t.Errorf("%s: f is %g, that of its model %g", f.Solver, f.ObjectiveShifted, e.ObjectiveShifted)
		}
		if !(math.Abs(f.RelativeError-want.RelativeError) <= 1e-6*want.RelativeError) {
			t.Errorf("%s: relative error %g, want %g", f.Solver, f.RelativeError, want.RelativeError)
		}
	}
}

// Fits over distinct indices are the same from any storage and in both forms, up to where the
// solver stops, and bit by bit for any number of threads.
func TestDistinctStorage(t *testing.T) {
	slow.Test(t)
	const p = 1200
	x, _ := ownVariances(p, 12, 3, 2)
	for i, v := range x.RawMatrix().Data { // as float32 holds them, with zeros
		if x.RawMatrix().Data[i] = float64(float32(v)); i%5 == 0 {
			x.RawMatrix().Data[i] = 0
		}
	}
	var index []int
	var values []float64
	start := []int{0}
	for l := range p {
		for i := range 12 {
			if v := x.At(l, i); v != 0 {
				index, values = append(index, i), append(values, v)
			}
		}
		start = append(start, len(values))
	}
	for _, weights := range [][]float64{nil, ramp(p)} {
		s, sparse := FromMatrix(x), FromCSR(12, start, index, values)
		if weights != nil {
			s, sparse = s.WithWeights(weights), sparse.WithWeights(weights)
		}
		wide, single := loadedBoth(t, s)
		streamed := Stream(storedNPY(t, s))
		if weights != nil {
			streamed = Stream(storedNPY(t, s), LoadOptions{Weights: "13"})
		}
		for d := 2; d <= 5; d++ {
			run := func(s *Session, form string, threads int) *Fit {
				return mustFit(t, s.Moment(d).Distinct().as(form).With(Options{Starts: 4, Threads: threads, Tolerance: 1e-7}).Decompose(min(d, 3)))
			}
			want := run(s, FormImplicit, 1)
			for name, c := range map[string]struct {
				*Session
				form string
			}{"explicit": {s, FormExplicit}, "three threads": {s, FormImplicit}, "loaded": {wide, FormImplicit}, "float32": {single, FormImplicit}, "float32, explicit": {single, FormExplicit}, "sparse": {sparse, FormImplicit},
				"sparse, explicit": {sparse, FormExplicit}, "streamed": {streamed, FormImplicit}, "streamed, explicit": {streamed, FormExplicit}, "centered": {sparse.Center(), FormImplicit}} {
				of := want
				if name == "centered" {
					of = run(s.Center(), FormImplicit, 1)
				}
				got := run(c.Session, c.form, 3)
				e := c.Moment(d).Distinct().as(c.form).Evaluate(of.Model)
				if e.Err() != nil || !(math.Abs(e.ObjectiveShifted-of.ObjectiveShifted) <= 1e-9*of.NormSquared.Value) {
					t.Errorf("order %d, %s: evaluated f = %.12g, want %.12g (%v)", d, name, e.ObjectiveShifted, of.ObjectiveShifted, e.Err())
				}
				if !(math.Abs(got.ObjectiveShifted-of.ObjectiveShifted) <= 1e-5*of.NormSquared.Value) || !(math.Abs(got.NormSquared.Value/of.NormSquared.Value-1) <= 1e-11) {
					t.Errorf("order %d, %s: f = %.12g of %.15g, want %.12g of %.15g", d, name, got.ObjectiveShifted, got.NormSquared.Value, of.ObjectiveShifted, of.NormSquared.Value)
				}
				if name == "three threads" && (!slices.Equal(got.Model.Lambda, want.Model.Lambda) || !mat.Equal(got.Model.Factors, want.Model.Factors)) {
					t.Errorf("order %d: other bits on three threads", d)
				}
			}
		}
	}
}

// ||X||^2 of many observations is an estimate with an error that is true, and of few of many
// variables that of all pairs.
func TestDistinctEstimatesNorm(t *testing.T) {
	slow.Test(t)
	for _, p := range []int{300, 10_000} {
		x, _ := ownVariances(p, 200, 3, 3)
		s := FromMatrix(x)
		exact := mustFit(t, s.Moment(3).Distinct().Explicit().With(Options{Starts: 1, MaxIterations: 1}).Decompose(1)).NormSquared
		for name, s := range map[string]*Session{"in memory": s, "streamed": Stream(storedNPY(t, s))} {
			got, err := s.Moment(3).Distinct().NormSquared()
			if err != nil || !exact.Exact() || got.Exact() != (p == 300) {
				t.Fatal(err, exact, got)
			}
			// Beyond four standard errors is one of 15,000.
			if !(math.Abs(got.Value-exact.Value) <= 4*got.StdErr+1e-11*exact.Value) || !(got.StdErr < .02*exact.Value) {
				t.Errorf("%d, %s: %v, want %v", p, name, got, exact)
			}
		}
	}
}

// What makes no sense over distinct indices is refused in a line.
func TestDistinctRefuses(t *testing.T) {
	x, _ := ownVariances(300, 4, 2, 4)
	s := FromMatrix(x)
	for want, err := range map[string]error{
		"at most 4 over distinct indices of 4 variables": s.Moment(5).Distinct().Err(),
		"2 or more over distinct indices":                s.Moment(1).Distinct().Err(),
		"whitening mixes":                                s.Whiten(3).Moment(3).Distinct().Err(),
		"in no entry of distinct indices":                s.Moment(3).Debias(Noise{}).Distinct().Err(),
		"no entry of distinct indices, so there":         s.Moment(3).Distinct().Debias(Noise{Sigma: 1}).Err(),
		"got a cumulant":                                 s.Cumulant(4).Distinct().Err(),
		"form: got compressed":                           s.Moment(3).Distinct().Compressed(0).Decompose(1).Err(),
		"form: got sampled":                              s.Moment(3).Sampled(10).Distinct().Decompose(1).Err(),
		"one over all, which the evidence":               s.Moment(3).Distinct().SuggestRank(2).Err(),
		"or take the moment over all indices":            s.Moment(3).Distinct().Evaluate(s.Moment(3).Decompose(1).Model).Err(),
		"or take the moment over distinct indices":       s.Moment(3).Evaluate(s.Moment(3).Distinct().Decompose(1).Model).Err(),
		"no entry of 3 distinct variables is left":       FromMatrix(mat.NewDense(4, 4, []float64{1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 4, 0, 0, 1})).Moment(3).Distinct().Decompose(1).Err(),
		"one of the debiased moment":                     s.Moment(3).Distinct().Decompose(2).Mixture().Err(),
		"at least two":                                   FromMatrix(mat.NewDense(3, 1, []float64{1, 2, 3})).Moment(3).Distinct().Err(),
	} {
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
	if err := FromMatrix(mat.NewDense(4, 4, []float64{1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1})).Moment(2).Distinct().Decompose(1).Err(); err == nil || !strings.Contains(err.Error(), "no entry of 2 distinct variables is left") {
		t.Error(err)
	}
	constant := mat.DenseCopyOf(x)
	for l := range 300 {
		constant.Set(l, 1, 7)
	}
	mustFit(t, FromMatrix(constant).Moment(3).Distinct().Decompose(2))
}

// Models over distinct indices know that when they are read again, and so do bootstrapped fits.
func TestDistinctIsSaved(t *testing.T) {
	slow.Test(t)
	x, _ := ownVariances(2000, 8, 2, 5)
	s := FromMatrix(x)
	f := mustFit(t, s.Moment(3).Distinct().Decompose(2))
	path := filepath.Join(t.TempDir(), "model.json")
	if err := f.Model.Save(path); err != nil {
		t.Fatal(err)
	}
	m, err := LoadModel(path)
	if err != nil || m.Kind == nil || !m.Kind.Distinct || !(math.Abs(m.NormSquared()-f.Model.NormSquared()) <= 1e-12*m.NormSquared()) {
		t.Fatal(m, err)
	}
	if e := s.Moment(3).Distinct().Evaluate(m); e.Err() != nil {
		t.Error(e.Err())
	}
	// At the best weights ||M||^2 is <X, M>, and f the negative of both.
	if !(math.Abs(m.NormSquared()/f.ObjectiveShifted+1) <= 1e-6) {
		t.Errorf("||M||^2 is %g, f %g", m.NormSquared(), f.ObjectiveShifted)
	}
	even := make([]float64, 2000)
	for i := range even {
		even[i] = 1
	}
	if again := f.draw(even); again.Err() != nil || !again.Model.Kind.Distinct || !(math.Abs(again.Model.Lambda[0]/f.Model.Lambda[0]-1) <= 1e-3) {
		t.Error(again)
	}
	if b := f.Bootstrap(10, 1); b.Err() != nil || !(b.Lambda[0] > 0 && b.Lambda[0] < .5*f.Model.Lambda[0]) {
		t.Error(b)
	}
	if sweep := s.Moment(3).Distinct().Sweep(1, 3); sweep.Err() != nil || len(sweep.Fits) != 3 || !strings.Contains(sweep.String(), "distinct") {
		t.Error(sweep)
	}
}

// Wherever a fit over distinct indices is interrupted, it says so, and either has no model or one
// whose f is true.
func TestDistinctInterrupted(t *testing.T) {
	x, _ := ownVariances(4000, 12, 3, 6)
	s := FromMatrix(x)
	for _, form := range []string{FormImplicit, FormExplicit} {
		run := func(ctx context.Context) *Fit {
			return s.WithContext(ctx).Moment(3).Distinct().as(form).With(Options{Starts: 3, Threads: 2}).Decompose(3)
		}
		const points, many = 40, 1 << 40
		all := newCountdown(t, many)
		mustFit(t, run(all))
		asked, models := many-all.left.Load(), 0
		for k := range int64(points) {
			f := run(newCountdown(t, k*asked/points))
			if f.Err() == nil {
				continue // threads ask more or less often
			}
			if !errors.Is(f.Err(), ErrInterrupted) {
				t.Fatal(f.Err())
			}
			if f.Model.Rank() == 0 {
				continue
			}
			models++
			if trace := f.Starts[f.Best].Trace; !(math.Abs(trace[len(trace)-1].Objective/f.ObjectiveShifted-1) <= 1e-14) { // a power of the unit
				t.Errorf("%s, %d: the trace ends at %g, the fit at %g", form, k, trace[len(trace)-1].Objective, f.ObjectiveShifted)
			}
			e := s.Moment(3).Distinct().Evaluate(f.Model)
			if e.Err() != nil || f.Status != "interrupted" || !(math.Abs(e.ObjectiveShifted-f.ObjectiveShifted) <= 1e-9*e.NormSquared.Value) { // of terms up to 1e5 of it
				t.Errorf("%s, %d: evaluated f = %g, fit says %g (%v), status %q", form, k, e.ObjectiveShifted, f.ObjectiveShifted, e.Err(), f.Status)
			}
		}
		if models == 0 {
			t.Errorf("%s: no interrupted run had a model", form)
		}
	}
}
