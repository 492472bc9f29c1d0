package symmom

import (
	"cmp"
	"time"

	"symmom/internal/estimate/progress"
	"symmom/internal/moment/block"
	"symmom/internal/moment/frame"
)

// Center returns the session with the (weighted) mean of each variable subtracted,
// so that its moments are about the mean. It copies the data, unless they are sparse or on
// disk: then it takes three or four passes over them, and every later pass subtracts the
// mean. Models of the session have the mean in Model.Center: adding it gives the data's
// own coordinates. Observations appended later are shifted by the same mean. True factors
// to score against are those of the centered data.
func (s *Session) Center() *Session { return s.about("center", true) }

// Standardize returns the session with every variable shifted to (weighted)
// mean 0 and scaled to variance 1. It copies the data, unless they are sparse or on disk, as
// Center does. Models of the session have the means and deviations in Model.Center and
// Model.Scale. Observations appended later are shifted and scaled by the same.
func (s *Session) Standardize() *Session { return s.about("standardize", false) }

func (s *Session) about(what string, onlyCenter bool) *Session {
	if s.Err() != nil {
		return s
	}
	began := time.Now()
	d, l, err := s.data.Standardize(s.context(), onlyCenter, s.limit)
	c := s.holding(d, interrupted(what, err))
	if onlyCenter {
		c.whitening = s.whitening.kept() // the directions do not change
	}
	if err == nil {
		c.before = progress.Add(s.before, progress.PhaseTime{Phase: PhaseCenter, Elapsed: time.Since(began), Passes: l.Passes})
		c.move, c.coordinates = s.move.Then(l.Mean, l.Rest, l.Deviation, onlyCenter), standardized
		if onlyCenter {
			c.coordinates = cmp.Or(s.coordinates, centered)
		}
	}
	return c
}

// Coordinates of sessions, and of what was found in them.
const (
	centered     = frame.Centered
	standardized = frame.Standardized
	whitened     = frame.Whitened
)

// placesIn refuses observations in other coordinates than those of a result, or of other
// variables than those. It says where each is there; nil: where it is here. The observations
// that it returns are those of s, as they were loaded moved as the result's own.
func (s *Session) placesIn(result string, found *frame.Frame) ([]int, block.Source, error) {
	order, move, r := found.Place(result, s.frame(s.Columns()))
	switch {
	case r != nil:
		return nil, nil, refused("data", r)
	case move != nil:
		return order, block.Changed{Source: s.data.Storage, Change: move}, nil
	}
	return order, s.data.Storage, nil
}

// frame is the coordinates of the session, or of what was found in it, for variables of the
// given names.
func (s *Session) frame(names []string) *frame.Frame {
	f := &frame.Frame{Coordinates: s.coordinates, Variables: names, Move: s.move}
	if s.whitening != nil {
		f.Whitening = s.whitening.into
	}
	return f
}
