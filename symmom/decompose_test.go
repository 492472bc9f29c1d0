package symmom

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
	"symmom/internal/estimate/fit"
	"symmom/internal/estimate/progress"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/system/clock"
	"symmom/internal/system/memory"
)

// mixture is a small problem with a known answer.
func mixture(t *testing.T, n, r int, sigma float64) *gaussianData {
	t.Helper()
	m := drawGaussians(draw.Mixture{N: n, Components: r, PerComponent: 60, Sigma: sigma, Congruence: .5})
	if m.Session.Err() != nil {
		t.Fatal(m.Session.Err())
	}
	return m
}

func mustFit(t *testing.T, f *Fit) *Fit {
	t.Helper()
	if f.Err() != nil {
		t.Fatal(f.Err())
	}
	return f
}

// The means of a mixture come back: the noise of an average over 60
// observations, sigma sqrt(n/60), is the tangent of the angle left.
func TestDecomposeRecoversMeans(t *testing.T) {
	for _, d := range []int{3, 4} {
		for _, r := range []int{3, 5} {
			for _, sigma := range []float64{1e-4, 1e-2} {
				m := mixture(t, 40, r, sigma)
				for _, form := range []*Moment{m.Session.Moment(d).Implicit(), m.Session.Moment(d).Explicit()} {
					if d == 4 && form.fit.Form == fit.Explicit && sigma < 1e-2 {
						continue // 20 MB of tensor: once is enough
					}
					f := mustFit(t, form.Decompose(r))
					want := math.Cos(math.Atan(2 * sigma * math.Sqrt(40./60)))
					if s := f.Score(m.Means); s.Err() != nil || s.Value < math.Min(want, .99999) {
						t.Errorf("d=%d r=%d sigma=%g %s: score %.6f, want %.6f (%v)", d, r, sigma, f.Form, s.Value, want, s.Err())
					}
					if f.GradientNorm > DefaultTolerance && f.Status == "converged" || f.GradientNorm == 0 {
						t.Errorf("gradient norm %g with status %s", f.GradientNorm, f.Status)
					}
					// Equal components: lambda is 1/r, to the same noise.
					for _, l := range f.Model.Lambda {
						if !(math.Abs(l-1/float64(r)) <= 5*sigma+1e-3) {
							t.Errorf("d=%d r=%d sigma=%g: lambda = %v", d, r, sigma, f.Model.Lambda)
						}
					}
				}
			}
		}
	}
}

// The numbers of a fit are what Evaluate finds at its model.
func TestFitAgreesWithEvaluate(t *testing.T) {
	m := mixture(t, 12, 3, .05)
	for _, scale := range []string{ScaleAuto, ScaleNone} {
		for _, s := range []*Session{m.Session, m.Session.WithWeights(ramp(180))} {
			moment := s.Moment(3).With(Options{Scale: scale, Starts: 3})
			f := mustFit(t, moment.Decompose(3))
			e := moment.Evaluate(f.Model)
			if e.Err() != nil {
				t.Fatal(e.Err())
			}
			// Rounding of sums of terms the size of ||X||^2.
			for _, c := range [][2]float64{{e.ObjectiveShifted, f.ObjectiveShifted}, {e.NormSquared.Value, f.NormSquared.Value},
				{e.RelativeError * e.NormSquared.Value, f.RelativeError * f.NormSquared.Value}} {
				if !(math.Abs(c[0]-c[1]) <= 1e-12*f.NormSquared.Value) {
					t.Errorf("%s: evaluation %g, fit %g", scale, c[0], c[1])
				}
			}
			if !e.NormSquared.Exact() {
				t.Error("||X||^2 of a small problem is not exact")
			}
		}
	}
}

func ramp(p int) []float64 {
	w := make([]float64, p)
	for i := range w {
		w[i] = float64(i + 1)
	}
	return w
}

// The same data in other units: the same factors, lambda and f in the new
// units. Powers of two change no bits, so all is equal, evaluations too;
// other factors round the data, which a run of the solver amplifies to within
// its tolerance.
func TestUnits(t *testing.T) {
	m := mixture(t, 20, 3, .05)
	x := m.Session.Matrix()
	for _, d := range []int{1, 2, 3, 4} {
		want := mustFit(t, m.Session.Moment(d).With(Options{Starts: 3}).Decompose(3))
		for _, c := range []float64{0x1p-20, 0x1p30, 1e-6, 1e6} {
			var y mat.Dense
			y.Scale(c, x)
			got := mustFit(t, FromMatrix(&y).Moment(d).With(Options{Starts: 3}).Decompose(3))
			exact := math.Log2(c) == math.Round(math.Log2(c))
			tol := 1e-6
			if exact {
				tol = 1e-14
			}
			if d <= 2 {
				tol = math.Max(tol, 1e-3) // the factors of a vector and of a matrix are not unique
			}
			if got.Evaluations != want.Evaluations && d > 2 {
				t.Errorf("d=%d, data times %g: %d evaluations, %d in the original units", d, c, got.Evaluations, want.Evaluations)
			}
			if !mat.EqualApprox(got.Model.Factors, want.Model.Factors, tol) {
				t.Errorf("d=%d, data times %g: other factors", d, c)
			}
			for j, l := range got.Model.Lambda {
				if !(math.Abs(l/math.Pow(c, float64(d))-want.Model.Lambda[j]) <= tol*want.Model.Lambda[0]) {
					t.Errorf("d=%d, data times %g: lambda[%d] = %g", d, c, j, l)
				}
			}
			if !(math.Abs(got.RelativeError-want.RelativeError) <= tol) {
				t.Errorf("d=%d, data times %g: relative error %g, %g in the original units", d, c, got.RelativeError, want.RelativeError)
			}
		}
	}
}

