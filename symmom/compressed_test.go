package symmom

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

// The compressed form ends at the same f as the implicit one, on the full
// problem, after a handful of passes over the data.
func TestCompressed(t *testing.T) {
	for _, d := range []int{3, 4} {
		for _, sigma := range []float64{1e-3, .1} {
			m := mixture(t, 60, 3, sigma)
			full := mustFit(t, m.Session.Moment(d).Implicit().Decompose(3))
			f := mustFit(t, m.Session.Moment(d).Compressed(0).Decompose(3))
			if f.Form != "compressed" || f.Basis != 16 || len(f.Spectrum) != 16 {
				t.Errorf("form %s with %d vectors", f.Form, f.Basis)
			}
			// Both stop at a gradient of 1e-4, which leaves about 1e-7 of f.
			if math.Abs(f.RelativeError-full.RelativeError) > 1e-6 {
				t.Errorf("d=%d sigma=%g: relative error %g, implicit %g", d, sigma, f.RelativeError, full.RelativeError)
			}
			if f.Status == "converged" && f.GradientNorm > DefaultTolerance {
				t.Errorf("gradient norm %g", f.GradientNorm)
			}
			e := m.Session.Moment(d).Evaluate(f.Model)
			if math.Abs(e.ObjectiveShifted-f.ObjectiveShifted) > 1e-12*e.NormSquared.Value {
				t.Errorf("evaluated f = %g, fit says %g", e.ObjectiveShifted, f.ObjectiveShifted)
			}
			if f.DataPasses >= full.DataPasses/5 || f.DataPasses < 4 { // two for the basis, one in it, one to see that it is right
				t.Errorf("%d passes, implicit %d", f.DataPasses, full.DataPasses)
			}
			if sigma < .1 && f.SuggestedRank != 3 {
				t.Errorf("suggested rank %d of %v", f.SuggestedRank, f.Spectrum)
			}
			for _, s := range f.Starts {
				for i := 1; i < len(s.Trace); i++ {
					if s.Trace[i].Evaluations < s.Trace[i-1].Evaluations || s.Trace[i].Seconds < s.Trace[i-1].Seconds {
						t.Errorf("trace goes back at %d: %v", i, s.Trace[i-1:i+1])
					}
				}
			}
		}
	}
}

// A basis that is too small for the rank is widened, and that is said.
func TestCompressedWidens(t *testing.T) {
	m := mixture(t, 60, 5, .01)
	f := mustFit(t, m.Session.Moment(3).Compressed(2).Decompose(5))
	if f.Basis < 5 || !strings.Contains(strings.Join(f.Warnings, " "), "a basis of 2 vectors hid") {
		t.Errorf("basis of %d, warnings %q", f.Basis, f.Warnings)
	}
	if s := f.Score(m.Means); s.Value < .999 {
		t.Errorf("score %g", s.Value)
	}
}

func TestAutoChoosesCompressed(t *testing.T) {
	m := mixture(t, 60, 3, .01)
	if f := mustFit(t, m.Session.Moment(3).Decompose(3)); f.Form != "compressed" {
		t.Errorf("auto chose %s", f.Form)
	}
	for _, o := range []Options{{Nonnegative: true, Starts: 1}, {Init: InitGaussian, Starts: 1}} {
		f := mustFit(t, m.Session.Moment(3).With(o).Decompose(3))
		if f.Form != "implicit" {
			t.Errorf("%+v: auto chose %s", o, f.Form)
		}
		var arg *ArgumentError
		if f := m.Session.Moment(3).Compressed(0).With(o).Decompose(3); !errors.As(f.Err(), &arg) {
			t.Errorf("%+v: %v", o, f.Err())
		}
	}
	if m.Session.Moment(3).Compressed(-1).Err() == nil {
		t.Error("-1 basis vectors were taken")
	}
}

func TestCompressedThreads(t *testing.T) {
	s := Uniform(50, 3000, 3)
	want := bits(mustFit(t, s.Moment(3).Compressed(0).With(Options{Threads: 1, Starts: 3}).Decompose(3)))
	for _, threads := range []int{2, 5} {
		if bits(mustFit(t, s.Moment(3).Compressed(0).With(Options{Threads: threads, Starts: 3}).Decompose(3))) != want {
			t.Errorf("%d threads give other bits", threads)
		}
	}
}

// Interrupted at any progress report: either nothing was found yet, or the
// model is usable and its f is true.
func TestCompressedInterrupt(t *testing.T) {
	s := mixture(t, 60, 3, .1).Session
	for _, after := range []int{1, 10, 40, 80, 120, 150} {
		ctx, cancel := context.WithCancel(context.Background())
		calls := 0
		o := Options{Starts: 4, Progress: func(p Progress) {
			if p.Evaluations == 0 {
				return // nothing is found yet
			}
			if calls++; calls == after || p.Polishing {
				cancel()
			}
		}}
		f := s.WithContext(ctx).Moment(3).Compressed(0).With(o).Decompose(3)
		if !errors.Is(f.Err(), ErrInterrupted) {
			t.Fatalf("after %d: %v", after, f.Err())
		}
		if f.Status != "interrupted" || f.Model.Rank() != 3 {
			t.Fatalf("after %d: status %q, rank %d", after, f.Status, f.Model.Rank())
		}
		if e := s.Moment(3).Evaluate(f.Model); math.Abs(e.ObjectiveShifted-f.ObjectiveShifted) > 1e-12*e.NormSquared.Value {
			t.Errorf("after %d: evaluated f = %g, fit says %g", after, e.ObjectiveShifted, f.ObjectiveShifted)
		}
	}
}
