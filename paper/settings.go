package paper

import (
	"fmt"
	"strings"
	"time"

	"symmom/symmom"
)

// Methods.
const (
	// MethodPaper is the method as published: the implicit (table 1: and the
	// explicit) form, L-BFGS with memory 5, the plain range finder, lambda starting
	// at ones, and the paper's tolerance on the unscaled problem.
	MethodPaper = "paper"
	// methodTurned is MethodPaper with the columns of a start turned so that X a^d >
	// 0, which the paper leaves open. It is listed with MethodPaper where the
	// difference matters.
	methodTurned = "turned"
	// MethodBest is symmom's default.
	MethodBest = "best"
	// MethodBoth runs one after the other. It is the default.
	MethodBoth = "both"
)

// Methods lists the names of the methods.
func Methods() []string { return []string{MethodPaper, MethodBest, MethodBoth} }

// Settings of a run. The zero value repeats the paper, with both methods.
type Settings struct {
	// Method is "paper", "best" or "both" (the default).
	Method string

	// Quick runs the same code on small problems, in seconds. Its numbers are not
	// results.
	Quick bool

	// Starts of each decomposition. 0: the paper's 10, and 100 for "init".
	Starts int

	// Seed of data and starts. 0 means 1.
	Seed uint64

	// Observations of "table3" and "traces", a multiple of the number of
	// components. 0: the paper's 500,000.
	Observations int

	// State is a file that keeps the finished cells. "": none are kept.
	State string

	// Progress, if set, is called when a cell begins or ends and whenever one of its
	// starts ends, by one goroutine at a time.
	Progress func(Progress)
}

// Progress is a report of a running experiment.
type Progress struct {
	Experiment string
	Cell       string // the cell being computed
	Done       int    // finished cells, including those found in the state
	Total      int
	Fraction   float64 // of all work, by an approximate model of its cost
	Elapsed    time.Duration
	Remaining  time.Duration // negative while unknown
}

// complete sets the defaults and checks the rest.
func (s Settings) complete() (Settings, error) {
	switch strings.ToLower(s.Method) {
	case "":
		s.Method = MethodBoth
	case MethodPaper, MethodBest, MethodBoth:
		s.Method = strings.ToLower(s.Method)
	default:
		return s, &symmom.ArgumentError{Argument: "Method", Value: s.Method, Want: "one of " + strings.Join(Methods(), ", ")}
	}
	if s.Starts < 0 {
		return s, &symmom.ArgumentError{Argument: "Starts", Value: s.Starts, Want: "at least 1 (0 means the paper's)"}
	}
	if s.Seed == 0 {
		s.Seed = symmom.DefaultSeed
	}
	if r := massiveSizes(s).r; s.Observations < 0 || s.Observations%r != 0 {
		return s, &symmom.ArgumentError{Argument: "Observations", Value: s.Observations,
			Want: fmt.Sprintf("a multiple of %d: as many of each component (0 means the paper's 500,000)", r)}
	}
	return s, nil
}

// methods returns the names of the requested methods.
func (s Settings) methods() []string {
	if s.Method == MethodBoth {
		return []string{MethodPaper, MethodBest}
	}
	return []string{s.Method}
}

// starts returns the number of starts of an experiment that has published starts.
func (s Settings) starts(published, quick int) int {
	switch {
	case s.Starts > 0:
		return s.Starts
	case s.Quick:
		return quick
	}
	return published
}

// options returns the options of a method. The tolerance is the paper's; "best" has
// its own.
func (s Settings) options(method string, starts int, tolerance float64) symmom.Options {
	o := symmom.Options{Starts: starts, Seed: s.Seed}
	if method != MethodBest {
		o.Solver, o.Init, o.Scale = symmom.SolverLBFGS, symmom.InitPlain, symmom.ScaleNone
		o.Corrections, o.Tolerance = 5, tolerance
	}
	if method == methodTurned {
		o.Init = symmom.InitRRF
	}
	return o
}

// form chooses the form of a moment for a method.
func form(m *symmom.Moment, method string) *symmom.Moment {
	if method == MethodBest {
		return m
	}
	return m.Implicit()
}
