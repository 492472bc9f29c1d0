package symmom_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/test/slow"
	"symmom/symmom"
)

// drawCSR draws sparse rows of a few kinds, and the same with their zeros.
func drawCSR(rng *rand.Rand, p, n int, density float64) (start, index []int, values []float64, dense *mat.Dense) {
	start, dense = []int{0}, mat.NewDense(p, n, nil)
	for l := range p {
		for i := range n {
			share := density
			if l%3 == i%3 {
				share *= 3 // of its kind
			}
			if rng.Float64() < share {
				v := 1 + rng.ExpFloat64()
				index, values = append(index, i), append(values, v)
				dense.Set(l, i, v)
			}
		}
		start = append(start, len(values))
	}
	return start, index, values, dense
}

// Everything that a session computes from sparse observations is what it computes
// from the same with their zeros: forms, data as they are, centered, standardized,
// appended to. f to 1e-12 of ||X||^2 where the form and the unit are the same.
func TestSparseSession(t *testing.T) {
	slow.Test(t)
	rng := rand.New(rand.NewPCG(91, 1))
	const p, n, r = 900, 30, 3
	start, index, values, dense := drawCSR(rng, p, n, .05)
	extra := mat.NewDense(40, n, nil)
	for i := range 40 {
		extra.Set(i, i%n, 1)
	}
	for _, c := range []struct {
		name string
		make func(*symmom.Session) *symmom.Session
	}{
		{"plain", func(s *symmom.Session) *symmom.Session { return s }},
		{"centered", (*symmom.Session).Center},
		{"standardized", (*symmom.Session).Standardize},
		{"centered and standardized", func(s *symmom.Session) *symmom.Session { return s.Center().Standardize() }},
		{"appended", func(s *symmom.Session) *symmom.Session { return s.Append(extra) }},
		{"centered and appended", func(s *symmom.Session) *symmom.Session { return s.Center().Append(extra) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, d := c.make(symmom.FromCSR(n, start, index, values)), c.make(symmom.FromMatrix(dense))
			if s.Err() != nil || d.Err() != nil {
				t.Fatal(s.Err(), d.Err())
			}
			if got, want := s.Matrix(), d.Matrix(); !mat.EqualApprox(got, want, 1e-13) {
				t.Fatal("other observations")
			}
			for name, form := range map[string]func(*symmom.Moment) *symmom.Moment{
				"implicit":   (*symmom.Moment).Implicit,
				"explicit":   (*symmom.Moment).Explicit,
				"compressed": func(m *symmom.Moment) *symmom.Moment { return m.Compressed(0) },
				"sampled":    func(m *symmom.Moment) *symmom.Moment { return m.Sampled(100) },
				"auto":       (*symmom.Moment).Auto,
			} {
				for order := 3; order <= 4; order++ {
					o := symmom.Options{Starts: 3, Seed: 5}
					a, b := form(s.Moment(order)).With(o).Decompose(r), form(d.Moment(order)).With(o).Decompose(r)
					if a.Err() != nil || b.Err() != nil {
						t.Fatal(name, a.Err(), b.Err())
					}
					// The model of one, evaluated with both: the same f.
					x, y := s.Moment(order).Evaluate(b.Model), d.Moment(order).Evaluate(b.Model)
					if x.Err() != nil || y.Err() != nil {
						t.Fatal(x.Err(), y.Err())
					}
					alpha := y.NormSquared.Value
					if gap := math.Abs(x.ObjectiveShifted - y.ObjectiveShifted); !(gap <= 1e-12*alpha) {
						t.Errorf("%s, order %d: f %.17g, want %.17g", name, order, x.ObjectiveShifted, y.ObjectiveShifted)
					}
					if gap := math.Abs(x.NormSquared.Value - alpha); !(gap <= 1e-12*alpha+4*x.NormSquared.StdErr+4*y.NormSquared.StdErr) {
						t.Errorf("%s, order %d: ||X||^2 %v, want %v", name, order, x.NormSquared, y.NormSquared)
					}
					if name == "sampled" {
						continue // other observations are drawn
					}
					if gap := math.Abs(a.ObjectiveShifted - b.ObjectiveShifted); !(gap <= 1e-6*alpha) {
						t.Errorf("%s, order %d: the best f is %.9g, want %.9g", name, order, a.ObjectiveShifted, b.ObjectiveShifted)
					}
				}
			}
		})
	}
}

