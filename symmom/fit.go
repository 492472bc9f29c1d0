package symmom

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/estimate/fit"
	"symmom/internal/math/ktensor"
	"symmom/internal/moment"
	"symmom/internal/moment/frame"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// Fit is the result of Moment.Decompose: the best model of all starts, and
// the record of how it was found. The fields of a failed fit are zero, and
// Err says why; an interrupted fit has both a usable model and an error that
// wraps ErrInterrupted, unless it was stopped before the first evaluation: then
// its model has no components.
type Fit struct {
	Result // Err, String and HTML

	// Model is the best fit in the data's own units, its columns of unit norm,
	// ordered by |lambda|. It is never nil; its Rank is 0 if the fit failed.
	Model *Model

	Order        int // d
	N            int // variables
	Observations int // p
	Rank         int // r

	Form   string // "implicit", "explicit", "compressed" or "sampled": how the moment was held
	Solver string // "gaussnewton", "lbfgs", "lbfgsb" or "adam"
	Seed   uint64

	// ObjectiveShifted is f with alpha = 0, that is ||X - M||^2 - ||X||^2, in
	// the data's units to the power 2d.
	ObjectiveShifted float64
	// NormSquared is ||X||^2, exact or estimated.
	NormSquared Norm
	// RelativeError is f / ||X||^2, the paper's relative error (not its root).
	RelativeError float64
	// GradientNorm is the infinity norm of the gradient of the problem that was
	// solved, at the solution as the solver left it; under Options.Nonnegative that of x -
	// P(x - g), where P sets negative entries to 0; for the sampled form from all observations.
	GradientNorm float64
	// Cosine is the cosine of the angle between the residual X - M and the range of
	// its Jacobian, the number that Options.Tolerance was compared with: a further
	// step would lower f by about its square times f. It is 0 if that is within the
	// rounding of f, an upper bound if ||X||^2 is an estimate, and NaN where rounding
	// hides X - M, at a RelativeError below 1e-12 or of components that cancel, or some
	// directions of J, at a Condition of the components above 20,000, or less if the
	// RelativeError is small; by the paper's rule (L-BFGS with Scale "none"), which compares
	// GradientNorm; and for a run of a high rank that was interrupted while it was found. Of
	// the sampled form, which compares nothing, it is that of the solution, on all
	// observations.
	Cosine float64

	Status      string        // of the best start, or "interrupted"
	Evaluations int           // of f and its gradient, all starts; of the sampled form most are of s observations
	DataPasses  int           // over the observations, partial and random reads added up; without those of ||X||^2
	Elapsed     time.Duration // for everything after loading and centering
	Phases      []PhaseTime   // time of each phase, in the order of their beginnings, starting with loading and centering
	Best        int           // index of the best start in Starts
	AtBest      int           // starts that ended at the best fit, see Start
	Starts      []Start       // in the order of their streams
	Warnings    []Warning

	// Optima are where starts ended, the best first: values of f within .001 of f = ||X - M||^2
	// or of ||M||^2, whichever is less, count as one. A start of the compressed form that was
	// not polished counts with the polished start nearest to it, as for Start.AtBest. They are
	// nil for the sampled form, whose f are estimates.
	Optima []struct {
		ObjectiveShifted float64 // of the best of them
		Starts           int
	}

	// For the compressed form: the number of basis vectors, the eigenvalues of the second
	// moment in their coordinates (Summary's are as large, or up to a tenth larger where they
	// are mostly noise), how many stand out (0: none), and a suggested rank, see Summary.
	Basis                int
	Spectrum             []float64
	Stand, SuggestedRank int

	// Samples is s of the sampled form: the observations per gradient.
	Samples int

	// Cumulant says that it is the cumulant that was decomposed, not the moment.
	Cumulant bool

	// Sigma is the root of the mean variance of the noise that Moment.Debias took
	// out, given or estimated; 0 for a plain moment.
	Sigma float64
	// SigmaStdErr is its standard error, for normal noise, 0 if it was given. It includes
	// the bias from components that hardly stand out, which make the estimate too small.
	SigmaStdErr float64

	noise  *moment.Noise
	moment *Moment // that was decomposed, or nil
}

// Start is the record of one run of the solver.
type Start struct {
	Index            int    // its number, and that of its random stream if it drew
	Status           string // "converged", "stalled", "max_iterations", "max_evaluations", "interrupted", "line_search_failed", "not_finite"
	ObjectiveShifted float64
	GradientNorm     float64
	Cosine           float64 // see Fit.Cosine
	// AtBest reports whether it ended at the best fit: at an f within .001 of the best,
	// relative to f = ||X - M||^2 or to ||M||^2, whichever is less. The compressed form
	// polishes only a few starts; the others count as ending where the nearest of these
	// did, if they were as near to it before the polish.
	AtBest      bool
	Iterations  int
	Evaluations int
	Elapsed     time.Duration
	Trace       []TracePoint // one point an iteration, the start point first

	// Estimated reports whether the trace is of the sampled form: one point per epoch of
	// 100 iterations, including undone epochs, with f and its gradient estimated from
	// 1,000 observations.
	Estimated bool

	// Unverified reports that the sampled form did not evaluate this start on all
	// observations, because its estimate is worse than the best one by more than the
	// sampling error. ObjectiveShifted is the f of the best start plus the difference
	// of their estimates, GradientNorm an estimate.
	Unverified bool
}

