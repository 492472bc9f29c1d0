package symmom

import (
	"context"
	"time"
)

// Progress is what a running decomposition tells while it runs.
type Progress struct {
	Rank        int           // rank being fitted
	Start       int           // the start that reports, counted from 0
	StartsDone  int           // starts that have ended
	Starts      int           // starts in all
	Iterations  int           // of the start that reports
	Evaluations int           // of f and its gradient, all starts so far
	Objective   float64       // f of the start that reports, shifted, user's units
	Best        float64       // lowest f of all starts so far
	Elapsed     time.Duration // since the decomposition began
	Remaining   time.Duration // estimate; negative while unknown
	Polishing   bool          // a solution of the compressed form is polished
	Done        bool          // the last call of this decomposition
}

// Host is what surrounds an interactive session: a REPL or a notebook kernel
// makes one, offers its methods in place of the package's functions of the
// same name, and so gives every session that is made through it a context of
// its own for each cell and a place to show progress. The zero value behaves
// as the package does.
type Host struct {
	// Context returns the context of the cell that runs now; nil means
	// context.Background. It is asked anew at each long call.
	Context func() context.Context

	// Progress is called for decompositions whose Options have no Progress.
	Progress func(Progress)
}

func (h *Host) context() context.Context {
	if h == nil || h.Context == nil {
		return context.Background()
	}
	if ctx := h.Context(); ctx != nil {
		return ctx
	}
	return context.Background()
}

var noHost = &Host{}
