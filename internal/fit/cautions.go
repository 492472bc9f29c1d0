package fit

import (
	"fmt"
	"math"

	"symmom/internal/ktensor"
	"symmom/internal/notice"
	"symmom/internal/words"
)

// Cautions warn of a rank, and of data, before anything is fitted.
func (m *Moment) Cautions(r int) []notice.Warning {
	return append(m.rankWarnings(r), m.offsetWarnings(r)...)
}

// rankWarnings warns of a rank above what the data can carry: a moment of p
// observations has rank p at most, and a generic symmetric tensor of this
// size is matched by about C(n+d-1, d)/n components (Alexander & Hirschowitz).
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

// offsetShare of the mean in the second moment is warned of.
const offsetShare = .9

// offsetWarnings warns of data far from the origin: the components of their
// moments all point to the mean, and what sets them apart is a small part of f.
func (m *Moment) offsetWarnings(r int) []notice.Warning {
	if r == 1 {
		return nil // it may well be the one component
	}
	share := m.Table.Offset()
	if !(share >= offsetShare) {
		return nil
	}
	return []notice.Warning{notice.New(notice.Offset, "the mean makes up %.3g%% of the second moment, so that all components point to it and differ little: center the data", 100*math.Min(share, 1)).With("Center")}
}

// NoNoise warns where an estimate of the noise is 0 or takes all there is.
func (m *Moment) NoNoise() []notice.Warning {
	if m.Noise == nil || m.Noise.Trace() > 0 {
		return nil
	}
	return []notice.Warning{notice.New(notice.NoNoise, "the noise of %s that was to be taken out is 0: the debiased moment is the plain one", words.Plural(m.Table.N, "variable"))}
}

// degenerate warns of terms that cancel. It begins with the rank, so that a sweep
// tells it once.
func degenerate(k *ktensor.Kruskal) []notice.Warning {
	if len(k.Diagnose().Degenerate) == 0 {
		return nil
	}
	return []notice.Warning{notice.New(notice.Degenerate, "rank %d has components that nearly cancel each other (degenerate): their weights mean little; take a lower rank, or keep the factors non-negative", k.R)}
}
