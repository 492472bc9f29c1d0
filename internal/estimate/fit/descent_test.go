package fit

import "testing"

// shifted are the objectives of relative errors, ||X||^2 = 2.
func shifted(errors ...float64) (of []float64) {
	for _, e := range errors {
		of = append(of, 2*(e-1))
	}
	return of
}

func TestSparkline(t *testing.T) {
	for _, c := range []struct {
		errors []float64
		width  int
		want   string
	}{
		{[]float64{1, .5}, 10, "█▁"},
		{[]float64{1, .9, .8, .7, .6, .5, .4, .3}, 8, "█▇▆▅▄▃▂▁"},               // threefold: linear
		{[]float64{1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}, 8, "█▇▆▅▄▃▂▁"}, // logarithmic
		{[]float64{1, .9, .8, .7, .6, .5, .4, .3}, 2, "█▁"},
		{[]float64{1, .9, .8, .7, .6, .5, .4, .3}, 1, "▁"}, // one character says nothing, and is not higher than itself
		{[]float64{.5, .5}, 5, "▁▁"},
		{nil, 5, ""},
		{[]float64{1}, 0, ""},
	} {
		if got := sparkline(c.errors, true, c.width); got != c.want {
			t.Errorf("%v in %d: %q, want %q", c.errors, c.width, got, c.want)
		}
	}
}

func TestDescent(t *testing.T) {
	for _, c := range []struct {
		trace     []float64
		norm      float64
		estimated bool
		want      string
	}{
		{shifted(2, 1, .5), 0, false, "█▃▁  f (shifted) from 2 to -1 in 2 iterations"},
		{shifted(1, .01), 2, false, "█▁  relative error from 1 to 0.01 in 1 iteration"},
		{shifted(1, .01), 2, true, "█▁  estimated relative error from 1 to 0.01 in 1 iteration"},
		{shifted(.5, -6.66e-16), 2, false, "█▁  relative error from 0.5 to 0 in 1 iteration"}, // below 0 by rounding
		{shifted(1), 2, false, ""},
	} {
		if got := Descent(c.trace, c.norm, c.estimated, len(c.trace)-1); got != c.want {
			t.Errorf("%v: %q, want %q", c.trace, got, c.want)
		}
	}
}
