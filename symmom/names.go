package symmom

import (
	"time"

	"symmom/internal/estimate/progress"
)

// Forms (Fit.Form): how a moment is held while it is decomposed.
const (
	FormImplicit   = "implicit"
	FormExplicit   = "explicit"
	FormCompressed = "compressed"
	FormSampled    = "sampled"
)

// Solvers (Options.Solver). SolverLBFGSB (SolverLBFGS with Options.Nonnegative) and SolverAdam (of
// the sampled form) are named in a Fit alone.
const (
	SolverAuto        = "auto"
	SolverGaussNewton = "gaussnewton"
	SolverLBFGS       = "lbfgs"
	SolverLBFGSB      = "lbfgsb"
	SolverAdam        = "adam"
)

// Starts (Options.Init): the range finder turned so that X a_j^d > 0, without the turn, or
// normal numbers.
const (
	InitRRF      = "rrf"
	InitPlain    = "plain"
	InitGaussian = "gaussian"
)

// Units (Options.Scale): ScaleAuto makes the largest eigenvalue of the second moment 1;
// ScaleNone leaves the data's units.
const (
	ScaleAuto = "auto"
	ScaleNone = "none"
)

// Ways in which a run of the solver ends (Fit.Status, Start.Status).
const (
	StatusConverged        = "converged"
	StatusStalled          = "stalled"
	StatusMaxIterations    = "max_iterations"
	StatusMaxEvaluations   = "max_evaluations"
	StatusInterrupted      = "interrupted"
	StatusLineSearchFailed = "line_search_failed"
	StatusNotFinite        = "not_finite"
)

// PhaseTime is the time and the passes of a phase.
type PhaseTime struct {
	Phase   string // one of the Phase names
	Elapsed time.Duration
	Passes  int // over all observations; what is read at random, and for ||X||^2, is not counted
}

// Phases of a decomposition, a mixture or a search for the rank.
const (
	PhaseLoad       = progress.Load       // the observations, before the work
	PhaseCenter     = progress.Center     // centering or standardizing them, before the work
	PhaseScale      = progress.Scale      // the unit: the second moment's largest eigenvalue
	PhaseTensor     = progress.Tensor     // the explicit form's tensor
	PhaseBasis      = progress.Basis      // the compressed form's basis
	PhaseProjection = progress.Projection // its moment in the coordinates of the basis
	PhaseSample     = progress.Sample     // the observations of the sampled form
	PhaseStarts     = progress.Starts     // drawing them, of data on disk
	PhaseSearch     = progress.Search     // from all starts
	PhasePolish     = progress.Polish     // of the compressed form's best, on the full problem
	PhaseEvaluation = progress.Evaluation // of the sampled form's solutions, on all observations
	PhaseNorm       = progress.Norm       // ||X||^2, with the survey of the observations for an estimate
	PhaseMoments    = progress.Moments    // of a mixture
	PhaseEM         = progress.EM         // its steps
	PhaseHalves     = progress.Halves     // of the observations, fitted separately (SuggestRank)
	PhaseMixtures   = progress.Mixtures   // and their BIC
	PhasePermuted   = progress.Permuted   // columns
	PhaseRanks      = progress.Ranks      // the end of SuggestRank
	PhaseWrite      = progress.Write      // a table to a file
	PhaseBootstrap  = progress.Bootstrap  // of a mixture: StartsDone of Starts draws
)
