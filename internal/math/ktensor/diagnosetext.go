package ktensor

import (
	"fmt"
	"slices"
	"strings"

	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
)

// Lines are diagnostics as lines, each with its name.
func Lines(of []float64, condition float64, degenerate []TermPair) [][]string {
	lines := [][]string{{"shares", fmt.Sprintf("%s  (condition %.3g)", shares(of), condition)}}
	if len(degenerate) > 0 {
		lines = append(lines, []string{"degenerate", pairs(degenerate)})
	}
	return lines
}

// shares writes at most ten of them, in percent.
func shares(v []float64) string {
	const most = 10
	if slices.ContainsFunc(v, func(x float64) bool { return !linalg.Finite(x) }) { // ||M||^2 is 0, or rounded to it
		return "not known"
	}
	parts := make([]string, 0, most+1)
	for i, x := range v {
		if i == most {
			parts = append(parts, fmt.Sprintf("... (%d in all)", len(v)))
			break
		}
		parts = append(parts, words.Percent(x))
	}
	return strings.Join(parts, "  ")
}

// pairs writes the degenerate ones, at most three.
func pairs(degenerate []TermPair) string {
	const most = 3
	var parts []string
	for i, p := range degenerate {
		if i == most {
			parts = append(parts, fmt.Sprintf("%d more", len(degenerate)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("%d and %d (cosine %.4f)", p.I+1, p.J+1, p.Cosine))
	}
	return strings.Join(parts, ", ")
}
