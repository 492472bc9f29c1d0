package solve

import (
	"errors"
	"math"

	"symmom/internal/math/linalg"
)

// Constants of Adam: those of Kingma & Ba (2015) and of section 5 of Sherman &
// Kolda.
const (
	adamBeta1    = .9   // decay of the mean of the gradient
	adamBeta2    = .999 // decay of the mean of its square
	adamEpsilon  = 1e-8
	adamRate     = .01 // learning rate
	adamDecay    = .1  // of the rate at a failed epoch
	adamFailures = 1   // failed epochs that are forgiven
	adamEpoch    = 100 // iterations between two estimates
)

// Adam minimizes a function of which it sees stochastic gradients and, after
// each epoch of 100 iterations, an estimate that is comparable from call to
// call (Kingma & Ba 2015, with the safeguards of section 5 of Sherman & Kolda,
// "Extending to massive or online observations"; the Tensor Toolbox'
// tt_opt_adam). The first epoch whose estimate is not below the best so far
// lowers the learning rate from .01 to .001 and goes back to where the epoch
// began: x, both running means and the iteration count of their bias
// correction. The second such epoch goes back too and ends the run, Stalled.
//
// gradient writes a stochastic gradient at x, its f is not used; estimate
// writes a gradient too, which only GradientNorm and Result.G report. Of s,
// MaxIterations, MaxEvaluations and Recorder count; bounds are an error. A
// gradient and an estimate are one evaluation each, a last epoch is cut short
// where a limit asks for it, and discarded iterations count. Recorder sees the
// start point and the end of every epoch, failed ones included.
//
// Result has the point of the lowest estimate, with that estimate. An estimate
// that is not finite is a failed epoch; the status is NotFinite at the start
// point. Memory is 8*n floats; an iteration costs a square root, a
// division and 7 multiplications a variable.
func Adam(gradient, estimate Func, x0 []float64, s Settings) (Result, error) {
	s, err := check(estimate, x0, s)
	if err != nil {
		return Result{}, err
	}
	switch {
	case gradient == nil:
		return Result{}, errors.New("solve: the stochastic gradient is nil; give a function")
	case s.Lower != nil || s.Upper != nil:
		return Result{}, errors.New("solve: Adam knows no bounds; leave Settings.Lower and Settings.Upper nil, or use LBFGS")
	}
	a := newAdam(x0)
	failures := 0
	for {
		f, ok := estimate(a.x, a.g)
		a.evaluations++
		if !ok {
			return a.result(Interrupted), nil
		}
		a.record(s.Recorder, f)
		switch {
		case linalg.Finite(f) && (a.iterations == 0 || f < a.best.f):
			a.keep(f)
		case a.iterations == 0:
			a.keep(f)
			return a.result(NotFinite), nil
		default:
			a.revert()
			if failures++; failures > adamFailures {
				return a.result(Stalled), nil
			}
		}
		// One evaluation is kept back for the estimate.
		length := min(adamEpoch, s.MaxIterations-a.iterations, s.MaxEvaluations-a.evaluations-1)
		switch {
		case length > 0:
		case a.iterations >= s.MaxIterations:
			return a.result(MaxIterations), nil
		default:
			return a.result(MaxEvaluations), nil
		}
		rate := adamRate * math.Pow(adamDecay, float64(failures))
		for range length {
			_, ok := gradient(a.x, a.g)
			a.evaluations++
			if !ok {
				return a.result(Interrupted), nil
			}
			a.step(rate)
		}
	}
}

// adam is the state of a run.
type adam struct {
	adamState
	best adamState // at the lowest estimate; f is NaN before the first
	g    []float64 // of the call under way
	gb   []float64 // of the estimate at best

	iterations, evaluations int
}

// adamState is the state that a failed epoch restores.
type adamState struct {
	x    []float64
	m, v []float64 // running means of the gradient and of its square
	t    int       // iterations done
	f    float64   // estimate at x
}

func newAdam(x0 []float64) *adam {
	n := len(x0)
	buf := make([]float64, 8*n)
	cut := func() []float64 {
		v := buf[:n:n]
		buf = buf[n:]
		return v
	}
	a := &adam{g: cut(), gb: cut()}
	a.adamState = adamState{x: cut(), m: cut(), v: cut()}
	a.best = adamState{x: cut(), m: cut(), v: cut(), f: math.NaN()}
	copy(a.x, x0)
	copy(a.best.x, x0)
	return a
}

// set copies another state.
func (s *adamState) set(o *adamState) {
	copy(s.x, o.x)
	copy(s.m, o.m)
	copy(s.v, o.v)
	s.t, s.f = o.t, o.f
}

// keep makes the current point, with its estimate, the best.
func (a *adam) keep(f float64) {
	a.f = f
	a.best.set(&a.adamState)
	copy(a.gb, a.g)
}

// revert goes back to the best point.
func (a *adam) revert() { a.set(&a.best) }

// step is algorithm 1 of Kingma & Ba.
func (a *adam) step(rate float64) {
	a.t++
	a.iterations++
	// The corrections of bias, one division each for all variables.
	step := linalg.AdamStep{Beta1: adamBeta1, Rest1: 1 - adamBeta1, Beta2: adamBeta2, Rest2: 1 - adamBeta2,
		Rate: rate / (1 - math.Pow(adamBeta1, float64(a.t))), Unbias: 1 / (1 - math.Pow(adamBeta2, float64(a.t))), Epsilon: adamEpsilon}
	step.Apply(a.x, a.m, a.v, a.g)
}

func (a *adam) record(recorder func(Iterate), f float64) {
	if recorder != nil {
		recorder(Iterate{a.iterations, a.evaluations, f, projectedGradientNorm(a.x, a.g, nil), a.x})
	}
}

func (a *adam) result(s Status) Result {
	r := Result{X: append([]float64(nil), a.best.x...), F: a.best.f, GradientNorm: math.NaN(),
		Iterations: a.iterations, Evaluations: a.evaluations, Status: s}
	if !math.IsNaN(a.best.f) || s == NotFinite {
		r.G = append([]float64(nil), a.gb...)
		r.GradientNorm = projectedGradientNorm(r.X, r.G, nil)
	}
	return r
}