// Numbers that overflow in the user's units are reported, and the rest is right.
func TestExtremeUnits(t *testing.T) {
	m := mixture(t, 10, 2, .05)
	for _, c := range []float64{1e45, 1e-45} {
		var y mat.Dense
		y.Scale(c, m.Session.Matrix())
		f := mustFit(t, FromMatrix(&y).Moment(4).With(Options{Starts: 2}).Decompose(2))
		if s := f.Score(m.Means); !(s.Value > .99) || !(f.RelativeError > 0 && f.RelativeError < .5) {
			t.Errorf("data times %g: score %g, relative error %g", c, s.Value, f.RelativeError)
		}
		for word, want := range map[string]bool{"overflow": c > 1, "vanish": c < 1} {
			if warnings := strings.Contains(joined(f.Warnings, " "), word); warnings != want {
				t.Errorf("data times %g: warnings %q", c, f.Warnings)
			}
		}
		if n, ok := f.AtBest, len(f.Starts) > 0; n != 2 || !ok || !strings.Contains(f.String(), "2 of 2 found the best") {
			t.Errorf("data times %g: %d starts at the best:\n%v", c, n, f)
		}
		if !f.NormSquared.Exact() {
			t.Errorf("data times %g: ||X||^2 is %v, want it to stay exact", c, f.NormSquared)
		}
		if e := FromMatrix(&y).Moment(4).Evaluate(f.Model); e.Err() == nil {
			t.Errorf("data times %g: evaluated as %v", c, e)
		}
		f = FromMatrix(&y).Moment(4).With(Options{Starts: 2, Scale: ScaleNone}).Decompose(2)
		if warnings := joined(f.Warnings, " ") + " " + errorText(f.Err()); strings.Contains(warnings, "are right") || !strings.Contains(warnings, `leave Scale at "auto"`) {
			t.Errorf("data times %g without scale: %s", c, warnings)
		}
	}
	for c, want := range map[float64]string{1e170: "too large to be squared; divide", 1e-170: "too small to be squared; multiply"} {
		var y mat.Dense
		y.Scale(c, m.Session.Matrix())
		s := FromMatrix(&y)
		if err := s.Moment(3).Decompose(2).Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("data times %g: %v", c, err)
		}
		if w := joined(s.Summary().Warnings, " "); !strings.Contains(w, want) {
			t.Errorf("data times %g: the summary warns %q", c, w)
		}
		if len(s.Warnings()) != 0 {
			t.Errorf("the summary changed the session: %q", s.Warnings())
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Components of a second moment can be rotated among each other: whoever wants
// them is warned, once there are two.
func TestSecondMomentIsNotUnique(t *testing.T) {
	s := mixture(t, 10, 3, .1).Session
	for _, c := range []struct {
		d, r int
		want bool
	}{{2, 1, false}, {2, 2, true}, {3, 2, false}, {4, 2, false}} {
		w := joined(mustFit(t, s.Moment(c.d).Decompose(c.r)).Warnings, " ")
		if got := strings.Contains(w, "need not be unique"); got != c.want {
			t.Errorf("order %d, rank %d: warnings %q", c.d, c.r, w)
		}
	}
}

// summary of a fit without the times: everything that must not depend on them.
func bits(f *Fit) string {
	s := fmt.Sprintf("%x %x %x %x %s %d", f.Model.Lambda, f.Model.Factors.RawMatrix().Data, f.ObjectiveShifted, f.NormSquared, f.Status, f.Evaluations)
	for _, st := range f.Starts {
		s += fmt.Sprintf("|%s %x %d %d", st.Status, st.ObjectiveShifted, st.Iterations, st.Evaluations)
		for _, p := range st.Trace {
			s += fmt.Sprintf(",%x %x", p.Objective, p.GradientNorm)
		}
	}
	return s
}

func TestThreadsDoNotMatter(t *testing.T) {
	s := drawUniform(9, 3000, 3)
	for _, form := range []*Moment{s.Moment(3).Implicit(), s.Moment(3).Explicit()} {
		var want string
		for _, threads := range []int{1, 2, 3, 8} {
			got := bits(mustFit(t, form.With(Options{Threads: threads, Starts: 3, MaxIterations: 40}).Decompose(4)))
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s: %d threads give other bits", form.fit.Form, threads)
			}
		}
	}
}

// Starts that share passes over data in memory give the same bits on any number of threads,
// and within rounding what each gives by itself.
func TestSharedPassesInMemory(t *testing.T) {
	m := drawUniform(80, 12000, 3).Moment(3).Implicit()
	var want string
	for _, threads := range []int{1, 2, 3, 8} {
		f := mustFit(t, m.With(Options{Threads: threads, Starts: 5, MaxIterations: 6}).Decompose(3))
		if f.DataPasses >= f.Evaluations {
			t.Errorf("%d passes for %d evaluations: they are not shared", f.DataPasses, f.Evaluations)
		}
		if got := bits(f); want == "" {
			want = got
		} else if got != want {
			t.Errorf("%d threads give other bits", threads)
		}
		one := mustFit(t, m.With(Options{Threads: threads, Starts: 1, MaxIterations: 6}).Decompose(3))
		// Six steps enlarge the rounding of 12,000 terms by little.
		if d := math.Abs(one.Starts[0].ObjectiveShifted/f.Starts[0].ObjectiveShifted - 1); !(d <= 1e-10) {
			t.Errorf("the first of five starts is off by %g from the only one of one", d)
		}
	}
}

func TestStartsAreIndependent(t *testing.T) {
	s := mixture(t, 15, 3, .1).Session
	many := mustFit(t, s.Moment(3).With(Options{Starts: 4, Seed: 9}).Decompose(3))
	one := mustFit(t, s.Moment(3).With(Options{Starts: 1, Seed: 9}).Decompose(3))
	if many.Starts[0].ObjectiveShifted != one.Starts[0].ObjectiveShifted {
		t.Error("the first of four starts is not the only one of one")
	}
	other := mustFit(t, s.Moment(3).With(Options{Starts: 1, Seed: 10}).Decompose(3))
	if other.Starts[0].Trace[0].Objective == one.Starts[0].Trace[0].Objective {
		t.Error("another seed gave the same start")
	}
}

func TestForms(t *testing.T) {
	s := mixture(t, 10, 3, .05).Session
	imp := mustFit(t, s.Moment(3).Implicit().Decompose(3))
	exp := mustFit(t, s.Moment(3).Explicit().Decompose(3))
	if imp.Form != "implicit" || exp.Form != "explicit" {
		t.Errorf("forms %q, %q", imp.Form, exp.Form)
	}
	// The same problem except for rounding, stopped at the same tolerance.
	if !(math.Abs(imp.RelativeError-exp.RelativeError) <= 1e-6) {
		t.Errorf("relative errors %g, %g", imp.RelativeError, exp.RelativeError)
	}
	// Few variables and many observations: the tensor is cheaper; the other
	// way round it is not.
	if f := mustFit(t, drawUniform(4, 4000, 1).Moment(3).Decompose(2)); f.Form != "explicit" {
		t.Errorf("n=4, p=4000: auto chose %s", f.Form)
	}
	if f := mustFit(t, drawUniform(60, 100, 1).Moment(3).With(Options{Starts: 1}).Decompose(2)); f.Form != "implicit" {
		t.Errorf("n=60, p=100: auto chose %s", f.Form)
	}
	// Slabs of 8 middle indices: the panels of 1 to 8 rows of 16 columns, those
	// of 9 and 10 rows of 8; and C(12, 3) entries of 8 bytes while it is formed.
	const bytes = 8*(8*8*16+2*16*8) + 8*220
	f := s.Moment(3).Explicit().With(Options{MemoryLimit: bytes - 1}).Decompose(2)
	var large *moment.TooLargeError
	if !errors.As(f.Err(), &large) || large.Bytes != bytes {
		t.Errorf("%d bytes of tensor with a limit below it: %v", bytes, f.Err())
	}
}

// However many correction pairs are asked for, there is an error and no panic; solvers that
// keep none take any number.
func TestAnyMemory(t *testing.T) {
	s := drawUniform(5, 200, 2)
	for _, pairs := range []int{100_000, math.MaxInt >> 23, math.MaxInt/4 - 5, math.MaxInt} {
		for _, o := range []Options{{Nonnegative: true, Solver: SolverLBFGS}, {Solver: SolverLBFGS}} {
			if pairs == 100_000 && !o.Nonnegative {
				continue // there is room for them
			}
			o.Corrections, o.Starts, o.MemoryLimit = pairs, 1, 1<<30
			var room *memory.Error
			if err := s.Moment(3).With(o).Decompose(2).Err(); !errors.As(err, &room) || !slices.Contains(Help(err), "Corrections") {
				t.Errorf("%d pairs: %v, help %q", pairs, err, Help(err))
			}
		}
		mustFit(t, s.Moment(3).Implicit().With(Options{Corrections: pairs, Starts: 2}).Decompose(2))
	}
}

func TestNonnegative(t *testing.T) {
	s := drawUniform(8, 400, 2)
	for _, d := range []int{3, 4} {
		f := mustFit(t, s.Moment(d).With(Options{Nonnegative: true, Starts: 3}).Decompose(3))
		if f.Solver != "gaussnewton" {
			t.Errorf("solver %s", f.Solver)
		}
		for _, v := range append(f.Model.Factors.RawMatrix().Data, f.Model.Lambda...) {
			if v < 0 {
				t.Fatalf("d=%d: a negative entry %g", d, v)
			}
		}
		free := mustFit(t, s.Moment(d).With(Options{Starts: 3}).Decompose(3))
		if free.ObjectiveShifted > f.ObjectiveShifted+1e-6*f.NormSquared.Value {
			t.Errorf("d=%d: with bounds f = %g, without %g", d, f.ObjectiveShifted, free.ObjectiveShifted)
		}
	}
}

// From the same starts Gauss-Newton steps within bounds end where L-BFGS-B does, or lower, in half
// of its evaluations at most, also where the bounds hold half of the entries. Both stop at
// Tolerance; what is then left of f is below a millionth of the residual (bench/SOLVERS.md).
func TestNonnegativeEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, c := range []struct{ d, n, p, r int }{{3, 12, 200, 3}, {3, 60, 30, 3}, {4, 12, 200, 2}} {
		for _, signed := range []bool{false, true} {
			w, h := mat.NewDense(c.p, c.r, nil), mat.NewDense(c.r, c.n, nil)
			w.Apply(func(_, _ int, _ float64) float64 { return rng.ExpFloat64() }, w)
			h.Apply(func(_, _ int, _ float64) float64 {
				if signed {
					return rng.NormFloat64()
				}
				return math.Max(0, rng.ExpFloat64()-.5)
			}, h)
			var x mat.Dense
			x.Mul(w, h)
			x.Apply(func(_, _ int, v float64) float64 { return v + .3*rng.NormFloat64() }, &x)
			m := FromMatrix(&x).Moment(c.d)
			want := mustFit(t, m.With(Options{Nonnegative: true, Solver: SolverLBFGS}).Decompose(c.r))
			f := mustFit(t, m.With(Options{Nonnegative: true}).Decompose(c.r))
			if want.Solver != "lbfgsb" || f.Solver != "gaussnewton" {
				t.Errorf("solvers %s and %s", f.Solver, want.Solver)
			}
			residual := f.NormSquared.Value + f.ObjectiveShifted
			if over := f.ObjectiveShifted - want.ObjectiveShifted; !(over <= 1e-6*residual) || 2*f.Evaluations > want.Evaluations {
				t.Errorf("%+v, signed %v: f is %g of the residual above that of L-BFGS-B, with %d evaluations of %d", c, signed, over/residual, f.Evaluations, want.Evaluations)
			}
			zeros := 0
			for _, v := range f.Model.Factors.RawMatrix().Data {
				if v < 0 {
					t.Fatalf("%+v, signed %v: an entry is %g", c, signed, v)
				}
				if v == 0 {
					zeros++
				}
			}
			if signed && (zeros == 0 || 3*zeros < c.n*c.r) {
				t.Errorf("%+v: only %d of %d entries at their bounds", c, zeros, c.n*c.r)
			}
			if lowered, where := lowestAlong(t, m, f.Model); lowered > 1e-8*residual {
				t.Errorf("%+v, signed %v: f of %g falls by %g along %s", c, signed, residual, lowered, where)
			}
		}
	}
}

