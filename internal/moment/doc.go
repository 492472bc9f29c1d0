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
// # Debiased moments
//
// A debiased moment is an Implicit with a Noise: the power in the kernels becomes a
// Hermite polynomial of variance a'Sa, in the same pass, which takes 15% more time for d
// = 3 and n = 100. Packed forms come from the plain moments of orders d, d-2, ..., which
// one pass forms together. Cumulants of orders 3 to 5 are moments debiased by the
// covariance itself. For spherical noise the basis comes from the plain second moment,
// which has the same eigenvectors; for cumulants too, because the debiased one is zero.
package moment
