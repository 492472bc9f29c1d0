package symmom

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"symmom/internal/obs"
	"symmom/internal/words"
)

// RankOptions says how Moment.SuggestRank looks for a rank. The zero value of every
// field is its documented default.
type RankOptions struct {
	// Max is the highest rank that is considered; one more is fitted, to see
	// whether Max is enough. Default 10.
	Max int
}

// DefaultMaxRank is the default of RankOptions.Max.
const DefaultMaxRank = 10

// Kinds of RankEvidence.
const (
	EvidenceSpectrum      = "spectrum"      // eigenvalues of the second moment that stand out
	EvidenceStagnation    = "stagnation"    // where the relative error falls no more
	EvidenceReplicability = "replicability" // components that two halves of the observations agree on
	EvidenceBIC           = "BIC"           // of spherical Gaussian mixtures
)

// How sure a RankEvidence is.
const (
	Sure   = "sure"
	Likely = "likely"
	Silent = "silent" // it says nothing
)

// RankEvidence is what one kind of evidence says about the rank.
type RankEvidence struct {
	Kind string // one of the Evidence names
	Rank int    // 0 where it says nothing
	Sure string // "sure", "likely" or "silent"
	Text string // why, with the numbers it is drawn from

	// Numbers are what it is based on, one for each of Ranks: eigenvalues of the
	// second moment by their number, or by rank relative errors, the congruence of
	// the worst component between two halves, or BIC.
	Ranks   []int
	Numbers []float64
}

// RankSuggestion is the result of Moment.SuggestRank. The fields of a failed one
// are zero, and Err says why; an interrupted one has the evidence that was found
// until then, and an error that wraps ErrInterrupted.
type RankSuggestion struct {
	Order        int
	N            int // variables
	Observations int
	Max          int // rank considered

	// Rank is what the evidence agrees on, 0 if it does not.
	Rank int
	// Conclusion says it in words or, if there is no rank, why.
	Conclusion string
	Evidence   []RankEvidence // in the order of the Evidence names
	Sweep      *Sweep         // of ranks 1..Max+1; never nil
	Elapsed    time.Duration
	Warnings   []Warning

	err error
}

// Of the evidence. Each threshold lies between what data with components and what
// data without were seen to have; TestSuggestRank holds it to both.
const (
	// A drop that stands out, and one that does so beyond doubt.
	dropLikely, dropSure = 1.5, 3
	// Components of two halves that are the same: see congruence.
	sameLikely, sameSure = .7, .85
	// alikeWeights is the ratio of two weights that half of the observations may have.
	alikeWeights = .5
	// Two components of one fit with a larger cosine are one that was split.
	splitCosine = .95
	// A difference of BIC that is very strong evidence (Kass & Raftery 1995).
	bicSure, bicLikely = 10, 2
	// rankIterations bounds a start, unless Options do: of too high a rank it would
	// go along flat valleys, for what tells nothing.
	rankIterations = 100
	// mixtureStarts of each mixture beside that of the moments, and how many in a
	// row that are worse end the search.
	mixtureStarts, mostRises = 4, 3
	// permutations of the columns that a fit is held against.
	permutations = 9
	// leastHalf is the number of observations below which a half tells nothing.
	leastHalf = 10
	// drawnNumbers bounds the numbers of the observations that are drawn for
	// halves, mixtures and permutations.
	drawnNumbers = 1e7
)

