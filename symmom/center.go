package symmom

import (
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
	}
	return c
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
