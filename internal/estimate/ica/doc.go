// Package ica finds independent components of whitened observations.
//
// On white data, a step of the symmetric power method on the fourth cumulant takes one
// evaluation of the debiased moment. Sources with the kurtosis of a normal distribution are
// found by their skewness, and by tanh. A fixed-point iteration with tanh, z^3 or z^2 polishes
// the result: cumulants alone have twice FastICA's error for heavy tails. Components are
// weighted by their information, as in EFICA.
package ica
