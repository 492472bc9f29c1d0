package symmom

import (
	"math"

	"symmom/internal/linalg"
	"symmom/internal/notice"
)

// Center returns the session with the (weighted) mean of each variable
// subtracted, so that its moments are about the mean. It copies the data. Models
// found in it keep the mean in Model.Center: an observation of a model stands
// there in the data's own coordinates when Center is added. What is appended
// later is shifted by the same mean; true factors to score against are those of
// the centered data.
func (s *Session) Center() *Session {
	if s.Err() != nil {
		return s
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

// offsetShare of the mean in the second moment is warned of.
const offsetShare = .9

// offsetWarnings tells of data far from the origin: the components of their
// moments all point to the mean, and what sets them apart is a small part of f.
func (m *Moment) offsetWarnings(r int) []Warning {
	if r == 1 {
		return nil // it may well be the one component
	}
	share := m.session.data.Offset()
	if !(share >= offsetShare) {
		return nil
	}
	return []Warning{notice.New(notice.Offset, "the mean makes up %.3g%% of the second moment, so that all components point to it and differ little: center the data", 100*math.Min(share, 1)).With("Center")}
}