// From wherever a nonnegative fit starts, where it says that it converged no step along a
// single lambda_j or a_ij that stays at or above zero lowers f by much. Steps are tried by
// evaluating models. At rank 1 f must be that of good starts.
func TestNonnegativeFromAnywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	m := mixture(t, 8, 4, .2)
	moment := m.Session.Moment(3).Explicit()
	good := mustFit(t, moment.With(Options{Nonnegative: true, Starts: 5}).Decompose(1))
	for _, c := range []struct {
		rank, models int
	}{{1, 40}, {3, 10}} {
		for k := range c.models {
			size := 10 * rng.Float64()
			a := mat.NewDense(8, c.rank, nil)
			a.Apply(func(_, _ int, _ float64) float64 { return size * rng.Float64() }, a)
			lambda := make([]float64, c.rank)
			for j := range lambda {
				lambda[j] = 1
			}
			first, err := NewModel(3, lambda, a)
			if err != nil {
				t.Fatal(err)
			}
			f := mustFit(t, moment.With(Options{Nonnegative: true, InitialModel: first}).Decompose(c.rank))
			if f.Status != StatusConverged {
				continue
			}
			if c.rank == 1 && f.RelativeError > 1.001*good.RelativeError {
				t.Errorf("model %d, entries up to %g: relative error %g after %d evaluations; a good start has %g", k, size, f.RelativeError, f.Evaluations, good.RelativeError)
				continue
			}
			// Tolerance^2 = 1e-8 of the residual if the model were linear; f curves less than
			// that says by the residual's share, to a quarter in none of these cases.
			residual := f.NormSquared.Value + f.ObjectiveShifted
			if lowered, where := lowestAlong(t, moment, f.Model); lowered > 4e-8*residual {
				t.Errorf("rank %d, model %d: f of %g falls by %g along %s", c.rank, k, residual, lowered, where)
			}
		}
	}
}

