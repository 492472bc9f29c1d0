package symmom

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"symmom/internal/data/tables"
	"symmom/internal/estimate/bic"
	"symmom/internal/estimate/gmm"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// Mixtures are fits of Gaussian mixtures with several numbers of components, compared by BIC.
type Mixtures struct {
	Result // Err, String and HTML

	// Fits are by covariance, then by number of components, ascending. One that failed has
	// only these two, and Err says why.
	Fits []*Mixture
	// Best is the fit with the lowest BIC, of those that are finished and have no component
	// that its observations do not determine (WarnLeastVariance, WarnFewMembers); nil if there
	// is none. The observations need not be a mixture of Gaussian components at all.
	Best *Mixture
	// Conclusion names that fit and grades the evidence: differences below 2 are inconclusive,
	// those above 10 strong (Kass & Raftery 1995).
	Conclusion string
	Warnings   []Warning // of the fits, each with its numbers of components

	what bic.Comparison
}

// Mixtures fits a mixture with each number of components from..to, both included, as
// Mixture does, and with each covariance if the options have several. Fits that begin with
// the whole covariance of the data share it, and equal separate fits except for DataPasses and
// WarnCovariance, which is of a separate fit alone.
// One that fails has no mixture, and the others are fitted all the same. If it is
// interrupted, the fits that were begun are kept and Err wraps ErrInterrupted.
func (s *Session) Mixtures(from, to int, options ...MixtureOptions) *Mixtures {
	err := s.Err()
	switch {
	case err != nil:
	case from < 1 || to < from:
		err = &ArgumentError{Argument: "components", Value: fmt.Sprintf("%d..%d", from, to), Want: "from..to with 1 <= from <= to"}
	default:
		err = s.checkMixture(to)
	}
	if err != nil {
		return made(&Mixtures{Result: Result{err: err}})
	}
	var components []int
	for r := from; r <= to; r++ {
		components = append(components, r)
	}
	return s.MixturesOf(components, options...)
}

// MixturesOf is Mixtures for some numbers of components, in any order.
func (s *Session) MixturesOf(components []int, options ...MixtureOptions) *Mixtures {
	m := made(&Mixtures{Result: Result{err: s.Err()}})
	if m.err != nil {
		return m
	}
	components = slices.Compact(slices.Sorted(slices.Values(components)))
	kinds, err := kindsOf(options)
	switch {
	case err != nil:
	case kinds[0].Nonparametric:
		err = &ArgumentError{Argument: "Nonparametric", Value: true, Want: "false where mixtures are compared by BIC: compare LogLikelihoodOf observations that were not fitted"}
	case len(components) == 0 || components[0] < 1:
		err = &ArgumentError{Argument: "components", Value: components, Want: "one or several numbers, each at least 1"}
	default:
		err = s.checkMixture(components[len(components)-1])
	}
	if err != nil {
		m.err = err
		return m
	}
	for _, o := range kinds {
		err = cmp.Or(err, gmm.Room(s.data.N, components, o.shape(), o.MemoryLimit))
	}
	if m.err = err; err != nil {
		return m
	}
	var spread *tables.Spread
	for _, o := range kinds {
		for _, r := range components {
			if s.context().Err() != nil || s.data.Storage.Err() != nil {
				break
			}
			f := made(&Mixture{Means: noMatrix(nil), session: s})
			spread = cmp.Or(f.run(r, o, nil, spread, time.Now()), spread)
			m.add(r, o.Covariance, f)
		}
	}
	m.Conclusion, m.Warnings = m.what.Conclusion(), warned(m.what.Warnings()...)
	if m.err = interrupted("mixtures", cmp.Or(s.data.Stopped(s.context()), m.err)); m.what.Any() {
		m.Best = m.Fits[m.what.Best]
	}
	return m
}

// kindsOf returns the options for each of their covariances.
func kindsOf(options []MixtureOptions) (kinds []MixtureOptions, err error) {
	given, err := atMostOne(options)
	for word := range strings.SplitSeq(given.Covariance, ",") {
		o, wrong := given, error(nil)
		o.Covariance = strings.TrimSpace(word)
		if o, wrong = o.withDefaults(); wrong == nil && slices.ContainsFunc(kinds, func(k MixtureOptions) bool { return k.Covariance == o.Covariance }) {
			wrong = &ArgumentError{Argument: "Covariance", Value: given.Covariance, Want: "each covariance once"}
		}
		o.open = false // of so many fits
		kinds, err = append(kinds, o), cmp.Or(err, wrong)
	}
	return kinds, err
}

// add adds a fit, unless it was interrupted before there was a mixture.
func (m *Mixtures) add(r int, covariance string, f *Mixture) {
	if f.gmm == nil {
		if errors.Is(f.err, ErrInterrupted) {
			return
		}
		f.Components, f.Covariance = r, covariance
		f.LogLikelihood, f.BIC, f.ICL = math.NaN(), math.NaN(), math.NaN()
		m.err = cmp.Or(m.err, fmt.Errorf("%s: %w", words.Plural(r, "component"), f.err))
	}
	of := bic.Fit{Components: r, Covariance: covariance, Parameters: f.Parameters, Observations: float64(f.Observations), Values: float64(f.Observations) * float64(f.N), Hits: f.AtBest, Starts: f.Starts,
		LogLikelihood: f.LogLikelihood, BIC: f.BIC, ICL: f.ICL, Warnings: coded(f.Warnings), Err: f.err}
	f.Comparable = of.Comparable()
	m.Fits, m.what = append(m.Fits, f), bic.Compare(append(m.what.Fits, of))
}

// Table returns the rows of String, and the names of the columns.
func (m *Mixtures) Table() (header []string, rows [][]string) { return m.what.Table() }

func (m *Mixtures) shown() shown {
	if len(m.Fits) == 0 {
		return &htmltext.Listing{Title: errorLine("mixtures", m.err)}
	}
	return m.what.Listing("Gaussian mixtures compared", m.err)
}
