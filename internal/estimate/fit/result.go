package fit

import (
	"time"

	"symmom/internal/estimate/progress"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/solve"
	"symmom/internal/text/diag"
)

// Result is the best of all starts, and how it was found.
type Result struct {
	Model *ktensor.Kruskal // arranged, in the data's units; nil if nothing was found

	Form             Form
	Status           solve.Status
	ObjectiveShifted float64 // f without ||X||^2, in the data's units
	GradientNorm     float64 // of the problem that was solved
	Cosine           float64 // of the angle between the residual and the range of its Jacobian, NaN if not known
	NormSquared      Norm    // in the data's units
	RelativeError    float64

	Starts      []Start // in the order of their streams
	Begun       int     // planned number of starts
	Best        int     // index in Starts
	Evaluations int
	Passes      int // over the data, except those for ||X||^2
	Phases      []progress.PhaseTime

	// For the compressed form: the size of the basis, its eigenvalues, how many stand out, and
	// the rank that they suggest, one more of data about their mean.
	Basis                int
	Spectrum             []float64
	Stand, SuggestedRank int

	Fingerprint string // of the data; "" if interrupted
	Warnings    []diag.Warning
}

// Start is the record of one run of the solver, in the data's units.
type Start struct {
	Index            int // its number, and that of its random stream if it drew
	Status           solve.Status
	ObjectiveShifted float64
	Ends             float64 // the same, or what it became of another start that was as good when that was polished
	GradientNorm     float64
	Cosine           float64
	AtBest           bool // it ended at the best fit
	Iterations       int
	Evaluations      int
	Elapsed          time.Duration
	Trace            []TracePoint // one point per iteration, beginning with the start point
	Estimated        bool         // the trace is of estimates
	Unverified       bool         // f is an estimate

	exchanged bool // it was made of components of others
}

// TracePoint is one accepted iterate of a start.
type TracePoint struct {
	Evaluations  int
	Elapsed      time.Duration
	Objective    float64
	GradientNorm float64
}
