package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"symmom/internal/system/clock"
	"symmom/internal/test/sessiontest"
	"symmom/internal/test/slow"
	"symmom/repl"
	"symmom/symmom"
	"symmom/widgets"
)

// interrupt evaluates a cell, cancels its context when begun returns, and returns how long
// the cell went on from then.
func (s *session) interrupt(t testing.TB, source string, begun func(context.Context)) (repl.Result, time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var watch *clock.Watch
	go func() { begun(ctx); watch = clock.Start(); cancel() }()
	r, err := s.Eval(ctx, source)
	if !errors.Is(err, repl.ErrInterrupted) {
		t.Fatalf("%s\n%v, want an interrupt", source, err)
	}
	_, own := watch.Took()
	return r, own
}

// interruptFit interrupts a decomposition that has made some iterations.
func (s *session) interruptFit(t testing.TB, source string) (repl.Result, time.Duration) {
	t.Helper()
	var iterations atomic.Int64
	s.onProgress = func(p repl.Progress) {
		if !math.IsNaN(p.Value) {
			iterations.Add(1)
		}
	}
	defer func() { s.onProgress = nil }()
	return s.interrupt(t, source, func(ctx context.Context) {
		sessiontest.Comes(ctx, func() bool { return iterations.Load() >= 5 })
	})
}

func TestInterruptKeepsTheFit(t *testing.T) {
	s := newSession(t)
	s.must(t, "s := datasets.Uniform(100, 5000, 1)\nopts := symmom.Options{Tolerance: 1e-14, RelativeDecrease: -1}\nafter := 0")
	// Ten starts with a tolerance that is not reached: longer than any test.
	_, d := s.interruptFit(t, "fit := s.Moment(3).Implicit().With(opts).Decompose(10)\nafter = 1")
	if d > sessiontest.Promised {
		t.Errorf("took %v to stop", d)
	}
	r, err := s.Eval(t.Context(), "fit")
	if err != nil || len(r.Values) != 1 {
		t.Fatal(r, err)
	}
	fit, ok := r.Values[0].(*symmom.Fit)
	if !ok || fit.Model.Rank() != 10 || fit.Status != "interrupted" || !errors.Is(fit.Err(), repl.ErrInterrupted) {
		t.Errorf("the variable holds %v", r)
	}
	if got := s.must(t, "after"); got != "0" {
		t.Error("the cell went on")
	}
	// Unit columns: a cosine with itself is 1 to a few rounding errors.
	if got := s.must(t, "fit.Score(fit.Model.Factors).Value > 1 - 1e-12"); got != "true" {
		t.Errorf("score of the fit against itself: %s", s.must(t, "fit.Score(fit.Model.Factors)"))
	}
	// The value of an interrupted expression is shown too.
	r, _ = s.interruptFit(t, "s.Moment(3).Implicit().With(opts).Decompose(10)")
	if !strings.Contains(r.String(), "interrupted") {
		t.Errorf("shown: %q", r)
	}
	// A loop that ignores errors does not delay the interrupt.
	if _, d := s.interruptFit(t, "for { fit = s.Moment(3).Implicit().With(opts).Decompose(10) }"); d > sessiontest.Promised {
		t.Errorf("took %v to stop the loop", d)
	}
	// The next cell has its own context.
	if got := s.must(t, "datasets.Uniform(5, 50, 1).Moment(3).Decompose(1).Status"); got == "interrupted" {
		t.Error("the interrupt lasts")
	}
}

// Data that are being drawn are given up at once: the next cell does not wait for them.
func TestInterruptedGenerators(t *testing.T) {
	s := newSession(t)
	for _, source := range []string{
		"datasets.Uniform(100, 400000, 1)",
		"datasets.GaussianMixture(datasets.MixtureOptions{N: 100, Components: 2, PerComponent: 200000, Sigma: 1})",
	} {
		printed := len(s.err.String())
		_, d := s.interrupt(t, "print(`begun`)\n"+source, func(ctx context.Context) {
			sessiontest.Comes(ctx, func() bool { return s.err.String()[printed:] == "begun" })
			time.Sleep(30 * time.Millisecond)
		})
		if d > sessiontest.Promised {
			t.Errorf("%s\ntook %v to stop", source, d)
		}
		if s.must(t, "1"); strings.Contains(s.err.String(), "waiting for a compiled call") {
			t.Errorf("%s\nthe next cell waited for it", source)
		}
	}
}

// An evaluation may take longer than the grace for other code; the fit is worth the
// wait. Here the progress report takes until the user is informed.
func TestInterruptWaitsForSymmom(t *testing.T) {
	s := newSession(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	reported := func() bool { return strings.Contains(s.err.String(), "waiting for the current evaluation to finish") }
	var once sync.Once
	s.onProgress = func(p repl.Progress) {
		if math.IsNaN(p.Value) {
			return
		}
		once.Do(func() {
			cancel()
			sessiontest.Comes(t.Context(), reported)
		})
	}
	if _, err := s.Eval(ctx, "fit := datasets.Uniform(20, 500, 1).Moment(3).Implicit().Decompose(2)\nfit = nil"); !errors.Is(err, repl.ErrInterrupted) {
		t.Error(err)
	}
	s.onProgress = nil
	if got := s.must(t, "fit.Model.Rank()"); got != "2" {
		t.Errorf("the variable holds a model of rank %s", got)
	}
	if !reported() {
		t.Errorf("stderr %q", s.err.String())
	}
}

// A fit can be interrupted at any time, and the next cell runs.
func TestManyInterrupts(t *testing.T) {
	slow.Test(t)
	s := newSession(t)
	s.must(t, "n := 0\nmoment := datasets.Uniform(60, 2000, 1).Moment(3).Implicit().With(symmom.Options{Tolerance: 1e-14, RelativeDecrease: -1})")
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20 {
		after := time.Duration(r.IntN(20000)) * time.Microsecond
		if _, d := s.interrupt(t, "moment.Decompose(8)", func(context.Context) { time.Sleep(after) }); d > sessiontest.Promised {
			t.Errorf("after %v it took %v to stop", after, d)
		}
		if got := s.must(t, "n++; n"); got != fmt.Sprint(i+1) {
			t.Fatalf("n is %s, want %d", got, i+1)
		}
	}
}

// An interrupt of a function of controls stops the fit in it, which is shown if there is one.
func TestInterruptOfControls(t *testing.T) {
	s, err := repl.New(repl.Config{Library: Library(), Controls: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Eval(t.Context(), `widgets.Interact(func(rank int) any {
	return datasets.Uniform(60, 20000, 1).Moment(3).Implicit().With(symmom.Options{Solver: "lbfgs", Tolerance: -1, RelativeDecrease: -1}).Decompose(rank)
}, widgets.Slider("rank", 6, 10, 1))`)
	if err != nil {
		t.Fatal(err)
	}
	x := r.Values[0].(*widgets.Interaction)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	err = s.Call(ctx, func() {
		if err := x.Run(); err != nil {
			t.Error(err)
		}
	})
	if fit, _ := x.Result(); !errors.Is(err, repl.ErrInterrupted) && (len(fit) != 1 || !errors.Is(fit[0].(*symmom.Fit).Err(), repl.ErrInterrupted)) {
		t.Errorf("%v, want an interrupt", err)
	}
}
