package symmom

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
	"symmom/internal/estimate/fit"
	"symmom/internal/test/slow"
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
			// Both stop at a cosine of 1e-4, which leaves about 1e-8 of f.
			if !(math.Abs(f.RelativeError-full.RelativeError) <= 1e-6) {
				t.Errorf("d=%d sigma=%g: relative error %g, implicit %g", d, sigma, f.RelativeError, full.RelativeError)
			}
			if f.Status == "converged" && f.Cosine > DefaultTolerance {
				t.Errorf("cosine %g", f.Cosine)
			}
			e := m.Session.Moment(d).Evaluate(f.Model)
			if !(math.Abs(e.ObjectiveShifted-f.ObjectiveShifted) <= 1e-12*e.NormSquared.Value) {
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
					if s.Trace[i].Evaluations < s.Trace[i-1].Evaluations || s.Trace[i].Elapsed < s.Trace[i-1].Elapsed {
						t.Errorf("trace goes back at %d: %v", i, s.Trace[i-1:i+1])
					}
				}
			}
		}
	}
}

// A fit has the same bits whatever the moment was asked before: the first one makes its
// basis in the pass that surveys the observations, with a sample of them or, where there
// are few, without.
func TestCompressedAfterOthers(t *testing.T) {
	slow.Test(t)
	for _, each := range []int{60, 20000} {
		m := drawGaussians(draw.Mixture{N: 75, Components: 3, PerComponent: each, Sigma: .1, Congruence: .5})
		fresh := mustFit(t, m.Session.Moment(3).Compressed(0).Decompose(3))
		used := m.Session.Moment(3)
		norm, err := used.NormSquared()
		if err != nil {
			t.Fatal(err)
		}
		mustFit(t, used.Compressed(0).Decompose(2))
		mustFit(t, used.Implicit().With(Options{Starts: 1}).Decompose(1))
		f := mustFit(t, used.Compressed(0).Decompose(3))
		if !slices.Equal(f.Model.Lambda, fresh.Model.Lambda) || !mat.Equal(f.Model.Factors, fresh.Model.Factors) || f.ObjectiveShifted != fresh.ObjectiveShifted {
			t.Errorf("%d observations: f = %v after other fits, %v before", 3*each, f.ObjectiveShifted, fresh.ObjectiveShifted)
		}
		if f.NormSquared != fresh.NormSquared || f.NormSquared != norm {
			t.Errorf("%d observations: ||X||^2 = %v, after other fits %v, without a fit %v", 3*each, fresh.NormSquared, f.NormSquared, norm)
		}
	}
}

// A basis too small for the rank is widened, with a warning.
func TestCompressedWidens(t *testing.T) {
	m := mixture(t, 60, 5, .01)
	f := mustFit(t, m.Session.Moment(3).Compressed(2).Decompose(5))
	if f.Basis < 5 || !strings.Contains(joined(f.Warnings, " "), "a basis of 2 vectors hid") {
		t.Errorf("basis of %d, warnings %q", f.Basis, f.Warnings)
	}
	if s := f.Score(m.Means); s.Value < .999 {
		t.Errorf("score %g", s.Value)
	}
}

func TestAutoChoosesCompressed(t *testing.T) {
	m := drawGaussians(draw.Mixture{N: 200, Components: 3, PerComponent: 600, Sigma: .01, Congruence: .5})
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
	s := drawUniform(50, 3000, 3)
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
		if e := s.Moment(3).Evaluate(f.Model); !(math.Abs(e.ObjectiveShifted-f.ObjectiveShifted) <= 1e-12*e.NormSquared.Value) {
			t.Errorf("after %d: evaluated f = %g, fit says %g", after, e.ObjectiveShifted, f.ObjectiveShifted)
		}
	}
}

