package symmom

import (
	"errors"
	"fmt"
	"math"

	"symmom/internal/moment/frame"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

func (f *Mixture) shown() shown {
	if f.gmm == nil {
		return &htmltext.Facts{Title: errorLine("mixture", f.err)}
	}
	t := &htmltext.Facts{Title: fmt.Sprintf("Mixture of %s, %s covariance", words.Plural(f.Components, "Gaussian component"), f.Covariance)}
	if f.Nonparametric {
		t.Title = fmt.Sprintf("Nonparametric mixture of %s", words.Plural(f.Components, "component"))
	}
	t.Add("data", "%s observations of %s", words.Count(f.Observations), words.Plural(f.N, "variable"))
	t.Lines = append(t.Lines, f.Facts()...)
	out := parts{htmltext.Beside(t, f.Warnings, f.err), f.Means}
	if f.Covariance != CovarianceSpherical {
		out = append(out, f.Deviations())
	}
	return out
}

// Facts are what String says about the mixture, besides its data, warnings and components: names
// and values.
func (f *Mixture) Facts() [][]string {
	t := &htmltext.Facts{}
	if f.Coordinates != "" {
		t.Add("coordinates", "%s", frame.Says(f.Coordinates, "means and covariances"))
	}
	t.Add("sigma", "%.6g (root of the mean variance within components)", f.Sigma)
	if math.IsNaN(f.LogLikelihood) {
		t.Add("log-likelihood", "unknown: interrupted before it was computed")
	} else {
		t.Add("log-likelihood", "%.8g", f.LogLikelihood)
	}
	if !math.IsNaN(f.BIC) {
		t.Add("BIC", "%.8g (%s)", f.BIC, words.Plural(f.Parameters, "parameter"))
	}
	t.Add("found from", "%s", f.foundFrom())
	if f.DataPasses > 0 { // files do not have it
		t.Add("work", "%s over the data, in %s", words.Plural(f.DataPasses, "pass"), words.Duration(f.Elapsed))
	}
	return t.Lines
}

func (f *Mixture) foundFrom() string {
	converged := "converged"
	switch {
	case f.Iterations == 0 && errors.Is(f.err, ErrInterrupted):
		return f.Start + ", while starts were compared"
	case f.Iterations == 0:
		converged = "no EM"
	case !f.Converged:
		converged = "not converged"
	}
	return fmt.Sprintf("%s, %s of EM (%s)", f.Start, words.Plural(f.Iterations, "iteration"), converged)
}
