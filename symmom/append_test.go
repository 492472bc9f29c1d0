package symmom

import (
	"context"
	"math"
	"strings"
	"testing"

	"symmom/internal/data/draw"

	"symmom/internal/data/tables"
	"symmom/internal/test/slow"

	"gonum.org/v1/gonum/mat"
)

// feedIn appends rows lo.. of m to s in blocks of the sizes, over and over.
func feedIn(t *testing.T, s *Session, m *mat.Dense, lo int, sizes ...int) *Session {
	t.Helper()
	p, n := m.Dims()
	for i := 0; lo < p; i++ {
		hi := min(lo+sizes[i%len(sizes)], p)
		s = s.Append(m.Slice(lo, hi, 0, n))
		if s.Err() != nil {
			t.Fatal(s.Err())
		}
		lo = hi
	}
	return s
}

// shuffled is a mixture whose observations come in no order, so that the first
// of them are like all.
func shuffled(t *testing.T, n, r, each int, sigma float64) (*mat.Dense, *gaussianData) {
	t.Helper()
	m := drawGaussians(draw.Mixture{N: n, Components: r, PerComponent: each, Sigma: sigma, Congruence: .5})
	if m.Session.Err() != nil {
		t.Fatal(m.Session.Err())
	}
	x := m.Session.Matrix()
	p, _ := x.Dims()
	y := mat.NewDense(p, n, nil)
	for i := range p {
		y.SetRow(i*7919%p, x.RawRowView(i)) // p is no multiple of this prime
	}
	return y, m
}

// After many appends a compressed fit takes no pass over the data and is that
// of all data at once: with the same basis to the solver's tolerance, and with
// a basis chosen from all data as far as the bases differ.
func TestAppendEqualsAllAtOnce(t *testing.T) {
	slow.Test(t)
	for _, d := range []int{3, 4} {
		for _, streamed := range []bool{false, true} {
			x, m := shuffled(t, 40, 3, 1000, .1)
			first := FromMatrix(x.Slice(0, 900, 0, 40))
			if streamed {
				first = Stream(storedNPY(t, first))
			}
			mustFit(t, first.Moment(d).Compressed(0).Decompose(3))
			s := feedIn(t, first, x, 900, 1, 50, 300, 7)
			all := FromMatrix(x)
			if s.Observations() != 3000 {
				t.Fatalf("%d observations", s.Observations())
			}
			f := mustFit(t, s.Moment(d).Accumulated(0).Decompose(3))
			g := mustFit(t, all.Moment(d).Compressed(0).Decompose(3))
			if f.DataPasses != 0 || !strings.Contains(joined(f.Warnings, "\n"), "solved from the accumulated moment, not polished: the basis is of the first 900 of 3,000 observations") {
				t.Errorf("d=%d: %d passes, warnings %q", d, f.DataPasses, f.Warnings)
			}
			// f is exact: it is the f of the model on all data.
			e := all.Moment(d).Evaluate(f.Model)
			if !(math.Abs(e.ObjectiveShifted-f.ObjectiveShifted) <= 1e-11*e.NormSquared.Value) {
				t.Errorf("d=%d: f = %.15g, on all data %.15g", d, f.ObjectiveShifted, e.ObjectiveShifted)
			}
			// The noise outside of the basis that 900 observations leave in the
			// factors, sigma^2/900 a direction, in 24 directions: 3e-4 of the
			// norm of a factor squared, of which f sees the square times d.
			lost := (f.ObjectiveShifted - g.ObjectiveShifted) / g.NormSquared.Value
			if lost < -1e-7 || lost > 2e-3 {
				t.Errorf("d=%d: f is %g of ||X||^2 above the polished one", d, lost)
			}
			if a, b := f.Score(m.Means).Value, g.Score(m.Means).Value; a < b-1e-3 {
				t.Errorf("d=%d: score %g, all at once %g", d, a, b)
			}
			// The best in the basis: a fit of all data within the same basis, from
			// the same place, finds no lower f. Its observations in coordinates:
			q := s.data.Compression(d).Basis
			w := mat.NewDense(3000, q.K, nil)
			w.Mul(x, mat.NewDense(q.K, q.N, q.Q).T())
			inside := mustFit(t, FromMatrix(w).Moment(d).Implicit().Decompose(3))
			if !(math.Abs(inside.ObjectiveShifted-f.ObjectiveShifted) <= 1e-6*g.NormSquared.Value) {
				t.Errorf("d=%d: f = %g, in the same basis at once %g", d, f.ObjectiveShifted, inside.ObjectiveShifted)
			}
			// Polished as the comment says.
			model := f.Model
			polished := mustFit(t, s.Moment(d).Implicit().With(Options{InitialModel: model}).Decompose(3))
			if !(math.Abs(polished.ObjectiveShifted-g.ObjectiveShifted) <= 1e-6*g.NormSquared.Value) {
				t.Errorf("d=%d: polished f = %g, all at once %g", d, polished.ObjectiveShifted, g.ObjectiveShifted)
			}
		}
	}
}

