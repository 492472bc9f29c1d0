package fit

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// An odd moment of observations that lie symmetrically about 0 is refused, also where ||X||^2
// is estimated: what a fit has of it is rounding. That of noise is not, nor one of which a fit
// has nothing because it may not.
func TestVanishingFit(t *testing.T) {
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
		if refused := err != nil; refused != c.refused || refused && !strings.Contains(err.Error(), "0 but for rounding") {
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
