package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// Names of the checks, which are the columns of the page.
const (
	checkBest     = "best"     // (a)
	checkF        = "f"        // (b)
	checkNorm     = "norm"     // (c)
	checkRelative = "relative" // (d)
	checkBits     = "bits"     // (e)
	checkEvaluate = "evaluate" // (f)
	checkRestart  = "restart"  // (g)
	checkSane     = "sane"     // errors, panics, numbers that are not finite
)

var checks = []string{checkBest, checkF, checkNorm, checkRelative, checkBits, checkEvaluate, checkRestart, checkSane}

// Tolerances.
const (
	tolerance  = 1e-9 // of sums, relative to their absolute terms
	better     = 1e-3 // by which another fit may have a lower f, relative to it
	deviations = 6    // standard errors of an estimate
	// promised is the most that a converged fit may gain from one more step, relative to its
	// residual: the square of the tolerance, and as much again because the step is not
	// that of the model that predicts it.
	promised = 2 * symmom.DefaultTolerance * symmom.DefaultTolerance
	// slow is the most that all further steps may gain without being listed, where the problem
	// makes them shorter by a constant factor, and valley what they may gain at all:
	// as cosines ten and a hundred times the tolerance.
	slow   = 1e-6
	valley = 1e-4
	// rounded bounds the rounding error of a sum, relative to its absolute terms.
	rounded = 1e-12
)

// telling are the warnings that a better fit may exist, or that the numbers are unreliable.
var telling = []symmom.WarningCode{symmom.WarnFewStarts, symmom.WarnNotConverged, symmom.WarnBasisMissed, symmom.WarnDegenerate, symmom.WarnRounding}

// warning returns the first of some warnings that a fit carries, or "".
func warning(f *symmom.Fit, codes ...symmom.WarningCode) symmom.WarningCode {
	for _, w := range f.Warnings {
		if slices.Contains(codes, w.Code) {
			return w.Code
		}
	}
	return ""
}

// judged is a fit and f of its model by the judge's own loops, in the units of the judge's
// table.
type judged struct {
	name     string
	fit      *symmom.Fit
	f, gross float64
}

func judge(t *table, name string, f *symmom.Fit) judged {
	j := judged{name: name, fit: f}
	j.f, j.gross = t.objective(f.Model)
	return j
}

// best checks that no other fit has a lower f, unless the automatic one warns of that:
// then warned is the largest difference, relative to f.
func best(auto judged, others []judged) (warned float64, fault string) {
	for _, o := range others {
		excess := (auto.f - o.f) / math.Abs(o.f)
		if !(excess > better) {
			continue
		}
		if warning(auto.fit, telling...) != "" {
			warned = max(warned, excess)
			continue
		}
		hits := auto.fit.AtBest
		fault = fmt.Sprintf("f is %.6g, that of the %s fit %.6g: %.3g%% of it lower; %s form, %s, %d of %d starts at the best, warnings %s",
			auto.f, o.name, o.f, 100*excess, auto.fit.Form, auto.fit.Status, hits, len(auto.fit.Starts), codes(auto.fit))
	}
	return warned, fault
}

func codes(f *symmom.Fit) string {
	var out []string
	for _, w := range f.Warnings {
		out = append(out, string(w.Code))
	}
	if out == nil {
		return "none"
	}
	return strings.Join(out, ", ")
}

// close checks a value in the data's units against one of the table. Where the data's
// units hold no such number, the value must be infinite or vanish likewise.
func (t *table) close(value, want, slack float64) bool {
	w := t.back(want)
	if math.IsInf(w, 0) || math.IsInf(value, 0) {
		return value == w || math.IsInf(t.back(want*(1+tolerance)), 0) && math.Abs(value) > math.MaxFloat64/2
	}
	if math.Abs(w) < smallestNormal {
		return math.Abs(value) < 2*smallestNormal // its digits are lost
	}
	return math.Abs(value-w) <= t.back(slack)
}

const smallestNormal = 0x1p-1022

// objectiveRight checks f against its definition.
func (t *table) objectiveRight(j judged) string {
	if t.close(j.fit.ObjectiveShifted, j.f, tolerance*j.gross) {
		return ""
	}
	return fmt.Sprintf("%s: f (shifted) is %.15g, from its definition %.15g; absolute terms add up to %.3g", j.name, j.fit.ObjectiveShifted, t.back(j.f), t.back(j.gross))
}