// Every other form sees the appended observations, and the session appended to
// stays as it was.
func TestAppendOtherForms(t *testing.T) {
	x, _ := shuffled(t, 12, 2, 400, .3)
	w := make([]float64, 200)
	for i := range w {
		w[i] = 1 + float64(i%3)
	}
	all := make([]float64, 800)
	var mean float64
	for _, v := range w {
		mean += v / 200
	}
	for i := range all {
		all[i] = 1
		if i < 200 {
			all[i] = w[i] / mean
		}
	}
	base := FromMatrix(x.Slice(0, 200, 0, 12)).WithWeights(w)
	want := FromMatrix(x).WithWeights(all)
	s := feedIn(t, base, x, 200, 3, 40)
	o := Options{Starts: 2, MaxIterations: 6}
	for name, form := range map[string]func(*Moment) *Moment{
		"implicit":   (*Moment).Implicit,
		"explicit":   (*Moment).Explicit,
		"compressed": func(m *Moment) *Moment { return m.Compressed(0) },
		"sampled":    func(m *Moment) *Moment { return m.Sampled(100) },
	} {
		f, g := mustFit(t, form(s.Moment(3)).With(o).Decompose(2)), mustFit(t, form(want.Moment(3)).With(o).Decompose(2))
		if !(math.Abs(f.ObjectiveShifted-g.ObjectiveShifted) <= 1e-9*math.Abs(g.ObjectiveShifted)) {
			t.Errorf("%s: f = %.15g, at once %.15g", name, f.ObjectiveShifted, g.ObjectiveShifted)
		}
	}
	if !mat.Equal(s.Matrix(), x) {
		t.Error("another matrix")
	}
	for i, v := range s.Weights() {
		if !(math.Abs(v-want.Weights()[i]) <= 1e-15*v*800) {
			t.Fatalf("weight %d is %g, want %g", i, v, want.Weights()[i])
		}
	}
	a, b := s.Standardize().Summary(), want.Standardize().Summary()
	if !(math.Abs(a.Eigenvalues[0]-b.Eigenvalues[0]) <= 1e-12) || !(math.Abs(s.Summary().Eigenvalues[3]-want.Summary().Eigenvalues[3]) <= 1e-12) {
		t.Errorf("eigenvalues %v, want %v", a.Eigenvalues, b.Eigenvalues)
	}
	if base.Observations() != 200 || base.Matrix().At(199, 0) != x.At(199, 0) || s.Fingerprint() == want.Fingerprint() || s.Fingerprint() == base.Fingerprint() {
		t.Error("the session appended to has changed")
	}
	other := base.Append(x.Slice(300, 301, 0, 12))
	if other.Observations() != 201 || other.Matrix().At(200, 3) != x.At(300, 3) || other.Fingerprint() == s.Fingerprint() {
		t.Error("branches are mixed up")
	}
	again := feedIn(t, base, x, 200, 3, 40)
	if again.Fingerprint() != s.Fingerprint() {
		t.Error("the same history gives another fingerprint")
	}
}

