package symmom

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/moment"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Noise is a covariance S that the components of a mixture have in common. At most
// one of its fields is set; for the zero value the variance of spherical noise is
// estimated from the data.
type Noise struct {
	Sigma      float64    // standard deviation in every direction, in the data's units
	Variances  []float64  // n of them: noise that differs between the variables
	Covariance mat.Matrix // n x n, symmetric
}

// Debias removes the contribution of noise with a common covariance S from the
// moment: for a mixture of N(mu_j, S) with weights w_j the result is sum_j w_j
// mu_j^(x d), up to sampling error. With z = v'a, s = a'Sa and the Hermite
// polynomials He_0 = 1, He_1 = z, He_(k+1) = z He_k - k s He_(k-1),
//
//	X a^d     = sum nu He_d(z)
//	X a^(d-1) = sum nu He_(d-1)(z) v - (d-1) [sum nu He_(d-2)(z)] S a,
//
// the tensor of means of Hermite tensors (McCullagh 1987; for mixtures Hsu &
// Kakade 2013). An evaluation takes the same pass as that of the plain moment.
//
// Noise{} estimates spherical noise: a decomposition of rank r takes the mean of
// the n-r+1 smallest eigenvalues of the covariance, computed from the leading ones,
// which are as accurate as those of Session.Whiten, and the trace if n is large,
// times p/(p-r) for the share of the mean and the leading directions; Fit.Sigma
// reports it, and Fit.SigmaStdErr its standard error. All forms except the sampled one
// support it, for orders 2 to 12. A cumulant is refused: that of normal noise is 0.
func (m *Moment) Debias(noise Noise) *Moment {
	c := *m
	if c.Err() == nil && m.fit.Cumulant {
		c.err = &ArgumentError{Argument: "Noise", Value: "a cumulant", Want: "a moment: the cumulants of normal noise are 0, so there is nothing to remove"}
	}
	if c.Err() == nil && m.fit.Distinct {
		c.err = &ArgumentError{Argument: "Noise", Value: "a moment over distinct indices", Want: "one over all: noise that is independent between variables is in no entry of distinct indices, so there is nothing to remove"}
	}
	if c.Err() == nil {
		c.fit, c.debias = m.fit.Debiased(nil), &noise
		c.err = c.checkNoise()
	}
	return &c
}

// checkNoise refuses invalid noise, and translates noise that is given.
func (m *Moment) checkNoise() error {
	given, n := m.debias, m.session.data.N
	if m.fit.Order < 2 || m.fit.Order > moment.MaxDebiased {
		return &ArgumentError{Argument: "order", Value: m.fit.Order, Want: fmt.Sprintf("2 to %d for a debiased moment", moment.MaxDebiased)}
	}
	if m.session.data.Forgotten() != nil {
		return fmt.Errorf("debias: %w", m.session.data.Forgotten())
	}
	noise, err := moment.GivenNoise(n, given.Sigma, given.Variances, given.Covariance)
	m.fit.Noise = noise
	return interrupted("debias", err)
}

// resolved returns the moment with its noise known, estimated for rank r where
// it was not given.
func (m *Moment) resolved(ctx context.Context, r, threads int) (*Moment, error) {
	if !m.estimated() {
		return m, nil
	}
	if err := m.estimable("rank", r, r, 0); err != nil {
		return nil, err
	}
	c := *m
	var err error
	c.fit, err = m.fit.DebiasedFor(ctx, r, threads)
	return &c, err
}

// estimated reports whether the noise to remove depends on the rank.
func (m *Moment) estimated() bool { return m.debias != nil && m.fit.Noise == nil }

// estimable refuses an argument with which fits go to a rank, one of beyond it, for which noise
// cannot be estimated: more than there are variables.
func (m *Moment) estimable(argument string, value any, rank, beyond int) error {
	if n := m.session.data.N; m.estimated() && rank > n {
		return diag.Helped(&ArgumentError{Argument: argument, Value: value, Want: fmt.Sprintf("at most %d for noise that is estimated in %s; or give its sigma", n-beyond, words.Plural(n, "variable"))}, "Debias")
	}
	return nil
}

// needsNoise refuses operations without a rank to estimate noise with.
func (m *Moment) needsNoise(what string) error {
	if m.debias == nil || m.fit.Noise != nil {
		return nil
	}
	return &ArgumentError{Argument: "Sigma", Value: 0, Want: fmt.Sprintf("a standard deviation for %s: an estimate takes the rank of a decomposition", what)}
}
