package symmom

import (
	"time"

	"symmom/internal/data/tables"
	"symmom/internal/estimate/bic"
	"symmom/internal/estimate/gmm"
	"symmom/internal/text/diag"
)

// The other covariances of a mixture are tried if a step of EM takes at most so many operations,
// some milliseconds, and for so many steps.
const (
	tryOperations = 4e6
	trySteps      = 30
	strong        = 10 // a difference of BIC (Kass & Raftery 1995)
)

// tryOthers continues from the means of a mixture with the other covariances, and warns if one
// has a clearly lower BIC. spread is that of the data.
func (f *Mixture) tryOthers(spread *tables.Spread) {
	p, n, r := float64(f.Observations), float64(f.N), float64(f.Components)
	if f.err != nil || f.options.MomentsOnly || f.Nonparametric || f.session.data.Slow() || 2*p*n*n*r > tryOperations {
		return
	}
	start := gmm.NewMixture(f.N, f.Components, gmm.Spherical)
	copy(start.Weights, f.gmm.Weights)
	copy(start.Means, f.gmm.Means)
	for j := range start.Cov {
		for i := range f.N {
			start.Cov[j] += f.gmm.Variance(j, i) / n
		}
	}
	quiet := *f.session
	quiet.ctx, quiet.host = f.session.context(), nil
	best := f
	for _, kind := range covariances {
		if kind == f.Covariance {
			continue
		}
		o := f.options
		o.Covariance, o.Starts, o.open, o.MaxIterations, o.Progress = kind, 0, false, trySteps, nil
		other := &Mixture{session: &quiet}
		other.run(f.Components, o, start, spread, time.Now())
		of := bic.Fit{BIC: other.BIC, Warnings: coded(other.Warnings), Err: other.err}
		if other.gmm != nil && of.Comparable() && other.BIC < best.BIC {
			best = other
		}
	}
	if best.BIC < f.BIC-strong {
		f.Warnings = append(f.Warnings, warned(diag.New(diag.Covariance, "with %s covariances the BIC is %.6g or less, %.3g below this one: compare the kinds", best.Covariance, best.BIC, f.BIC-best.BIC).With("Covariance"))...)
	}
}
