// Package numbers writes the numbers of fits, as pages and their tables do.
package numbers

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// Facts are the names and values of what is most important about a fit, name by name.
func Facts(f *symmom.Fit, score *symmom.Score) []string {
	facts := []string{"rank", strconv.Itoa(f.Rank), "relative error", Estimated(f.RelativeError, f)}
	if score != nil {
		facts = append(facts, "score", Fixed(score.Value, 4))
	}
	if len(f.Starts) > 0 {
		facts = append(facts, "starts at the best", AtBest(f))
	}
	if f.Status != "" {
		facts = append(facts, "status", words.Spaced(f.Status))
	}
	if f.Elapsed > 0 {
		facts = append(facts, "time", words.Duration(f.Elapsed))
	}
	return facts
}

// AtBest counts the starts that found the best fit. Of an interrupted search it counts
// them among those that were begun, not all of which have ended.
func AtBest(f *symmom.Fit) string {
	n := f.AtBest
	switch {
	case len(f.Starts) == 0:
		return "–"
	case errors.Is(f.Err(), symmom.ErrInterrupted):
		return fmt.Sprintf("%d of %d begun", n, len(f.Starts))
	}
	return fmt.Sprintf("%d of %d", n, len(f.Starts))
}

// Score is that of one fit of a sweep, NaN if it has none.
func Score(s *symmom.Sweep, i int) float64 {
	if i >= len(s.Scores) {
		return math.NaN()
	}
	return s.Scores[i]
}

// Share writes a share, unless it is not known.
func Share(of float64) string {
	if math.IsNaN(of) {
		return "–"
	}
	return words.Percent(of)
}

// Estimated writes a relative error, with its standard error if ||X||^2 is an estimate.
func Estimated(x float64, f *symmom.Fit) string {
	s := Five(x)
	if v := f.NormSquared; !v.Exact() && v.Value != 0 {
		_, stderr := v.Relative(f.ObjectiveShifted)
		s += words.PlusMinus(stderr)
	}
	return s
}

// Five writes five digits.
func Five(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }

// Fixed writes so many digits after the point, or three of a smaller number.
func Fixed(x float64, digits int) string {
	if !linalg.Finite(x) {
		return "–"
	}
	if x != 0 && math.Abs(x) < math.Pow(10, -float64(digits)) {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

// AboveLowest returns the numbers minus their minimum.
func AboveLowest(numbers []float64) []float64 {
	above := slices.Clone(numbers)
	for i := range above {
		above[i] -= slices.Min(numbers)
	}
	return above
}

// Zeroed returns x, or 0 if it is no more than rounding beside numbers of some size.
func Zeroed(x, size float64) float64 {
	if math.Abs(x) <= 1e-14*size {
		return 0
	}
	return x
}

// Brief writes x with as many decimals as give three digits to numbers of some size.
func Brief(x, size float64) string {
	if size > 0 && (size < 1e-3 || size >= 1e6) {
		return strings.Replace(fmt.Sprintf("%.1e", x), "e+0", "e", 1)
	}
	decimals := 2
	if size > 0 {
		decimals = max(0, 2-int(math.Floor(math.Log10(size)+1e-9)))
	}
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return "0"
	}
	return strings.Replace(text, "-", "−", 1)
}