// SuggestRank looks for the number of components of the moment in four ways, each
// of which says how sure it is:
//
//   - the spectrum: eigenvalues of the second moment that stand out;
//   - stagnation: the rank from which on the relative error of a sweep falls no
//     more than for noise;
//   - replicability: the highest rank at which fits to two random halves of the
//     observations have the same components, of the same direction and with weights
//     that differ by a factor of two at most, and more than one start finds them
//     (after Harshman & De Sarbo 1984);
//   - BIC of Gaussian mixtures with spherical components, where there can be one:
//     not for cumulants or non-negative models.
//
// A rank is suggested if halves surely replicate it, two of the others agree, or
// one does and no higher rank replicates, and no sure evidence contradicts it; and
// if a fit of that rank differs from fits of the data with each column permuted
// independently, which leaves no components except the mean. Otherwise there is
// none, and Conclusion says what disagrees.
//
// Cost: Max+1 decompositions, as many of each half and mixtures, and ten
// decompositions of permuted data. Halves, mixtures and permutations use at most
// ten million numbers of the data, drawn evenly over the table, so that beyond that
// only the cost of the sweep grows with the data. Options are those of the moment
// (With).
func (m *Moment) SuggestRank(options ...RankOptions) *RankSuggestion {
	began := time.Now()
	s := &RankSuggestion{Order: m.fit.Order, Sweep: &Sweep{Order: m.fit.Order}, err: m.err}
	if s.err != nil {
		return s
	}
	o, err := atMostOne(options)
	if err == nil {
		err = m.checkSuggest(&o)
	}
	if s.err = err; err != nil {
		return s
	}
	s.N, s.Observations, s.Max = m.session.data.N, m.session.data.P, o.Max
	fitted := *m
	fitted.options.Starts = cmp.Or(m.options.Starts, DefaultStarts)
	fitted.options.MaxIterations = cmp.Or(m.options.MaxIterations, rankIterations)
	run := &rankSearch{m: &fitted, s: s, ctx: m.session.context(), began: began}
	s.err = interrupted("rank", run.do())
	s.Elapsed = time.Since(began)
	return s
}

func (m *Moment) checkSuggest(o *RankOptions) error {
	switch {
	case m.fit.Order < 3:
		return &ArgumentError{Argument: "order", Value: m.fit.Order, Want: "3 or more: components of lower moments are not unique; for their rank see the spectrum of Session.Summary"}
	case o.Max < 0:
		return &ArgumentError{Argument: "Max", Value: o.Max, Want: fmt.Sprintf("at least 1 (0 means the default, %d)", DefaultMaxRank)}
	case m.options.InitialModel != nil:
		return &ArgumentError{Argument: "InitialModel", Value: "a model", Want: "none where ranks are compared: its rank is one"}
	}
	if o.Max == 0 {
		o.Max = DefaultMaxRank
	}
	if n := m.session.data.N; m.debias != nil && m.fit.Noise == nil && o.Max >= n {
		return &ArgumentError{Argument: "Max", Value: o.Max, Want: fmt.Sprintf("less than %d, the number of variables, for noise that is estimated: give its Sigma", n)}
	}
	return nil
}

// rankSearch is the state of one call of SuggestRank.
type rankSearch struct {
	m     *Moment
	s     *RankSuggestion
	ctx   context.Context
	began time.Time
	drawn *obs.Dense // for halves, mixtures and permutations

	bicAbove bool // BIC still falls beyond the ranks that are considered
}

// do collects the evidence; what there is stays when it is interrupted.
func (c *rankSearch) do() error {
	s := c.s
	s.Sweep = c.m.Sweep(1, s.Max+1)
	if len(s.Sweep.Results) == 0 {
		return s.Sweep.err
	}
	s.Warnings = c.m.session.Warnings()
	spectrum, err := c.spectrum()
	s.Evidence = append(s.Evidence, spectrum, c.stagnation())
	if err := cmp.Or(s.Sweep.err, err); err != nil {
		return c.unfinished(err)
	}
	same, err := c.replicability()
	s.Evidence = append(s.Evidence, same)
	if err == nil {
		var bic RankEvidence
		bic, err = c.mixtures()
		s.Evidence = append(s.Evidence, bic)
	}
	if err == nil {
		err = c.conclude()
	}
	if err != nil {
		return c.unfinished(err)
	}
	c.tell(PhaseRanks, s.Rank)
	return nil
}

// unfinished concludes what was interrupted; what failed has no conclusion.
func (c *rankSearch) unfinished(err error) error {
	if err = interrupted("rank", err); errors.Is(err, ErrInterrupted) {
		c.s.Conclusion = "unsure: interrupted before there was evidence enough"
	}
	return err
}

