package symmom

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"

	"symmom/internal/estimate/fit"
	"symmom/internal/estimate/progress"
)

// Options configure a decomposition. The zero value of every field is its
// documented default; a run never changes its options.
type Options struct {
	// Starts is the number of initial guesses; the best fit of all wins. Default (0): 10, as
	// the paper recommends, and more in rounds of 10 where they end at different fits, or the best is
	// degenerate: until the best was found three times and is likely to be the best of all optima, or
	// leaves nothing but rounding, or 200 were tried, as long as starts are cheap. No more than 10 are tried
	// on large data in the implicit form, large streams among them, with Adam, under bounds, and
	// by the paper's rules (see Tolerance). Where they end at many
	// different fits, a few more start from the best sets of the components found. A compressed
	// fit adds up to three from components along long observations that fit better, and two on
	// all of the data where its basis holds some components by chance. 1 if InitialModel is
	// given.
	Starts int
	open   bool // Starts was left open

	// Seed of all random draws. Start k draws from its own stream, so it is
	// the same whatever else runs. Default (0) is seed 1.
	Seed uint64

	// Tolerance on the cosine of the angle between the residual X - M and the range
	// of its Jacobian (Bates & Watts 1981), which does not depend on units: a start
	// has converged when a further step would lower f = ||X - M||^2 by less than
	// Tolerance^2 f, or by less than the rounding of f. Under Nonnegative steps
	// are along single columns of the Jacobian, as in MINPACK, and end at 0; Gauss-Newton
	// steps go on to a third of Tolerance, as each is many columns. Default 1e-4; a negative
	// value turns this stopping rule off.
	//
	// With Solver "lbfgs" and Scale "none" the rules are the paper's: this one
	// applies to the infinity norm of the gradient.
	Tolerance float64

	// RelativeDecrease stops a start as stalled when an iteration lowers f = ||X -
	// M||^2 by less than this times f, or a hundred in a row do while the cosine of
	// Tolerance is above .1. Default 1e7 times the machine epsilon; a negative value
	// turns the rule off. By the paper's rules it is relative to
	// max(|f|, 1), with f without ||X||^2.
	RelativeDecrease float64

	// MaxIterations of one start, and of its polish in the compressed form. Default 10,000; 100
	// in SuggestRank, but of Adam.
	MaxIterations int

	// MaxEvaluations of f and its gradient in one start, and in its polish; the sampled form
	// makes one more. Default 50,000, on all data of a cluster at most 25.
	MaxEvaluations int

	// Solver "auto" (default) takes damped Gauss-Newton steps, "gaussnewton", which
	// need a quarter of the evaluations of "lbfgs", the paper's L-BFGS, and under
	// Nonnegative L-BFGS-B. The sampled form uses Adam.
	Solver string

	// Corrections is the number of correction pairs that L-BFGS keeps. Default 5.
	Corrections int

	// Scale "auto" (default) solves the problem in units in which the largest
	// eigenvalue of the second moment is 1, so that the answer does not depend
	// on the unit of measurement; "none" is the paper's absolute problem.
	// Results are in the data's own units either way.
	Scale string

	// Init draws the initial factor matrix: "rrf" (default), the randomized
	// range finder with its columns turned so that X a^d > 0 for odd orders, and from
	// order 6 on, in the first start, the directions of the longest observations;
	// "plain", the paper's range finder without the turn; "gaussian".
	Init string

	// InitialModel starts the first run from this model, exactly as it is, of variables
	// and in coordinates like those of the data; see Moment.Evaluate.
	// Further starts, if requested, are drawn as in Init. Under Nonnegative its columns are
	// negated where that gives the same term, and remaining negative entries are set to 0,
	// with a warning.
	InitialModel *Model

	// Nonnegative keeps every entry of lambda and A at or above zero. lambda is bounded too
	// because a negative lambda of an odd order would defeat the purpose of a nonnegative A.
	Nonnegative bool

	// Threads is the number of processor cores to use. Default: all. Results
	// are the same bits for any number.
	Threads int

	// MemoryLimit in bytes for an explicit moment tensor, and for the memory of the search,
	// of which 16 MB are always allowed. Default: three quarters of the memory that is free
	// at that time.
	MemoryLimit uint64

	// Progress, if set, is called when something new begins (Progress.Phase),
	// at each pass over the data, and after every accepted iteration, by one
	// goroutine at a time. It should return quickly.
	Progress func(Progress)
}

// Default values of Options.
const (
	DefaultStarts         = 10
	DefaultSeed           = 1
	DefaultTolerance      = 1e-4
	DefaultMaxIterations  = 10_000
	DefaultMaxEvaluations = 50_000
	DefaultCorrections    = 5

	DefaultRelativeDecrease = 1e7 * 0x1p-52
)

