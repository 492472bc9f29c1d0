package ktensor

import (
	"fmt"
	"slices"
	"strings"

	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
)

// Lines are the lines of String, each with its name.
func (d *Diagnostics) Lines() [][]string {
	lines := [][]string{{"shares", fmt.Sprintf("%s  (condition %.3g)", shares(d.Shares), d.Condition)}}
	if len(d.Degenerate) > 0 {
		lines = append(lines, []string{"degenerate", d.pairs()})
	}
	return lines
}

// String shows shares and condition, and degenerate pairs if there are any.
func (d *Diagnostics) String() string {
	text := fmt.Sprintf("Diagnostics of %s", words.Plural(len(d.Shares), "component"))
	for _, l := range d.Lines() {
		text += fmt.Sprintf("\n  %-10s  %s", l[0], l[1])
	}
	return text
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
func (d *Diagnostics) pairs() string {
	const most = 3
	var parts []string
	for i, p := range d.Degenerate {
		if i == most {
			parts = append(parts, fmt.Sprintf("%d more", len(d.Degenerate)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("%d and %d (cosine %.4f)", p.I+1, p.J+1, p.Cosine))
	}
	return strings.Join(parts, ", ")
}