// conclude weighs the evidence.
func (c *rankSearch) conclude() error {
	s := c.s
	r, with := c.agreed()
	if r == 0 {
		s.Conclusion = "unsure: " + c.disagreement()
		return nil
	}
	beyond, err := c.beyondChance(r)
	if err != nil {
		return err
	}
	if !beyond {
		s.Conclusion = fmt.Sprintf("unsure: with its columns permuted apart the data have as much of %s, so that nothing but the mean and the spread of each variable need be in them", words.Plural(r, "component"))
		return nil
	}
	s.Rank = r
	s.Conclusion = fmt.Sprintf("%s: %s agree", words.Plural(r, "component"), list(with))
	if also := s.Evidence[2].Rank; also != r {
		s.Conclusion += fmt.Sprintf(" (halves of the observations have %d in common, too)", also)
	}
	return nil
}

// agreed returns the rank that may be concluded, and who says it. Two halves must
// surely have the same components, more than one start must find them, none that
// is sure may say otherwise, and two of the others must say it, or one and no
// higher rank be the same in the halves.
func (c *rankSearch) agreed() (rank int, with []string) {
	e := c.s.Evidence
	same := e[2]
	for i, r := range same.Ranks {
		if r > c.s.Max || same.Numbers[i] < sameSure || !c.found(r) || c.bicAbove {
			continue
		}
		kinds, others, against := []string{}, 0, false
		for _, x := range e {
			switch {
			case x.Kind == EvidenceReplicability:
				kinds = append(kinds, x.Kind)
			case x.Rank == r:
				kinds = append(kinds, x.Kind)
				others++
			case x.Sure == Sure:
				against = true
			}
		}
		if !against && (others >= 2 || others == 1 && r == same.Rank) && len(kinds) > len(with) {
			rank, with = r, kinds
		}
	}
	return rank, with
}

// found tells whether more than one start found the fit of rank r.
func (c *rankSearch) found(r int) bool {
	f := c.s.Sweep.Results[r-1].Fit
	hits, _ := f.AtBest()
	return hits > 1 || len(f.Starts) == 1
}

// disagreement says what each piece of evidence says.
func (c *rankSearch) disagreement() string {
	same := c.s.Evidence[2]
	var says []string
	ranks := map[int]bool{}
	for _, e := range c.s.Evidence {
		switch {
		case e.Kind == EvidenceBIC && c.bicAbove:
			says = append(says, fmt.Sprintf("BIC more than %d", c.s.Max))
			ranks[c.s.Max+1] = true
		case e.Sure == Likely:
			says = append(says, fmt.Sprintf("%s %d (not surely)", e.Kind, e.Rank))
			ranks[e.Rank] = true
		case e.Rank > 0:
			says = append(says, fmt.Sprintf("%s %d", e.Kind, e.Rank))
			ranks[e.Rank] = true
		}
	}
	switch {
	case same.Rank == 0:
		return same.Text
	case len(says) == 1:
		return fmt.Sprintf("only replicability says anything, %d", same.Rank)
	case len(ranks) == 1:
		return "what agrees is not sure enough: " + list(says)
	}
	return "the evidence disagrees: " + list(says)
}

// Err returns the first error of the chain that led here, or nil.
func (s *RankSuggestion) Err() error { return s.err }

// stands returns how many of some numbers stand out from those after them, by the
// factor between the least of these and the greatest of those. The first, which
// holds the mean, is passed over unless it stands alone.
func stands(v, floor []float64) (rank int, factor float64) {
	factorOf := func(k int) float64 {
		least, greatest := math.Inf(1), 0.
		for i, x := range v {
			if i < k {
				if i > 0 || k == 1 {
					least = math.Min(least, x)
				}
			} else {
				greatest = math.Max(greatest, x)
			}
		}
		return math.Max(0, least) / math.Max(greatest, floor[k-1])
	}
	for k := 2; k < len(v); k++ {
		if f := factorOf(k); f > factor {
			rank, factor = k, f
		}
	}
	if factor < dropLikely && len(v) > 1 {
		rank, factor = 1, factorOf(1)
	}
	if !(factor >= dropLikely) {
		return 0, factor
	}
	return rank, factor
}

// sureness of a factor that stands out.
func sureness(value, likely, sure float64) string {
	switch {
	case value >= sure:
		return Sure
	case value >= likely:
		return Likely
	}
	return Silent
}
