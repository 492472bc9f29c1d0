// Package ranks estimates the number of components of a moment.
//
// Each piece of evidence alone can mislead. The spectrum is misled by normal data of
// unequal variances; stagnation by single outliers and by tensors so small that all of
// them are fitted; halves by the mean and the variables' own cumulants, since uniform
// numbers have the "components" of their mean in both halves; BIC by all data that are
// not normal, and by components of a few observations, whose likelihood is unbounded and
// which are therefore excluded. So a rank needs halves that agree, one more piece of
// evidence for it and none against it. It also needs a fit better than the fits of nine
// copies in which each column was permuted (parallel analysis, Horn 1965, with fits
// instead of eigenvalues), because independent variables have no components, and than
// those of nine tables of sums of 32 observations with random signs, which are nearly normal
// and have the same mean and covariance: normal data have no components either, and those of
// correlated variables agree between halves as if they had (order 4).
//
// Groups that anybody sees need no such caution, and spoil the other evidence: the third moment
// has their own variances besides their means, and the eigenvalues of small ones do not stand
// out. So where the components of the mixture with the lowest BIC lie apart (groups.go), their
// number is the rank.
//
// About the mean, k eigenvalues that stand out are k independent factors or k + 1 groups of
// observations, whose means sum to 0: the spectrum supports both. BIC counts groups, so more
// than k + 1 of them are no evidence against factors, which are found only if they are skewed.
//
// Components of halves are matched by direction alone, with weights within a factor of
// two: with 250 observations a component, halves differ by a tenth and more. Fits have
// ten starts of 100 iterations, because beyond the rank they move along flat valleys.
// bench/RANKS.md counts the right, unsure and wrong answers.
package ranks
