package symmom

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
	"symmom/internal/moment"
	"symmom/internal/system/clock"
	"symmom/internal/test/slow"
)

// storedNPY writes a session's data (and weights, as the last column) to a file.
func storedNPY(t *testing.T, s *Session) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.npy")
	m := s.Matrix().Dense
	if w := s.Weights(); w != nil {
		m = mat.DenseCopyOf(m.Grow(0, 1))
		m.SetCol(s.N(), w)
	}
	if err := SaveMatrix(path, m); err != nil {
		t.Fatal(err)
	}
	return path
}

// weightedUniform is data of three blocks of a stream.
func weightedUniform(t *testing.T) *Session {
	t.Helper()
	s := drawUniform(20, 110_000, 4)
	w := make([]float64, s.Observations())
	for i := range w {
		w[i] = 1 + float64(i%7)
	}
	return s.WithWeights(w)
}

// A stream gives the fits, evaluations and summaries of the data in memory. The
// issue asks for f to 1e-9 relative from the same starts.
func TestStreamEqualsMemory(t *testing.T) {
	slow.Test(t)
	path := storedNPY(t, weightedUniform(t))
	s, disk := Load(path, LoadOptions{Weights: "21"}), Stream(path, LoadOptions{Weights: "21"})
	if s.Err() != nil || disk.Err() != nil {
		t.Fatal(s.Err(), disk.Err())
	}
	if disk.Observations() != s.Observations() || disk.N() != 20 || disk.Weights() != nil {
		t.Fatalf("%s", disk)
	}
	const same = 1e-9
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= same*math.Abs(want)) {
			t.Errorf("%s: %.15g, in memory %.15g", what, got, want)
		}
	}
	o := Options{Starts: 3, MaxIterations: 8}
	forms := map[string]func(*Moment) *Moment{
		"implicit":   (*Moment).Implicit,
		"explicit":   (*Moment).Explicit,
		"compressed": func(m *Moment) *Moment { return m.Compressed(12) },
		"auto":       (*Moment).Auto,
	}
	for name, form := range forms {
		f := mustFit(t, form(s.Moment(3)).With(o).Decompose(3))
		g := mustFit(t, form(disk.Moment(3)).With(o).Decompose(3))
		near(name+" f", g.ObjectiveShifted, f.ObjectiveShifted)
		near(name+" relative error", g.RelativeError, f.RelativeError)
		for k := range f.Starts {
			if f.Form == g.Form {
				near(fmt.Sprintf("%s start %d", name, k), g.Starts[k].ObjectiveShifted, f.Starts[k].ObjectiveShifted)
			}
		}
		if !mat.EqualApprox(f.Model.Factors, g.Model.Factors, 1e-6) {
			t.Errorf("%s: other factors", name)
		}
		if f.Model.Origin.Fingerprint != g.Model.Origin.Fingerprint {
			t.Errorf("%s: other fingerprint", name)
		}
		if name == "implicit" && g.DataPasses >= g.Evaluations {
			t.Errorf("%d passes for %d evaluations of 3 starts: they are not shared", g.DataPasses, g.Evaluations)
		}
		e, d := s.Moment(3).Evaluate(f.Model), disk.Moment(3).Evaluate(f.Model)
		near("evaluated f", d.ObjectiveShifted, e.ObjectiveShifted)
		near("evaluated gradient", d.GradientNorm, e.GradientNorm)
	}
	a, b := s.Summary(), disk.Summary()
	for i, v := range a.Variables {
		near("mean", b.Variables[i].Mean, v.Mean)
		near("deviation", b.Variables[i].Std, v.Std)
		near("eigenvalue", b.Eigenvalues[i], a.Eigenvalues[i])
	}
	if a.Fingerprint != b.Fingerprint || !b.Weighted {
		t.Error("other summary")
	}
	sweep := disk.Moment(3).With(o).Sweep(1, 2)
	if sweep.Err() != nil || len(sweep.Fits) != 2 {
		t.Errorf("sweep: %v", sweep.Err())
	}
	if !strings.Contains(disk.String(), "streamed from disk") {
		t.Errorf("shows %q", disk)
	}
}

