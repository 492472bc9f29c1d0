package symmom

import (
	"fmt"

	"symmom/internal/agreement"
)

// Agreement compares the components of a mixture with the labels of observations.
type Agreement = agreement.Agreement

// Agreement compares the most likely components of the observations of s with their
// labels, however groups and components are numbered. s may be the data that the
// mixture was fitted to. One pass.
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
	t := agreement.Count(l.Of, components, len(l.Groups), f.gmm.R)
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
