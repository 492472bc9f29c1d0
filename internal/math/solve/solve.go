package solve

import (
	"errors"
	"fmt"
	"math"
)

// Func evaluates objective and gradient at x in one call. It writes all of g,
// must not change x, and must not keep either slice. ok=false says that the
// evaluation was interrupted: f and g are void and the run ends with status
// Interrupted. A value that is not finite is no error: the step is shortened.
type Func func(x, g []float64) (f float64, ok bool)

// Defaults of Settings; they are those of the paper (section "Numerical results").
const (
	DefaultMemory            = 5
	DefaultMaxIterations     = 10000
	DefaultMaxEvaluations    = 50000
	DefaultGradientTolerance = 1e-4
	DefaultRelativeDecrease  = 1e7 * machineEpsilon // factr * eps of L-BFGS-B
)

// machineEpsilon is the distance from 1 to the next float64.
const machineEpsilon = 0x1p-52

// Settings of a run. The zero value is the default; a run does not change it.
type Settings struct {
	// Memory is the number of correction pairs kept. 0 means 5.
	Memory int

	// MaxIterations is the largest number of accepted steps. 0 means 10,000.
	MaxIterations int

	// MaxEvaluations is the largest number of calls of Func; it is never
	// exceeded. 0 means 50,000.
	MaxEvaluations int

	// GradientTolerance stops the run (Converged) once the largest absolute
	// entry of the projected gradient is at most this. 0 means 1e-4; negative:
	// off. It is in units of f per unit of x.
	GradientTolerance float64

	// RelativeDecrease stops the run (Stalled) once
	// (f_k - f_{k+1}) / max(|f_k|, |f_{k+1}|, 1) is at most this. 0 means
	// 1e7 times the machine epsilon (2.2e-9); negative: off.
	RelativeDecrease float64

	// Stationarity, if not nil, measures how far x, with objective f and
	// gradient g, is from a stationary point; it takes the place of the norm of
	// the projected gradient in the test against GradientTolerance. Under bounds
	// too g is the gradient itself: the projected one is cut at the distance to
	// the bound and is no derivative. It must not change x or g.
	Stationarity func(x []float64, f float64, g []float64) float64

	// Scale, if not nil, is what a decrease to f is relative to, in place of
	// max(|f_k|, |f_{k+1}|, 1).
	Scale func(f float64) float64

	// Lower and Upper bound x entry by entry; -Inf and +Inf mark a side without
	// bound. nil: no bounds on that side. If either is given the run uses
	// L-BFGS-B, also when all entries are infinite. A start outside the bounds
	// is moved to the nearest point inside.
	Lower, Upper []float64

	// Damping of GaussNewton's first step: little where x0 is near the solution. 0
	// means .1.
	Damping float64

	// Until, if not nil, ends the run (Enough) after a step to an objective f for
	// which it returns true.
	Until func(f float64) bool

	// Recorder, if not nil, is called at the start point and after each
	// accepted step, on the caller's goroutine.
	Recorder func(Iterate)
}

// Iterate is an iterate as passed to Recorder.
type Iterate struct {
	Iteration    int       // 0 at the start point
	Evaluations  int       // calls of Func so far
	F            float64   // objective
	GradientNorm float64   // infinity norm of the projected gradient
	X            []float64 // valid only during the call, not to be changed
}

// Result of a run. X is the last accepted point, which has the smallest F of
// all accepted points; the slices belong to the caller.
type Result struct {
	X            []float64
	F            float64   // objective at X; NaN if the very first evaluation was interrupted
	G            []float64 // gradient at X; nil if the very first evaluation was interrupted
	GradientNorm float64   // infinity norm of the projected gradient at X
	Stationarity float64   // what was compared with GradientTolerance
	Iterations   int       // accepted steps
	Evaluations  int       // calls of Func, an interrupted one included
	Status       Status    // why the run ended
}

// LBFGS minimizes fg from x0, which it does not change.
//
// Memory is (2*Memory+11)*n floats without bounds, 10*n more with. Beside the
// evaluations an iteration costs about 6*Memory*n multiplications without
// bounds, (Memory^2+12*Memory)*n with.
//
// The error is for wrong arguments only; how a valid run ended is in
// Result.Status.
func LBFGS(fg Func, x0 []float64, s Settings) (Result, error) {
	return minimize(fg, x0, s, nil)
}

// minimize is LBFGS with a hook for tests that sees each accepted step.
func minimize(fg Func, x0 []float64, s Settings, hook func(accepted)) (Result, error) {
	s, err := check(fg, x0, s)
	if err != nil {
		return Result{}, err
	}
	r := newRun(fg, x0, s)
	r.hook = hook
	if s.Lower == nil && s.Upper == nil {
		return r.minimize(newTwoLoop(len(x0), s.Memory)), nil
	}
	b := newBox(len(x0), s.Lower, s.Upper)
	r.box = b
	b.project(r.x)
	return r.minimize(newLBFGSB(len(x0), s.Memory, b)), nil
}

// check validates the arguments and fills in the defaults.
func check(fg Func, x0 []float64, s Settings) (Settings, error) {
	if fg == nil {
		return s, errors.New("solve: the function to minimize is nil; give one")
	}
	if len(x0) == 0 {
		return s, errors.New("solve: the start point x0 is empty; give at least one variable")
	}
	for i, v := range x0 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return s, fmt.Errorf("solve: start point x0[%d] is %v; every entry must be finite", i, v)
		}
	}
	for _, c := range []struct {
		name string
		v    *int
		def  int
	}{
		{"Memory", &s.Memory, DefaultMemory},
		{"MaxIterations", &s.MaxIterations, DefaultMaxIterations},
		{"MaxEvaluations", &s.MaxEvaluations, DefaultMaxEvaluations},
	} {
		if *c.v < 0 {
			return s, fmt.Errorf("solve: Settings.%s is %d; give a positive number, or 0 for the default %d", c.name, *c.v, c.def)
		}
		if *c.v == 0 {
			*c.v = c.def
		}
	}
	for _, c := range []struct {
		name string
		v    *float64
		def  float64
	}{
		{"GradientTolerance", &s.GradientTolerance, DefaultGradientTolerance},
		{"RelativeDecrease", &s.RelativeDecrease, DefaultRelativeDecrease},
	} {
		if math.IsNaN(*c.v) {
			return s, fmt.Errorf("solve: Settings.%s is NaN; give a positive number, 0 for the default %.3g, or a negative one to turn it off", c.name, c.def)
		}
		if *c.v == 0 {
			*c.v = c.def
		}
	}
	return s, checkBounds(len(x0), s.Lower, s.Upper)
}

func checkBounds(n int, lower, upper []float64) error {
	for _, c := range []struct {
		name  string
		v     []float64
		wrong float64
	}{
		{"Lower", lower, math.Inf(1)},
		{"Upper", upper, math.Inf(-1)},
	} {
		if c.v == nil {
			continue
		}
		if len(c.v) != n {
			return fmt.Errorf("solve: Settings.%s has %d entries for %d variables; give one for each (±Inf: no bound), or nil", c.name, len(c.v), n)
		}
		for i, v := range c.v {
			if math.IsNaN(v) || v == c.wrong {
				return fmt.Errorf("solve: Settings.%s[%d] is %v; give a number or %v for no bound", c.name, i, v, -c.wrong)
			}
		}
	}
	if lower == nil || upper == nil {
		return nil
	}
	for i, v := range lower {
		if v > upper[i] {
			return fmt.Errorf("solve: no x[%d] can satisfy Lower %v and Upper %v; swap or widen them", i, v, upper[i])
		}
	}
	return nil
}
