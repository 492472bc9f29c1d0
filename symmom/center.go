package symmom

import (
	"cmp"
	"fmt"

	"symmom/internal/linalg"
)

// Center returns the session with the (weighted) mean of each variable subtracted,
// so that its moments are about the mean. It copies the data,
// unless they are sparse. Models found in it
// keep the mean in Model.Center: adding it gives the data's own coordinates. What
// is appended later is shifted by the same mean. True factors to score against are
// those of the centered data.
func (s *Session) Center() *Session {
	if s.Err() != nil {
		return s
	}
	if s.data.Sparse() != nil {
		return s.centerSparse()
	}
	d, err := s.whole("Center")
	if err != nil {
		return s.with(nil, err)
	}
	d, mean, err := d.Center()
	c := s.with(d, err)
	if err == nil {
		linalg.Axpy(1, s.shift(), mean)
		c.center = mean
		c.coordinates = cmp.Or(s.coordinates, centered)
	}
	return c
}

// Coordinates of sessions, and of what was found in them.
const (
	centered     = "centered"
	standardized = "standardized"
	whitened     = "whitened"
)

// sameCoordinates refuses observations in other coordinates than those that a result
// was found in.
func (s *Session) sameCoordinates(what, found string) error {
	if s.coordinates == found {
		return nil
	}
	own := func(c string) string { return cmp.Or(c, "neither centered nor standardized") }
	return &ArgumentError{Argument: "data", Value: "data that are " + own(s.coordinates), Want: fmt.Sprintf("data that are %s, as those that the %s was found in", own(found), what)}
}

// shift returns what Center has subtracted so far.
func (s *Session) shift() []float64 {
	if s.center != nil {
		return s.center
	}
	return make([]float64, s.data.N)
}

// centered refuses a model of centered data for others.
func (m *Moment) centered(what string, model *Model) error {
	if model.Center == nil || m.session.center != nil {
		return nil
	}
	return &ArgumentError{Argument: what, Value: "a model of centered data", Want: "center the data first, or a model of data that are not"}
}
