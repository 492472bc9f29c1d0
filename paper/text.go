package paper

import (
	"fmt"
	"math"
	"strings"
	"symmom/internal/math/linalg"
	"unicode/utf8"
)

// digits formats a number with three significant digits, or "-" if it is not finite.
func digits(v float64) string {
	a := math.Abs(v)
	switch {
	case !linalg.Finite(v):
		return "-"
	case v == 0:
		return "0"
	case a >= 1e5 || a < 1e-3:
		return strings.Replace(fmt.Sprintf("%.2e", v), "e+0", "e+", 1)
	case a >= 100:
		return fmt.Sprintf("%.0f", v)
	case a >= 10:
		return fmt.Sprintf("%.1f", v)
	case a >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// over formats a ratio.
func over(a, b float64) string { return digits(a / b) }

// wrap breaks text into lines of at most width columns.
func wrap(text, first, rest string, width int) string {
	var b strings.Builder
	line, indent := first, rest
	empty := true
	for _, word := range strings.Fields(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			b.WriteString(line + "\n")
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	return b.String() + line + "\n"
}
