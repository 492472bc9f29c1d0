// Package progress reports the progress of long-running work.
package progress

import (
	"context"
	"slices"
	"time"
)

// Phases.
const (
	Load       = "load"       // the observations, before the work
	Center     = "center"     // centering or standardizing them, before the work
	Scale      = "scale"      // the unit: the second moment's largest eigenvalue
	Tensor     = "tensor"     // the explicit form's tensor
	Basis      = "basis"      // the compressed form's basis
	Projection = "projection" // its moment in the coordinates of the basis
	Sample     = "sample"     // the observations of the sampled form
	Starts     = "starts"     // drawing them, of data on disk
	Search     = "search"     // from all starts
	Polish     = "polish"     // of the compressed form's best, on the full problem
	Evaluation = "evaluation" // of the sampled form's solutions, on all observations
	Norm       = "norm"       // ||X||^2
	Moments    = "moments"    // of a mixture
	EM         = "EM"         // its steps
	Halves     = "halves"     // of the observations, fitted apart
	Mixtures   = "mixtures"   // and their BIC
	Permuted   = "permuted"   // columns
	Write      = "write"      // a table to a file
	Ranks      = "ranks"      // the end of a search for the rank
	Bootstrap  = "bootstrap"  // of a mixture: StartsDone of Starts draws
)

// PhaseTime is the total time of a phase, which may occur repeatedly.
type PhaseTime struct {
	Phase   string
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
	Phase            string
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

// Host is an interactive program: a REPL or a notebook kernel.
type Host struct {
	// Context returns the context of the cell that is running. A long call asks for it when
	// it begins.
	Context func() context.Context

	// Progress, unless nil, takes the reports of work without a function of its own for them.
	Progress Func
}

type hostKey struct{}

// In returns a context for the sessions of the host, which stands for that of each cell.
func (h *Host) In() context.Context { return context.WithValue(context.Background(), hostKey{}, h) }

// HostOf returns the host that a context stands for, or nil.
func HostOf(ctx context.Context) *Host {
	h, _ := ctx.Value(hostKey{}).(*Host)
	return h
}

// Now returns the context of the running cell; without a host, context.Background.
func (h *Host) Now() context.Context {
	if h != nil && h.Context != nil {
		if ctx := h.Context(); ctx != nil {
			return ctx
		}
	}
	return context.Background()
}
