package symmom

import (
	"fmt"
	"math"
	"slices"

	"symmom/internal/estimate/fit"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
)

// sparkline draws the trace of the best start in at most width characters: the
// relative error where ||X||^2 is exact, on a logarithmic scale where it falls
// tenfold or more, otherwise f without its constant. Each character is the last
// value of its share of the iterations, the first one that of the start; it is
// "" for a fit without a trace.
func (f *Fit) sparkline(width int) string {
	values, what := f.traceValues()
	if what == relativeError && len(values) > 0 && slices.Min(values) >= 0 && values[0] >= 10*values[len(values)-1] {
		for i, v := range values {
			values[i] = math.Log10(max(v, fit.RelativeRounding))
		}
	}
	return words.Sparkline(words.Thinned(values, width))
}

const relativeError = "relative error"

// traceValues are those of sparkline that are finite, and what they are.
func (f *Fit) traceValues() (values []float64, what string) {
	what = "f (shifted)"
	if f.NormSquared.Exact() && f.NormSquared.Value > 0 {
		what = relativeError
	}
	if f.Best < 0 || f.Best >= len(f.Starts) {
		return nil, what
	}
	for _, p := range f.Starts[f.Best].Trace {
		v := p.Objective
		if what == relativeError {
			v, _ = f.NormSquared.Relative(v)
		}
		if linalg.Finite(v) {
			values = append(values, v)
		}
	}
	return values, what
}

// Descent is the sparkline of the best start with the values at its ends, in
// one line; "" for a fit without a trace.
func (f *Fit) Descent() string {
	values, what := f.traceValues()
	if len(values) < 2 {
		return ""
	}
	best := f.Starts[f.Best]
	if best.Estimated {
		what = "estimated " + what
	}
	return fmt.Sprintf("%s  %s from %.3g to %.3g in %s", f.sparkline(30), what, values[0], values[len(values)-1], words.Plural(best.Iterations, "iteration"))
}