// lowestAlong returns by how much changing a single entry of a nonnegative model lowers f at
// most, of steps from 1e-6 to 1 of the entry or of the largest one, down to zero.
func lowestAlong(t *testing.T, moment *Moment, model *Model) (most float64, where string) {
	t.Helper()
	f := func(x []float64) float64 {
		r := len(model.Lambda)
		other := &Model{Order: model.Order, Lambda: x[:r], Factors: &NamedMatrix{Dense: mat.NewDense(model.N(), r, x[r:])}}
		e := moment.Evaluate(other)
		if e.Err() != nil {
			t.Fatal(e.Err())
		}
		return e.ObjectiveShifted
	}
	x := append(slices.Clone(model.Lambda), model.Factors.RawMatrix().Data...)
	at, largest := f(x), slices.Max(x)
	for i, v := range x {
		for _, scale := range []float64{v, largest} {
			for e := -6.; e <= 0; e += .5 {
				for _, sign := range []float64{-1, 1} {
					y := slices.Clone(x)
					y[i] = math.Max(0, v+sign*scale*math.Pow(10, e))
					if lowered := at - f(y); lowered > most {
						most, where = lowered, fmt.Sprintf("entry %d of lambda and A, from %g to %g", i, v, y[i])
					}
				}
			}
		}
	}
	return most, where
}

