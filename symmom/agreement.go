package symmom

import (
	"cmp"
	"fmt"
	"slices"

	"symmom/internal/estimate/agreement"
	"symmom/internal/text/words"
)

// Agreement compares the components of a mixture with the labels of observations.
type Agreement struct {
	Result // Err, String and HTML

	// AdjustedRand is the adjusted Rand index (Hubert & Arabie 1985) of the observations that
	// have a label and their most likely components: 1 for the same groups, 0 on average for
	// groups by chance.
	AdjustedRand float64
	Labelled     int      // observations with a label
	Name         string   // of the labels
	Groups       []string // by label; "(missing)" comes last
	Counts       [][]int  // observations of each group in each component
}

func noAgreement(err error) *Agreement { return made(&Agreement{Result: Result{err: err}}) }

// shown has a row for each label, and a column for each component.
func (a *Agreement) shown() shown {
	return &agreement.Agreement{AdjustedRand: a.AdjustedRand, Labelled: a.Labelled, Name: a.Name, Groups: a.Groups, Counts: a.Counts, Failure: a.err}
}

// Agreement compares the most likely components of the observations of s with their
// labels; see Labels.Agreement. s may be the data that the mixture was fitted to. One pass.
func (f *Mixture) Agreement(s *Session) *Agreement {
	if _, _, err := f.fits(s); err != nil {
		return noAgreement(err)
	}
	l := s.Labels()
	if l.err != nil {
		return noAgreement(l.err)
	}
	components, err := f.Predict(s)
	if err != nil {
		return noAgreement(err)
	}
	return l.Agreement(components, f.gmm.R)
}

// Agreement compares the components of the observations, each 0 to r-1 as
// Mixture.Predict returns them, with their labels, however groups and components are
// numbered. O(p).
func (l *Labels) Agreement(components []int, r int) *Agreement {
	if err := l.check(components, r); err != nil {
		return noAgreement(err)
	}
	a := agreement.Compare(l.Name, l.Groups, l.Missing, l.Of, components, r)
	return made(&Agreement{Result: Result{err: a.Failure}, AdjustedRand: a.AdjustedRand, Labelled: a.Labelled, Name: a.Name, Groups: a.Groups, Counts: a.Counts})
}

// check refuses components that are not one of r for each labelled observation.
func (l *Labels) check(components []int, r int) error {
	within := func(argument string, of []int, n int) error {
		if i := slices.IndexFunc(of, func(j int) bool { return j < 0 || j >= n }); i >= 0 {
			return &ArgumentError{Argument: argument, Value: of[i], Want: fmt.Sprintf("0 to %d", n-1)}
		}
		return nil
	}
	switch {
	case l.err != nil:
		return l.err
	case len(l.Of) == 0:
		return ErrNoLabels
	case len(components) != len(l.Of):
		return &ArgumentError{Argument: "components", Value: words.Count(len(components)), Want: fmt.Sprintf("%s, one an observation", words.Count(len(l.Of)))}
	}
	return cmp.Or(within("components", components, r), within("Of", l.Of, len(l.Groups)))
}