// Data that leave the basis make it be renewed, once.
func TestAppendRenewsBasis(t *testing.T) {
	x, m := shuffled(t, 50, 4, 500, .02)
	// The first observations know two of the four means.
	var early, late []int
	for i := range 2000 {
		near := 0
		for j := range 4 {
			if dot(x, m.Means, i, j) > dot(x, m.Means, i, near) {
				near = j
			}
		}
		if near < 2 {
			early = append(early, i)
		} else {
			late = append(late, i)
		}
	}
	rows := func(idx []int) *mat.Dense {
		y := mat.NewDense(len(idx), 50, nil)
		for k, i := range idx {
			y.SetRow(k, x.RawRowView(i))
		}
		return y
	}
	s := FromMatrix(rows(early))
	mustFit(t, s.Moment(3).Compressed(6).Decompose(2))
	s = feedIn(t, s, rows(late), 0, 100)
	f := mustFit(t, s.Moment(3).Accumulated(6).Decompose(4))
	if f.DataPasses == 0 || !strings.Contains(joined(f.Warnings, "\n"), "misses a direction of the others: renewed") {
		t.Errorf("%d passes, warnings %q", f.DataPasses, f.Warnings)
	}
	if v := f.Score(m.Means).Value; v < .999 {
		t.Errorf("score %g", v)
	}
	s = s.Append(rows(early[:50]))
	if f := mustFit(t, s.Moment(3).Accumulated(6).Decompose(4)); f.DataPasses != 0 || f.Score(m.Means).Value < .999 {
		t.Errorf("afterwards %d passes, score %g", f.DataPasses, f.Score(m.Means).Value)
	}
}

func dot(x mat.Matrix, m mat.Matrix, i, j int) (s float64) {
	_, n := x.Dims()
	for k := range n {
		s += x.At(i, k) * m.At(k, j)
	}
	return s
}

// Fits of two orders in the same basis are both kept up to date; a fit that
// wants more vectors chooses its own basis.
func TestAppendKeepsOrders(t *testing.T) {
	x, _ := shuffled(t, 40, 3, 400, .1)
	s := FromMatrix(x.Slice(0, 600, 0, 40))
	for _, d := range []int{3, 4} {
		mustFit(t, s.Moment(d).Compressed(16).Decompose(3))
	}
	s = feedIn(t, s, x, 600, 100)
	for _, d := range []int{4, 3} {
		if f := mustFit(t, s.Moment(d).Accumulated(0).Decompose(3)); f.DataPasses != 0 {
			t.Errorf("order %d: %d passes", d, f.DataPasses)
		}
	}
	for _, m := range []*Moment{s.Moment(2).Accumulated(17), s.Moment(5).Accumulated(0), s.Moment(3).Accumulated(20), s.Moment(3).Compressed(16)} {
		if f := mustFit(t, m.Decompose(3)); f.DataPasses == 0 {
			t.Errorf("order %d: no pass for a basis that is not there", f.Order)
		}
	}
}

// More variables than a second moment is kept of: the trace stands in.
func TestAppendManyVariables(t *testing.T) {
	const n = tables.SecondMost + 2
	x := mat.NewDense(300, n, nil)
	direction := func(i int) int { // the last hundred go elsewhere
		if i < 200 {
			return i % 3
		}
		return 3 + i%2
	}
	for i := range 300 {
		x.Set(i, 7*direction(i), 1+.01*float64(i%5))
		x.Set(i, (i*31)%n, x.At(i, (i*31)%n)+.05)
	}
	s := FromMatrix(x.Slice(0, 150, 0, n))
	o := Options{Starts: 3}
	mustFit(t, s.Moment(3).Compressed(6).With(o).Decompose(3))
	s = s.Append(x.Slice(150, 200, 0, n))
	if f := mustFit(t, s.Moment(3).Accumulated(6).With(o).Decompose(3)); f.DataPasses != 0 {
		t.Errorf("%d passes: %q", f.DataPasses, f.Warnings)
	}
	s = s.Append(x.Slice(200, 300, 0, n))
	if f := mustFit(t, s.Moment(3).Accumulated(6).With(o).Decompose(3)); f.DataPasses == 0 || f.Spectrum[4] < .1 {
		t.Errorf("%d passes, spectrum %v", f.DataPasses, f.Spectrum)
	}
}