// Where the solver's vectors take much memory the starts take turns.
func TestStreamStartsTakeTurns(t *testing.T) {
	const n, r = 20_000, 20 // 3 MB a vector, 22 of them a start: one at a time
	path := storedNPY(t, drawUniform(n, 30, 2))
	o := Options{Starts: 3, MaxIterations: 2}
	f := mustFit(t, Load(path).Moment(3).Implicit().With(o).Decompose(r))
	g := mustFit(t, Stream(path).Moment(3).Implicit().With(o).Decompose(r))
	for k := range f.Starts {
		if a, b := g.Starts[k].ObjectiveShifted, f.Starts[k].ObjectiveShifted; !(math.Abs(a-b) <= 1e-9*math.Abs(b)) {
			t.Errorf("start %d: f = %g, in memory %g", k, a, b)
		}
	}
	if g.DataPasses < g.Evaluations {
		t.Errorf("%d passes for %d evaluations", g.DataPasses, g.Evaluations)
	}
}

// Nothing depends on the number of threads.
func TestStreamThreads(t *testing.T) {
	path := storedNPY(t, weightedUniform(t))
	var want [2]string
	for _, threads := range []int{1, 2, 7} {
		s := Stream(path)
		o := Options{Threads: threads, Starts: 3, MaxIterations: 4}
		got := [2]string{bits(mustFit(t, s.Moment(3).Implicit().With(o).Decompose(3))),
			bits(mustFit(t, s.Moment(4).Compressed(8).With(o).Decompose(3)))}
		if want[0] != "" && got != want {
			t.Errorf("%d threads give other bits", threads)
		}
		want = got
	}
}

// ||X||^2 of many variables comes from a sample, marked as an estimate.
func TestStreamNormIsEstimated(t *testing.T) {
	m := drawGaussians(draw.Mixture{N: 60, Components: 3, PerComponent: 8000, Sigma: .5, Congruence: .5})
	s := Stream(storedNPY(t, m.Session))
	norm, err := s.Moment(4).NormSquared()
	if err != nil {
		t.Fatal(err)
	}
	all, err := m.Session.Moment(4).NormSquared()
	if err != nil {
		t.Fatal(err)
	}
	// Both are estimates; 4 standard errors of their difference.
	if norm.Exact() || !(math.Abs(norm.Value-all.Value) <= 4*math.Hypot(norm.StdErr, all.StdErr)) {
		t.Errorf("%s, in memory %s", norm, all)
	}
	if norm.StdErr > .05*norm.Value {
		t.Errorf("an error of %g of %g", norm.StdErr, norm.Value)
	}
}