func TestInitialModel(t *testing.T) {
	m := mixture(t, 15, 3, .05)
	moment := m.Session.Moment(3)
	first := mustFit(t, moment.With(Options{Starts: 4, Tolerance: 1e-6}).Decompose(3))
	again := mustFit(t, moment.With(Options{InitialModel: first.Model}).Decompose(3))
	if len(again.Starts) != 1 || again.Evaluations > 5 {
		t.Errorf("from a solution: %d starts, %d evaluations", len(again.Starts), again.Evaluations)
	}
	if !(math.Abs(again.ObjectiveShifted-first.ObjectiveShifted) <= 1e-6*first.NormSquared.Value) {
		t.Errorf("f went from %g to %g", first.ObjectiveShifted, again.ObjectiveShifted)
	}
	if f := moment.With(Options{InitialModel: first.Model}).Decompose(2); !strings.Contains(fmt.Sprint(f.Err()), "InitialModel: got order 3, rank 3, 15 variables, want order 3, rank 2") {
		t.Errorf("a model of another rank: %v", f.Err())
	}
	for _, init := range []string{InitPlain, InitGaussian} {
		f := mustFit(t, moment.With(Options{Init: init, Starts: 2}).Decompose(3))
		if f.Starts[0].Trace[0].Objective == first.Starts[0].Trace[0].Objective && init == InitGaussian {
			t.Errorf("%s starts where rrf does", init)
		}
	}
}

func TestInterrupt(t *testing.T) {
	s := drawUniform(40, 4000, 1)
	ctx, cancel := context.WithCancel(context.Background())
	var calls atomic.Int64
	var stopped *clock.Watch
	o := Options{Tolerance: -1, RelativeDecrease: -1, Starts: 4, Threads: 2, Progress: func(p Progress) {
		if p.Evaluations > 0 && calls.Add(1) == 30 {
			stopped = clock.Start()
			cancel()
		}
	}}
	f := s.WithContext(ctx).Moment(3).Implicit().With(o).Decompose(10)
	if _, late := stopped.Took(); late > time.Second {
		t.Errorf("went on for %v", late)
	}
	if !errors.Is(f.Err(), ErrInterrupted) {
		t.Fatalf("error %v", f.Err())
	}
	if f.Status != "interrupted" || f.Model.Rank() != 10 || f.Evaluations == 0 || !linalg.Finite(f.RelativeError) || f.NormSquared.Value <= 0 {
		t.Errorf("the best so far is not usable: %v", f)
	}
	for _, st := range f.Starts {
		if f.ObjectiveShifted > st.ObjectiveShifted {
			t.Errorf("best is %g, a start has %g", f.ObjectiveShifted, st.ObjectiveShifted)
		}
	}
	if !strings.Contains(f.String(), "interrupted") {
		t.Errorf("does not say so:\n%s", f)
	}
	if e := s.Moment(3).Evaluate(f.Model); e.Err() != nil || !(math.Abs(e.ObjectiveShifted-f.ObjectiveShifted) <= 1e-10*e.NormSquared.Value) {
		t.Errorf("evaluated: %v, fit has %g", e, f.ObjectiveShifted)
	}

	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if f := s.WithContext(gone).Moment(3).Decompose(2); !errors.Is(f.Err(), ErrInterrupted) || f.Model.Rank() != 0 {
		t.Errorf("cancelled before it began: %v", f)
	}
	if sw := s.WithContext(gone).Moment(3).Sweep(1, 3); !errors.Is(sw.Err(), ErrInterrupted) {
		t.Errorf("sweep: %v", sw.Err())
	}
	if e := s.WithContext(gone).Moment(3).Evaluate(f.Model); !errors.Is(e.Err(), ErrInterrupted) {
		t.Errorf("evaluate: %v", e.Err())
	}
	if r := s.WithContext(gone).Summary(); !errors.Is(r.Err(), ErrInterrupted) {
		t.Errorf("summary: %v", r.Err())
	}
	if _, err := s.WithContext(gone).Moment(3).NormSquared(); !errors.Is(err, ErrInterrupted) {
		t.Errorf("norm: %v", err)
	}

	// A deadline is a deadline, too, and a cancellation one of the context.
	if err := f.Err(); !errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cancelled: %v", err)
	}
	late, release := context.WithDeadline(context.Background(), time.Unix(1, 0))
	defer release()
	if err := s.WithContext(late).Moment(3).Decompose(2).Err(); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrInterrupted) || errors.Is(err, context.Canceled) {
		t.Errorf("past its deadline: %v", err)
	}
	if err := Read(strings.NewReader("1,2\n3,4\n"), "csv", LoadOptions{Context: late}).Err(); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrInterrupted) {
		t.Errorf("loading past its deadline: %v", err)
	}

	// Before the first evaluation there is nothing to keep, and it says so.
	f = s.WithContext(ctx).Moment(3).Implicit().With(o).Decompose(10)
	if err := f.Err(); !errors.Is(err, ErrInterrupted) || !strings.Contains(err.Error(), "there is no result yet; give it more time") || f.Model.Rank() != 0 {
		t.Errorf("rank %d, error %v", f.Model.Rank(), err)
	}
}

