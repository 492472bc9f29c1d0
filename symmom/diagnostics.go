package symmom

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"symmom/internal/fit"
	"symmom/internal/linalg"
	"symmom/internal/words"
)

// Diagnostics say how well the components of a model can be told apart. With unit
// columns, the terms lambda_j a_j^(x d) have the inner products lambda_i lambda_j
// (a_i'a_j)^d, entries of [A'A]^d between weights.
type Diagnostics struct {
	// Shares of the components in ||M||^2, of sum 1: each has its own square and
	// half of its inner products with others. A share outside of 0..1 means that
	// terms cancel.
	Shares []float64
	// Condition is the ratio of the largest eigenvalue of [A'A]^d to the smallest:
	// how much errors of X may grow in lambda. It is 1 for orthogonal components,
	// infinite if they are dependent, and NaN for more than 500 components, whose
	// eigenvalues would take too long.
	Condition float64
	// Degenerate pairs are terms whose cosine is below -.9: they nearly cancel each
	// other, and their weights can grow without bound if the moment has no best
	// model of this rank.
	Degenerate []TermPair
}

// TermPair is two terms of a model, counted from 0 with I < J, and the cosine of
// the angle between these tensors.
type TermPair struct {
	I, J   int
	Cosine float64
}

// Diagnostics returns shares, condition and degenerate pairs of the components.
// O(n r^2 + r^3).
func (m *Model) Diagnostics() *Diagnostics {
	k := m.kruskal().Diagnose()
	d := &Diagnostics{Shares: k.Shares, Condition: k.Condition}
	for _, p := range k.Degenerate {
		d.Degenerate = append(d.Degenerate, TermPair(p))
	}
	return d
}

// Lines are what String shows, each with its name.
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
	parts := make([]string, 0, most+1)
	for i, x := range v {
		if i == most {
			parts = append(parts, fmt.Sprintf("... (%d in all)", len(v)))
			break
		}
		parts = append(parts, fmt.Sprintf("%.3g%%", 100*x))
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

// Optimum is where some starts ended.
type Optimum struct {
	ObjectiveShifted float64 // of the best of them
	Starts           int
}

// Optima counts the starts that ended at each f, the best first: what is within
// .001 of f = ||X - M||^2 or of ||M||^2, whichever is less, counts as one, as for
// Start.AtBest. It is nil for the sampled form, whose f are estimates.
func (f *Fit) Optima() []Optimum {
	best, ok := f.AtBest()
	if !ok || best == 0 || f.Form == FormSampled {
		return nil
	}
	all := []Optimum{{f.ObjectiveShifted, best}}
	var rest []float64
	for _, s := range f.Starts {
		if !s.AtBest && linalg.Finite(s.ObjectiveShifted) {
			rest = append(rest, s.ObjectiveShifted)
		}
	}
	slices.Sort(rest)
	same := fit.SameFit * math.Min(math.Abs(f.ObjectiveShifted), math.Max(f.RelativeError, fit.SameRounded)*f.NormSquared.Value)
	for i, v := range rest {
		if i > 0 && v-all[len(all)-1].ObjectiveShifted <= same {
			all[len(all)-1].Starts++
			continue
		}
		all = append(all, Optimum{v, 1})
	}
	return all
}

// OtherOptima says in a few words where starts ended that did not find the best; it
// is empty if all did.
func (f *Fit) OtherOptima() string {
	o := f.Optima()
	if len(o) < 2 {
		return ""
	}
	starts := 0
	for _, x := range o[1:] {
		starts += x.Starts
	}
	if len(o) == 2 {
		return fmt.Sprintf("%s at f = %.6g", words.Plural(starts, "start"), o[1].ObjectiveShifted)
	}
	return fmt.Sprintf("%s at %d others, the next at f = %.6g", words.Plural(starts, "start"), len(o)-1, o[1].ObjectiveShifted)
}
