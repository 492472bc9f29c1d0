// Package moment evaluates the objective of the symmetric decomposition of a
// moment tensor,
//
//	f(lambda, A) = || X - sum_j lambda_j a_j^(x d) ||^2,   X = sum_l nu_l v_l^(x d),
//
// and its gradient, from the observations (Implicit, algorithm 2 of Sherman & Kolda)
// or from the dense tensor (Explicit, algorithm 1). The two differ only in the
// tensor-times-same-vector products Y; everything else is in Objective.
//
// # Same bits for any number of threads
//
// Observations are split into groups by the shape of the problem alone. Each group has
// its own partial sum, and these are added in order.
//
// # The squared norm
//
// ||X||^2 is exact (from all pairs of observations or from the tensor, whichever is
// cheaper) up to 1e10 operations or 512 for each number of the data. Beyond that it is
// an unbiased estimate. What few observations carry is never left to chance: the term of
// each observation with itself is exact, and so are the pairs with observations of
// outstanding norm. For the others, with g the inner product of a pair and s its part
// within seven leading vectors Q, s^d is a control variate for g^d: its mean over all
// pairs is the norm of X within Q, which the pass that finds the span and the norms
// (Survey) also finds. The rest, g^d - s^d, comes from observations drawn without
// replacement: to first order in g - s from all pairs of them, the remainder from blocks
// of 32 by 32. A stream has a sample and its largest observations from the first pass
// (Extremes) and takes one more pass. Of observations that are forgotten, the diagonal
// is known from sums of powers of norms, and the control from the part of X within the
// basis.
//
// The value is never below what ||X||^2 must be at least: -f of a fit, the part within Q
// and, for even orders, the diagonal. Where few pairs carry the spread
// (NormEstimate.Carriers), the standard error is marked as doubtful. bench/ESTIMATES.md
// counts how often the errors hold.
//
// # Debiased moments
//
// A debiased moment is an Implicit with a Noise: the power in the kernels becomes a
// Hermite polynomial of variance a'Sa, in the same pass, which takes 15% more time for d
// = 3 and n = 100. Packed forms come from the plain moments of orders d, d-2, ..., which
// one pass forms together. ||T||^2 is computed with a kernel of its own, the coefficient
// of x^d of a generating function (hermitenorm.go): exactly, from the tensor or all
// pairs, or from a sample with the part in its leading directions exact. Cumulants of
// orders 3 to 5 are moments debiased by the covariance itself. For spherical noise the
// basis comes from the plain second moment, which has the same eigenvectors; for
// cumulants too, because the debiased one is zero.
package moment
