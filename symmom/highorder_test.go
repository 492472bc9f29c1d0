package symmom

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// From order 6 on the term of a single long observation fits better than what random
// starts find. A fit is at least as good as the best of these terms, in any form, in memory
// and from disk: f of one component along a unit vector a, with the best weight, is
// -(X a^d)^2.
func TestHighOrders(t *testing.T) {
	m := mixture(t, 60, 3, .1)
	x := m.Session.Matrix()
	p, n := x.Dims()
	path := filepath.Join(t.TempDir(), "x.npy")
	if err := m.Session.Save(path); err != nil {
		t.Fatal(err)
	}
	for _, d := range []int{5, 6, 7, 8, 12, 16, 32} {
		best := 0.
		for l := range p {
			a := mat.Row(nil, l, x)
			floats.Scale(1/floats.Norm(a, 2), a)
			sum := 0.
			for k := range p {
				sum += math.Pow(floats.Dot(a, x.RawRowView(k)), float64(d)) / float64(p)
			}
			best = math.Min(best, -sum*sum)
		}
		disk := Stream(path).Moment(d)
		for name, form := range map[string]*Moment{"chosen": m.Session.Moment(d), "implicit": m.Session.Moment(d).Implicit(), "compressed": m.Session.Moment(d).Compressed(0), "streamed": disk} {
			f := mustFit(t, form.With(Options{Starts: 3}).Decompose(1))
			// The tolerance of 1e-4, a cosine, leaves 1e-8 of the residual.
			if left := 1e-8 * f.NormSquared.Value; f.ObjectiveShifted > best+left {
				t.Errorf("%s, d=%d: f = %g, %g along an observation (%d variables, solved %s)", name, d, f.ObjectiveShifted, best, n, f.Form)
			}
		}
	}
}

// A fit that is no better than nothing says so.
func TestFitOfNothing(t *testing.T) {
	m := mixture(t, 60, 3, .1)
	f := m.Session.Moment(31).Implicit().With(Options{Starts: 2, Init: InitGaussian}).Decompose(1)
	if f.Err() != nil || f.ObjectiveShifted < 0 {
		t.Fatalf("f = %g, %v: this test wants a start where f is flat", f.ObjectiveShifted, f.Err())
	}
	if !strings.Contains(joined(f.Warnings, " "), "no better than one without components") {
		t.Errorf("warnings %q", f.Warnings)
	}
}