func TestProgress(t *testing.T) {
	var seen []Progress
	h := progress.Host{Progress: func(p progress.Report) { seen = append(seen, Progress(p)) }}
	f := mustFit(t, drawUniform(5, 100, 1).WithContext(h.In()).Moment(3).With(Options{Starts: 3}).Decompose(2))
	last := seen[len(seen)-1]
	if !last.Done || last.Stopped || last.StartsDone != 3 || last.Evaluations != f.Evaluations || last.Best != f.ObjectiveShifted || last.Remaining != 0 {
		t.Errorf("last progress %+v of fit\n%v", last, f)
	}
	for i, p := range seen[:len(seen)-1] {
		if p.Done || i > 0 && (p.Best > seen[i-1].Best || p.StartsDone < seen[i-1].StartsDone) {
			t.Errorf("progress went back: %+v after %+v", p, seen[i-1])
		}
	}
}

// TestProgressOfStoppedFit: starts that share passes, one after another, and a polish.
func TestProgressOfStoppedFit(t *testing.T) {
	s := drawUniform(20, 2000, 1)
	forever := Options{Solver: "lbfgs", Tolerance: -1, RelativeDecrease: -1}
	polish := Options{Starts: 2, Tolerance: 1e-14, RelativeDecrease: -1}
	for name, c := range map[string]struct {
		m      func(*Session) *Moment
		o      Options
		enough func(Progress) bool
	}{
		"together": {func(s *Session) *Moment { return s.Moment(3).Implicit() }, forever, func(p Progress) bool { return p.Evaluations > 60 }},
		"explicit": {func(s *Session) *Moment { return s.Moment(3).Explicit() }, forever, func(p Progress) bool { return p.Evaluations > 60 }},
		"polish":   {func(s *Session) *Moment { return s.Moment(3).Compressed(4) }, polish, func(p Progress) bool { return p.Polishing && p.StartEvaluations > 0 }},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		var last Progress
		c.o.Progress = func(p Progress) {
			if last = p; c.enough(p) {
				cancel()
			}
		}
		f := c.m(s.WithContext(ctx)).With(c.o).Decompose(4)
		cancel()
		ended := 0
		for _, start := range f.Starts {
			if start.Status != StatusInterrupted {
				ended++
			}
		}
		if !errors.Is(f.Err(), ErrInterrupted) || !last.Done || !last.Stopped || name != "polish" && last.StartsDone != ended {
			t.Errorf("%s: %v; %d starts ended by themselves; last progress %+v", name, f.Err(), ended, last)
		}
	}
}

