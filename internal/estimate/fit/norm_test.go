package fit

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"symmom/internal/moment"
	"symmom/internal/moment/norm"
	"symmom/internal/test/slow"
	"symmom/internal/text/diag"
)

// An odd moment of observations that lie symmetrically about 0 is refused, also where ||X||^2
// is estimated: what a fit has of it is rounding. That of noise is not, nor one of which a fit
// has nothing because it may not.
func TestVanishingFit(t *testing.T) {
	slow.Test(t)
	const p, n, d = 16000, 114, 5
	rng := rand.New(rand.NewPCG(41, 1))
	v := make([]float64, p*n)
	for name, c := range map[string]struct {
		draw                 func(i int) float64
		nonnegative, refused bool
	}{
		"symmetric": {func(i int) float64 {
			if i >= p/2*n {
				return -v[i-p/2*n]
			}
			return rng.NormFloat64()
		}, false, true},
		"noise":    {func(int) float64 { return rng.NormFloat64() }, false, false},
		"negative": {func(int) float64 { return -math.Abs(rng.NormFloat64()) }, true, false},
	} {
		for i := range v {
			v[i] = c.draw(i)
		}
		m := planOf(t, v, n, d, 2, 2).m
		if m.exactNorm() != normEstimated {
			t.Fatal("||X||^2 is exact")
		}
		o := openStarts()
		o.Starts, o.Open, o.MaxIterations, o.Nonnegative = 2, false, 30, c.nonnegative
		if c.nonnegative {
			m.Form = Implicit
		}
		f, err := m.Decompose(t.Context(), 2, o)
		t.Logf("%s: f = %g, %v", name, f.ObjectiveShifted, err)
		if refused := err != nil; refused != c.refused || refused && !strings.Contains(err.Error(), "zero to within rounding") {
			t.Errorf("%s: f = %g, %v", name, f.ObjectiveShifted, err)
		}
	}
}

// A warning of the error of ||X||^2 does not compare it with one that is not stated.
func TestDoubt(t *testing.T) {
	for stderr, want := range map[float64]string{.1: "may be larger than stated", math.Inf(1): "is not known"} {
		if text := (Norm{Value: 8, StdErr: stderr, Doubtful: true}).doubt().Text; !strings.Contains(text, want) {
			t.Errorf("%g: %s", stderr, text)
		}
	}
}

// A fit whose ||X||^2 is doubtful says so, and one whose is not does not.
func TestDoubtIsSaid(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 5))
	v := make([]float64, 200*4)
	for i := range v {
		v[i] = 1 + rng.NormFloat64()
	}
	for _, doubtful := range []bool{false, true} {
		m, o := planOf(t, v, 4, 3, 2, 1).m, openStarts()
		known, err := m.norm(t.Context(), o, Auto)
		if err != nil {
			t.Fatal(err)
		}
		known.Pairs, known.StdErr, known.Doubtful = 100, known.Value/10, doubtful
		m.cache.norm, m.cache.seed = &known, o.Seed
		m.Form = Implicit
		f, err := m.Decompose(t.Context(), 2, o)
		if err != nil {
			t.Fatal(err)
		}
		warned := 0
		for _, w := range f.Warnings {
			if w.Code == diag.Norm && strings.Contains(w.Text, "may be larger than stated") {
				warned++
			}
		}
		if want := map[bool]int{true: 1}[doubtful]; warned != want || f.NormSquared.Doubtful != doubtful {
			t.Errorf("doubtful %v: %d warnings, %+v", doubtful, warned, f.NormSquared)
		}
	}
}

// An estimate is doubtful if fewer than 20 terms carry it, or if what it may have missed is
// more than three standard errors; pairs count once.
func TestBoundedBy(t *testing.T) {
	m := planOf(t, make([]float64, 10*2), 2, 3, 1, 1).m
	for _, c := range []struct {
		e        norm.Estimate
		doubtful bool
		pairs    int
	}{
		{norm.Estimate{StdErr: 1, Carriers: 20, Pairs: 7}, false, 7},
		{norm.Estimate{StdErr: 1, Carriers: 19.9, Pairs: 55}, true, 55},
		{norm.Estimate{StdErr: 1, Carriers: 50, Missed: 3, Pairs: 56}, false, 55},
		{norm.Estimate{StdErr: 1, Carriers: 50, Missed: 3.1, Pairs: 1000}, true, 55},
	} {
		if b, err := m.boundedBy(c.e, nil); err != nil || b.Doubtful != c.doubtful || b.Pairs != c.pairs {
			t.Errorf("%+v: %+v, %v", c.e, b, err)
		}
	}
}

