// Package solve minimizes a smooth function of many variables from one fused
// call for the function and its gradient, with or without bounds.
//
//	res, err := solve.LBFGS(fg, x0, solve.Settings{GradientTolerance: 1e-6})
//
// GaussNewton takes damped Gauss-Newton steps, those of Levenberg and Marquardt,
// with a Hessian model by the caller (gaussnewton.go), BoundedGaussNewton within bounds
// (boundedgaussnewton.go). LBFGS estimates one: without
// bounds it runs limited-memory BFGS with the two-loop recursion (lbfgs.go), with bounds
// L-BFGS-B (lbfgsb.go, compact.go, cauchy.go, subspace.go). All share the loop in run.go,
// the stopping rules in stopping.go and the line search of Moré and Thuente in
// linesearch.go. The package is independent of moments and models: it sees only x, f and g.
//
// After set-up no memory is allocated, each trial point costs one call, and a
// run is deterministic: the same calls give the same bits.
//
// References:
//   - J. Nocedal, S. J. Wright: Numerical Optimization, 2nd ed., Springer 2006 (N&W).
//   - J. J. Moré, D. J. Thuente: Line search algorithms with guaranteed
//     sufficient decrease, ACM Trans. Math. Softw. 20(3), 1994, 286-307.
//   - R. H. Byrd, P. Lu, J. Nocedal, C. Zhu: A limited memory algorithm for bound
//     constrained optimization, SIAM J. Sci. Comput. 16(5), 1995, 1190-1208.
//   - D. P. Bertsekas: Projected Newton methods for optimization problems with simple
//     constraints, SIAM J. Control Optim. 20(2), 1982, 221-246.
//   - J. J. Moré, G. Toraldo: On the solution of large quadratic programming problems with
//     bound constraints, SIAM J. Optim. 1(1), 1991, 93-113.
//   - J. L. Morales, J. Nocedal: Remark on Algorithm 788: L-BFGS-B, ACM Trans.
//     Math. Softw. 38(1), 2011, article 7.
//
// Damped Gauss-Newton evaluates f and g once per trial point, and once per iteration
// solves with the Gauss-Newton matrix, which newton.GaussNewton does from A'A without the
// data. It takes a quarter of the passes of L-BFGS (bench/SOLVERS.md). After ten steps,
// correction pairs of L-BFGS, with that matrix as their initial matrix, approximate the
// rest of the Hessian.
//
// gonum's LBFGS evaluates f and g separately, twice the work here, and its line search
// failed on moment data; it serves as a differential test.
package solve
