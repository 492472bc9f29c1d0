package symmom

import (
	"symmom/internal/math/ktensor"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// Diagnostics measure how well the components of a model are separated. With unit
// columns, the terms lambda_j a_j^(x d) have the inner products lambda_i lambda_j
// (a_i'a_j)^d, entries of [A'A]^d between weights.
type Diagnostics struct {
	Result // Err, String and HTML

	// Shares of the components in ||M||^2, of sum 1: each has its own square and
	// half of its inner products with others. A share outside of 0..1 means that
	// terms cancel. They are NaN if lambda is 0 or overflowed.
	Shares []float64
	// Condition is the ratio of the largest eigenvalue of [A'A]^d to the smallest:
	// how much errors of X may grow in lambda. It is 1 for orthogonal components,
	// infinite if they are dependent, and NaN for more than 500 components, whose
	// eigenvalues would take too long.
	Condition float64
	// Degenerate pairs are terms whose cosine is below -.9: they nearly cancel each
	// other, and their weights can grow without bound if the moment has no best
	// model of this rank. Terms count from 0, I < J; the cosine is that between these tensors.
	Degenerate []struct {
		I, J   int
		Cosine float64
	}
}

// Diagnostics returns shares, condition and degenerate pairs of the components.
// O(n r^2 + r^3).
func (m *Model) Diagnostics() *Diagnostics {
	found := m.kruskal().Diagnose()
	return made(&Diagnostics{Shares: found.Shares, Condition: found.Condition, Degenerate: found.Degenerate})
}

// shown has shares and condition, and degenerate pairs if there are any.
func (d *Diagnostics) shown() shown {
	return &htmltext.Facts{Title: "Diagnostics of " + words.Plural(len(d.Shares), "component"), Lines: ktensor.Lines(d.Shares, d.Condition, d.Degenerate)}
}
