// Package progress reports the progress of long-running work.
package progress

import (
	"slices"
	"time"
)

// Phase is a phase of the work.
type Phase string

// Phases.
const (
	Load       Phase = "load"       // the observations, before the work
	Center     Phase = "center"     // centering or standardizing them, before the work
	Scale      Phase = "scale"      // the unit: the second moment's largest eigenvalue
	Tensor     Phase = "tensor"     // the explicit form's tensor
	Basis      Phase = "basis"      // the compressed form's basis
	Projection Phase = "projection" // its moment in the coordinates of the basis
	Sample     Phase = "sample"     // the observations of the sampled form
	Starts     Phase = "starts"     // drawing them, of data on disk
	Search     Phase = "search"     // from all starts
	Polish     Phase = "polish"     // of the compressed form's best, on the full problem
	Evaluation Phase = "evaluation" // of the sampled form's solutions, on all observations
	Norm       Phase = "norm"       // ||X||^2
	Moments    Phase = "moments"    // of a mixture
	EM         Phase = "EM"         // its steps
	Halves     Phase = "halves"     // of the observations, fitted apart
	Mixtures   Phase = "mixtures"   // and their BIC
	Permuted   Phase = "permuted"   // columns
	Write      Phase = "write"      // a table to a file
	Ranks      Phase = "ranks"      // the end of a search for the rank
	Bootstrap  Phase = "bootstrap"  // of a mixture: StartsDone of Starts draws
)

// PhaseTime is the total time of a phase, which may occur repeatedly.
type PhaseTime struct {
	Phase   Phase
	Elapsed time.Duration
	Passes  int // over all observations; what is read at random, and for ||X||^2, is not counted
}

// Add adds what a phase took to that of the phases before it.
func Add(phases []PhaseTime, p PhaseTime) []PhaseTime {
	at := slices.IndexFunc(phases, func(q PhaseTime) bool { return q.Phase == p.Phase })
	if at < 0 {
		return append(slices.Clip(phases), p)
	}
	phases = slices.Clone(phases)
	phases[at].Elapsed += p.Elapsed
	phases[at].Passes += p.Passes
	return phases
}

// Report says how far the work is.
type Report struct {
	Rank             int
	Phase            Phase
	Pass             int     // over all observations, in this phase, counted from 1; 0 where passes are not counted
	Seen             float64 // share of the observations that the pass has seen, of data on disk
	Start            int     // that reports, counted from 0
	StartsDone       int     // starts that have ended by themselves
	Starts           int     // in all
	Iterations       int     // of the start that reports
	StartEvaluations int     // of f and its gradient, of that start
	Evaluations      int     // of f and its gradient, all starts so far
	Objective        float64
	Best             float64 // lowest f of all starts so far; NaN before there is one
	Elapsed          time.Duration
	Remaining        time.Duration // estimate; negative while unknown
	Polishing        bool
	Done             bool // the last report
	Stopped          bool // with Done: by an interrupt, before the work was finished
}

// Func takes the reports. It is called by one goroutine at a time.
type Func func(Report)
