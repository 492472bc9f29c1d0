package symmom

import (
	"cmp"
	"fmt"
	"slices"

	"symmom/internal/likeness"
)

// Center returns the session with the (weighted) mean of each variable subtracted,
// so that its moments are about the mean. It copies the data, unless they are sparse or on
// disk, where three passes follow, or four, and every later one subtracts the mean. Models found in it
// keep the mean in Model.Center: adding it gives the data's own coordinates. What
// is appended later is shifted by the same mean. True factors to score against are
// those of the centered data.
func (s *Session) Center() *Session { return s.about("center", true) }

// Standardize returns the session with every variable shifted to (weighted)
// mean 0 and scaled to variance 1. It copies the data, unless they are sparse or on disk, as
// Center does. Models found in it keep the means and deviations in Model.Center and
// Model.Scale. What is appended later is shifted and scaled by the same.
func (s *Session) Standardize() *Session { return s.about("standardize", false) }

func (s *Session) about(what string, onlyCenter bool) *Session {
	if s.Err() != nil {
		return s
	}
	d, mean, deviation, err := s.data.Standardize(s.context(), onlyCenter)
	c := s.holding(d, interrupted(what, err))
	if onlyCenter {
		deviation, c.whitening = nil, s.whitening.kept() // directions stay what they are
	}
	if err == nil {
		c.moved(mean, deviation)
	}
	return c
}

// moved records that a mean was subtracted from the session's variables as they were so
// far, and that they were then divided by a scale, unless that is nil.
func (s *Session) moved(mean, scale []float64) {
	center := slices.Clone(mean)
	for j := range center {
		if s.scale != nil {
			center[j] *= s.scale[j]
		}
		if s.center != nil {
			center[j] += s.center[j]
		}
	}
	s.center = center
	if scale == nil {
		s.coordinates = cmp.Or(s.coordinates, centered)
		return
	}
	scale = slices.Clone(scale)
	for j := range s.scale {
		scale[j] *= s.scale[j]
	}
	s.scale, s.coordinates = scale, standardized
}

// Coordinates of sessions, and of what was found in them.
const (
	centered     = likeness.Centered
	standardized = likeness.Standardized
	whitened     = likeness.Whitened
)

// placesIn refuses observations in other coordinates than those that a result was found
// in, or of other variables than those, and says where each is there; nil: where it is here.
func (s *Session) placesIn(result, coordinates string, names []string) ([]int, error) {
	if s.coordinates != coordinates {
		own := func(c string) string { return cmp.Or(c, "neither centered nor standardized") }
		return nil, &ArgumentError{Argument: "data", Value: "data that are " + own(s.coordinates), Want: fmt.Sprintf("data that are %s, as those that the %s was found in", own(coordinates), result)}
	}
	order, _, r := likeness.Match(result, names, s.Columns())
	if r != nil {
		return nil, refused(result, r)
	}
	return order, nil
}
