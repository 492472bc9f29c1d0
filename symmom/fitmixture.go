package symmom

import (
	"fmt"
	"time"

	"symmom/internal/estimate/gmm"
	"symmom/internal/text/words"
)

// Mixture turns a fit of the debiased moment of order 3 or 4 into the mixture
// whose means lie along its factors. For unit a_j, means n_j a_j and weights w_j,
// lambda_j = w_j n_j^d and
//
//	[A'A]^2 beta = diag(A'(M_2 - S)A),   beta_j = w_j n_j^2 >= 0,
//
// so that n_j^(d-2) = lambda_j / beta_j and w_j = beta_j / n_j^2, scaled to sum 1.
// For order 4 the mean of the data decides signs. EM continues from there, and from
// the starts that Session.Mixture tries, unless MomentsOnly is set.
//
// Session.Mixture uses the moments about the mean instead, and finds also means
// that are linearly dependent or 0.
func (f *Fit) Mixture(options ...MixtureOptions) *Mixture {
	began := time.Now()
	s := f.Moment().session
	out := made(&Mixture{Means: noMatrix(nil), session: s})
	switch {
	case f.model().Rank() == 0 || s == nil:
		out.err = &ArgumentError{Argument: "fit", Value: "one without data", Want: "a fit that Decompose made"}
	case f.noise == nil || f.Order < 3 || f.Order > 4:
		out.err = &ArgumentError{Argument: "fit", Value: fmt.Sprintf("of the %s moment, sigma %g removed", words.Ordinal(f.Order), f.Sigma), Want: "one of the debiased moment of order 3 or 4, as Moment(3).Debias(Noise{}).Decompose(r)"}
	}
	if out.err != nil {
		return out
	}
	o, err := completed(options, MixtureOptions.withDefaults)
	if out.err = err; err != nil {
		return out
	}
	if o.Nonparametric {
		out.err = &ArgumentError{Argument: "Nonparametric", Value: true, Want: "false here: Session.Mixture begins from moments that no distribution changes"}
		return out
	}
	r := f.Model.Rank()
	if out.err = s.checkMixture(r); out.err != nil {
		return out
	}
	given, err := gmm.Matched(s.context(), s.data, f.Model.kruskal(), f.noise, o.Threads)
	if err != nil {
		out.err = interrupted("mixture", err)
		return out
	}
	out.run(r, o, given, nil, began)
	return out
}
