package ranks

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"

	"symmom/internal/estimate/fit"
	"symmom/internal/estimate/progress"
	"symmom/internal/math/ktensor"
	"symmom/internal/moment/block"
	"symmom/internal/moment/frame"
	"symmom/internal/text/words"
)

// Kinds of evidence.
const (
	Spectrum      = "spectrum"
	Stagnation    = "stagnation"
	Replicability = "replicability"
	BIC           = "BIC"
)

// How sure a piece of evidence is.
const (
	Sure   = "sure"
	Likely = "likely"
	Silent = "silent"
)

// Evidence is one kind of evidence for the rank.
type Evidence struct {
	Kind string // one of the kinds
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

// Fitted is a fit of one rank to all observations.
type Fitted struct {
	Rank          int
	RelativeError float64
	Model         *ktensor.Kruskal
	Spectrum      []float64 // of the basis, or nil
	Stand         int       // eigenvalues in it that stand out,
	Suggested     int       // as many, or of data about their mean one more
	Hits, Starts  int       // starts that found it, and all
}

// Search looks for the rank of a moment.
type Search struct {
	Moment    fit.Moment
	Estimated bool // the noise is estimated for each rank
	Options   fit.Options
	Max       int      // highest rank considered
	Fits      []Fitted // of ranks 1 to Max+1, or fewer if interrupted
	Progress  progress.Func

	ctx      context.Context
	out      *Suggestion
	drawn    *block.Dense // for halves, mixtures and permutations
	bicAbove bool         // BIC still falls beyond the ranks considered
	bicOpen  bool         // it still falls where components have too few observations
	groups   bool         // the components of the best mixture are groups that lie apart
}

// Suggestion is the conclusion from the evidence.
type Suggestion struct {
	Rank       int // 0 if the evidence disagrees
	Conclusion string
	Evidence   []Evidence
}

// Thresholds of the evidence. Each lies between the values observed for data with
// components and for data without; TestSuggestRank checks both.
const (
	// A drop that stands out, and one that does so beyond doubt.
	dropLikely, dropSure = 1.5, 3
	// Components of two halves that count as the same: see congruence.
	sameLikely, sameSure = .7, .85
	// alikeWeights is the smallest ratio of two weights that are alike, for half of
	// the observations.
	alikeWeights = .5
	// Two components of one fit with a larger cosine are one that was split.
	splitCosine = .95
	// A difference of BIC that is very strong evidence (Kass & Raftery 1995).
	bicSure, bicLikely = 10, 2
	// mixtureStarts is the number of starts of each mixture in addition to the
	// moments', and mostRises how many worse mixtures in a row end the search.
	mixtureStarts, mostRises = 4, 3
	// permutations is the number of column permutations, and of normal tables, that a fit is
	// compared with; summed is how many observations one of a normal table is made of.
	permutations = 9
	summed       = 32
	// leastHalf is the number of observations below which a half shows nothing.
	leastHalf = 10
	// drawnNumbers bounds the size of the observations drawn for halves, mixtures
	// and permutations.
	drawnNumbers = 1e7
)

// Suggest collects the evidence and weighs it; if interrupted it keeps what it has.
// cut is the error that ended the fits early, or nil.
func (c *Search) Suggest(ctx context.Context, cut error) (*Suggestion, error) {
	c.ctx, c.out = ctx, &Suggestion{}
	s := c.out
	spectrum, err := c.spectrum()
	s.Evidence = append(s.Evidence, spectrum, c.stagnation())
	if err := cmp.Or(cut, err); err != nil {
		return s, err
	}
	same, err := c.replicability()
	s.Evidence = append(s.Evidence, same)
	if err == nil {
		var bic Evidence
		bic, err = c.mixtures()
		s.Evidence = append(s.Evidence, bic)
	}
	if err == nil {
		err = c.conclude()
	}
	if err == nil {
		c.tell(progress.Ranks, s.Rank)
	}
	return s, err
}

// conclude weighs the evidence.
func (c *Search) conclude() error {
	s := c.out
	if c.groups {
		s.Rank = s.Evidence[3].Rank
		var with []string
		for _, e := range s.Evidence {
			if e.says(s.Rank) {
				with = append(with, e.Kind)
			}
		}
		s.Conclusion = words.Plural(s.Rank, "component") + ": "
		if len(with) > 1 {
			s.Conclusion += list(with) + " agree; "
		}
		s.Conclusion += "so many groups of observations lie apart"
		return nil
	}
	r, with := c.agreed()
	if r == 0 {
		s.Conclusion = "unsure: " + c.disagreement()
		return nil
	}
	chance, err := c.likeChance(r)
	if err != nil {
		return err
	}
	if chance != "" {
		s.Conclusion = "unsure: " + chance
		return nil
	}
	s.Rank = r
	s.Conclusion = fmt.Sprintf("%s: %s agree", words.Plural(r, "component"), list(with))
	if also := s.Evidence[2].Rank; also != r {
		s.Conclusion += fmt.Sprintf(" (halves of the observations have %d in common, too)", also)
	}
	if c.factors(r) {
		s.Conclusion += "; " + words.Verb(r, "it", "they") + " may be " + frame.About(r)
	}
	return nil
}

// agreed returns the rank that may be concluded, and the evidence for it. Two
// halves must surely have the same components, more than one start must find them,
// and no sure evidence may contradict. In addition, two other pieces of evidence
// must support the rank, or one must and no higher rank may agree between the
// halves. Where components may be independent factors, the spectrum is sure and no higher rank
// agrees, BIC does not contradict by more groups than these would be: it counts groups, of which
// factors that are not normal have any number.
func (c *Search) agreed() (rank int, with []string) {
	e := c.out.Evidence
	same := e[2]
	for i, r := range same.Ranks {
		factors := c.factors(r) && e[0].Sure == Sure && r == same.Rank
		if r > c.Max || same.Numbers[i] < sameSure || !c.found(r) || c.bicAbove && !factors {
			continue
		}
		kinds, others, against := []string{}, 0, false
		for _, x := range e {
			switch {
			case x.Kind == Replicability:
				kinds = append(kinds, x.Kind)
			case x.says(r):
				kinds = append(kinds, x.Kind)
				others++
			case x.Kind == BIC && factors && x.Rank > r+1:
			case x.Sure == Sure, x.Kind == BIC && c.bicOpen:
				against = true
			}
		}
		if !against && (others >= 2 || others == 1 && r == same.Rank) && len(kinds) > len(with) {
			rank, with = r, kinds
		}
	}
	return rank, with
}

// Says writes the rank, or the two it may be: "3" or "3 or 4"; "-" for none.
func (e *Evidence) Says() string {
	switch {
	case e.Rank == 0:
		return "-"
	case e.Or > 0:
		return fmt.Sprintf("%d or %d", e.Rank, e.Or)
	}
	return strconv.Itoa(e.Rank)
}

// says reports whether r is a rank that the evidence says.
func (e *Evidence) says(r int) bool { return e.Rank == r || e.Or == r }

// factors reports whether r components may be independent factors, as many as eigenvalues stand
// out of a moment about the mean.
func (c *Search) factors(r int) bool {
	e := c.out.Evidence[0]
	return e.Or > 0 && e.Rank == r
}

// found reports whether more than one start found the fit of rank r.
func (c *Search) found(r int) bool {
	f := c.Fits[r-1]
	return f.Hits > 1 || f.Starts == 1
}

// disagreement lists what each piece of evidence says.
func (c *Search) disagreement() string {
	same := c.out.Evidence[2]
	var says []string
	agree := true
	for _, e := range c.out.Evidence {
		if e.Kind == BIC && c.bicAbove {
			says, agree = append(says, fmt.Sprintf("BIC more than %d", c.Max)), false
			continue
		}
		if e.Rank == 0 {
			continue
		}
		text := e.Kind + " " + e.Says()
		switch {
		case e.Kind == BIC && c.bicOpen:
			text += " or more"
		case e.Sure == Likely:
			text += " (not surely)"
		}
		says, agree = append(says, text), agree && e.says(same.Rank)
	}
	switch {
	case same.Rank == 0:
		return same.Text
	case len(says) == 1:
		return fmt.Sprintf("only replicability says anything, %d", same.Rank)
	case agree:
		return "what agrees is not sure enough: " + list(says)
	}
	return "the evidence disagrees: " + list(says)
}

// stands returns how many of the leading values stand out from those after them,
// and the ratio of the smallest of these to the largest after them. The first,
// which holds the mean, is skipped unless it is the only one.
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

// sureness returns how sure a factor that stands out is.
func sureness(value, likely, sure float64) string {
	switch {
	case value >= sure:
		return Sure
	case value >= likely:
		return Likely
	}
	return Silent
}

// list joins words: "a, b and c".
func list(parts []string) string {
	text := ""
	for i, p := range parts {
		switch {
		case i == 0:
		case i == len(parts)-1:
			text += " and "
		default:
			text += ", "
		}
		text += p
	}
	return text
}
