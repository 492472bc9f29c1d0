// Package norm computes ||X||^2 of the moment X of observations, or estimates it with a
// standard error.
//
// It is exact (from all pairs of observations or from the tensor, whichever is cheaper) up
// to 1e10 operations, 2e9 between the values of sparse observations, or 512 for each number of
// the data. Beyond that it is an unbiased estimate. Large terms of few observations are never
// sampled: the term of each observation with itself is exact, and so are the pairs with
// observations of outstanding norm. For the others, with g the inner product of a pair and s its part
// within up to seven leading vectors Q, s^d is a control variate for g^d: its mean over all
// pairs is the norm of X within Q, which the pass that finds the span and the norms
// (Survey) also finds. The rest, g^d - s^d, comes from observations drawn without
// replacement: to first order in g - s from all pairs of them, the remainder from blocks
// of 32 by 32. A stream has a sample and its largest observations from the first pass
// (Extremes) and takes one more pass. For forgotten observations, the diagonal is known
// from sums of powers of norms, and the control from the part of X within the basis.
//
// The value is never below the lower bounds of ||X||^2: -f of a fit, the part within Q
// and, for even orders, the diagonal. If few pairs dominate the variance
// (Estimate.Carriers), the standard error is marked as doubtful. bench/ESTIMATES.md
// counts how often the errors hold.
//
// ||T||^2 of a debiased moment is computed with a kernel of its own, the coefficient of x^d
// of a generating function (debiased.go): exactly, from the tensor or all pairs, or from
// a sample with the part in its leading directions exact.
package norm