func TestFromCSRRefuses(t *testing.T) {
	for _, c := range []struct {
		n            int
		start, index []int
		values       []float64
		want         string
	}{
		{3, nil, nil, nil, "has no observations"},
		{3, []int{0}, nil, nil, "has no observations"},
		{0, []int{0, 0}, nil, nil, "0 variables"},
		{3, []int{1, 1}, []int{0}, []float64{1}, "rows from value 1 to 1: want 0 to 1"},
		{3, []int{0, 2}, []int{0}, []float64{1}, "rows from value 0 to 2: want 0 to 1"},
		{3, []int{0, 1}, []int{0, 1}, []float64{1}, "2 indices for 1 values"},
		{3, []int{0, 2, 1, 2}, []int{0, 1}, []float64{1, 2}, "row 2 ends at value 1 and begins at 2"},
		{3, []int{0, 5, 1}, []int{0}, []float64{1}, "row 1 ends at value 5"},
		{3, []int{0, 1}, []int{3}, []float64{1}, "row 1: index 3: want 0 to 2"},
		{3, []int{0, 1}, []int{-1}, []float64{1}, "row 1: index -1: want 0 to 2"},
		{3, []int{0, 2}, []int{1, 1}, []float64{1, 1}, "row 1: index 1 appears twice"},
		{3, []int{0, 1}, []int{1}, []float64{math.NaN()}, "row 1: index 1 is NaN: want finite"},
		{3, []int{0, 1}, []int{1}, []float64{math.Inf(1)}, "row 1: index 1 is +Inf: want finite"},
	} {
		err := symmom.FromCSR(c.n, c.start, c.index, c.values).Err()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c, err, c.want)
		}
	}
	s := symmom.FromCSR(3, []int{0, 2, 2}, []int{2, 0}, []float64{5, 1})
	if got := s.Matrix(); s.Err() != nil || !mat.Equal(got, mat.NewDense(2, 3, []float64{1, 0, 5, 0, 0, 0})) {
		t.Errorf("%v, %v", mat.Formatted(got), s.Err())
	}
}

// TestLoadSparse: what a session of a file of a sparse matrix computes is what one of
// the same dense table does.
func TestLoadSparse(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	const p, n = 400, 300
	start, index, values, dense := drawCSR(rng, p, n, .03)
	var b strings.Builder
	fmt.Fprintf(&b, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", p, n, len(values))
	weights := make([]float64, p)
	for l := range p {
		weights[l] = 1 + rng.Float64()
		for k := start[l]; k < start[l+1]; k++ {
			fmt.Fprintf(&b, "%d %d %v\n", l+1, index[k]+1, values[k])
		}
	}
	load := func(o symmom.LoadOptions) *symmom.Session {
		return symmom.Read(strings.NewReader(b.String()), "mtx", o)
	}
	s, d := load(symmom.LoadOptions{}), symmom.FromMatrix(dense)
	if s.Err() != nil || s.Density() > .1 || !strings.Contains(s.String(), "sparse") {
		t.Fatal(s)
	}
	if single := load(symmom.LoadOptions{Float32: true}); single.Fingerprint() == s.Fingerprint() || single.Density() != s.Density() {
		t.Error(single)
	}
	back := d.Sparse()
	if back.Fingerprint() != s.Fingerprint() {
		t.Error("Sparse differs from the sparse file")
	}
	for name, change := range map[string]func(*symmom.Session) *symmom.Session{
		"as it is":     func(s *symmom.Session) *symmom.Session { return s },
		"weights":      func(s *symmom.Session) *symmom.Session { return s.WithWeights(weights) },
		"select":       func(s *symmom.Session) *symmom.Session { return s.Select("9", "3-7", "1") },
		"standardized": func(s *symmom.Session) *symmom.Session { return s.Standardize().Select("2-20").WithWeights(weights) },
	} {
		a, b := change(s), change(d)
		if a.Err() != nil || b.Err() != nil {
			t.Fatal(name, a.Err(), b.Err())
		}
		if a.Density() > .1 {
			t.Errorf("%s: %.3g of the values are stored", name, a.Density())
		}
		if !mat.EqualApprox(a.Matrix(), b.Matrix(), 1e-13) {
			t.Errorf("%s: other observations", name)
		}
		x, y := a.Summary(), b.Summary()
		for i, v := range x.Variables {
			w := y.Variables[i]
			if v.Name != w.Name || !(math.Abs(v.Mean-w.Mean) <= 1e-13) || !(math.Abs(v.Std-w.Std) <= 1e-13) || !(math.Abs(v.Min-w.Min) <= 1e-13) || !(math.Abs(v.Max-w.Max) <= 1e-13) {
				t.Errorf("%s: %+v, want %+v", name, v, w)
			}
		}
		if x.Density != y.Density { // b is dense
			t.Errorf("density %g, want %g", x.Density, y.Density)
		}
	}
	// A dense table that is mostly zeros is warned about; a sparse one is not.
	rare := mat.NewDense(100, 300, nil)
	for l := range 100 {
		rare.Set(l, rng.IntN(300), 1+float64(l%3))
	}
	advised := func(s *symmom.Session) bool {
		return slices.ContainsFunc(s.Summary().Warnings, func(w symmom.Warning) bool { return w.Code == symmom.WarnZeros })
	}
	if r := symmom.FromMatrix(rare); !advised(r) || advised(r.Sparse()) {
		t.Error("advice for zeros")
	}
}

// Passes over all sparse observations can be interrupted.
func TestSparseInterrupted(t *testing.T) {
	start, index, values, _ := drawCSR(rand.New(rand.NewPCG(91, 2)), 50, 9, .2)
	s := symmom.FromCSR(9, start, index, values)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range map[string]error{"center": s.WithContext(ctx).Center().Err(), "standardize": s.WithContext(ctx).Standardize().Err(), "summary": s.WithContext(ctx).Summary().Err()} {
		if !errors.Is(err, symmom.ErrInterrupted) || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if c := s.WithContext(ctx).Center(); c.N() != 0 {
		t.Errorf("a session that failed has %d variables", c.N())
	}
}
