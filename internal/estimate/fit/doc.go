// Package fit decomposes a moment of a table of observations: it chooses the form,
// searches from several starts, polishes the best and reports the quality of the fit.
//
// Moment.Decompose makes a plan from its arguments, which is solved in one of the
// forms: direct or streamed, compressed, sampled. In each form a search solves the
// scaled problem from all starts and keeps the results; finish completes the result. A
// tracker reports progress.
//
// # Units
//
// The problem is solved for V/s, where s^2 is the largest eigenvalue of V D_nu V'
// (Lanczos, a few passes). The tensor is never scaled: Y for V/s is computed as s^-1
// Y(A/s), two small products, which keeps every power in range for data of any unit.
// Tolerances refer to the scaled problem. The mean squared norm is unsuitable as a unit,
// because isotropic noise inflates it.
//
// # The automatic form
//
// cost.go compares operations over an expected 25 evaluations a start (100 with L-BFGS):
// 2 p c + 4 r c each for a tensor of c = C(n+d-1, d) distinct entries (up to 256 MB),
// and 4 p n r each for the implicit form, at least the cost of reading; Gauss-Newton steps
// are extra. A tensor that ||X||^2 needs anyway is free. The compressed form is chosen if its
// passes, its search and a polish of about 5 evaluations cost less than half of that;
// not with bounds, with given or Gaussian starts, or if 2 k > n. Data that turn out not to
// have a few leading vectors take more evaluations, and the choice between the other two
// is repeated with 60. "go run ./bench -only forms" and "go run ./bench/fits -pace" measure the
// choice. Evaluating a model never forms a tensor unless asked to.
//
// The explicit form keeps the second moment beside the tensor, and takes the unit from it.
// If drawing a number for each observation would take longer than everything else, the
// starts come from it too, with the same distribution as those of the range finder.
//
// # The compressed form
//
// It finds the leading eigenvectors Q of V D_nu V' with a range finder: in two passes,
// or starting from a sample of the data if the eigenvalues stand out. The range finder
// weights observations by sqrt(nu), so that a weight counts as repetitions. If in the
// sample as many eigenvalues stand out as the rank, Q spans the images X a_j^(d-1) of a fit
// to the sample instead (imageBasis), and polishing takes one pass fewer. All starts
// are solved in the coordinates Q'V; the distinct best are lifted and polished on the
// full problem to the same tolerance. A model in the span of Q has the same f in
// coordinates as in full, so the only approximation is the search space.
// The polish estimates from the sample how X a_j^(d-2) acts outside Q, by the mean of its
// eigenvalues there (actsBeyond, ktensor.GaussNewton.Second): for noise around the
// components that is the part which Gauss-Newton steps neglect, and three evaluations
// suffice instead of five, two with a basis of images.
// If ||X||^2 needs the tensor, the polish evaluates that, and makes no pass.
// If the polish lowers f by more than 5%, it stops, Q is widened once, and the fit
// has a warning. After that, and at once if the eigenvalues do not fall off, the full
// problem is solved in another form. If p <= n, Q is the whole span of the observations.
//
// # High orders
//
// From order 6 on, the terms of a few long observations increasingly dominate X, with
// peaks so narrow that f is flat at random starts. One start consists of these
// observations; and since such peaks need not lie in Q, a compressed fit is solved in
// another form if components along them, with the best weights, have a lower f. In lower
// orders, where a basis of few vectors can hide a rare cluster of long observations, they
// are tried as replacements of components of the fit (addPeaks), if they are longer than
// most and have enough weight in X to change f; else no pass is spent on them. If the
// hidden part lowers f by more than 5%, all starts are solved once more in a basis around
// it, which costs one projection: there may be others.
//
// # Convergence
//
// A run has converged when the cosine between the residual X - M and the range of its
// Jacobian is below the tolerance (Bates & Watts 1981; ktensor.GaussNewton.Decrease,
// stopping.go): a further Gauss-Newton step would lower ||X - M||^2 by the square of
// that cosine, independently of the unit. An offset, which can make ||X||^2 a billion
// times the residual, does not stop the search early, as it would with the norm of the
// gradient or with decreases relative to ||X||^2. The solver sees f without ||X||^2,
// which is computed before the search; in the coordinates of a compressed fit it is
// free. If it is an estimate, it is reduced by three standard errors, or to the part
// within the basis. If rounding hides the differences between values of f, the line
// search uses slopes. The option Scale: none with L-BFGS keeps the paper's rule.
//
// # Shared passes
//
// For data that are slow to read, or larger than a second-level cache, all starts
// proceed in lockstep, and each pass multiplies the columns of all of them side by side
// (moment.SharedPass). 40 columns at once take a third less time than 4 ten times, from
// memory and from the third-level cache alike. From 6 MB on it was never more than 6% slower
// (2,500 x 500, rank 10, two threads). Polished solutions share passes too.
//
// # Starts
//
// For odd orders, columns with X a^d < 0 are turned. If their number is left open,
// starts run in rounds of ten until three of them found the best and that is likely to be the best
// of all optima (search.found: ten starts that agree, twenty that found two, thirty that found
// three), or left only rounding, or 200 were tried. Of 400 small tables of noise,
// clusters and answers, orders 3 to 5, 9 were more than 1% above the best of 400 starts when
// half of ten starts were enough, 5 of them without a warning; now one is, with a warning. For
// 64 such tables a search took 1.08 times as long in the median of their ratios, and .88 times
// in total, since exact fits, a fifth of the 400, used to continue. The cost of the
// rounds is counted in evaluations, so that neither threads nor the clock affect results;
// large data stay at ten. Two results count as
// the same if they differ by .001 of the residual (starts.go). If one start or few hit
// the best, there is a warning; starts made of components of others are not counted.
//
// Debiased moments of even order are indefinite: half of the starts take lambda_j = +-1 by the
// sign of X a_j^d, the others draw it, as otherwise one large component would decide all signs.
//
// Outcomes are compared by f and its rounding error (outcome.atMost): for huge components
// that cancel, f may be anything.
//
// If the starts disagree, by more than 1e-5 of f, components are exchanged,
// unless the number of starts was given. For unit columns A with w_j = X a_j^d and
// C = [A'A]^d the best weights are C^-1 w, and f is -w'C^-1 w: one evaluation of all final
// columns gives the best subset, and solving from it takes a few evaluations. If no other
// subset is better, the next ones are tried, until five fail: with other weights and slightly
// different components many succeed. Sparse zeros and ones (50,000 x 200, rank 4), where each
// of ten starts ends elsewhere, gain .4 to .6% of f in order 3 and 1.4 to 2.8% in order 4, for
// a tenth more evaluations.
//
// If fewer eigenvalues stand out than the rank, a basis contains the directions of the other
// components only by chance, and all starts can agree on a suboptimal fit: two more are then
// solved on the full problem (exponential data of order 4: 2e-5 of f, which three in four of
// such starts find).
//
// Streams are searched like data in memory if a pass is brief (tables.Brief). For larger
// ones, and for text that is parsed each time, a search stays at ten starts and two
// exchanges, and none is solved outside the basis, unless that needs no pass.
//
// # Limits of samples
//
// Solutions of the sampled form are compared on 16,384 fresh observations, where the
// errors of differences are small. Only those that may be better than the best by a
// thousandth of f are evaluated on all observations, in one pass; with s = 10, ten such
// evaluations took longer than Adam. That pass also sums |v|^d and |v|^2d. A warning
// suggests other forms if 1,000 observations give the mean of |v|^d only to 10% (.3% on
// the paper's largest mixture, 30% and more for Student's t with 3 degrees of freedom),
// if an estimate of f was off by 5 standard errors, or if a Gauss-Newton step from the
// exact gradient promises a fifth of f. For the same reason the unit of the sampled
// problem comes from 4,096 observations rather than from ten passes. Rows are
// prefetched two ahead of the one being copied, or eight by eight (linalg.FetchRows).
//
// # Interrupts
//
// Every block of an evaluation checks the context. An interrupted run returns the best
// result so far with ErrInterrupted. Its ||X||^2 is the known value, or an estimate if that
// takes no longer than .3 s, or NaN.
package fit
