package solve

import (
	"math"
	"slices"
	"symmom/internal/math/linalg"

	"gonum.org/v1/gonum/floats"
)

// Limits of one line search, those of L-BFGS-B (and maxls of SciPy).
const (
	maxTrials = 20   // evaluations in one line search
	maxStep   = 1e10 // largest step without bounds
	blur      = 32   // differences of f that are rounding, relative to f in machine epsilons
)

// model is a quadratic model of f at the current point: two-loop L-BFGS or
// L-BFGS-B.
type model interface {
	// direction writes a descent direction to r.d, and to r.target the point
	// that step 1 must hit exactly (nil: x + d will do). It returns the first
	// step to try and the longest step allowed. ok=false: the model broke down
	// in rounding error.
	direction(r *run) (step, longest float64, ok bool)
	// update takes in the step from (r.x, r.g) to (r.xt, r.gt).
	update(r *run)
	// reset forgets all steps: the next direction is the (projected) steepest
	// descent.
	reset()
	// empty says that there is nothing to forget.
	empty() bool
}

// run is the state of one minimization. All slices have n entries and are
// allocated once; x, xt, xb (and g, gt, gb) change places instead of being copied.
type run struct {
	fg  Func
	s   Settings
	box *box // nil: no bounds

	x, g         []float64 // last accepted point and its gradient
	f            float64
	gradientNorm float64
	stationarity float64

	xt, gt []float64 // trial point of the line search
	ft     float64
	gain   float64 // decrease of f along the accepted step
	flat   int     // steps in a row that decreased it by its rounding at most
	short  int     // and by RelativeDecrease at most

	xb, gb []float64 // best trial point of the line search
	fb     float64

	d      []float64 // search direction
	target []float64 // x + d without rounding, or nil

	search      moreThuente
	iterations  int
	evaluations int
	hook        func(accepted)
}

// accepted describes an accepted step to a test.
type accepted struct {
	step, longest  float64
	f0, f1         float64 // objective before and after
	slope0, slope1 float64 // directional derivative before and after
	wolfe          bool    // the strong Wolfe conditions hold
}

func newRun(fg Func, x0 []float64, s Settings) *run {
	n := len(x0)
	buf := make([]float64, 7*n)
	cut := func() []float64 {
		v := buf[:n:n]
		buf = buf[n:]
		return v
	}
	r := &run{fg: fg, s: s, x: cut(), g: cut(), xt: cut(), gt: cut(), xb: cut(), gb: cut(), d: cut()}
	copy(r.x, x0)
	return r
}

// minimize runs to the end with the given model.
func (r *run) minimize(m model) Result {
	f, ok := r.fg(r.x, r.g)
	r.evaluations = 1
	if !ok {
		x := append([]float64(nil), r.x...)
		return Result{X: x, F: math.NaN(), GradientNorm: math.NaN(), Stationarity: math.NaN(), Evaluations: 1, Status: Interrupted}
	}
	r.f = f
	r.measure()
	if !linalg.Finite(f) || !linalg.Finite(r.g...) {
		return r.result(NotFinite)
	}
	r.record()
	if r.stationary() {
		return r.result(Converged)
	}
	for {
		step, longest, ok := m.direction(r)
		status := LineSearchFailed
		if ok {
			status = r.lineSearch(step, longest)
		}
		switch status {
		case 0:
			m.update(r)
			if status := r.accept(); status != 0 {
				return r.result(status)
			}
		case LineSearchFailed, NotFinite:
			// Like L-BFGS-B, forget the model and try the steepest descent
			// once before giving up.
			if m.empty() {
				return r.result(status)
			}
			m.reset()
		default:
			return r.result(status)
		}
	}
}

// lineSearch looks along r.d for a step that satisfies the strong Wolfe
// conditions (N&W (3.7)) and leaves the point in r.xt, r.gt, r.ft. If rounding,
// the longest step or the trial limit ends the search first, it settles for the
// best trial with a sufficient decrease (N&W (3.6a)). It returns 0, or the
// reason why there is no such point.
func (r *run) lineSearch(step, longest float64) Status {
	slope := floats.Dot(r.g, r.d)
	if !(slope < 0) || !(step > 0) { // no descent; also NaN
		return LineSearchFailed
	}
	l := &r.search
	l.start(usual, 0, slope, step, longest)
	failure := NotFinite
	var best, slopeBest, phiBest float64 // phiBest < 0 once there is a best
	for range maxTrials {
		if r.evaluations >= r.s.MaxEvaluations {
			return MaxEvaluations
		}
		trial := l.step
		r.move(trial)
		if slices.Equal(r.xt, r.x) {
			break // the step is lost in rounding
		}
		ft, ok := r.fg(r.xt, r.gt)
		r.evaluations++
		if !ok {
			return Interrupted
		}
		// The dot product is finite only if every entry of gt is: 0*Inf is NaN.
		slopeTrial := floats.Dot(r.gt, r.d)
		if !linalg.Finite(ft) || !linalg.Finite(slopeTrial) {
			l.reject()
			continue
		}
		failure = LineSearchFailed
		r.ft = ft
		phi := ft - r.f
		blurred := math.Abs(phi) <= blur*machineEpsilon*math.Abs(r.f)
		if blurred {
			phi = trial * (slope + slopeTrial) / 2 // the slopes say more
			r.ft = min(ft, r.f)
		}
		verdict := l.next(phi, slopeTrial)
		if verdict == searchDone {
			r.gain = -phi
			r.report(accepted{trial, longest, r.f, r.f + phi, slope, slopeTrial, true})
			return 0
		}
		if phi < phiBest && !blurred {
			best, slopeBest, phiBest = trial, slopeTrial, phi
			r.swapBest()
		}
		if verdict == searchEnded {
			break
		}
	}
	if !(phiBest < 0) || phiBest > usual.decrease*best*slope {
		return failure
	}
	r.swapBest()
	r.gain = -phiBest
	r.report(accepted{best, longest, r.f, r.f + phiBest, slope, slopeBest, false})
	return 0
}

// swapBest makes the trial point the best one and the other way round.
func (r *run) swapBest() {
	r.xt, r.xb = r.xb, r.xt
	r.gt, r.gb = r.gb, r.gt
	r.ft, r.fb = r.fb, r.ft
}

// move sets the trial point x + step*d, kept within the bounds against rounding.
func (r *run) move(step float64) {
	if step == 1 && r.target != nil {
		copy(r.xt, r.target)
		return
	}
	floats.AddScaledTo(r.xt, r.x, step, r.d)
	if r.box != nil {
		r.box.project(r.xt)
	}
}

// accept makes the trial point the current one and applies the stopping rules.
func (r *run) accept() Status {
	r.x, r.xt = r.xt, r.x
	r.g, r.gt = r.gt, r.g
	r.f = r.ft
	r.iterations++
	r.flat++
	if r.gain > machineEpsilon*math.Abs(r.f) {
		r.flat = 0
	}
	r.measure()
	r.record()
	return r.stop()
}

func (r *run) record() {
	if r.s.Recorder != nil {
		r.s.Recorder(Iterate{r.iterations, r.evaluations, r.f, r.gradientNorm, r.x})
	}
}

func (r *run) report(a accepted) {
	if r.hook != nil {
		r.hook(a)
	}
}

func (r *run) result(s Status) Result {
	// x and g share one allocation with the work space; copies let it go.
	return Result{
		X: append([]float64(nil), r.x...), F: r.f,
		G: append([]float64(nil), r.g...), GradientNorm: r.gradientNorm, Stationarity: r.stationarity,
		Iterations: r.iterations, Evaluations: r.evaluations, Status: s,
	}
}