// Every form names what it is at, in order, and counts passes.
func TestProgressPhases(t *testing.T) {
	m := mixture(t, 60, 3, .1)
	path := storedNPY(t, m.Session)
	for _, c := range []struct {
		session *Session
		form    string
		want    string
	}{
		{m.Session, FormCompressed, "basis projection search norm polish norm"},
		{m.Session, FormImplicit, "scale norm search norm"},
		{m.Session, FormExplicit, "tensor norm search norm"},
		{m.Session, FormSampled, "sample scale search evaluation norm"},
		{Stream(path), FormCompressed, "basis projection search norm polish norm"},
		{Stream(path), FormImplicit, "scale norm search starts search norm"},
	} {
		var phases []string
		passes, begun := map[string]int{}, false
		o := Options{Starts: 2, MaxIterations: 100, Progress: func(p Progress) {
			if len(phases) == 0 || phases[len(phases)-1] != p.Phase {
				phases = append(phases, p.Phase)
			}
			passes[p.Phase] = max(passes[p.Phase], p.Pass)
			if p.Seen < 0 || p.Seen > 1 || p.Seen > 0 && p.Pass == 0 {
				t.Errorf("%s: %+v", c.form, p)
			}
			begun = begun || p.Phase == PhaseSearch
			if (p.String() == "") != (p.Done || p.Phase == PhaseSearch || p.Phase == PhasePolish) || !begun && !math.IsNaN(p.Best) {
				t.Errorf("%s: doing %q: %+v", c.form, p.String(), p)
			}
		}}
		mo := c.session.Moment(3).as(c.form)
		mo.fit.Samples = 20
		f := mustFit(t, mo.With(o).Decompose(3))
		if got := strings.Trim(fmt.Sprint(phases), "[]"); got != c.want {
			t.Errorf("%s: phases %q, want %q", c.form, got, c.want)
		}
		sum := 0
		for _, n := range passes {
			sum += n
		}
		if c.form == FormCompressed && sum != f.DataPasses {
			t.Errorf("%d passes reported, the fit counts %d", sum, f.DataPasses)
		}
	}
	if got := (Progress{Phase: PhaseBasis, Pass: 2, Seen: .4}).String(); got != "basis, pass 2, 40%" {
		t.Errorf("doing %q", got)
	}
}

func TestOptionsAreNotChanged(t *testing.T) {
	o := Options{Starts: 2}
	before := fmt.Sprintf("%+v", o)
	mustFit(t, drawUniform(3, 50, 1).Moment(3).With(o).Decompose(2))
	if fmt.Sprintf("%+v", o) != before {
		t.Errorf("options are now %+v", o)
	}
}

// Warnings about the rank are true of real data too: three observations of two variables fit
// themselves, two components, the generic rank of order 3, do not fit them, and without
// noise the moment of four observations has more components than these.
func TestRankWarnings(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	rows := make([][]float64, 4)
	for l := range rows {
		rows[l] = make([]float64, 6)
		for i := range rows[l] {
			rows[l][i] = rng.NormFloat64()
		}
	}
	few := FromRows(rows)
	for _, c := range []struct {
		s       *Session
		d, r    int
		warning string
	}{
		{few, 3, 4, ""},
		{few, 3, 5, "at most rank 4"},
		{drawUniform(3, 100, 1), 3, 3, ""},
		{drawUniform(3, 100, 1), 3, 4, "rank 4 has 12 parameters for the 10 distinct values of an order-3 moment of 3 variables"},
		{drawUniform(3, 100, 1), 4, 5, ""},
		{drawUniform(3, 100, 1), 1, 2, "6 parameters for the 3 distinct values of an order-1 moment"},
		{drawUniform(3, 100, 1), 2, 3, "need not be unique"},
		{drawUniform(3, 100, 1), 2, 4, "12 parameters for the 6 distinct values of an order-2"},
	} {
		f := mustFit(t, c.s.Moment(c.d).With(Options{Starts: 1}).Decompose(c.r))
		got := joined(f.Warnings, "; ")
		if c.warning == "" && strings.Contains(got, "rank") || !strings.Contains(got, c.warning) {
			t.Errorf("d=%d r=%d: warnings %q, want %q", c.d, c.r, got, c.warning)
		}
	}
	triangle := FromRows([][]float64{{1, 0}, {-.5, math.Sqrt(.75)}, {-.5, -math.Sqrt(.75)}}).Moment(3)
	if two := mustFit(t, triangle.Decompose(2)); two.RelativeError < .2 { // 1/4, as another program finds
		t.Errorf("two components leave %g of a triangle", two.RelativeError)
	}
	three := mustFit(t, triangle.Decompose(3))
	if got := joined(three.Warnings, "; "); !(math.Abs(three.RelativeError) <= 1e-9) || !strings.Contains(got, "6 parameters for the 4 distinct values") {
		t.Errorf("three components leave %g of a triangle, warnings %q", three.RelativeError, got)
	}
	debiased := mustFit(t, few.Moment(4).Debias(Noise{Sigma: .5}).With(Options{Starts: 1}).Decompose(5))
	if got := joined(debiased.Warnings, "; "); strings.Contains(got, "more than the data can carry") || debiased.RelativeError < 1e-6 {
		t.Errorf("without noise: relative error %g, warnings %q", debiased.RelativeError, got)
	}
}

// One observation: the moment is that observation's power, and rank one is exact.
func TestOneObservation(t *testing.T) {
	for d := 1; d <= 4; d++ {
		f := mustFit(t, FromRows([][]float64{{3, 0, 4}}).Moment(d).With(Options{Tolerance: 1e-9}).Decompose(1))
		want := math.Pow(5, float64(d))
		if !(math.Abs(f.Model.Lambda[0]-want) <= 1e-6*want) || !(math.Abs(f.RelativeError) <= 1e-12) {
			t.Errorf("d=%d: lambda %v, relative error %g", d, f.Model.Lambda, f.RelativeError)
		}
	}
}

