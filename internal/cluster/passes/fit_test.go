package passes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/estimate/fit"
	"symmom/internal/estimate/progress"
	"symmom/internal/test/slow"
	"symmom/internal/text/diag"
)

// A fit by passes is that of the data in memory, up to rounding, and the same bits
// whatever the engine.
func TestFitEqualsMemory(t *testing.T) {
	slow.Test(t)
	const n, r = 30, 3
	path := writeShards(t, "csv", 2000, n)
	for _, weights := range []string{"w"} {
		o := load.Options{Weights: weights}
		set, err := load.Load(t.Context(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		run := func(table *tables.Table, form fit.Form, d int) *fit.Result {
			m := fit.New(table, d)
			m.Form = form
			f, err := m.Decompose(t.Context(), r, &fit.Options{Starts: 5, Seed: 1, Tolerance: 1e-6, MaxIterations: 200, MaxEvaluations: 400, Corrections: 5, Threads: 1})
			if err != nil {
				t.Fatal(form, err)
			}
			return f
		}
		memory, one, other := tables.New(set), open(t, Local{Threads: 2}, path, o), open(t, restless{7}, path, o)
		for _, form := range []fit.Form{fit.Auto, fit.Compressed, fit.Explicit} {
			for d := 2; d <= 4; d++ {
				same := form
				if form == fit.Auto {
					same = fit.Compressed
				}
				want, got, again := run(memory, same, d), run(one, form, d), run(other, form, d)
				// Of second order in the gradient, which is 1e-6 of its size.
				if !(math.Abs(got.ObjectiveShifted/want.ObjectiveShifted-1) <= 1e-9) || !(math.Abs(got.RelativeError-want.RelativeError) <= 1e-6) || got.Form != want.Form {
					t.Errorf("%q, order %d: f = %v (%v), want %v (%v)", form, d, got.ObjectiveShifted, got.RelativeError, want.ObjectiveShifted, want.RelativeError)
				}
				if !slices.Equal(got.Model.A, again.Model.A) || !slices.Equal(got.Model.Lambda, again.Model.Lambda) || got.RelativeError != again.RelativeError {
					t.Errorf("%q, order %d: another engine gives other bits", form, d)
				}
				if got.Passes > 30 {
					t.Errorf("%q, order %d: %d passes", form, d, got.Passes)
				}
			}
		}
		for _, form := range []fit.Form{fit.Implicit, fit.Sampled} {
			m := fit.New(one, 3)
			m.Form, m.Samples = form, 100
			if _, err := m.Decompose(t.Context(), r, &fit.Options{Starts: 1, Seed: 1, Tolerance: 1e-6, MaxIterations: 1, MaxEvaluations: 1, Corrections: 5}); err == nil || !strings.Contains(err.Error(), "hundreds of passes") {
				t.Errorf("%s: %v", form, err)
			}
		}
	}
}

// Over distinct indices the explicit form is that of the data in memory, and so is the evaluation
// of a model, a pass; the implicit one is refused.
func TestDistinctEqualsMemory(t *testing.T) {
	const n, r = 8, 2
	path := writeShards(t, "csv", 1500, n)
	o := load.Options{Weights: "w"}
	set, err := load.Load(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	how := &fit.Options{Starts: 5, Seed: 1, Tolerance: 1e-6, MaxIterations: 200, MaxEvaluations: 400, Corrections: 5, Threads: 1}
	run := func(table *tables.Table, form fit.Form, d int) (*fit.Result, error) {
		m := fit.New(table, d).OverDistinct()
		m.Form = form
		return m.Decompose(t.Context(), r, how)
	}
	memory, one, other := tables.New(set), open(t, Local{Threads: 2}, path, o), open(t, restless{7}, path, o)
	for d := 2; d <= 4; d++ {
		want, err := run(memory, fit.Explicit, d)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []fit.Form{fit.Auto, fit.Explicit} {
			if d == 4 { // in which components of these data cancel, and no start ends where another does
				continue
			}
			got, err := run(one, form, d)
			again, err2 := run(other, form, d)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			// Of second order in the gradient, which is 1e-6 of its size.
			if got.Form != fit.Explicit || !(math.Abs(got.ObjectiveShifted/want.ObjectiveShifted-1) <= 1e-9) {
				t.Errorf("%q, order %d: f = %v (%s), want %v", form, d, got.ObjectiveShifted, got.Form, want.ObjectiveShifted)
			}
			if !slices.Equal(got.Model.A, again.Model.A) || !slices.Equal(got.Model.Lambda, again.Model.Lambda) {
				t.Errorf("%q, order %d: another engine gives other bits", form, d)
			}
		}
		near, far := fit.New(memory, d).OverDistinct(), fit.New(one, d).OverDistinct()
		a, err := near.Evaluate(t.Context(), want.Model, how)
		b, err2 := far.Evaluate(t.Context(), want.Model, how)
		if err != nil || err2 != nil || !(math.Abs(a.ObjectiveShifted/b.ObjectiveShifted-1) <= 1e-10) || !(math.Abs(a.NormSquared.Value/b.NormSquared.Value-1) <= 1e-11) {
			t.Errorf("order %d: f = %v of %v, want %v of %v (%v, %v)", d, b.ObjectiveShifted, b.NormSquared, a.ObjectiveShifted, a.NormSquared, err, err2)
		}
		if _, err := run(one, fit.Implicit, d); err == nil || !strings.Contains(err.Error(), "use the explicit form") {
			t.Errorf("implicit: %v", err)
		}
	}
}

// A sweep finds a basis and the moment in it once, for all ranks, from files and from an
// engine alike; its fits are those of each rank alone, up to where the solver stops.
func TestSweepCompressesOnce(t *testing.T) {
	slow.Test(t)
	const n = 24
	path := writeShards(t, "csv", 1000, n)
	columns := load.Options{Weights: "w"}
	disk, err := tables.Open(t.Context(), path, columns, true)
	if err != nil {
		t.Fatal(err)
	}
	o := &fit.Options{Starts: 5, Seed: 1, Tolerance: 1e-6, MaxIterations: 200, MaxEvaluations: 400, Corrections: 5, Threads: 2}
	var all [][]*fit.Result
	for _, table := range []*tables.Table{disk, open(t, Local{Threads: 2}, path, columns), open(t, restless{3}, path, columns)} {
		sweep, alone := fit.New(table, 3), fit.New(table, 3)
		sweep.Form, alone.Form = fit.Compressed, fit.Compressed
		sweep.Upto = 3 // as many as stand out
		var fits []*fit.Result
		for r := 2; r <= sweep.Upto; r++ {
			f, err := sweep.Decompose(t.Context(), r, o)
			if err != nil {
				t.Fatal(err)
			}
			g, err := alone.Decompose(t.Context(), r, o)
			if err != nil {
				t.Fatal(err)
			}
			// Of second order in the gradient, which is 1e-6 of its size.
			if !(math.Abs(f.ObjectiveShifted/g.ObjectiveShifted-1) <= 1e-9) {
				t.Errorf("rank %d: f = %v in a sweep, %v alone", r, f.ObjectiveShifted, g.ObjectiveShifted)
			}
			compressing := 0
			for _, p := range f.Phases {
				if p.Phase == progress.Basis || p.Phase == progress.Projection {
					compressing += p.Passes
				}
			}
			if first := r == 2; first != (compressing > 0) || f.Basis != 2*sweep.Upto+10 {
				t.Errorf("rank %d: %d passes to compress into %d vectors: %v", r, compressing, f.Basis, f.Phases)
			}
			fits = append(fits, f)
		}
		all = append(all, fits)
	}
	for i, f := range all[1] {
		if g := all[2][i]; !slices.Equal(f.Model.A, g.Model.A) || f.RelativeError != g.RelativeError {
			t.Errorf("rank %d: another engine gives other bits", f.Model.R)
		}
		if d := all[0][i]; !(math.Abs(f.ObjectiveShifted/d.ObjectiveShifted-1) <= 1e-9) {
			t.Errorf("rank %d: f = %v, from disk %v", f.Model.R, f.ObjectiveShifted, d.ObjectiveShifted)
		}
	}
}

// Where each pass is a job, polishing a rank that the data do not have ends, and says so.
func TestPolishingEnds(t *testing.T) {
	slow.Test(t)
	table := open(t, Local{Threads: 2}, writeShards(t, "csv", 500, 30), load.Options{Weights: "w"})
	m := fit.New(table, 5) // ||X||^2 is that of the pairs: there is no tensor to polish
	var all []*fit.Result
	for _, patient := range []bool{false, true} {
		f, err := m.Decompose(t.Context(), 6, &fit.Options{Starts: 5, Seed: 1, Tolerance: 1e-12, RelativeDecrease: -1, MaxIterations: 100, MaxEvaluations: 60, Patient: patient, Corrections: 5, Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	short, long := all[0], all[1]
	warned := slices.ContainsFunc(short.Warnings, func(w diag.Warning) bool { return w.Code == diag.NotConverged })
	if short.Passes > 32 || long.Passes <= short.Passes || !warned {
		t.Errorf("%d passes, %d if more are asked for: %v, %v", short.Passes, long.Passes, short.Status, short.Warnings)
	}
}

// Where each pass is a job, no start goes on outside the basis, even if the moment is held
// and a start takes no pass: its columns would. A small stream is solved on all of its data.
func TestNoStartsBesides(t *testing.T) {
	const p, n, r = 1000, 40, 4 // one more than stand out
	path, columns := writeShards(t, "csv", p, n), load.Options{Weights: "w"}
	disk, err := tables.Open(t.Context(), path, columns, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		table *tables.Table
		far   bool
	}{{"a small stream", disk, false}, {"an engine", open(t, Local{Threads: 2}, path, columns), true}} {
		m := fit.New(c.table, 3)
		m.Form = fit.Compressed
		f, err := m.Decompose(t.Context(), r, &fit.Options{Starts: 10, Open: true, Seed: 1, Tolerance: 1e-4, MaxIterations: 200, MaxEvaluations: 400, Corrections: 5, Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Starts)%10 != 0 || (f.Form == fit.Compressed) != c.far {
			t.Errorf("%s: %d starts in the %s form, want rounds of ten", c.name, len(f.Starts), f.Form)
		}
	}
}

// Data whose squares no float64 holds are refused for that, in any form.
func TestFitOutOfRange(t *testing.T) {
	for name, scale := range map[string]float64{"large": 1e200, "small": 1e-200} {
		path := filepath.Join(t.TempDir(), "x.csv")
		text := "a,b,c\n"
		for i := range 50 {
			x := float64(i%7) - 2
			text += fmt.Sprintf("%g,%g,%g\n", scale*x, scale*(x*x-3), scale*math.Sin(float64(i)))
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		set, err := load.Load(t.Context(), path, load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := "are too " + name + " to be squared"
		for where, table := range map[string]*tables.Table{"in memory": tables.New(set), "far": open(t, Local{Threads: 2}, path, load.Options{})} {
			for _, form := range []fit.Form{fit.Auto, fit.Compressed, fit.Explicit} {
				for d := 2; d <= 3; d++ {
					m := fit.New(table, d)
					m.Form = form
					_, err := m.Decompose(t.Context(), 2, &fit.Options{Starts: 2, Seed: 1, Tolerance: 1e-6, MaxIterations: 50, MaxEvaluations: 100, Corrections: 5, Threads: 1})
					if err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("%s, %q, order %d: %v", where, form, d, err)
					}
				}
			}
		}
	}
}

// A moment that no few vectors hold is fitted from the tensor, in one pass, where ||X||^2 takes
// that; elsewhere the error names what can be done.
func TestFitOfNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 2))
	for _, c := range []struct {
		p, n, r int
		fits    bool
	}{{1000, 40, 4, true}, {300, 40, 1, false}} { // the pairs of 300 observations take less than the tensor
		var text strings.Builder
		for range c.p {
			for j := range c.n {
				if j > 0 {
					text.WriteByte(',')
				}
				fmt.Fprintf(&text, "%.6f", rng.ExpFloat64()-1)
			}
			text.WriteByte('\n')
		}
		path := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		set, err := load.Load(t.Context(), path, load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		o := &fit.Options{Starts: 10, Open: true, Seed: 1, Tolerance: 1e-6, MaxIterations: 500, MaxEvaluations: 1000, Corrections: 5, Threads: 1}
		m := fit.New(open(t, Local{Threads: 2}, path, load.Options{}), 3)
		got, err := m.Decompose(t.Context(), c.r, o)
		if !c.fits {
			if err == nil || !strings.Contains(err.Error(), "a few vectors do not capture this moment") || !slices.Equal(diag.Help(err), []string{"Compressed", "basis", "Explicit"}) {
				t.Errorf("%d x %d: %v, %q", c.p, c.n, err, diag.Help(err))
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		m = fit.New(tables.New(set), 3)
		m.Form = fit.Explicit
		want, err := m.Decompose(t.Context(), c.r, o)
		if err != nil {
			t.Fatal(err)
		}
		// Of second order in the gradient, which is 1e-6 of its size. Starts end at dozens of
		// optima, and the best is found by exchanging their components.
		if got.Form != fit.Explicit || got.Passes > 5 || !(math.Abs(got.ObjectiveShifted/want.ObjectiveShifted-1) <= 1e-9) {
			t.Errorf("f = %v in the %s form after %d passes, want %v", got.ObjectiveShifted, got.Form, got.Passes, want.ObjectiveShifted)
		}
	}
}

// A fit whose options a basis cannot keep, bounds on the entries and given or Gaussian
// starts, is that of all of the data: the basis has other signs and starts of its own.
func TestFitWithoutBasis(t *testing.T) {
	const n, r, d = 30, 3, 3
	path, columns := writeShards(t, "csv", 2000, n), load.Options{Weights: "w"}
	set, err := load.Load(t.Context(), path, columns)
	if err != nil {
		t.Fatal(err)
	}
	run := func(table *tables.Table, form fit.Form, set func(*fit.Options)) *fit.Result {
		m := fit.New(table, d)
		m.Form = form
		o := &fit.Options{Starts: 5, Seed: 1, Tolerance: 1e-6, MaxIterations: 500, MaxEvaluations: 1000, Corrections: 5, Threads: 1}
		set(o)
		f, err := m.Decompose(t.Context(), r, o)
		if err != nil {
			t.Fatal(form, err)
		}
		return f
	}
	memory, far := tables.New(set), open(t, Local{Threads: 2}, path, columns)
	found := run(memory, fit.Implicit, func(*fit.Options) {}).Model
	for name, set := range map[string]func(*fit.Options){
		"non-negative":  func(o *fit.Options) { o.Nonnegative = true },
		"Gaussian":      func(o *fit.Options) { o.Init = fit.Gaussian },
		"a given start": func(o *fit.Options) { o.Initial, o.Starts = found, 1 },
	} {
		want, got := run(memory, fit.Implicit, set), run(far, fit.Auto, set)
		// Of second order in the gradient, which is 1e-6 of its size.
		if !(math.Abs(got.ObjectiveShifted/want.ObjectiveShifted-1) <= 1e-9) || got.Form != fit.Explicit {
			t.Errorf("%s: f = %v in the %s form, want %v", name, got.ObjectiveShifted, got.Form, want.ObjectiveShifted)
		}
		if name == "a given start" && got.Starts[0].Iterations > 1 {
			t.Errorf("%d iterations from where another fit ended", got.Starts[0].Iterations)
		}
	}
}
