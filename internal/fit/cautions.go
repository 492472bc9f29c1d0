package fit

import (
	"fmt"
	"math"

	"symmom/internal/ktensor"
	"symmom/internal/linalg"
	"symmom/internal/notice"
	"symmom/internal/words"
)

// Cautions returns warnings about a rank, and about the data, before anything is
// fitted.
func (m *Moment) Cautions(r int) []notice.Warning {
	return append(m.rankWarnings(r), m.offsetWarnings(r)...)
}

// rankWarnings warns of a rank above what the data support: the moment of p
// observations has rank p at most, and a generic symmetric tensor of this size is
// matched by about C(n+d-1, d)/n components (Alexander & Hirschowitz).
func (m *Moment) rankWarnings(r int) []notice.Warning {
	d := m.Table
	limit, why := float64(d.P), fmt.Sprintf("a moment of %s has at most rank %s", words.Plural(d.P, "observation"), words.Count(d.P))
	if generic := m.Generic(); generic < limit {
		fit := "components fit"
		if generic == 1 {
			fit = "component fits"
		}
		limit, why = generic, fmt.Sprintf("%g %s any order-%d moment of %s", generic, fit, m.Order, words.Plural(d.N, "variable"))
	}
	switch {
	case float64(r) > limit:
		return []notice.Warning{notice.New(notice.Rank, "rank %d is more than the data can carry: %s; the components are not unique", r, why)}
	case m.Order == 2 && r > 1:
		return []notice.Warning{notice.New(notice.SecondOrder, "components of a second moment are not unique: rotated among each other they fit as well; take order 3 or above")}
	}
	return nil
}

// Generic returns the number of components that match any moment of this size.
func (m *Moment) Generic() float64 {
	n := m.Table.N
	switch m.Order {
	case 1:
		return 1
	case 2:
		return float64(n)
	}
	entries := 1.
	for k := range m.Order {
		entries *= float64(n+k) / float64(k+1)
	}
	return math.Ceil(entries / float64(n))
}

// offsetShare is the share of the mean in the second moment that calls for a warning.
const offsetShare = .9

// offsetWarnings warns of data far from the origin: the components of their moments
// all point to the mean, and what distinguishes them is a small part of f.
func (m *Moment) offsetWarnings(r int) []notice.Warning {
	if r == 1 {
		return nil // it can well be the only component
	}
	share := m.Table.Offset()
	if !(share >= offsetShare) {
		return nil
	}
	return []notice.Warning{notice.New(notice.Offset, "the mean makes up %.3g%% of the second moment, so that all components point to it and differ little: center the data", 100*math.Min(share, 1)).With("Center")}
}

// NoiseWarnings warns if the estimate of the noise is doubtful, or the noise 0.
func (m *Moment) NoiseWarnings() []notice.Warning {
	if m.Noise == nil || m.Noise.Trace() > 0 {
		return m.doubt
	}
	return []notice.Warning{notice.New(notice.NoNoise, "the noise of %s that was to be taken out is 0: the debiased moment is the plain one", words.Plural(m.Table.N, "variable"))}
}

// leftOpen returns what rounding leaves open of the relative error of a model, lambda and
// A, where ||X||^2 is norm: f is a sum of terms lambda_i lambda_j (a_i'a_j)^d of both
// signs, which may be far larger than itself.
func leftOpen(d, r int, lambda, a []float64, norm float64) float64 {
	gram := make([]float64, r*r)
	linalg.MulABt(gram, a, a, r, r, len(a)/r)
	linalg.PowInto(gram, d)
	gross := 0.
	for i := range r {
		for j := range r {
			gross += math.Abs(lambda[i] * lambda[j] * gram[i*r+j])
		}
	}
	return rounding * gross / norm
}

// printedDigits is what rounding may leave open of a relative error before it is said: it is
// printed with six digits.
const printedDigits = 1e-6

// roundingWarning warns of that.
func roundingWarning(open float64) []notice.Warning {
	if !(open >= printedDigits) {
		return nil
	}
	return []notice.Warning{notice.New(notice.Rounding, "the components are so large and cancel so far that rounding leaves the relative error open by %.1g, and f accordingly: take a lower rank, or keep the factors non-negative", open)}
}

// coinciding is the condition of the terms from which on some of them are the same but for
// what the tolerance leaves.
const coinciding = 1e10

// degenerate warns of terms that cancel or coincide. The warning begins with the rank, so
// that a sweep reports it once.
func degenerate(k *ktensor.Kruskal) []notice.Warning {
	d := k.Diagnose()
	if len(d.Degenerate) == 0 {
		if d.Condition > coinciding {
			return []notice.Warning{notice.New(notice.Degenerate, "rank %d has components that are the same, so that only the sum of their weights means something: take a lower rank", k.R)}
		}
		return nil
	}
	return []notice.Warning{notice.New(notice.Degenerate, "rank %d has components that nearly cancel each other (degenerate): their weights mean little; take a lower rank, or keep the factors non-negative", k.R)}
}