// Integer weights count as repetitions (of the moment; the starts differ).
func TestWeightsAreRepetitions(t *testing.T) {
	m := mixture(t, 8, 2, .05)
	x := m.Session.Matrix()
	w := make([]float64, 120)
	var rows [][]float64
	for l := range w {
		w[l] = float64(1 + l%3)
		for range 1 + l%3 {
			rows = append(rows, x.RawRowView(l))
		}
	}
	model := mustFit(t, m.Session.Moment(3).Decompose(2)).Model
	a := m.Session.WithWeights(w).Moment(3).Evaluate(model)
	b := FromRows(rows).Moment(3).Evaluate(model)
	if !(math.Abs(a.ObjectiveShifted-b.ObjectiveShifted) <= 1e-13) || !(math.Abs(a.NormSquared.Value-b.NormSquared.Value) <= 1e-13) {
		t.Errorf("weighted %v\nrepeated %v", a, b)
	}
}

func TestEveryStageOfAFailedChain(t *testing.T) {
	s := Load("testdata/no such file.csv")
	m := s.Moment(3).Implicit().Explicit().Auto().With(Options{Starts: 2})
	f := m.Decompose(3)
	sw := m.Sweep(2, 3)
	for _, stage := range []interface {
		Err() error
		String() string
	}{s, m, f, f.Score(mat.NewDense(2, 2, nil)), sw, sw.Score(mat.NewDense(2, 2, nil)), m.Evaluate(f.Model), s.Summary(),
		s.Standardize(), s.WithWeights([]float64{1}), FromRows(nil), Failed(ErrNoData)} {
		if v := reflect.ValueOf(stage); v.IsNil() || stage.Err() == nil {
			t.Errorf("%T: error %v", stage, stage.Err())
		}
		if page, has := stage.(interface{ HTML() string }); !strings.Contains(stage.String(), stage.Err().Error()) || has && !strings.Contains(page.HTML(), "<pre>") {
			t.Errorf("%T shows %q", stage, stage)
		}
	}
	if s.N() != 0 || s.Observations() != 0 || s.Columns() != nil || s.Source() != "" || s.Warnings() != nil ||
		s.Weights() != nil || !s.Matrix().Dense.IsEmpty() || s.Fingerprint() != "" {
		t.Error("a failed session has data")
	}
	if f.Save(t.TempDir()+"/m.json") == nil || f.Model.Save(t.TempDir()+"/m.json") == nil {
		t.Error("an empty model was saved")
	}
	if new(Session).Moment(3).Decompose(1).Err() != ErrNoData {
		t.Error("the zero session has no error")
	}
}

// A perfect fit has no negative relative error by rounding; an estimate may have one, as
// its standard error says.
func TestRelativeIsNotNegative(t *testing.T) {
	if e, _ := (Norm{Value: 3}).Relative(-3 * (1 + 4e-16)); e != 0 {
		t.Errorf("of a perfect fit: %g", e)
	}
	if e, _ := (Norm{Value: 3}).Relative(-3.1); e >= 0 {
		t.Errorf("what no rounding explains is hidden: %g", e)
	}
	for _, unit := range []float64{1, 0x1p-1000, 0x1p+1000} { // whose square is out of range
		if e, stderr := (Norm{Value: 4 * unit, StdErr: .5 * unit, Pairs: 100}).Relative(-2 * unit); e != .5 || stderr != .0625 {
			t.Errorf("in units of %g: %g ± %g", unit, e, stderr)
		}
	}
	if e, stderr := (Norm{Value: 3, StdErr: .5, Pairs: 100}).Relative(-3.1); e >= 0 || stderr <= 0 {
		t.Errorf("of an estimate: %g ± %g", e, stderr)
	}
}

// Nor has the evaluation of a model whose components cancel to far below their rounding: a
// warning says that the relative error is unknown, as for a fit. The shares are unknown too.
func TestRelativeOfCancellingIsNotNegative(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	x := mat.NewDense(30, 3, nil)
	for i := range 30 {
		for j := range 3 {
			x.Set(i, j, 1e-12*rng.ExpFloat64())
		}
	}
	for range 20 {
		a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		model, err := NewModel(3, []float64{.7, .7}, mat.NewDense(3, 2, []float64{a, -a, b, -b, c, -c * (1 + 1e-11)}))
		if err != nil {
			t.Fatal(err)
		}
		e := FromMatrix(x).Moment(3).Evaluate(model)
		if e.Err() != nil || !(e.RelativeError >= 0) || !strings.Contains(joined(e.Warnings, " "), "rounding makes the relative error uncertain") {
			t.Errorf("relative error %g, warnings %v, %v", e.RelativeError, e.Warnings, e.Err())
		}
		if s := model.Diagnostics().String(); strings.Contains(s, "Inf%") {
			t.Error(s)
		}
	}
}