// normRight checks ||X||^2 against the sum over all pairs; lengths is what the absolute
// terms may add up to.
func (t *table) normRight(name string, n symmom.Norm, pairs, lengths float64) string {
	if pairs < 1e-13*lengths {
		return fmt.Sprintf("%s: ||X||^2 vanishes to within rounding, and was fitted: %s", name, n)
	}
	if !n.Exact() {
		if n.Doubtful || t.back(pairs) < smallestNormal && n.Value < 2*smallestNormal {
			return ""
		}
		value, stderr := t.into(n.Value), t.into(n.StdErr)
		if math.Abs(value-pairs) <= deviations*stderr+tolerance*pairs {
			return ""
		}
		return fmt.Sprintf("%s: ||X||^2 is estimated as %s, and %.6g from all pairs: %.3g standard errors", name, n, t.back(pairs), (value-pairs)/stderr)
	}
	if t.close(n.Value, pairs, tolerance*pairs+rounded*lengths) {
		return ""
	}
	return fmt.Sprintf("%s: ||X||^2 is %.15g, from all pairs %.15g; absolute terms at most %.3g", name, n.Value, t.back(pairs), t.back(lengths))
}

// relativeRight checks the relative error against f and ||X||^2: the judge's own f,
// and norm, the judge's own ||X||^2 or that of the fit.
func (t *table) relativeRight(j judged, norm float64) string {
	f := j.fit
	want := 1 + j.f/norm
	slack := tolerance * (1 + j.gross/norm)
	cut := f.RelativeError == 0 && want < 0 && want > -1e-6 // rounding below 0 is left out
	if !cut && !(math.Abs(f.RelativeError-want) <= slack) {
		return fmt.Sprintf("%s: relative error %.12g, from f and ||X||^2 %.12g", j.name, f.RelativeError, want)
	}
	if f.RelativeError < 0 && warning(f, symmom.WarnRounding) == "" {
		return fmt.Sprintf("%s: relative error %g", j.name, f.RelativeError)
	}
	if f.RelativeError > 1+tolerance && warning(f, symmom.WarnNotConverged, symmom.WarnRounding) == "" {
		return fmt.Sprintf("%s: relative error %.12g, worse than nothing", j.name, f.RelativeError)
	}
	return ""
}

// same checks that two fits are the same bits.
func same(a, b *symmom.Fit) string {
	bits := func(what string, x, y []float64) string {
		if len(x) != len(y) {
			return fmt.Sprintf("%s: %d and %d numbers", what, len(x), len(y))
		}
		for i := range x {
			if math.Float64bits(x[i]) != math.Float64bits(y[i]) {
				return fmt.Sprintf("%s %d is %.17g with one thread and %.17g with three", what, i, x[i], y[i])
			}
		}
		return ""
	}
	numbers := func(f *symmom.Fit) []float64 {
		return []float64{f.ObjectiveShifted, f.NormSquared.Value, f.NormSquared.StdErr, f.RelativeError, f.GradientNorm, f.Cosine, float64(f.Evaluations), float64(f.Best), float64(f.Basis)}
	}
	starts := func(f *symmom.Fit) (out []float64) {
		for _, s := range f.Starts {
			out = append(out, s.ObjectiveShifted, float64(s.Evaluations))
		}
		return out
	}
	for _, fault := range []string{
		bits("lambda", a.Model.Lambda, b.Model.Lambda),
		bits("factor entry", mat.DenseCopyOf(a.Model.Factors).RawMatrix().Data, mat.DenseCopyOf(b.Model.Factors).RawMatrix().Data),
		bits("figure (f, ||X||^2, its error, relative error, gradient, cosine, evaluations, best, basis)", numbers(a), numbers(b)),
		bits("start (f, evaluations)", starts(a), starts(b)),
		bits("eigenvalue", a.Spectrum, b.Spectrum),
	} {
		if fault != "" {
			return fault
		}
	}
	if a.Form != b.Form || a.Status != b.Status || codes(a) != codes(b) {
		return fmt.Sprintf("%s form, %s, warnings %s with one thread; %s form, %s, warnings %s with three", a.Form, a.Status, codes(a), b.Form, b.Status, codes(b))
	}
	return ""
}

