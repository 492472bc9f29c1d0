package fit

import (
	"fmt"
	"math"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
)

// Relative is the relative error of a shifted objective where ||X||^2 is exact: 0 if only
// rounding makes it negative, and below 1e-8 a multiple of 1e-14, so that all its digits are
// right.
func Relative(shifted, norm float64) float64 {
	value := 1 + shifted/norm
	if value < 0 && value > -SameRounded {
		value = 0
	}
	return Rounded(value)
}

// Descent draws the objectives of a start's trace in one line, with the values at its ends; ""
// if fewer than two are finite. norm is ||X||^2, 0 if that is an estimate: then f is drawn
// without its constant. The trace of the sampled form is estimated.
func Descent(trace []float64, norm float64, estimated bool, iterations int) string {
	what, values := "f (shifted)", slices.Clone(trace)
	if norm > 0 {
		what = "relative error"
		for i, v := range values {
			values[i] = Relative(v, norm)
		}
	}
	values = slices.DeleteFunc(values, func(v float64) bool { return !linalg.Finite(v) })
	if len(values) < 2 {
		return ""
	}
	if estimated {
		what = "estimated " + what
	}
	return fmt.Sprintf("%s  %s from %.3g to %.3g in %s", sparkline(values, norm > 0, 30), what, values[0], values[len(values)-1], words.Plural(iterations, "iteration"))
}

// sparkline draws values in at most width characters, relative errors on a logarithmic scale
// where they fall tenfold or more. Each character is the last value of its share of the
// iterations, the first one that of the start.
func sparkline(values []float64, relative bool, width int) string {
	values = slices.Clone(values)
	if relative && len(values) > 0 && slices.Min(values) >= 0 && values[0] >= 10*values[len(values)-1] {
		for i, v := range values {
			values[i] = math.Log10(max(v, RelativeRounding))
		}
	}
	return words.Sparkline(words.Thinned(values, width))
}

// Optimum is where some starts ended.
type Optimum = struct {
	ObjectiveShifted float64 // of the best of them
	Starts           int
}

// Optima counts the starts that ended at each f, the best first.
func (r *Result) Optima() []Optimum {
	best := r.AtBest()
	if best == 0 || r.Form == Sampled {
		return nil
	}
	all := []Optimum{{r.ObjectiveShifted, best}}
	var rest []float64
	for _, s := range r.Starts {
		if !s.AtBest && linalg.Finite(s.Ends) {
			rest = append(rest, s.Ends)
		}
	}
	slices.Sort(rest)
	same := SameFit * math.Min(math.Abs(r.ObjectiveShifted), math.Max(r.RelativeError, SameRounded)*r.NormSquared.Value)
	for i, v := range rest {
		if i > 0 && v-all[len(all)-1].ObjectiveShifted <= same {
			all[len(all)-1].Starts++
			continue
		}
		all = append(all, Optimum{v, 1})
	}
	return all
}

// AtBest counts the starts that ended at the best fit.
func (r *Result) AtBest() (n int) {
	for _, s := range r.Starts {
		if s.AtBest {
			n++
		}
	}
	return n
}

// OtherOptima summarizes where the starts ended that did not find the best; "" if all did.
func OtherOptima(optima []Optimum) string {
	if len(optima) < 2 {
		return ""
	}
	starts, next := 0, optima[1]
	for _, o := range optima[1:] {
		starts += o.Starts
	}
	if len(optima) == 2 {
		return fmt.Sprintf("%s at f = %.6g", words.Plural(starts, "start"), next.ObjectiveShifted)
	}
	return fmt.Sprintf("%s at %d others, the next at f = %.6g", words.Plural(starts, "start"), len(optima)-1, next.ObjectiveShifted)
}
