package solve

import (
	"math"
	"strings"
	"symmom/internal/math/linalg"
)

// Status says why a run ended.
type Status int

const (
	// Converged: the projected gradient is within GradientTolerance.
	Converged Status = iota + 1
	// Stalled: the last step decreased f by no more than RelativeDecrease, or the
	// last hundred if the point is far from stationary, or by no more than its
	// rounding each.
	Stalled
	// MaxIterations: the allowed number of accepted steps was taken.
	MaxIterations
	// MaxEvaluations: the allowed number of calls was made.
	MaxEvaluations
	// Interrupted: Func returned ok=false.
	Interrupted
	// LineSearchFailed: no lower point was found along the steepest descent;
	// usually f is flat to rounding error, or the gradient is not that of f.
	LineSearchFailed
	// NotFinite: f or its gradient is NaN or infinite at the start point, or at
	// every point tried along the steepest descent.
	NotFinite
	// Enough: Until returned true.
	Enough
)

// String gives the name that reports use, "unknown" for a value that is none of
// the constants.
func (s Status) String() string {
	switch s {
	case Converged:
		return "converged"
	case Stalled:
		return "stalled"
	case MaxIterations:
		return "max_iterations"
	case MaxEvaluations:
		return "max_evaluations"
	case Interrupted:
		return "interrupted"
	case LineSearchFailed:
		return "line_search_failed"
	case NotFinite:
		return "not_finite"
	case Enough:
		return "enough"
	}
	return "unknown"
}

// Words returns the name as text, "line search failed".
func (s Status) Words() string { return strings.ReplaceAll(s.String(), "_", " ") }

// stationary tests ||proj g||_inf <= GradientTolerance (Byrd et al. 1995,
// (6.1)), or the caller's measure in place of the norm.
func (r *run) stationary() bool {
	return r.s.GradientTolerance >= 0 && r.stationarity <= r.s.GradientTolerance
}

// measure finds how far the current point is from a stationary one.
func (r *run) measure() {
	r.gradientNorm = projectedGradientNorm(r.x, r.g, r.box)
	r.stationarity = r.gradientNorm
	if r.s.Stationarity != nil && linalg.Finite(r.g...) {
		r.stationarity = r.s.Stationarity(r.x, r.f, r.g)
	}
}

// flatSteps is how many steps in a row may be lost in the rounding of f. Where
// Scale is far less than |f| there are valleys in which thirty are followed by
// more; a hundred have not been.
const flatSteps = 100

// stop applies the stopping rules after a step to r.f, in the order of L-BFGS-B,
// and returns 0 to go on.
func (r *run) stop() Status {
	switch {
	case r.stationary():
		return Converged
	case r.s.RelativeDecrease >= 0 && (r.small() || r.flat >= flatSteps):
		return Stalled
	case r.iterations >= r.s.MaxIterations:
		return MaxIterations
	case r.evaluations >= r.s.MaxEvaluations:
		return MaxEvaluations
	case r.s.Until != nil && r.s.Until(r.f):
		return Enough
	}
	return 0
}

// far is the stationarity, as a cosine, from which on a step along one variable could lower f
// by a percent: what stopped a small step was its length, not the lack of a way down.
const far = .1

// small reports whether the last step decreased f by no more than RelativeDecrease, and so did
// as many before as may be lost to rounding if the point is far from stationary.
func (r *run) small() bool {
	if r.gain > r.s.RelativeDecrease*r.size() {
		r.short = 0
		return false
	}
	r.short++
	return r.s.Stationarity == nil || !(r.stationarity > far) || r.short >= flatSteps
}

// size is the scale for a decrease to r.f.
func (r *run) size() float64 {
	if r.s.Scale != nil {
		return r.s.Scale(r.f)
	}
	return max(math.Abs(r.f+r.gain), math.Abs(r.f), 1)
}

// projectedGradientNorm is ||P(x-g) - x||_inf, with P the projection on the
// bounds (Byrd et al. 1995, section 6); without bounds it is ||g||_inf. A
// gradient with a NaN has norm NaN.
func projectedGradientNorm(x, g []float64, b *box) float64 {
	norm := 0.0
	for i, v := range g {
		if b != nil {
			v = b.projected(x, i, v)
		}
		norm = max(norm, math.Abs(v)) // max keeps NaN
	}
	return norm
}
