package symmom

import (
	"cmp"
	"fmt"
	"slices"

	"symmom/internal/estimate/agreement"
	"symmom/internal/text/words"
)

// Agreement compares the components of a mixture with the labels of observations.
type Agreement = agreement.Agreement

// Agreement compares the most likely components of the observations of s with their
// labels; see Labels.Agreement. s may be the data that the mixture was fitted to. One pass.
func (f *Mixture) Agreement(s *Session) *Agreement {
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
// Mixture.Predict returns them, with their labels, however groups and components are
// numbered. O(p).
func (l *Labels) Agreement(components []int, r int) *Agreement {
	if err := l.check(components, r); err != nil {
		return &Agreement{Failure: err}
	}
	return agreement.Compare(l.Name, l.Groups, l.Missing, l.Of, components, r)
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
