package fit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"symmom/internal/math/distinct"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Cautions returns warnings about a rank, and about the data, before anything is
// fitted.
func (m *Moment) Cautions(r int) []diag.Warning {
	return slices.Concat(m.rankWarnings(r), m.offsetWarnings(r), m.NoiseWarnings())
}

// rankWarnings warns of a rank above what the data support. The plain moment of p
// observations is a sum of p terms, one without its noise need not be. Almost all terms
// with more numbers than the tensor has entries belong to a family with the same sum; so
// many may still be needed, see Generic.
func (m *Moment) rankWarnings(r int) []diag.Warning {
	d, entries := m.Table, moment.PackedBytes(m.Order, m.Table.N)/8
	if m.Distinct { // C(n, d)
		entries = moment.PackedBytes(m.Order, m.Table.N-m.Order+1) / 8
	}
	switch {
	case (m.Noise == nil || m.Noise.Trace() == 0) && r > d.P:
		return []diag.Warning{diag.New(diag.Rank, "rank %d is more than the data can carry: a moment of %s has at most rank %s; the components need not be unique", r, words.Plural(d.P, "observation"), words.Count(d.P))}
	case m.Order == 2 && 1 < r && r <= d.N:
		return []diag.Warning{diag.New(diag.SecondOrder, "components of a second moment need not be unique: they fit as well when rotated among each other; take order 3 or above").With("order")}
	case float64(r)*float64(d.N) > entries:
		return []diag.Warning{diag.New(diag.Rank, "rank %d has %s for the %s of an order-%d moment of %s: the components need not be unique", r, words.Plural(r*d.N, "parameter"), words.Plural(int(entries), "distinct value"), m.Order, words.Plural(d.N, "variable"))}
	}
	return nil
}

// Generic returns the rank of almost all complex tensors of this size, C(n+d-1, d)/n
// rounded up except for quadratic forms and four exceptions (Alexander & Hirschowitz, J.
// Algebraic Geom. 4, 1995). Of the real ones an open set has it, and it is the least rank
// of which that is true; others may take more, at most twice as many (Blekherman & Teitler,
// Math. Ann. 362, 2015), and d for two variables (Comon & Ottaviani, Linear Multilinear
// Algebra 60, 2012).
func (m *Moment) Generic() float64 {
	n := m.Table.N
	switch {
	case m.Order == 1:
		return 1
	case m.Order == 2:
		return float64(n)
	}
	generic := math.Ceil(moment.PackedBytes(m.Order, n) / 8 / float64(n))
	if m.Order == 3 && n == 5 || m.Order == 4 && 3 <= n && n <= 5 {
		generic++
	}
	return generic
}

// offsetShare is the share of the mean in the second moment that calls for a warning.
const offsetShare = .9

// offsetWarnings warns of data far from the origin: the components of their moments
// all point to the mean, and what distinguishes them is a small part of f. Centers of groups
// lie in one dimension less once the data are centered, where those of few are not unique.
func (m *Moment) offsetWarnings(r int) []diag.Warning {
	if r == 1 {
		return nil // it can well be the only component
	}
	share := m.Table.Offset()
	if !(share >= offsetShare) {
		return nil
	}
	return []diag.Warning{diag.New(diag.Offset, "the mean makes up %s of the second moment, so that all components point to it and differ little: center the data, unless the components are groups", words.Percent(math.Min(share, 1))).With("Center")}
}

// NoiseWarnings warns if the estimate of the noise is doubtful, if taking it out does nothing
// (to the third moment it adds its covariance times the mean), or if it cannot be in the data.
func (m *Moment) NoiseWarnings() []diag.Warning {
	if m.Noise == nil || m.Cumulant {
		return nil
	}
	if m.Noise.Trace() == 0 {
		return []diag.Warning{diag.New(diag.NoNoise, "the noise to remove from %s is 0: the debiased moment is the plain one", words.Plural(m.Table.N, "variable"))}
	}
	w := slices.Clip(m.doubt)
	if m.Order == 3 && m.Table.Offset() < moment.CenteredShare {
		w = append(w, diag.New(diag.NoNoise, "noise adds nothing to the third moment of centered data: the debiased moment is the plain one; take order 4, or do not center").With("order"))
	}
	return append(w, m.moreNoise()...)
}

// moreNoise warns of noise that was given and is more than a variable varies, by more than
// chance would have it for any of them.
func (m *Moment) moreNoise() []diag.Warning {
	if m.NoiseError > 0 {
		return nil // estimated from what the variables vary
	}
	variances, p := m.Table.Variances()
	free := 2 / (9 * (p - 1))
	// A lower bound of a variance of 1 estimated from p normal observations (Wilson & Hilferty 1931).
	least := math.Pow(max(0, 1-free-(4+math.Sqrt(2*math.Log(float64(m.Table.N))))*math.Sqrt(free)), 3) * (p - 1) / p
	worst := -1
	for i, v := range variances {
		if share := v / m.Noise.At(i, i); share < least {
			worst, least = i, share
		}
	}
	if worst < 0 {
		return nil
	}
	return []diag.Warning{diag.New(diag.MoreNoise, "%s has a standard deviation of about %.2g, and cannot have the noise of %.3g that was removed from it: the result says nothing about its components; give sigma in the units of the decomposed data", m.Table.Label(worst), math.Sqrt(variances[worst]), math.Sqrt(m.Noise.At(worst, worst))).With("Debias")}
}

