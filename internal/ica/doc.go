// Package ica finds independent components of whitened observations.
//
// On white data, a step of the symmetric power method on the fourth cumulant takes one
// evaluation of the debiased moment. Sources that the kurtosis does not tell from normal ones are looked
// for by their skewness, and by tanh. A fixed-point iteration with tanh, z^3 or z^2 polishes
// the result: cumulants alone have twice FastICA's error for heavy tails. Each component has its say by how much it tells, as in EFICA.
package ica
