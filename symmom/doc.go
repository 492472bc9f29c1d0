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
// A chain carries its first error; later stages of a failed chain do nothing. No stage
// is nil, and no method panics, not even on a zero value; a nil pointer, which no stage
// returns, panics as everywhere in Go. Every stage has Err, and a readable String.
//
// Results are structs whose fields are what was found and whose methods compute, copy or can
// fail, among them those of Result; Session and Moment, which are lazy, have methods only.
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
// Moment.Compressed solves in the coordinates of the leading eigenvectors of the second
// moment and polishes the best solutions on the full problem: a handful of passes over
// the data. It is the default for most tables. Moment.Sampled takes stochastic gradients
// from a few observations (section 5 of the paper).
//
// The problem is solved in units in which the largest eigenvalue of the second moment is
// 1, and the result is returned in the data's units: the same data in other units gives
// the same factors. Any number of threads gives the same bits.
//
// # Mixtures, cumulants, sources
//
// Moment.Debias removes the contribution of noise from a moment, and Fit.Mixture turns its
// fit into a Gaussian mixture; Moment.Distinct leaves out the entries that noise is in, where the
// variables are independent within components. Session.Mixture fits complete mixtures, polished by EM.
// Session.Whiten and Session.Cumulant compute cumulants, Session.ICA independent
// sources.
//
// # Other functions
//
// Options are the last argument and may be omitted; the zero value is the default.
// Those of a decomposition are set by Moment.With. Session.Summary describes the data,
// Moment.Sweep helps to choose the rank, Moment.Evaluate compares a model with other
// data, and Model.Save stores it. Package charts draws all of these.
package symmom