// Options.Seed draws the sample for ||X||^2, as in memory.
func TestStreamNormSeed(t *testing.T) {
	slow.Test(t)
	m := drawGaussians(draw.Mixture{N: 60, Components: 3, PerComponent: 8000, Sigma: .5, Congruence: .5})
	s := Stream(storedNPY(t, m.Session)).Moment(4)
	norm := func(m *Moment, seed uint64) Norm {
		v, err := m.With(Options{Seed: seed}).NormSquared()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	one, two := norm(s, 1), norm(s, 2)
	if one == two || norm(s, 2) != two {
		t.Errorf("seed 1 %s, seed 2 %s", one, two)
	}
	if !(math.Abs(one.Value-two.Value) <= 4*math.Hypot(one.StdErr, two.StdErr)) {
		t.Errorf("seed 1 %s, seed 2 %s: too far apart", one, two)
	}
	again := Stream(storedNPY(t, m.Session)).Moment(4)
	if norm(again, 2) != two {
		t.Error("the same seed gives another estimate")
	}
}

func TestStreamRefuses(t *testing.T) {
	path := storedNPY(t, drawUniform(5, 100, 2))
	s := Stream(path)
	for what, err := range map[string]error{
		"Sparse":      s.Center().Sparse().Err(),
		"WithWeights": s.WithWeights(make([]float64, 100)).Err(),
	} {
		if err == nil || !strings.Contains(err.Error(), "use Load instead of Stream") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if !s.Matrix().Dense.IsEmpty() {
		t.Error("a matrix of data on disk")
	}
	var large *moment.TooLargeError
	wide := Stream(storedNPY(t, drawUniform(200, 30, 2)))
	if f := wide.Moment(4).Explicit().Decompose(2); !errors.As(f.Err(), &large) {
		t.Errorf("explicit: %v", f.Err())
	}
	for _, o := range []LoadOptions{{Missing: "mean"}, {WeightsFile: path}, {Header: "maybe"}, {Array: "a"}} {
		if Stream(path, o).Err() == nil {
			t.Errorf("%+v was taken", o)
		}
	}
	if Stream(path, LoadOptions{}, LoadOptions{}).Err() == nil || Stream("/none.npy").Err() == nil {
		t.Error("wrong arguments were taken")
	}
	zero := filepath.Join(t.TempDir(), "zero.npy")
	if err := SaveMatrix(zero, mat.NewDense(3, 2, nil)); err != nil {
		t.Fatal(err)
	}
	if err := Stream(zero).Moment(3).Err(); err == nil || !strings.Contains(err.Error(), "every value is zero") {
		t.Errorf("zeros: %v", err)
	}
}

// threeMeans draws observations whose moment a few vectors hold.
func threeMeans(n, p int) *Session {
	return drawGaussians(draw.Mixture{N: n, Components: 3, Observations: p, Sigma: .1, Congruence: .5, Seed: 2}).Session
}

// A file that goes away during a fit gives its error, and the best until then.
func TestStreamFileGoes(t *testing.T) {
	for _, form := range []string{FormImplicit, FormCompressed, FormSampled} {
		path := storedNPY(t, threeMeans(30, 2000))
		s := Stream(path)
		calls := 0
		o := Options{Starts: 2, Tolerance: -1, RelativeDecrease: -1, Progress: func(p Progress) {
			if p.Evaluations == 0 {
				return // nothing is found yet
			}
			if calls++; calls == 4 {
				if err := os.Remove(path); err != nil {
					t.Error(err)
				}
			}
		}}
		f := s.Moment(3).as(form).With(o).Decompose(3)
		if f.Err() == nil || errors.Is(f.Err(), ErrInterrupted) || !strings.Contains(f.Err().Error(), "is gone now") {
			t.Errorf("%s: %v", form, f.Err())
		}
		if f.Model.Rank() != 3 || f.Status != "interrupted" {
			t.Errorf("%s: rank %d, %s: what was found is lost", form, f.Model.Rank(), f.Status)
		}
		if f := s.Moment(3).as(form).Decompose(2); f.Err() == nil || f.Model.Rank() != 0 {
			t.Errorf("%s: a fit of nothing: %v", form, f.Err())
		}
		if e := s.Moment(3).Evaluate(f.Model); e.Err() == nil {
			t.Error("evaluated what is gone")
		}
		if r := s.Summary(); r.Err() == nil {
			t.Error("a summary of what is gone")
		}
	}
}

// An interrupt ends every long call within a second and keeps the best so far.
func TestStreamInterrupt(t *testing.T) {
	path := storedNPY(t, threeMeans(20, 110_000))
	s := Stream(path)
	for _, form := range []string{FormImplicit, FormCompressed} {
		ctx, cancel := context.WithCancel(context.Background())
		var at *clock.Watch
		o := Options{Starts: 3, Tolerance: -1, RelativeDecrease: -1, Progress: func(p Progress) {
			if at == nil && (form == FormImplicit && p.Evaluations > 8 || p.Polishing) {
				at = clock.Start()
				cancel()
			}
		}}
		f := s.WithContext(ctx).Moment(3).as(form).With(o).Decompose(3)
		// A second is the promise; a race detector is slower.
		if _, took := at.Took(); took > 5*time.Second {
			t.Errorf("%s: it took %s", form, took)
		}
		if !errors.Is(f.Err(), ErrInterrupted) || f.Model.Rank() != 3 || !(f.NormSquared.Value > 0) {
			t.Errorf("%s: %v, rank %d, norm %s", form, f.Err(), f.Model.Rank(), f.NormSquared)
		}
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	c := s.WithContext(gone)
	for what, err := range map[string]error{
		"decompose": c.Moment(3).Decompose(2).Err(), "implicit": c.Moment(3).Implicit().Decompose(2).Err(),
		"summary": c.Summary().Err(), "append": c.Append(mat.NewDense(1, 20, nil)).Err(),
		"stream": Stream(path, LoadOptions{Context: gone}).Err(),
	} {
		if !errors.Is(err, ErrInterrupted) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
