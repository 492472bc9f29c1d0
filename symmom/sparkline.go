package symmom

import (
	"fmt"
	"math"

	"symmom/internal/fit"
	"symmom/internal/linalg"
	"symmom/internal/words"
)

// sparkline draws the trace of the best start in at most width characters: the
// relative error where ||X||^2 is exact, on a logarithmic scale where it falls
// tenfold or more, otherwise f without its constant. Each character is the last
// value of its share of the iterations, the first one that of the start; it is
// "" for a fit without a trace.
func (f *Fit) sparkline(width int) string {
	values, log := f.traceValues()
	if log {
		for i, v := range values {
			values[i] = math.Log10(max(v, fit.RelativeRounding))
		}
	}
	return words.Sparkline(words.Thinned(values, width))
}

// traceValues are those of sparkline that are finite, and whether they belong on
// a logarithmic scale.
func (f *Fit) traceValues() (values []float64, log bool) {
	if f.Best < 0 || f.Best >= len(f.Starts) {
		return nil, false
	}
	relative := f.NormSquared.Exact() && f.NormSquared.Value > 0
	log = relative
	for _, p := range f.Starts[f.Best].Trace {
		v := p.Objective
		if relative {
			v, _ = f.NormSquared.Relative(v)
		}
		if linalg.Finite(v) {
			values = append(values, v)
			log = log && v >= 0
		}
	}
	if len(values) == 0 {
		return nil, false
	}
	return values, log && values[0] >= 10*values[len(values)-1]
}

// Descent is the sparkline of the best start with the values at its ends, in
// one line; "" for a fit without a trace.
func (f *Fit) Descent() string {
	values, _ := f.traceValues()
	if len(values) < 2 {
		return ""
	}
	what := "f (shifted)"
	if f.NormSquared.Exact() && f.NormSquared.Value > 0 {
		what = "relative error"
	}
	if f.Starts[f.Best].Estimated {
		what = "estimated " + what
	}
	first, last := values[0], values[len(values)-1]
	return fmt.Sprintf("%s  %s from %.3g to %.3g in %s", f.sparkline(30), what, first, last, words.Plural(f.Starts[f.Best].Iterations, "iteration"))
}