// withDefaults replaces zero values by defaults and checks the others.
func (o Options) withDefaults() (Options, error) {
	o.open = o.Starts == 0 && o.InitialModel == nil && !o.Nonnegative && !(o.Solver == SolverLBFGS && o.Scale == ScaleNone)
	starts := DefaultStarts
	if o.InitialModel != nil {
		starts = 1
	}
	if err := setDefaults(&o.Seed, &o.Threads,
		whole{&o.Starts, "Starts", starts},
		whole{&o.MaxIterations, "MaxIterations", DefaultMaxIterations},
		whole{&o.MaxEvaluations, "MaxEvaluations", DefaultMaxEvaluations},
		whole{&o.Corrections, "Corrections", DefaultCorrections}); err != nil {
		return o, err
	}
	if o.Tolerance == 0 {
		o.Tolerance = DefaultTolerance
	}
	if o.RelativeDecrease == 0 {
		o.RelativeDecrease = DefaultRelativeDecrease
	}
	for _, t := range []struct {
		name string
		v    float64
	}{{"Tolerance", o.Tolerance}, {"RelativeDecrease", o.RelativeDecrease}} {
		if math.IsNaN(t.v) || math.IsInf(t.v, 0) {
			return o, &ArgumentError{Argument: t.name, Value: t.v, Want: "a finite number (negative turns the rule off)"}
		}
	}
	if err := oneOf(&o.Solver, "Solver", SolverAuto, SolverGaussNewton, SolverLBFGS); err != nil {
		return o, err
	}
	if err := oneOf(&o.Scale, "Scale", ScaleAuto, ScaleNone); err != nil {
		return o, err
	}
	if err := oneOf(&o.Init, "Init", InitRRF, InitPlain, InitGaussian); err != nil {
		return o, err
	}
	return o, nil
}

// whole is an option that is a whole number of at least 1, or 0 for its default.
type whole struct {
	p    *int
	name string
	def  int
}

// setDefaults fills in a seed and whole numbers that were left at zero, and refuses negative
// ones.
func setDefaults(seed *uint64, threads *int, options ...whole) error {
	if *seed == 0 {
		*seed = DefaultSeed
	}
	for _, f := range append(options, whole{threads, "Threads", runtime.GOMAXPROCS(0)}) {
		if *f.p < 0 {
			return &ArgumentError{Argument: f.name, Value: *f.p, Want: fmt.Sprintf("at least 1 (0 means the default, %d)", f.def)}
		}
		if *f.p == 0 {
			*f.p = f.def
		}
	}
	return nil
}

// engine translates options that are complete.
func (o Options) engine(tell progress.Func) *fit.Options {
	e := &fit.Options{Starts: o.Starts, Open: o.open, Seed: o.Seed, Tolerance: o.Tolerance, RelativeDecrease: o.RelativeDecrease,
		MaxIterations: o.MaxIterations, MaxEvaluations: o.MaxEvaluations, Patient: o.MaxEvaluations != DefaultMaxEvaluations, Corrections: o.Corrections, LBFGS: o.Solver == SolverLBFGS, Absolute: o.Scale == ScaleNone,
		Init:        map[string]fit.Init{InitRRF: fit.Turned, InitPlain: fit.Plain, InitGaussian: fit.Gaussian}[o.Init],
		Nonnegative: o.Nonnegative, Threads: o.Threads, MemoryLimit: o.MemoryLimit, Progress: tell}
	if o.InitialModel != nil {
		e.Initial = o.InitialModel.kruskal()
	}
	return e
}

// oneOf checks a named choice; the first choice is the default.
func oneOf(v *string, name string, choices ...string) error {
	if *v == "" {
		*v = choices[0]
		return nil
	}
	for _, c := range choices {
		if strings.EqualFold(*v, c) {
			*v = c
			return nil
		}
	}
	return &ArgumentError{Argument: name, Value: *v, Want: "one of " + strings.Join(choices, ", ")}
}

// atMostOne returns the options of a variadic parameter; none are the zero value,
// which is the default.
func atMostOne[T any](options []T) (o T, err error) {
	if len(options) > 1 {
		return o, &ArgumentError{Argument: "options", Value: len(options), Want: "at most one " + reflect.TypeFor[T]().Name()}
	}
	if len(options) == 1 {
		o = options[0]
	}
	return o, nil
}

// completed returns the options of a variadic parameter with their defaults.
func completed[T any](options []T, withDefaults func(T) (T, error)) (T, error) {
	o, err := atMostOne(options)
	if err != nil {
		return o, err
	}
	return withDefaults(o)
}
