package symmom

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"symmom/internal/estimate/ranks"
)

// DefaultMaxRank is the highest rank that SuggestRank considers by default.
const DefaultMaxRank = 10

// Kinds of RankEvidence.
const (
	EvidenceSpectrum      = "spectrum"      // eigenvalues of the second moment that stand out
	EvidenceStagnation    = "stagnation"    // the rank beyond which the relative error stops falling
	EvidenceReplicability = "replicability" // components that two halves of the observations agree on
	EvidenceBIC           = "BIC"           // of spherical Gaussian mixtures
)

// How sure a RankEvidence is.
const (
	Sure   = "sure"
	Likely = "likely"
	Silent = "silent" // no evidence
)

// RankEvidence is one kind of evidence for the rank.
type RankEvidence struct {
	Kind string // one of the Evidence names
	Rank int    // 0 where it says nothing
	Or   int    // another rank that it may be as well, or 0
	Sure string // "sure", "likely" or "silent"
	Text string // why, with the numbers it is drawn from

	// Numbers are the basis of the evidence, one for each of Ranks: eigenvalues of the
	// second moment by their number, or by rank relative errors, the congruence of
	// the worst component between two halves, or BIC.
	Ranks   []int
	Numbers []float64
}

// RankSuggestion is the result of Moment.SuggestRank. The fields of a failed one
// are zero, and Err says why; an interrupted one has the evidence that was found
// until then, and an error that wraps ErrInterrupted.
type RankSuggestion struct {
	Result // Err, String and HTML

	Order        int
	N            int // variables
	Observations int
	Max          int // rank considered

	// Rank is the suggested rank, 0 if the evidence disagrees.
	Rank int
	// Conclusion is the result in words, with the reason if there is no rank.
	Conclusion string
	Evidence   []RankEvidence // in the order of the Evidence names
	Sweep      *Sweep         // of ranks 1..Max+1; never nil
	Kind       *MomentKind    // the moment, besides its order; nil if unknown
	Elapsed    time.Duration
	Warnings   []Warning
}

// rankIterations bounds a start, unless Options do: at too high a rank it would move along
// flat valleys and show nothing. Adam ends by itself there, and takes more to begin with.
const rankIterations = 100

// SuggestRank looks for the number of components of the moment, up to most (0 means 10), in
// four ways, each with a degree of confidence:
//
//   - the spectrum: eigenvalues of the second moment that stand out, or one more (Or);
//   - stagnation: the rank from which on the relative error of a sweep falls no
//     more than for noise;
//   - replicability: the highest rank at which fits to two random halves of the
//     observations have the same components, of the same direction and with weights
//     that differ by a factor of two at most, and more than one start finds them
//     (after Harshman & De Sarbo 1984);
//   - BIC of Gaussian mixtures with spherical components, where there can be one:
//     not for cumulants or non-negative models.
//
// If the components of that mixture are groups of observations that lie apart, with hardly any
// between two of them, their number is the rank, unless independent variables would make as many.
// Otherwise a rank is suggested if halves surely replicate it, two of the others agree, or one
// does and no higher rank replicates, and no sure evidence contradicts it; and if a fit of that
// rank differs from fits of data with no component except the mean: the data with each column
// permuted independently and, from order 3 on, normal data of the same covariance. If not, there
// is none, and Conclusion gives the disagreement.
//
// Cost: most+1 decompositions, as many of each half and mixtures, and ten
// decompositions of permuted and nine of normal data. Halves, mixtures and permutations use at most
// ten million numbers of the data, drawn evenly over the table, so that beyond that
// only the cost of the sweep grows with the data. Options are those of the moment
// (With).
func (m *Moment) SuggestRank(most int) *RankSuggestion {
	began := time.Now()
	s := made(&RankSuggestion{Order: m.fit.Order, Sweep: made(&Sweep{Order: m.fit.Order}), Result: Result{err: m.Err()}})
	if s.err != nil {
		return s
	}
	most = cmp.Or(most, DefaultMaxRank)
	if s.err = m.checkSuggest(most); s.err != nil {
		return s
	}
	s.N, s.Observations, s.Max = m.session.data.N, m.session.data.P, most
	fitted := *m
	fitted.options.Starts = cmp.Or(m.options.Starts, DefaultStarts)
	if string(m.fit.Form) != FormSampled {
		fitted.options.MaxIterations = cmp.Or(m.options.MaxIterations, rankIterations)
	}
	s.err = s.fill(&fitted, began)
	s.Elapsed = time.Since(began)
	return s
}

func (m *Moment) checkSuggest(most int) error {
	switch {
	case m.fit.Order < 3:
		return &ArgumentError{Argument: "order", Value: m.fit.Order, Want: "3 or more: components of lower moments are not unique; for their rank see the eigenvalues of the second moment"}
	case m.fit.Distinct:
		return &ArgumentError{Argument: "moment", Value: "one over distinct indices", Want: "one over all, which the evidence is about: the rank of the means of groups is the same in both; or compare ranks by Sweep"}
	case most < 0:
		return &ArgumentError{Argument: "Max", Value: most, Want: fmt.Sprintf("at least 1 (0 means the default, %d)", DefaultMaxRank)}
	case m.options.InitialModel != nil:
		return &ArgumentError{Argument: "InitialModel", Value: "a model", Want: "none where ranks are compared: its rank is one"}
	}
	return cmp.Or(m.estimable("Max", most, max(most, most+1), 1), ranks.Room(m.session.data.P, m.session.data.N, m.session.data.Slow(), m.options.MemoryLimit))
}

// fill fits the ranks and weighs the evidence; partial evidence is kept when it is
// interrupted.
func (s *RankSuggestion) fill(m *Moment, began time.Time) error {
	s.Sweep = m.Sweep(1, max(s.Max, s.Max+1)) // the largest int has no next
	if len(s.Sweep.Fits) == 0 {
		return s.Sweep.err
	}
	s.Warnings, s.Kind = append(m.session.Warnings(), warned(m.fit.NoiseWarnings()...)...), s.Sweep.Kind
	o, err := m.options.withDefaults()
	if err != nil {
		return err
	}
	search := &ranks.Search{Moment: m.fit, Estimated: m.estimated(), Options: *o.engine(nil), Max: s.Max,
		Progress: reports(m.session.watcher(m.options.Progress), began)}
	for _, r := range s.Sweep.Fits {
		search.Fits = append(search.Fits, ranks.Fitted{Rank: r.Rank, RelativeError: r.RelativeError, Model: r.Model.kruskal(), Spectrum: r.Spectrum, Stand: r.Stand, Suggested: r.SuggestedRank, Hits: r.AtBest, Starts: len(r.Starts)})
	}
	found, err := search.Suggest(m.session.context(), s.Sweep.err)
	s.Rank, s.Conclusion = found.Rank, found.Conclusion
	for _, e := range found.Evidence {
		s.Evidence = append(s.Evidence, RankEvidence(e))
	}
	if err = interrupted("rank", err); errors.Is(err, ErrInterrupted) {
		s.Conclusion = "unsure: interrupted before there was evidence enough"
	}
	return err
}
