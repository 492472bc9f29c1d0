package symmom

import (
	"cmp"
	"fmt"
	"slices"

	"symmom/internal/agreement"
	"symmom/internal/words"
)

// Agreement compares the components of a mixture with the labels of observations.
type Agreement = agreement.Agreement

// Agreement compares the most likely components of the observations of s with their
// labels; see Labels.Agreement. s may be the data that the mixture was fitted to. One pass.
func (f *MixtureFit) Agreement(s *Session) *Agreement {
	if _, _, err := f.fits(s); err != nil {
		return &Agreement{Failure: err}
	}
	l := s.Labels()
	if l.err != nil {
		return &Agreement{Failure: l.err}
	}
	components, err := f.Predict(s)
	if err != nil {
		return &Agreement{Failure: err}
	}
	return l.Agreement(components, f.gmm.R)
}

// Agreement compares the components of the observations, each 0 to r-1 as
// MixtureFit.Predict returns them, with their labels, however groups and components are
// numbered. O(p).
func (l *Labels) Agreement(components []int, r int) *Agreement {
	if l.err != nil || len(l.Of) == 0 {
		return &Agreement{Failure: cmp.Or(l.err, error(ErrNoData))}
	}
	if len(components) != len(l.Of) {
		return &Agreement{Failure: &ArgumentError{Argument: "components", Value: words.Count(len(components)), Want: fmt.Sprintf("%s, one an observation", words.Count(len(l.Of)))}}
	}
	if i := slices.IndexFunc(components, func(j int) bool { return j < 0 || j >= r }); i >= 0 {
		return &Agreement{Failure: &ArgumentError{Argument: "components", Value: components[i], Want: fmt.Sprintf("0 to %d", r-1)}}
	}
	t := agreement.Count(l.Of, components, len(l.Groups), r)
	a := &Agreement{Name: l.Name, Groups: l.Groups, Counts: t, Labelled: len(l.Of)}
	known := t
	if l.Missing >= 0 {
		known = t[:l.Missing] // the last
		a.Labelled -= l.Counts[l.Missing]
	}
	if a.Labelled == 0 {
		return &Agreement{Failure: fmt.Errorf("agreement: none of the observations has a label (%s)", l.Name)}
	}
	a.AdjustedRand = known.AdjustedRand()
	return a
}