// The result of a fit depends on its data and options alone, unless Accumulated
// asks for what an earlier fit left; and the fingerprint is that of the same
// rows loaded together.
func TestAppendForgetsEarlierFits(t *testing.T) {
	x, _ := shuffled(t, 20, 3, 300, .2)
	for name, load := range map[string]func(mat.Matrix) *Session{
		"memory": FromMatrix, "stream": func(m mat.Matrix) *Session { return Stream(storedNPY(t, FromMatrix(m))) },
	} {
		fresh, fitted := load(x.Slice(0, 500, 0, 20)), load(x.Slice(0, 500, 0, 20))
		mustFit(t, fitted.Moment(3).Compressed(4).Decompose(2))
		fresh, fitted = feedIn(t, fresh, x, 500, 100, 60), feedIn(t, fitted, x, 500, 100, 60)
		if f := mustFit(t, fitted.Moment(3).Accumulated(4).Decompose(2)); f.DataPasses != 0 {
			t.Errorf("%s: %d passes of an accumulated fit", name, f.DataPasses)
		}
		for what, m := range map[string]func(*Session) *Moment{
			"compressed": func(s *Session) *Moment { return s.Moment(3).Compressed(4) },
			"automatic":  func(s *Session) *Moment { return s.Moment(3) },
			"implicit":   func(s *Session) *Moment { return s.Moment(4).Implicit() },
		} {
			f, g := mustFit(t, m(fresh).Decompose(2)), mustFit(t, m(fitted).Decompose(2))
			if !mat.Equal(f.Model.Factors, g.Model.Factors) || f.ObjectiveShifted != g.ObjectiveShifted || f.NormSquared != g.NormSquared {
				t.Errorf("%s, %s: the parent's fit shows: f %.17g and %.17g", name, what, f.ObjectiveShifted, g.ObjectiveShifted)
			}
		}
		if a, b := fitted.Fingerprint(), FromMatrix(x).Fingerprint(); a != b {
			t.Errorf("%s: fingerprint %s appended, %s loaded", name, a, b)
		}
	}
}

func TestAppendRefuses(t *testing.T) {
	s := FromRows([][]float64{{1, 2}, {3, 4}})
	for name, c := range map[string]struct {
		block mat.Matrix
		want  string
	}{
		"columns": {mat.NewDense(1, 3, nil), "append: block: got 3 columns, want 2 columns, as the session has variables"},
		"nil":     {nil, "append: matrix: is nil"},
		"missing": {mat.NewDense(1, 2, []float64{1, math.NaN()}), "append: matrix: 1 missing value: column 2"},
		"empty":   {&mat.Dense{}, "append: matrix: has no"},
	} {
		if err := s.Append(c.block).Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	failed := Load("/none.csv")
	if failed.Append(mat.NewDense(1, 2, nil)).Err() != failed.Err() {
		t.Error("another error")
	}
	// Zeros, then something.
	if f := FromRows([][]float64{{0, 0}}).Append(mat.NewDense(1, 2, []float64{3, 4})).Moment(3).With(Options{Starts: 1}).Decompose(1); f.Err() != nil {
		t.Error(f.Err())
	} else if v := f.Model.Lambda[0]; !(math.Abs(v-62.5) <= 1e-3) { // 5^3/2
		t.Errorf("lambda %g", v)
	}
	// An interrupt in the middle of the sums.
	ctx, cancel := context.WithCancel(context.Background())
	c := s.WithContext(ctx)
	cancel()
	if err := c.Append(mat.NewDense(1, 2, []float64{1, 1})).Err(); err == nil {
		t.Error("went on")
	}
}