// evaluationRight checks what Evaluate says of a fit's model.
func (t *table) evaluationRight(j judged, e *symmom.Evaluation) string {
	if err := e.Err(); err != nil {
		// A fit gives its relative error with a warning there.
		if warning(j.fit, symmom.WarnOutOfRange) != "" && strings.Contains(err.Error(), "another unit") {
			return ""
		}
		return fmt.Sprintf("%s: Evaluate: %v", j.name, err)
	}
	if !t.close(e.ObjectiveShifted, j.f, tolerance*j.gross) {
		return fmt.Sprintf("%s: f (shifted) is %.15g by Evaluate, from its definition %.15g", j.name, e.ObjectiveShifted, t.back(j.f))
	}
	// A fit may raise an estimate of ||X||^2 to -f, and has it from the tensor in the explicit
	// form, which Evaluate takes only where that is asked for.
	a, b := j.fit.NormSquared, e.NormSquared
	raised := !a.Exact() && a.Value > b.Value
	estimated := a.Exact() && !b.Exact() && j.fit.Form == symmom.FormExplicit && (b.Doubtful || math.Abs(a.Value-b.Value) <= deviations*b.StdErr)
	if a != b && !raised && !estimated && !(math.Abs(a.Value-b.Value) <= tolerance*a.Value) {
		return fmt.Sprintf("%s: ||X||^2 is %s, by Evaluate %s", j.name, a, b)
	}
	if a, b := j.fit.RelativeError, e.RelativeError; j.fit.NormSquared.Value == e.NormSquared.Value && math.Abs(t.back(j.f)) <= math.MaxFloat64 && t.back(j.f) != 0 {
		if size := 1 + j.gross/math.Abs(j.f); !(math.Abs(a-b) <= tolerance*size) {
			return fmt.Sprintf("%s: relative error %.12g, by Evaluate %.12g", j.name, a, b)
		}
	}
	return ""
}

// restarted checks what a converged fit gains from a restart at its own model; residual
// is ||X - M||^2. gain is that of all steps, relative to it.
func (t *table) restarted(j, again judged, residual float64) (gain float64, fault string) {
	if err := again.fit.Err(); err != nil {
		return 0, fmt.Sprintf("%s: restarted: %v", j.name, err)
	}
	if trace := again.fit.Starts[again.fit.Best].Trace; len(trace) > 1 {
		lower := t.into(trace[0].Objective) - t.into(trace[1].Objective)
		if lower > rounded*j.gross && lower/residual > promised {
			return lower / residual, fmt.Sprintf("%s (%s, %s form, cosine %.2g): one more step lowers f by %.2g of the residual, which is %.2g of f; warnings %s",
				j.name, j.fit.Status, j.fit.Form, j.fit.Cosine, lower/residual, residual/math.Abs(j.f), codes(j.fit))
		}
	}
	lower := j.f - again.f
	if lower <= rounded*j.gross {
		return 0, ""
	}
	gain = lower / residual
	if gain > valley {
		fault = fmt.Sprintf("%s (%s, %s form, cosine %.2g): a restart lowers f by %.2g of the residual, which is %.2g of f, in %d iterations (%s); warnings %s",
			j.name, j.fit.Status, j.fit.Form, j.fit.Cosine, gain, residual/math.Abs(j.f), again.fit.Starts[again.fit.Best].Iterations, again.fit.Status, codes(j.fit))
	}
	return gain, fault
}

// finite checks that a fit says nothing that is not a number. Where numbers leave the
// range of float64 in the data's units, and a warning says so, f and ||X||^2 may be
// infinite.
func finite(name string, f *symmom.Fit) string {
	cosine, condition := f.Cosine, f.Model.Diagnostics().Condition
	if math.IsNaN(cosine) && (f.RelativeError < 1e-12 || warning(f, symmom.WarnDegenerate) != "" || condition > 2e4 || condition > 1e3 && f.RelativeError < 1e-6) {
		cosine = 0 // rounding hides X - M, or a direction of its Jacobian; see Fit.Cosine
	}
	numbers := append(f.Model.Lambda, f.RelativeError, f.GradientNorm, cosine)
	numbers = append(numbers, mat.DenseCopyOf(f.Model.Factors).RawMatrix().Data...)
	numbers = append(numbers, f.Spectrum...)
	text := ""
	switch big := math.Abs(f.ObjectiveShifted); {
	case warning(f, symmom.WarnOutOfRange) == "":
		if big > 0 && big < smallestNormal || f.NormSquared.Value < smallestNormal {
			return fmt.Sprintf("%s: f (shifted) is %g and ||X||^2 %s, and no warning says that their digits are lost", name, f.ObjectiveShifted, f.NormSquared)
		}
		numbers = append(numbers, f.ObjectiveShifted, f.NormSquared.Value, f.NormSquared.StdErr)
		text = f.String()
	}
	if warning(f, symmom.WarnDegenerate) != "" {
		text = strings.ReplaceAll(text, "(condition +Inf)", "") // Diagnostics.Condition says so
	}
	for i, v := range numbers {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprintf("%s: number %d of lambda, relative error, gradient, cosine, factors, eigenvalues, f, ||X||^2 is %v", name, i, v)
		}
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		return fmt.Sprintf("%s prints a number that is not finite: %q", name, text)
	}
	return ""
}
