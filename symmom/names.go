package symmom

import (
	"strings"

	"symmom/internal/estimate/progress"
	"symmom/internal/math/solve"
)

// Form is how a moment is held while it is decomposed.
type Form string

// Forms. FormAuto is the one with the least expected cost.
const (
	FormAuto       Form = ""
	FormImplicit   Form = "implicit"
	FormExplicit   Form = "explicit"
	FormCompressed Form = "compressed"
	FormSampled    Form = "sampled"
)

// Solver is a method to minimize f.
type Solver string

// Solvers. SolverLBFGSB (for Options.Nonnegative) and SolverAdam (of the sampled
// form) are chosen by other options and named in a Fit.
const (
	SolverAuto        Solver = "auto"
	SolverGaussNewton Solver = "gaussnewton"
	SolverLBFGS       Solver = "lbfgs"
	SolverLBFGSB      Solver = "lbfgsb"
	SolverAdam        Solver = "adam"
)

// Init is where starts come from.
type Init string

// Starts: the range finder turned so that X a_j^d > 0, without the turn, or normal
// numbers.
const (
	InitRRF      Init = "rrf"
	InitPlain    Init = "plain"
	InitGaussian Init = "gaussian"
)

// Scale says in which units the problem is solved.
type Scale string

// ScaleAuto makes the largest eigenvalue of the second moment 1; ScaleNone leaves
// the data's units.
const (
	ScaleAuto Scale = "auto"
	ScaleNone Scale = "none"
)

// Status is how a run of the solver ended.
type Status string

// Ways to end.
const (
	StatusConverged        Status = "converged"
	StatusStalled          Status = "stalled"
	StatusMaxIterations    Status = "max_iterations"
	StatusMaxEvaluations   Status = "max_evaluations"
	StatusInterrupted      Status = "interrupted"
	StatusLineSearchFailed Status = "line_search_failed"
	StatusNotFinite        Status = "not_finite"
)

// Words returns the status as text, "line search failed".
func (s Status) Words() string { return strings.ReplaceAll(string(s), "_", " ") }

func statusOf(s solve.Status) Status { return Status(s.String()) }

// PhaseTime is the time and the passes of a phase.
type PhaseTime = progress.PhaseTime

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
