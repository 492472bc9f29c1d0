package solve

import "math"

// trialStep moves the ends low and high (the updating algorithm of Moré & Thuente
// 1994, section 2) and chooses the next trial by safeguarded cubic and quadratic
// interpolation (section 4, cases 1 to 4), as MINPACK-2's dcstep does. The
// trial lies between low and high if there is a bracket; l.least and l.most
// limit the extrapolation.
func (l *moreThuente) trialStep(trial endpoint) {
	low := l.low
	opposite := trial.slope*math.Copysign(1, low.slope) < 0
	secant := trial.step + trial.slope/(trial.slope-low.slope)*(low.step-trial.step)

	var next float64
	switch {
	case trial.f > low.f:
		// Case 1: higher value, so a minimiser is bracketed. The cubic if it is
		// closer to low than the quadratic, else the mean of both.
		cubic := cubicMinimizer(low, trial)
		span := trial.step - low.step
		quadratic := low.step + low.slope/((low.f-trial.f)/span+low.slope)/2*span
		if math.Abs(cubic-low.step) < math.Abs(quadratic-low.step) {
			next = cubic
		} else {
			next = cubic + (quadratic-cubic)/2
		}
		l.bracketed = true

	case opposite:
		// Case 2: lower value, slopes of opposite sign: bracketed. The one of
		// cubic and secant that is farther from the trial.
		next = farther(trial.step, cubicMinimizer(trial, low), secant)
		l.bracketed = true

	case math.Abs(trial.slope) < math.Abs(low.slope):
		// Case 3: lower value, same sign, flatter. The cubic counts only if it
		// tends to infinity in the direction of the step or has its minimiser
		// beyond the trial.
		cubic, ok := cubicBeyond(trial, low)
		if !ok {
			if trial.step > low.step {
				cubic = l.most
			} else {
				cubic = l.least
			}
		}
		if l.bracketed {
			next = nearer(trial.step, cubic, secant)
			// Leave room before the far end of the bracket.
			limit := trial.step + shrinkBracket*(l.high.step-trial.step)
			if trial.step > low.step {
				next = min(next, limit)
			} else {
				next = max(next, limit)
			}
		} else {
			next = max(l.least, min(l.most, farther(trial.step, cubic, secant)))
		}

	default:
		// Case 4: lower value, same sign, not flatter.
		switch {
		case l.bracketed:
			next = cubicMinimizer(trial, l.high)
		case trial.step > low.step:
			next = l.most
		default:
			next = l.least
		}
	}

	switch {
	case trial.f > low.f:
		l.high = trial
	case opposite:
		l.high, l.low = low, trial
	default:
		l.low = trial
	}
	l.step = next
}

// cubicMinimizer is the minimiser of the cubic through a and b (N&W (3.59)),
// written as dcstep has it: from a, scaled against overflow.
func cubicMinimizer(a, b endpoint) float64 {
	theta := 3*(a.f-b.f)/(b.step-a.step) + a.slope + b.slope
	s := max(math.Abs(theta), math.Abs(a.slope), math.Abs(b.slope))
	gamma := s * math.Sqrt(max(0, (theta/s)*(theta/s)-(a.slope/s)*(b.slope/s)))
	if b.step < a.step {
		gamma = -gamma
	}
	p := (gamma - a.slope) + theta
	q := ((gamma - a.slope) + gamma) + b.slope
	return a.step + p/q*(b.step-a.step)
}

// cubicBeyond is the minimiser of the cubic through trial and low if it lies
// beyond trial as seen from low, and false otherwise.
func cubicBeyond(trial, low endpoint) (float64, bool) {
	theta := 3*(low.f-trial.f)/(trial.step-low.step) + low.slope + trial.slope
	s := max(math.Abs(theta), math.Abs(low.slope), math.Abs(trial.slope))
	// gamma = 0 only if the cubic does not tend to infinity in the direction of
	// the step.
	gamma := s * math.Sqrt(max(0, (theta/s)*(theta/s)-(low.slope/s)*(trial.slope/s)))
	if trial.step > low.step {
		gamma = -gamma
	}
	p := (gamma - trial.slope) + theta
	q := (gamma + (low.slope - trial.slope)) + gamma
	ratio := p / q
	return trial.step + ratio*(low.step-trial.step), ratio < 0 && gamma != 0
}

func nearer(from, a, b float64) float64 {
	if math.Abs(a-from) < math.Abs(b-from) {
		return a
	}
	return b
}

func farther(from, a, b float64) float64 {
	if math.Abs(a-from) > math.Abs(b-from) {
		return a
	}
	return b
}
