// Package ranks estimates the number of components of a moment.
//
// Each piece of evidence alone can be fooled. The spectrum is fooled by normal data of
// unequal variances; stagnation by single outliers and by tensors so small that any of
// them is matched; halves by the mean and the variables' own cumulants, since uniform
// numbers have the "components" of their mean in both halves; BIC by everything that is
// not normal, and by components of a few observations, whose likelihood has no bound and
// which therefore do not count. So a rank needs halves that agree, one more piece of
// evidence for it and none against it. It also needs a fit better than the fits of nine
// copies in which each column was permuted (parallel analysis, Horn 1965, with fits
// instead of eigenvalues), because independent variables have no components to find, and than
// those of nine tables of sums of 32 observations with random signs, which are all but normal and
// have the same mean and covariance: normal data have none either, and those of correlated
// variables agree between halves as if they had (order 4).
//
// About the mean, k eigenvalues that stand out are k independent factors or k + 1 groups of
// observations, whose means sum to 0: the spectrum says both. BIC counts groups, so that more
// of them than k + 1 do not speak against factors, which are skewed or they would not be found.
//
// Components of halves are matched by direction alone, with weights within a factor of
// two: with 250 observations a component, halves differ by a tenth and more. Fits have
// ten starts of 100 iterations, because beyond the rank they move along flat valleys.
// bench/RANKS.md counts the right, unsure and wrong answers.
package ranks