// leftOpen bounds the rounding error in the relative error of a model, lambda and
// A, where ||X||^2 is norm: f is a sum of terms lambda_i lambda_j (a_i'a_j)^d of both
// signs, which may be far larger than itself. Over distinct indices each is a sum of products of
// power sums, with coefficients that add up to d!.
func (m *Moment) leftOpen(r int, lambda, a []float64, norm float64) float64 {
	gram, gross := make([]float64, r*r), 0.
	if m.Distinct {
		a = slices.Clone(a)
		for i, v := range a {
			a[i] = math.Abs(v)
		}
		norm /= math.Gamma(float64(m.Order + 1))
	}
	linalg.MulABt(gram, a, a, r, r, len(a)/r)
	linalg.PowInto(gram, m.Order)
	for i := range r {
		for j := range r {
			gross += math.Abs(lambda[i] * lambda[j] * gram[i*r+j])
		}
	}
	return rounding * gross / norm
}

// printedDigits is the uncertainty by rounding above which a relative error, printed with
// six digits, gives a warning.
const printedDigits = 1e-6

// roundingWarning is that warning.
func roundingWarning(open float64) []diag.Warning {
	if !(open >= printedDigits) {
		return nil
	}
	return []diag.Warning{diag.New(diag.Rounding, "the components are so large and cancel so far that rounding makes the relative error uncertain by %.1g, and f accordingly: take a lower rank", open).With("rank")}
}

// coinciding is the condition of the terms from which on some of them are the same but for
// what the tolerance leaves.
const coinciding = 1e10

// weightless is the norm of a term, relative to that of the largest, below which it is none.
const weightless = 1e-7

// degenerate warns of terms of unit columns, the largest first, that cancel or coincide, or have
// no weight. The warning begins with the rank, so that a sweep reports it once.
func degenerate(k *ktensor.Kruskal) []diag.Warning {
	some := k.R
	for some > 0 && !(math.Abs(k.Lambda[some-1]) > weightless*math.Abs(k.Lambda[0])) {
		some--
	}
	switch {
	case some == 0:
		return nil // f says so
	case some < k.R:
		rest := &ktensor.Kruskal{D: k.D, N: k.N, R: some, Distinct: k.Distinct, Lambda: k.Lambda[:some], A: k.A[:some*k.N]}
		return append(degenerate(rest), diag.New(diag.Degenerate, "rank %d has %s without weight (at most %g of the largest): rank %d fits as well", k.R, words.Plural(k.R-some, "component"), weightless, some).With("rank"))
	}
	d := k.Diagnose()
	if len(d.Degenerate) == 0 {
		switch {
		case !(d.Condition > coinciding):
			return nil
		case someCoincide(k):
			return []diag.Warning{diag.New(diag.Degenerate, "rank %d has components that are the same, so that only the sum of their weights means something: take a lower rank", k.R).With("rank")}
		}
		return []diag.Warning{diag.New(diag.Degenerate, "rank %d has components whose terms are linearly dependent, so that other weights fit as well: take a lower rank", k.R).With("rank")}
	}
	return []diag.Warning{diag.New(diag.Degenerate, "rank %d has components that nearly cancel each other (degenerate): their weights mean little; take a lower rank", k.R).With("rank")}
}

// someCoincide reports whether two terms of unit columns are the same: alone they have a
// condition of coinciding, to which the others add up to a factor of their number.
func someCoincide(k *ktensor.Kruskal) bool {
	cosines := k.Cosines()
	for i := range k.R {
		for j := range i {
			if 1-math.Abs(cosines[i*k.R+j]) < float64(k.R)/coinciding {
				return true
			}
		}
	}
	return false
}

// leastSeen is the share of distinct entries in a component, as squares, relative to one with all
// variables alike, below which its weight rests on next to nothing.
const leastSeen = 1e-3

// unseen warns of components of which the entries with distinct indices show next to nothing:
// those of fewer variables than the order.
func unseen(k *ktensor.Kruskal) []diag.Warning {
	if !k.Distinct || k.N < k.D {
		return nil
	}
	even := 1. // F_d of 1/n: n (n-1) ... (n-d+1) / n^d
	for i := range k.D {
		even *= float64(k.N-i) / float64(k.N)
	}
	var few []string
	for j := range k.R {
		if a := k.Column(j); k.Lambda[j] != 0 && distinct.Inner(a, a, k.D) < leastSeen*even {
			few = append(few, fmt.Sprint(j+1))
		}
	}
	if len(few) == 0 {
		return nil
	}
	return []diag.Warning{diag.New(diag.Degenerate, "%s %s %s hardly any variables but %d, of which entries with distinct indices show next to nothing: the weight means little; take a lower rank",
		words.Verb(len(few), "component", "components"), strings.Join(few, ", "), words.Verb(len(few), "has", "have"), k.D-1).With("rank")}
}
