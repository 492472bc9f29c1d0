package ica

import (
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// heavyKurtosis of p, and more than that of a Laplace source, is one that few observations
// make. With weights p is the effective number of observations.
const heavyKurtosis, laplaceKurtosis = .05, 3

// Doubts warns of sources that look normal, of tails due to a few observations, and of a
// search with these options that did not converge, unless it was interrupted. p is the
// effective number of observations, of n variables.
func (r *Result) Doubts(p float64, n int, o Options, interrupted bool) (warnings []diag.Warning) {
	normal := r.normal(p)
	if normal > 1 && !interrupted {
		like, turn := "look normal", ""
		if !o.Polish {
			like = "have the kurtosis of normal ones"
		}
		if p < float64(n) {
			turn = "; a row is an observation: transpose a table whose rows are the signals"
		}
		warnings = append(warnings, diag.New(diag.NormalSources, "%d sources %s: any mixture of them fits as well%s", normal, like, turn))
	}
	for j, v := range r.Kurtosis {
		if v > max(laplaceKurtosis, heavyKurtosis*p) { // half of sum nu z^4 = v+3 is of z^2 > (v+3)/2, since sum nu z^2 = 1
			warnings = append(warnings, diag.New(diag.FewOutliers, "at most %.2g%% of the weight makes half of the kurtosis of source %d, %.4g: with tails so heavy the mixing is poorly determined; look at the largest values", 200/(v+3), j+1, v))
			break
		}
	}
	if !r.Converged && !interrupted {
		what := "of the refinement"
		if !o.Polish {
			what = "of the best start"
		}
		warning := diag.New(diag.NotConverged, "the sources still moved after %s %s", words.Plural(r.Last, "iteration"), what)
		if r.Last == o.MaxIterations && normal <= 1 { // normal sources can be turned for ever
			warning = warning.With("MaxIterations")
		}
		warnings = append(warnings, warning)
	}
	return warnings
}
