package numbers

import (
	"math"
	"testing"

	"symmom/symmom"
)

// A relative error of an estimated ||X||^2 has its standard error beside it.
func TestEstimated(t *testing.T) {
	for _, c := range []struct {
		norm symmom.Norm
		want string
	}{
		{symmom.Norm{Value: 2}, "0.25"},
		{symmom.Norm{Value: 2, StdErr: .25, Pairs: 100}, "0.25 ± 0.094"}, // 1.5 / 4 * .25
		{symmom.Norm{Value: 2, StdErr: math.Inf(1), Pairs: 100}, "0.25 ± ?"},
		{symmom.Norm{Pairs: 100}, "0.25"},
	} {
		if got := Estimated(.25, &symmom.Fit{ObjectiveShifted: -1.5, NormSquared: c.norm}); got != c.want {
			t.Errorf("%+v: %q, want %q", c.norm, got, c.want)
		}
	}
	for want, v := range map[string]float64{"0.123": .123456, "12.346": 12.345678, "–": math.NaN(), "0.000123": .000123456, "0.000": 0, "-0.000123": -.000123456} {
		if got := Fixed(v, 3); got != want {
			t.Errorf("%g: %q, want %q", v, got, want)
		}
	}
	if got := Share(.12345); got != "12.3%" || Share(math.NaN()) != "–" || Five(1./3) != "0.33333" {
		t.Errorf("%q, %q, %q", got, Share(math.NaN()), Five(1./3))
	}
}
