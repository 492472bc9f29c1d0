// Package datasets provides example data with known truth: handwritten digits, Fisher's
// irises and Forina's wines with their labels, and observations drawn from known
// distributions.
//
//	fit := datasets.Digits().Moment(4).Decompose(10)
//	fmt.Println(fit.Score(datasets.DigitMeans()))
//
// The same arguments give the same observations on every machine.
package datasets
