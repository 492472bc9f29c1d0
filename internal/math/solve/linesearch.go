package solve

import "math"

// tolerances of a line search.
type tolerances struct {
	decrease  float64 // c1 of the Wolfe conditions (ftol of dcsrch, mu of the paper)
	curvature float64 // c2 of the Wolfe conditions (gtol, eta)
	width     float64 // a bracket relatively this narrow ends the search (xtol)
}

// usual holds the tolerances that L-BFGS-B sets.
var usual = tolerances{decrease: 1e-3, curvature: 0.9, width: 0.1}

// Further constants of dcsrch (MINPACK-2).
const (
	extrapolateLeast = 1.1  // without a bracket the next step lies this much
	extrapolateMost  = 4    // to this much further on
	shrinkBracket    = 0.66 // a bracket must shrink to this in two trials
	shrinkRejected   = 0.1  // part of the way left after a trial that is not finite
)

type verdict int

const (
	searchOn    verdict = iota // evaluate at step and call next
	searchDone                 // the last trial satisfies the strong Wolfe conditions
	searchEnded                // no further trial can help; take the best so far
)

// moreThuente searches phi(step) = f(x + step*d) for a step with
//
//	phi(step) <= phi(0) + c1*step*phi'(0)   and   |phi'(step)| <= c2*|phi'(0)|
//
// by the algorithm of Moré and Thuente (1994, sections 2-4) as MINPACK-2's dcsrch
// has it. It is driven from outside: after start, evaluate at step, hand the
// values to next (or call reject), and go on while next says searchOn. It holds
// no slices and allocates nothing.
//
// It differs from dcsrch in two ways: when the bracket is as narrow as it may
// get it ends at once, where dcsrch asks for the best point a second time
// (the caller has kept it); and reject gets it away from values that are not
// finite, which dcsrch has no answer to.
type moreThuente struct {
	tolerances
	step    float64 // next trial
	longest float64 // upper limit of step

	f0, slope0 float64  // phi(0), phi'(0)
	low, high  endpoint // low has the least value found; high is the other end
	bracketed  bool     // a minimiser lies between low and high
	stage2     bool     // work on phi itself, not on the auxiliary function psi
	least      float64  // interval allowed for step: I_k, or the range of extrapolation
	most       float64
	span       float64 // length of the bracket,
	span2      float64 // and one trial before
}

// endpoint is a step with the value and the derivative of phi there.
type endpoint struct{ step, f, slope float64 }

// start begins a search from phi(0) = f, phi'(0) = slope < 0, with the first
// trial at step in (0, longest].
func (l *moreThuente) start(t tolerances, f, slope, step, longest float64) {
	zero := endpoint{0, f, slope}
	*l = moreThuente{
		tolerances: t, step: min(step, longest), longest: longest,
		f0: f, slope0: slope, low: zero, high: zero,
		span: longest, span2: 2 * longest,
	}
	l.most = l.step + extrapolateMost*l.step
}

// next takes phi and phi' at l.step, both finite, and sets the next l.step.
func (l *moreThuente) next(f, slope float64) verdict {
	trial := endpoint{l.step, f, slope}
	needed := l.decrease * l.slope0
	enough := l.f0 + trial.step*needed // (1.1)

	// The second stage begins with the first trial where psi <= 0 and phi' >= 0
	// (section 3).
	if f <= enough && slope >= 0 {
		l.stage2 = true
	}
	switch {
	case f <= enough && math.Abs(slope) <= l.curvature*-l.slope0: // (1.1), (1.2)
		return searchDone
	case l.bracketed && (trial.step <= l.least || trial.step >= l.most): // rounding
		return searchEnded
	case trial.step >= l.longest && f <= enough && slope <= needed:
		return searchEnded // still going down at the longest step
	}

	// In the first stage, with a lower value but not enough decrease, the next
	// trial is chosen on psi(step) = phi(step) - phi(0) - c1*step*phi'(0)
	// (section 2).
	if !l.stage2 && f <= l.low.f && f > enough {
		trial = trial.tilt(-needed)
		l.low, l.high = l.low.tilt(-needed), l.high.tilt(-needed)
		l.trialStep(trial)
		l.low, l.high = l.low.tilt(needed), l.high.tilt(needed)
	} else {
		l.trialStep(trial)
	}

	if l.bracketed {
		// Bisect if the bracket did not shrink enough in two trials (section 4).
		span := math.Abs(l.high.step - l.low.step)
		if span >= shrinkBracket*l.span2 {
			l.step = l.low.step + 0.5*(l.high.step-l.low.step)
		}
		l.span2, l.span = l.span, span
		l.least = min(l.low.step, l.high.step)
		l.most = max(l.low.step, l.high.step)
	} else {
		l.least = l.step + extrapolateLeast*(l.step-l.low.step)
		l.most = l.step + extrapolateMost*(l.step-l.low.step)
	}
	l.step = max(0, min(l.step, l.longest))
	if l.bracketed && (l.step <= l.least || l.step >= l.most || l.most-l.least <= l.width*l.most) {
		return searchEnded
	}
	return searchOn
}

// reject says that phi or phi' is not finite at l.step. The next trial is a
// tenth as far from the best point, and no later one goes back beyond half the
// way, so that a search from step 1 reaches 1e-19 within maxTrials.
func (l *moreThuente) reject() {
	bad := l.step
	l.step = l.low.step + shrinkRejected*(bad-l.low.step)
	if bad > l.low.step {
		// A far end of the bracket beyond bad is of no use any more.
		l.bracketed = false
		l.longest = l.low.step + 0.5*(bad-l.low.step)
		l.span, l.span2 = l.longest, 2*l.longest
		l.least, l.most = l.low.step, l.longest
	}
}

// tilt adds slope*step to the function that e is a point of.
func (e endpoint) tilt(slope float64) endpoint {
	return endpoint{e.step, e.f + slope*e.step, e.slope + slope}
}
