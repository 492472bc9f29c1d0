package symmom

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/text/words"
)

// loadedBoth returns a session's data loaded as float64 and as float32.
func loadedBoth(t *testing.T, s *Session) (wide, single *Session) {
	t.Helper()
	path, o := storedNPY(t, s), LoadOptions{}
	if s.Weights() != nil {
		o.Weights = fmt.Sprint(s.N() + 1)
	}
	wide = Load(path, o)
	o.Float32 = true
	single = Load(path, o)
	if wide.Err() != nil || single.Err() != nil {
		t.Fatal(wide.Err(), single.Err())
	}
	return wide, single
}

// Data kept as float32 give the fits of float64 in every form, with weights and
// without: the rounding of 6e-8 an entry moves ||X||^2 and f, of order 2d in the
// data, by under 1e-6 of ||X||^2. The issue asks for the same score to 1e-4.
func TestFloat32Fits(t *testing.T) {
	m := mixture(t, 40, 3, .05)
	weights := ramp(m.Session.Observations())
	for _, s := range []*Session{m.Session, m.Session.WithWeights(weights)} {
		wide, single := loadedBoth(t, s)
		if got := single.data.Array().Bytes(); 2*got != wide.data.Array().Bytes() || got != 4*s.N()*s.Observations() {
			t.Errorf("%d bytes, float64 has %d", got, wide.data.Array().Bytes())
		}
		for _, d := range []int{3, 4} {
			for name, in := range map[string]func(*Session) *Moment{
				"implicit":   func(s *Session) *Moment { return s.Moment(d).Implicit() },
				"explicit":   func(s *Session) *Moment { return s.Moment(d).Explicit() },
				"compressed": func(s *Session) *Moment { return s.Moment(d).Compressed(0) },
				"sampled":    func(s *Session) *Moment { return s.Moment(d).Sampled(200) },
			} {
				if name == "explicit" && d == 4 {
					continue // 20 MB, and nothing new
				}
				fit := func(s *Session, threads int) *Fit {
					return mustFit(t, in(s).With(Options{Starts: 2, Threads: threads}).Decompose(3))
				}
				want, got := fit(wide, 1), fit(single, 1)
				if a, b := want.Score(m.Means).Value, got.Score(m.Means).Value; !(math.Abs(a-b) <= 1e-4) {
					t.Errorf("%s, d=%d: score %g, float64 %g", name, d, b, a)
				}
				if !(math.Abs(got.RelativeError-want.RelativeError) <= 1e-6) && name != "sampled" { // whose steps part
					t.Errorf("%s, d=%d: relative error %g, float64 %g", name, d, got.RelativeError, want.RelativeError)
				}
				if bits(fit(single, 3)) != bits(got) {
					t.Errorf("%s, d=%d: other bits on three threads", name, d)
				}
				a, b := single.Moment(d).Evaluate(got.Model), wide.Moment(d).Evaluate(got.Model)
				if a.Err() != nil || !(math.Abs(a.ObjectiveShifted-b.ObjectiveShifted) <= 1e-6*b.NormSquared.Value) ||
					!(math.Abs(a.NormSquared.Value-b.NormSquared.Value) <= 1e-6*b.NormSquared.Value) {
					t.Errorf("%s, d=%d: evaluated %v, float64 %v", name, d, a, b)
				}
			}
		}
	}
}

// A session of float32 says the same of its data as one of the same numbers in
// float64, bit by bit.
func TestFloat32Session(t *testing.T) {
	s := mixture(t, 12, 2, .1).Session
	_, single := loadedBoth(t, s.WithWeights(ramp(s.Observations())))
	d := *single.data.Array()
	d.Values, d.Values32 = d.Float64(), nil
	wide := single.with(&d, nil)
	if a, b := single.Fingerprint(), wide.Fingerprint(); a != b {
		t.Errorf("fingerprint %s, want %s", a, b)
	}
	a, b := single.Summary(), wide.Summary()
	if !reflect.DeepEqual(a, b) {
		t.Errorf("summary %v, want %v", a, b)
	}
	if z := single.Standardize(); z.Err() != nil || !z.data.Single() || !(math.Abs(z.Summary().Variables[3].Std-1) <= 1e-6) {
		t.Errorf("standardized: %v", z.Summary())
	}
	entries := float64(s.N() * s.Observations())
	for m, each := range map[*Moment]float64{single.Moment(3): 4, wide.Moment(3): 8} {
		if want := words.Bytes(each * entries); !strings.Contains(m.String(), want) {
			t.Errorf("the observations take %s:\n%v", want, m)
		}
	}
}

// Append stores what it is given as the session does, and the fits of everything
// are those of a session of float64 that was fed the same.
func TestFloat32Append(t *testing.T) {
	m, truth := shuffled(t, 30, 3, 200, .05)
	p, n := m.Dims()
	path := storedNPY(t, FromMatrix(m.Slice(0, 200, 0, n)))
	grow := func(s *Session) *Session {
		s.Moment(3).Compressed(0).Decompose(3) // fixes the basis
		return feedIn(t, s, m, 200, 50, 50, 100, p-400)
	}
	s := Load(path, LoadOptions{Float32: true})
	grown, wide := grow(s), grow(Load(path))
	data, err := grown.whole("this")
	if err != nil || data.Values != nil || data.Bytes() != 4*p*n || !grown.data.Single() {
		t.Fatalf("%d bytes, %v", data.Bytes(), err)
	}
	want := mat.NewDense(p, n, nil)
	want.Apply(func(_, _ int, v float64) float64 { return float64(float32(v)) }, m)
	if !mat.Equal(grown.Matrix(), want) {
		t.Error("the observations are not those that were given")
	}
	for _, in := range []func(*Session) *Moment{
		func(s *Session) *Moment { return s.Moment(3).Implicit() },
		func(s *Session) *Moment { return s.Moment(3).Compressed(0) },
	} {
		f := mustFit(t, in(grown).With(Options{Starts: 2}).Decompose(3))
		g := mustFit(t, in(wide).With(Options{Starts: 2}).Decompose(3))
		if a, b := f.Score(truth.Means).Value, g.Score(truth.Means).Value; !(math.Abs(a-b) <= 1e-4) || f.DataPasses != g.DataPasses {
			t.Errorf("%s: score %g in %d passes, float64 %g in %d", f.Form, a, f.DataPasses, b, g.DataPasses)
		}
	}
	large := mat.NewDense(1, n, nil)
	large.Set(0, 4, 1e60)
	if err := s.Append(large).Err(); err == nil || !strings.Contains(err.Error(), `append: matrix: row 1, column 5: got "1e+60", want a number that a float32 can hold`) {
		t.Errorf("%v", err)
	}
}

// Zero data, and a stream.
func TestFloat32Refusals(t *testing.T) {
	zero := write(t, "zero.csv", "a,b\n0,1e-60\n0,0\n")
	if err := Load(zero, LoadOptions{Float32: true}).Moment(3).Err(); err == nil || !strings.Contains(err.Error(), "every value is zero") {
		t.Errorf("%v", err)
	}
	if err := Stream(zero, LoadOptions{Float32: true}).Err(); err == nil || !strings.Contains(err.Error(), "keeps no values in memory") {
		t.Errorf("%v", err)
	}
	if err := Load(write(t, "large.csv", "a,b\n0,1\n0,1e60\n"), LoadOptions{Float32: true}).Err(); err == nil || !strings.Contains(err.Error(), "line 3, column 2 (b)") {
		t.Errorf("%v", err)
	}
}
