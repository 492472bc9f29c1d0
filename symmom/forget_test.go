package symmom

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"symmom/internal/data/tables"
	"symmom/internal/test/slow"

	"gonum.org/v1/gonum/mat"
)

// A session that forgot gives the bits of one that kept all, of both orders
// that were fitted, and what it cannot do it says.
func TestForget(t *testing.T) {
	slow.Test(t)
	x, m := shuffled(t, 40, 3, 1000, .1)
	first := FromMatrix(x.Slice(0, 900, 0, 40))
	if err := first.Forget().Err(); err == nil || !strings.Contains(err.Error(), "no basis yet") {
		t.Errorf("forgot before there was a basis: %v", err)
	}
	for _, d := range []int{3, 4} {
		mustFit(t, first.Moment(d).Compressed(16).Decompose(3))
	}
	short := first.Forget()
	if short.Err() != nil || short.Observations() != 900 || short.Fingerprint() != first.Fingerprint() || !strings.Contains(short.String(), "forgotten") {
		t.Fatalf("%s", short)
	}
	if f, g := mustFit(t, short.Moment(3).Decompose(3)), mustFit(t, first.Moment(3).Compressed(16).Decompose(3)); f.DataPasses != 0 ||
		!(math.Abs(f.ObjectiveShifted-g.ObjectiveShifted) <= 2e-3*g.NormSquared.Value) {
		t.Errorf("at once: %d passes, f = %g, polished %g", f.DataPasses, f.ObjectiveShifted, g.ObjectiveShifted)
	}
	// The estimate draws more pairs than there are.
	if n := mustFit(t, short.Moment(3).Decompose(3)).NormSquared; n.Exact() || n.Pairs > 900*901/2 {
		t.Errorf("||X||^2 of 900 observations is %s", n)
	}
	kept := feedIn(t, first, x, 900, 1, 50, 300, 7)
	late := feedIn(t, first, x, 900, 1, 50, 300, 7).Forget() // after all blocks
	short = feedIn(t, short, x, 900, 1, 50, 300, 7)          // before all blocks
	if again := late.Forget(); again != late {
		t.Error("forgot twice")
	}
	for _, d := range []int{3, 4} {
		want := mustFit(t, kept.Moment(d).Accumulated(16).Decompose(3))
		for name, s := range map[string]*Session{"before": short, "after": late} {
			f := mustFit(t, s.Moment(d).Compressed(0).Decompose(3))
			if f.ObjectiveShifted != want.ObjectiveShifted || !mat.Equal(f.Model.Factors, want.Model.Factors) || f.Observations != 3000 {
				t.Errorf("d=%d, %s: f = %.17g, kept %.17g", d, name, f.ObjectiveShifted, want.ObjectiveShifted)
			}
			if f.Model.Origin.Fingerprint != want.Model.Origin.Fingerprint {
				t.Errorf("d=%d, %s: another fingerprint", d, name)
			}
			exact, err := FromMatrix(x).Moment(d).NormSquared()
			if err != nil {
				t.Fatal(err)
			}
			if v := f.NormSquared; v.Exact() || !(math.Abs(v.Value-exact.Value) <= 5*v.StdErr) {
				t.Errorf("d=%d, %s: ||X||^2 = %s, exactly %s", d, name, v, exact)
			}
			if v := f.Score(m.Means).Value; v < .99 {
				t.Errorf("d=%d, %s: score %g", d, name, v)
			}
		}
	}
	model := mustFit(t, kept.Moment(3).Compressed(16).Decompose(3)).Model
	for what, err := range map[string]error{
		"implicit":    short.Moment(3).Implicit().Decompose(3).Err(),
		"explicit":    short.Moment(3).Explicit().Decompose(3).Err(),
		"sampled":     short.Moment(3).Sampled(10).Decompose(3).Err(),
		"order":       short.Moment(5).Decompose(3).Err(),
		"vectors":     short.Moment(3).Compressed(17).Decompose(3).Err(),
		"evaluate":    short.Moment(3).Evaluate(model).Err(),
		"summary":     short.Summary().Err(),
		"standardize": short.Standardize().Err(),
		"weights":     short.WithWeights(make([]float64, 3000)).Err(),
	} {
		if !errors.Is(err, tables.ErrForgotten) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := short.Moment(5).Decompose(3).Err(); !strings.Contains(err.Error(), "of order 3 with up to 16 basis vectors, 4 with up to 16 basis vectors") {
		t.Errorf("does not say what is left: %v", err)
	}
	if !short.Matrix().Dense.IsEmpty() || short.Weights() != nil {
		t.Error("a matrix of what is forgotten")
	}
	if first.Matrix().Dense.IsEmpty() || mustFit(t, first.Moment(3).Implicit().Decompose(2)).Rank != 2 {
		t.Error("the session itself has changed")
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if f := short.WithContext(gone).Moment(3).Decompose(3); !errors.Is(f.Err(), ErrInterrupted) {
		t.Errorf("interrupted: %v", f.Err())
	}
}

// Data that leave the basis after their forerunners were forgotten are warned of.
func TestForgetAndLeave(t *testing.T) {
	x := mat.NewDense(600, 30, nil)
	for i := range 600 {
		x.Set(i, i%3+i/300*5, 1+.01*float64(i%7)) // the second half goes elsewhere
		x.Set(i, 10+i%20, .05)
	}
	s := FromMatrix(x.Slice(0, 300, 0, 30))
	mustFit(t, s.Moment(3).Compressed(6).Decompose(3))
	s = feedIn(t, s.Forget(), x, 300, 50)
	f := mustFit(t, s.Moment(3).Compressed(6).Decompose(3))
	if w := joined(f.Warnings, "\n"); !strings.Contains(w, "it cannot be renewed, for they were forgotten") || strings.Contains(w, "with passes over all") {
		t.Errorf("warnings %q", w)
	}
}

// A feed of any length needs bounded memory once it forgets.
func TestForgetBoundsMemory(t *testing.T) {
	slow.Test(t)
	const n, rows, blocks = 40, 2000, 100 // 64 MB in all
	x, _ := shuffled(t, n, 3, 800, .1)
	block := x.Slice(0, rows, 0, n)
	s := FromMatrix(block)
	mustFit(t, s.Moment(3).Compressed(16).Decompose(3))
	s = s.Forget()
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	s = s.Append(block)
	before := heap()
	for range blocks {
		s = s.Append(block)
	}
	// Two blocks' room for what others in this process do.
	if after := heap(); after > before+2*8*n*rows {
		t.Errorf("%d bytes more after %d blocks of %d bytes", after-before, blocks, 8*n*rows)
	}
	f := mustFit(t, s.Moment(3).Decompose(3))
	if f.Observations != (blocks+2)*rows || f.DataPasses != 0 {
		t.Errorf("%d observations, %d passes", f.Observations, f.DataPasses)
	}
	// The same block again and again has the moment of the block.
	once := mustFit(t, FromMatrix(block).Moment(3).Compressed(16).Decompose(3))
	if d := math.Abs(f.ObjectiveShifted - once.ObjectiveShifted); !(d <= 2e-3*once.NormSquared.Value) {
		t.Errorf("f = %g, of the block %g", f.ObjectiveShifted, once.ObjectiveShifted)
	}
}

// The sums of fits of two orders serve both, also if each has its own basis.
func TestForgetTwoOrders(t *testing.T) {
	slow.Test(t)
	const p = 40000
	x, _ := shuffled(t, 200, 3, 13500, .1)
	first := FromMatrix(x.Slice(0, p, 0, 200))
	bases := map[int]int{}
	for _, d := range []int{3, 4} {
		bases[d] = mustFit(t, first.Moment(d).Compressed(0).Decompose(3)).Basis
	}
	if q := first.data.Learned(); slices.Equal(q[3].Basis.Q, q[4].Basis.Q) {
		t.Fatal("the bases are the same")
	}
	kept := first.Append(x.Slice(p, 40500, 0, 200))
	short := kept.Forget()
	for _, d := range []int{3, 4} {
		f, g := mustFit(t, kept.Moment(d).Accumulated(0).Decompose(3)), mustFit(t, short.Moment(d).Compressed(0).Decompose(3))
		if f.DataPasses != 0 || f.Basis != bases[d] || !mat.Equal(f.Model.Factors, g.Model.Factors) || f.ObjectiveShifted != g.ObjectiveShifted {
			t.Errorf("d=%d: %d passes, a basis of %d vectors for %d, f = %.17g and %.17g", d, f.DataPasses, f.Basis, bases[d], f.ObjectiveShifted, g.ObjectiveShifted)
		}
	}
	if err := short.Moment(3).Compressed(0).Decompose(4).Err(); !errors.Is(err, tables.ErrForgotten) || !strings.Contains(err.Error(), "order 3 up to rank 3") {
		t.Errorf("a larger rank than the basis is for: %v", err)
	}
	if f := mustFit(t, first.Forget().Moment(3).Decompose(3)); strings.Contains(joined(f.Warnings, "\n"), "misses") {
		t.Errorf("forgotten at once: %v", f.Warnings)
	}
	if err := short.Moment(3).Compressed(bases[3] + 1).Decompose(3).Err(); !errors.Is(err, tables.ErrForgotten) {
		t.Errorf("more vectors than the basis has: %v", err)
	}
}