// Fewer observations than variables: all of their span is taken at once, in
// which a fit is one of the full problem.
func TestCompressedRowSpace(t *testing.T) {
	slow.Test(t)
	g := drawGaussians(draw.Mixture{N: 600, Components: 4, PerComponent: 10, Sigma: .1, Congruence: .5, Seed: 3})
	m := g.Session.Moment(3)
	f := mustFit(t, m.Compressed(0).Decompose(4))
	if f.Basis != 40 || strings.Contains(joined(f.Warnings, " "), "hid") || f.DataPasses > 2+2*fit.Polishes {
		t.Errorf("basis of %d, %d passes, warnings %q", f.Basis, f.DataPasses, f.Warnings)
	}
	again := mustFit(t, m.Implicit().With(Options{InitialModel: f.Model}).Decompose(4))
	others := mustFit(t, m.Implicit().With(Options{Starts: 30}).Decompose(4))
	for _, full := range []*Fit{again, others} {
		// A cosine of 1e-4 leaves 1e-8 of f.
		if full.RelativeError < f.RelativeError-1e-6 {
			t.Errorf("relative error %g, implicit %g", f.RelativeError, full.RelativeError)
		}
	}

	// Four centered means are in three dimensions, where rank 4 has many fits as good: each
	// search goes on for hundreds of evaluations, but not in 200 variables.
	rng := rand.New(rand.NewPCG(28, 5))
	means, x := make([]float64, 4*200), mat.NewDense(30, 200, nil)
	for i := range means {
		means[i] = 2 * rng.NormFloat64()
	}
	for l := range 30 {
		mean := means[200*rng.IntN(4):]
		for i := range 200 {
			x.Set(l, i, mean[i]+rng.NormFloat64())
		}
	}
	centered := FromMatrix(x).Center().Moment(3)
	f = mustFit(t, centered.Compressed(0).Decompose(4))
	if f.DataPasses > 2+5*fit.Polishes {
		t.Errorf("centered: %d passes", f.DataPasses)
	}
	// Its components nearly cancel: their squares are thousands of times f, and so is their rounding.
	if e := centered.Evaluate(f.Model); !(math.Abs(e.ObjectiveShifted-f.ObjectiveShifted) <= 1e-10*e.NormSquared.Value) {
		t.Errorf("centered: evaluated f = %g, fit says %g", e.ObjectiveShifted, f.ObjectiveShifted)
	}
}

// Data without structure are noticed before a search in coordinates that cannot
// hold their moment, and the fit is made in the other form; a basis that was
// asked for is used, and what it missed is reported.
func TestCompressedOfALevelSpectrum(t *testing.T) {
	m := FromMatrix(drawn(7, 20000, 40, normal)).Moment(3).With(Options{Starts: 3})
	f := mustFit(t, m.Compressed(0).Decompose(3))
	full := mustFit(t, m.Explicit().Decompose(3))
	if warnings := joined(f.Warnings, " "); f.Form != FormExplicit || f.Basis != 0 || !strings.Contains(warnings, "does not fall off") || !strings.Contains(warnings, "solved in the explicit form") {
		t.Errorf("form %s, basis %d, warnings %q", f.Form, f.Basis, f.Warnings)
	}
	if !(math.Abs(f.RelativeError-full.RelativeError) <= 1e-9) {
		t.Errorf("relative error %g, explicit %g", f.RelativeError, full.RelativeError)
	}
	asked := mustFit(t, m.Compressed(8).Decompose(3))
	if !strings.Contains(joined(asked.Warnings, " "), "a basis of 8 vectors hid") || asked.RelativeError > full.RelativeError+1e-3 {
		t.Errorf("relative error %g (%s), explicit %g, warnings %q", asked.RelativeError, asked.Form, full.RelativeError, asked.Warnings)
	}
}

// Where ||X||^2 takes the tensor, it serves the polish too: no pass is made for that, and
// the solution is the one of the full problem.
func TestCompressedPolishesTensor(t *testing.T) {
	s := drawUniform(20, 2000, 8)
	f := mustFit(t, s.Moment(3).Compressed(8).With(Options{Starts: 3}).Decompose(2))
	polished := false
	for _, p := range f.Phases {
		if p.Phase == "polish" {
			if polished = true; p.Passes != 0 {
				t.Errorf("%d passes to polish", p.Passes)
			}
		}
	}
	if !polished || f.Form != "compressed" {
		t.Fatalf("%s: %v", f.Form, f.Phases)
	}
	at := s.Moment(3).Implicit().Evaluate(f.Model)
	if at.Err() != nil {
		t.Fatal(at.Err())
	}
	// f is a difference of terms of the size of ||X||^2, each a sum of up to 2,000.
	if !(math.Abs(at.ObjectiveShifted-f.ObjectiveShifted) <= 1e-12*f.NormSquared.Value) {
		t.Errorf("f is %.15g, by the observations %.15g", f.ObjectiveShifted, at.ObjectiveShifted)
	}
}
