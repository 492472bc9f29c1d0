// Package symmom estimates higher-order moments by symmetric tensor
// decomposition. It takes a table of p observations of n variables, and writes
// its d-th moment
//
//	X = sum_l nu_l v_l^(x d)          (n^d entries, never formed)
//
// as a few symmetric rank-one terms, M = sum_j lambda_j a_j^(x d):
//
//	fit := symmom.Load("mixture.npy").Moment(3).Decompose(5)
//	if err := fit.Err(); err != nil { ... }
//	fmt.Println(fit)
//	fmt.Println(fit.Score(truth))
//
// A chain carries its first error; later stages of a failed chain do nothing,
// nothing panics and nothing is nil. Every stage has Err, and a String method for
// people to read.
//
// # Method
//
// Sherman & Kolda, "Estimating Higher-Order Moments Using Symmetric Tensor
// Decomposition" (2020), whose symbols are the names here: V (n x p, one
// observation per column), nu, lambda, A, d, r. The objective is
//
//	f(lambda, A) = ||X - M||^2 = alpha + lambda' [A'A]^d lambda - 2 w' lambda
//
// with alpha = ||X||^2, w_j = a_j' y_j and Y = V D_nu [V'A]^(d-1) (powers are
// elementwise). Its gradient is
//
//	df/dlambda = -2 (w - u),                     u = [A'A]^d lambda
//	df/dA      = -2d (Y - A D_lambda C) D_lambda,  C = [A'A]^(d-1)
//
// so one evaluation of both costs two products with V, 4 p n r operations.
// "Shifted" values of f leave alpha out. RelativeError is f / ||X||^2, as in the
// paper, not its square root.
//
// Moment.Compressed makes a search from many starts cost a handful of passes over
// the data: it solves in the coordinates of the leading eigenvectors of the second
// moment and polishes the best solutions on the full problem. It is what a Moment
// chooses automatically for most tables.
//
// If even that is too much, Moment.Sampled takes stochastic gradients from a few
// observations and minimises by Adam (section 5 of the paper); only its best
// solutions are evaluated on all of them, and a warning says if samples tell too
// little about the data.
//
// # Mixtures, cumulants, sources
//
// For components with a covariance S in common, Moment.Debias removes from the
// moment what the noise adds: powers become Hermite polynomials, and what remains
// is sum_j w_j mu_j^(x d). Session.Mixture fits whole Gaussian mixtures, means,
// weights and covariances, from moments of orders 1 to 3, polished by EM;
// Fit.Mixture turns the fit of a debiased moment into one. Session.Whiten and
// Session.Cumulant lead to the cumulants of orders 3 to 5, of which the fourth has
// the independent sources of mixed signals as its components: Session.ICA.
//
// # Starts, units, threads
//
// Each start is a random range finder, A_0 = V D_nu^(1/2) Omega with columns
// of unit norm and, for odd orders, turned so that X a_j^d > 0; lambda starts
// at ones. The problem is solved in units in which the largest eigenvalue of
// the second moment is 1, and given back in the data's own: the same data in
// other units gives the same factors. Sums run over fixed blocks in a fixed
// order, so any number of threads gives the same bits.
//
// # Options
//
// Options are the last argument and may be left out; at most one is taken, and its
// zero value is the default. Those of a decomposition are set by Moment.With.
//
// # Where else to go
//
// Options has every setting with its default. Session.Summary is a first look
// at data, Moment.Sweep helps to choose the rank, Moment.Evaluate judges a
// model on other data, Model.Save keeps it. Package charts draws all of these.
package symmom

import "symmom/internal/linalg"

// Kernels names the compute kernels in use, "avx512", "avx2" or "generic", and says
// so if the environment variable SYMMOM_CPU asks for others that cannot run here.
func Kernels() string {
	if err := linalg.KernelError(); err != nil {
		return linalg.Kernel() + " (" + err.Error() + ")"
	}
	return linalg.Kernel()
}
