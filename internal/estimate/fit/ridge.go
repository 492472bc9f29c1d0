package fit

import (
	"math"

	"symmom/internal/math/ktensor"
	"symmom/internal/math/solve"
	"symmom/internal/moment"
)

// Over distinct indices a component in fewer variables than the order, or several that cancel,
// can grow without bound, and half of all starts do so where nothing holds them. A start thus
// begins with ridge times the squares of its terms apart, sum_j lambda_j^2 |a_j|^2d, added to f,
// until a step lowers that by less than ridgeDecrease of the residual.
const (
	ridge         = .01
	ridgeDecrease = .001
	ridgeMost     = 50 // evaluations
)

// unbounded is how many times ||X||^2 the squares of the terms apart may be: beyond it a run is in
// a valley without an end, and loses the digits of f on its way.
const unbounded = 1e4

// bounding ends a run, over distinct indices, whose terms grow without bound.
func (c *search) bounding(o *moment.Objective, s *solve.Settings) {
	if !c.m.Distinct {
		return
	}
	record, until, first, grown := s.Recorder, s.Until, 0., false
	s.Recorder = func(it solve.Iterate) {
		apart := o.Apart(it.X)
		if it.Iteration == 0 {
			first = apart
		}
		grown = apart > unbounded*math.Max(c.alpha, -it.F) && apart > 2*first
		record(it)
	}
	s.Until = func(f float64) bool { return grown || until != nil && until(f) }
}

// eased runs the solver with o.Ridge, and then without: it returns where to go on from. If it is
// stopped, or nothing is left to do, that is the result, with f as it is without.
func (c *search) eased(o *moment.Objective, gn *ktensor.GaussNewton, fg solve.Func, x0 []float64, s solve.Settings) (solve.Result, error) {
	record := s.Recorder
	s.Recorder = func(it solve.Iterate) {
		it.F -= o.Ridge * o.Apart(it.X)
		record(it)
	}
	s.Stationarity = nil
	s.RelativeDecrease, s.MaxEvaluations = ridgeDecrease, min(ridgeMost, s.MaxEvaluations)
	gn.Ridge = o.Ridge
	res, err := newton(fg, gn, x0, s)
	if res.G != nil {
		res.F -= o.Ridge * o.Apart(res.X)
	}
	gn.Ridge, o.Ridge = 0, 0
	return res, err
}
