package fit

import (
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

// eased runs the solver with o.Ridge, and then without: it returns where to go on from. If it is
// stopped, or nothing is left to do, that is the result, with f as it is without.
func (c *search) eased(o *moment.Objective, gn *ktensor.GaussNewton, fg solve.Func, x0 []float64, s solve.Settings) (solve.Result, error) {
	record := s.Recorder
	s.Recorder = func(it solve.Iterate) {
		it.F -= o.Ridge * o.Apart(it.X)
		record(it)
	}
	s.Stationarity, s.Until = nil, nil
	s.RelativeDecrease, s.MaxEvaluations = ridgeDecrease, min(ridgeMost, s.MaxEvaluations)
	gn.Ridge = o.Ridge
	res, err := solve.GaussNewton(fg, gn.Solve, x0, s)
	if res.G != nil {
		res.F -= o.Ridge * o.Apart(res.X)
	}
	gn.Ridge, o.Ridge = 0, 0
	return res, err
}
