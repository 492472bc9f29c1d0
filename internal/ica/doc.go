// Package ica finds independent components of whitened observations.
//
// On white data, a step of the symmetric power method on the fourth cumulant takes one
// evaluation of the debiased moment. A fixed-point iteration with tanh or z^3, chosen by
// the sign of each kurtosis, polishes the result: cumulants alone have twice FastICA's
// error for heavy tails. Each component has its say by how much it tells, as in EFICA.
package ica