// ||T||^2 of a debiased moment of order 3 is that of its entries, mean v_i v_j v_k less
// m_i S_jk + m_j S_ik + m_k S_ij, whichever way it is computed, and a fit takes it.
func TestDebiasedNorm(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 6))
	for _, c := range []struct{ p, n, how int }{{60, 40, normOfPairs}, {900, 5, normOfTensor}} {
		p, n := c.p, c.n
		v, mean, s := make([]float64, p*n), make([]float64, n), make([]float64, n)
		for i := range s {
			s[i] = .1 + rng.Float64()/4
		}
		for l := range p {
			for i := range n {
				v[l*n+i] = float64((l+i)%3) + s[i]*rng.NormFloat64()
				mean[i] += v[l*n+i] / float64(p)
			}
		}
		for i := range s {
			s[i] *= s[i] // variances
		}
		var want float64
		for i := range n {
			for j := range n {
				for k := range n {
					var x float64
					for l := range p {
						x += v[l*n+i] * v[l*n+j] * v[l*n+k] / float64(p)
					}
					if j == k {
						x -= mean[i] * s[j]
					}
					if i == k {
						x -= mean[j] * s[i]
					}
					if i == j {
						x -= mean[k] * s[i]
					}
					want += x * x
				}
			}
		}
		m := planOf(t, v, n, 3, 2, 1).m.Debiased(&moment.Noise{N: n, Diagonal: s})
		if how := m.exactNorm(); how != c.how {
			t.Fatalf("%+v: another way, %d", c, how)
		}
		o := openStarts()
		o.Starts, o.Open, o.MaxIterations = 1, false, 5
		m.Form = Implicit
		f, err := m.Decompose(t.Context(), 2, o)
		if err != nil {
			t.Fatal(err)
		}
		// Sums of 1e4 to 1e5 squares, each right to about 1e-14.
		if got := f.NormSquared; !got.Exact() || !(math.Abs(got.Value-want) <= 1e-11*want) {
			t.Errorf("%+v: %+v, want %.15g", c, got, want)
		}
		if relative := 1 + f.ObjectiveShifted/want; !(math.Abs(f.RelativeError-relative) <= 1e-11) {
			t.Errorf("%+v: relative error %.15g, want %.15g", c, f.RelativeError, relative)
		}
		span, err := m.span(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, how := range []int{normOfTensor, normOfPairs} {
			b, err := m.debiasedNorm(t.Context(), o, span, how)
			if got := b.Value * math.Pow(span, 6); err != nil || !(math.Abs(got-want) <= 1e-11*want) {
				t.Errorf("%+v, way %d: %.15g, want %.15g (%v)", c, how, got, want, err)
			}
		}
	}
}

// An estimate below what is certain is raised to that, which its error then reaches, and is
// doubtful if it was off by more than three standard errors. What is exact stays.
func TestAtLeast(t *testing.T) {
	for _, c := range []struct {
		n     Norm
		bound float64
		want  Norm
	}{
		{Norm{Value: 5, StdErr: 1, Pairs: 9}, 4, Norm{Value: 5, StdErr: 1, Pairs: 9}},
		{Norm{Value: 5, StdErr: 1, Pairs: 9}, 5, Norm{Value: 5, StdErr: 1, Pairs: 9}},
		{Norm{Value: 5, StdErr: 1, Pairs: 9}, 5.5, Norm{Value: 5.5, StdErr: 1, Pairs: 9}},
		{Norm{Value: 5, StdErr: 1, Pairs: 9}, 8, Norm{Value: 8, StdErr: 3, Pairs: 9}},
		{Norm{Value: 5, StdErr: 1, Pairs: 9}, 8.5, Norm{Value: 8.5, StdErr: 3.5, Pairs: 9, Doubtful: true}},
		{Norm{Value: 5, StdErr: 1, Pairs: 9, Doubtful: true}, 6, Norm{Value: 6, StdErr: 1, Pairs: 9, Doubtful: true}},
		{Norm{Value: 5}, 5.1, Norm{Value: 5}},
	} {
		if got := c.n.atLeast(c.bound); got != c.want {
			t.Errorf("%+v at least %g: %+v, want %+v", c.n, c.bound, got, c.want)
		}
	}
}

// An estimate that leaves the relative error open says so.
func TestUndetermined(t *testing.T) {
	for _, c := range []struct {
		n    Norm
		want string
	}{
		{Norm{Value: 2, StdErr: 32, Pairs: 100}, "||X||^2 is only known as 2 ± 32, which is too uncertain for a relative error: f (shifted) is exact and comparable"},
		{Norm{Value: 2, StdErr: math.Inf(1)}, "the error of the estimated ||X||^2, and so that of the relative error, is not known: too few observations were compared; f (shifted) is exact and comparable"},
		{Norm{Value: 2, StdErr: .9, Pairs: 100}, ""},
		{Norm{Value: 2}, ""},
	} {
		switch got := c.n.doubt().Text; {
		case c.n.undetermined() != (c.want != ""):
			t.Errorf("%v: undetermined is %t", c.n, c.n.undetermined())
		case c.want != "" && got != c.want:
			t.Errorf("%v: %q, want %q", c.n, got, c.want)
		}
	}
}
