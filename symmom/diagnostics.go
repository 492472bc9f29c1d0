package symmom

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/ktensor"
	"symmom/internal/linalg"
	"symmom/internal/notice"
	"symmom/internal/words"
)

// Diagnostics tell how far the components of a model can be told apart. With
// unit columns, the terms lambda_j a_j^(x d) have the inner products lambda_i
// lambda_j (a_i'a_j)^d, entries of [A'A]^d between weights.
type Diagnostics struct {
	// Shares of the components in ||M||^2, of sum 1: each has its own square and
	// half of what it has in common with others. One outside of 0..1 is of terms
	// that cancel.
	Shares []float64
	// Condition is the ratio of the largest eigenvalue of [A'A]^d to the smallest:
	// how far errors of X may grow in lambda. 1 for orthogonal components,
	// infinite where they are dependent, and NaN for more than 500, whose
	// eigenvalues would take longer than the fit is worth.
	Condition float64
	// Degenerate pairs are terms whose cosine is below -.9: they nearly cancel
	// each other, and so their weights can grow without end where the moment has
	// no best model of this rank.
	Degenerate []TermPair
}

// TermPair is two terms of a model, counted from 0 with I < J, and the cosine of
// the angle between these tensors.
type TermPair struct {
	I, J   int
	Cosine float64
}

// Of Diagnostics.
const (
	degenerateCosine = -.9
	mostConditioned  = 500
)

// Diagnostics returns shares, condition and degenerate pairs of the components.
// O(n r^2 + r^3).
func (m *Model) Diagnostics() *Diagnostics {
	r := m.Rank()
	d := &Diagnostics{Shares: make([]float64, r), Condition: math.NaN()}
	if r == 0 {
		return d
	}
	k := m.kruskal()
	k.Normalize()
	if most := linalg.NormInf(k.Lambda); most > 0 {
		for j := range k.Lambda {
			k.Lambda[j] /= most // squares stay in range
		}
	}
	g := gram(k)
	total := 0.
	for i := range r {
		for j := range r {
			d.Shares[i] += k.Lambda[i] * g[i*r+j] * k.Lambda[j]
		}
		total += d.Shares[i]
	}
	for i := range r {
		if d.Shares[i] /= total; total == 0 {
			d.Shares[i] = 0
		}
		for j := range i {
			c := g[i*r+j]
			if k.Lambda[i]*k.Lambda[j] < 0 {
				c = -c
			}
			if c < degenerateCosine {
				d.Degenerate = append(d.Degenerate, TermPair{j, i, c})
			}
		}
	}
	if r <= mostConditioned {
		d.Condition = condition(mat.NewSymDense(r, g))
	}
	return d
}

// gram returns [A'A]^d of unit columns, r x r.
func gram(k *ktensor.Kruskal) []float64 {
	g := make([]float64, k.R*k.R)
	for i := range k.R {
		for j := range i + 1 {
			c := linalg.Powi(linalg.Dot(k.Column(i), k.Column(j)), k.D)
			g[i*k.R+j], g[j*k.R+i] = c, c
		}
	}
	return g
}

// condition of a positive semidefinite matrix, infinite where its smallest
// eigenvalue is 0 but for rounding.
func condition(g *mat.SymDense) float64 {
	var e mat.EigenSym
	if !e.Factorize(g, false) {
		return math.NaN()
	}
	v := e.Values(nil)
	low, high := v[0], v[len(v)-1]
	if low <= float64(len(v))*0x1p-52*high {
		return math.Inf(1)
	}
	return high / low
}

// Lines are what String shows, each with its name.
func (d *Diagnostics) Lines() [][]string {
	lines := [][]string{{"shares", fmt.Sprintf("%s  (condition %.3g)", shares(d.Shares), d.Condition)}}
	if len(d.Degenerate) > 0 {
		lines = append(lines, []string{"degenerate", d.pairs()})
	}
	return lines
}

// String names shares and condition, and degenerate pairs if there are any.
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
		if !s.AtBest && finite(s.ObjectiveShifted) {
			rest = append(rest, s.ObjectiveShifted)
		}
	}
	slices.Sort(rest)
	same := sameFit * math.Min(math.Abs(f.ObjectiveShifted), math.Max(f.RelativeError, sameRounded)*f.NormSquared.Value)
	for i, v := range rest {
		if i > 0 && v-all[len(all)-1].ObjectiveShifted <= same {
			all[len(all)-1].Starts++
			continue
		}
		all = append(all, Optimum{v, 1})
	}
	return all
}

// OtherOptima says in a few words where starts ended that did not find the best;
// it is empty where all did.
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

// degenerate warns of terms that cancel. It begins with the rank, so that a sweep
// tells it once.
func (f *Fit) degenerate() []Warning {
	if len(f.Model.Diagnostics().Degenerate) == 0 {
		return nil
	}
	return []Warning{notice.New(notice.Degenerate, "rank %d has components that nearly cancel each other (degenerate): their weights mean little; take a lower rank, or keep the factors non-negative", f.Rank)}
}