// TracePoint is one accepted iterate of a start.
type TracePoint struct {
	Evaluations  int           // of f and g in this start, so far
	Elapsed      time.Duration // since this start began
	Objective    float64       // shifted, in the data's units to the power 2d
	GradientNorm float64       // infinity norm, of the problem that is solved
}

// model is Model, an empty one for a zero Fit.
func (f *Fit) model() *Model { return cmp.Or(f.Model, &Model{}) }

// Session returns the session whose moment was decomposed, to look at its
// observations beside the fit; for a fit that Decompose did not make, an empty one
// whose Err says so. A fit keeps its data in memory; to let them go, keep only its
// Model.
func (f *Fit) Session() *Session { return cmp.Or(f.Moment().session, &Session{}) }

// Moment returns the moment that was decomposed, in the requested form and with its
// options, to decompose it again, for example at another rank. It is a moment without
// data for a fit that Decompose did not make.
func (f *Fit) Moment() *Moment { return cmp.Or(f.moment, &Moment{}) }

// Score compares the factors with the true ones, the columns of an n x r'
// matrix, by the paper's similarity score.
func (f *Fit) Score(truth mat.Matrix) *Score {
	if m := f.model(); m.Rank() > 0 || f.err == nil {
		return m.Score(truth)
	}
	return made(&Score{Result: Result{err: f.err}})
}

// Save writes the model, in the format that the name asks for; see Model.Save.
func (f *Fit) Save(path string) error {
	if m := f.model(); m.Rank() > 0 || f.err == nil {
		return m.save(f.Session().saving(), path)
	}
	return f.err
}

func (f *Fit) shown() shown {
	if f.model().Rank() == 0 {
		return &htmltext.Facts{Title: errorLine("fit", f.err)}
	}
	t := &htmltext.Facts{Title: fmt.Sprintf("Fit of rank %d to the %s (order %d), %s, %s", f.Rank, f.Model.Kind.frame().Title(f.Order), f.Order, f.Form, f.Solver)}
	t.Add("data", "%s observations of %s", words.Count(f.Observations), words.Plural(f.N, "variable"))
	t.Lines = append(t.Lines, f.Facts()...)
	return parts{htmltext.Beside(t, f.Warnings, f.err), f.Model.Factors}
}

// Facts are what String says about the fit, besides its data and warnings: names and values.
func (f *Fit) Facts() [][]string {
	t := &htmltext.Facts{}
	if f.Sigma > 0 {
		t.Add("debiased", "noise of sigma %s removed", words.Estimate(f.Sigma, f.SigmaStdErr))
	}
	t.Add("relative error", "%s", f.NormSquared.relative(f.RelativeError, f.ObjectiveShifted, isEstimate))
	t.Add("f (shifted)", "%.8g", f.ObjectiveShifted)
	t.Add("||X||^2", "%s", f.NormSquared)
	gradient := fmt.Sprintf("%.3g", f.GradientNorm)
	if !math.IsNaN(f.Cosine) {
		gradient += fmt.Sprintf(", cosine %.2g", f.Cosine)
	}
	t.Add("gradient norm", "%s (%s)", gradient, words.Spaced(f.Status))
	t.Add("starts", "%s found the best", f.atBest())
	t.Add("work", "%s, %s over the data, in %s", words.Plural(f.Evaluations, "evaluation"), words.Plural(f.DataPasses, "pass"), words.Duration(f.Elapsed))
	if text := f.descent(); text != "" {
		t.Add("best start", "%s", text)
	}
	if o := fit.OtherOptima(f.Optima); o != "" {
		t.Add("other optima", "%s", o)
	}
	d := f.model().kruskal().Diagnose()
	t.Lines = append(t.Lines, ktensor.Lines(d.Shares, d.Condition, d.Degenerate)...)
	if f.Stand > 0 {
		t.Add("spectrum", "%s", frame.Stands(f.Stand, f.SuggestedRank))
	}
	return t.Lines
}

// atBest counts the starts that found the best fit, if that is known.
func (f *Fit) atBest() string {
	switch {
	case len(f.Starts) == 0:
		return "-"
	case errors.Is(f.err, ErrInterrupted): // not all have ended
		return fmt.Sprintf("%d of %d begun", f.AtBest, len(f.Starts))
	}
	return fmt.Sprintf("%d of %d", f.AtBest, len(f.Starts))
}

// descent draws the trace of the best start.
func (f *Fit) descent() string {
	if f.Best < 0 || f.Best >= len(f.Starts) {
		return ""
	}
	best, norm := f.Starts[f.Best], 0.
	if f.NormSquared.Exact() {
		norm = f.NormSquared.Value
	}
	trace := make([]float64, len(best.Trace))
	for i, p := range best.Trace {
		trace[i] = p.Objective
	}
	return fit.Descent(trace, norm, best.Estimated, best.Iterations)
}
