package symmom

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// fitOf has one start with these relative errors, ||X||^2 = 2.
func fitOf(errors ...float64) *Fit {
	f := &Fit{NormSquared: Norm{Value: 2}}
	s := Start{Iterations: len(errors) - 1}
	for _, e := range errors {
		s.Trace = append(s.Trace, TracePoint{Objective: 2 * (e - 1)})
	}
	f.Starts = []Start{s}
	return f
}

func TestSparkline(t *testing.T) {
	for _, c := range []struct {
		f     *Fit
		width int
		want  string
	}{
		{fitOf(1, .5), 10, "█▁"},
		{fitOf(1, .9, .8, .7, .6, .5, .4, .3), 8, "█▇▆▅▄▃▂▁"},               // threefold: linear
		{fitOf(1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7), 8, "█▇▆▅▄▃▂▁"}, // logarithmic
		{fitOf(1, .9, .8, .7, .6, .5, .4, .3), 2, "█▁"},
		{fitOf(1, .9, .8, .7, .6, .5, .4, .3), 1, "▁"}, // one character says nothing, and is not higher than itself
		{fitOf(.5, .5), 5, "▁▁"},
		{fitOf(), 5, ""},
		{fitOf(1), 0, ""},
		{&Fit{}, 5, ""},
	} {
		if got := c.f.sparkline(c.width); got != c.want {
			t.Errorf("%v in %d: %q, want %q", c.f.Starts, c.width, got, c.want)
		}
	}
	estimate := fitOf(2, 1, .5)
	estimate.NormSquared.Pairs = 10
	if got, want := estimate.Descent(), "█▃▁  f (shifted) from 2 to -1 in 2 iterations"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := fitOf(1, .01).Descent(), "█▁  relative error from 1 to 0.01 in 1 iteration"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := fitOf(.5, -6.66e-16).Descent(), "█▁  relative error from 0.5 to 0 in 1 iteration"; got != want {
		t.Errorf("an error below 0 by rounding: %q, want %q", got, want)
	}
	if fitOf(1).Descent() != "" {
		t.Error("one point descends")
	}
	fit := drawUniform(5, 100, 1).Moment(3).With(Options{Starts: 2}).Decompose(2)
	if s := fit.sparkline(30); utf8.RuneCountInString(s) < 2 || !strings.Contains(fit.String(), "  best start      "+s) {
		t.Errorf("%q is not in\n%s", s, fit)
	}
}
