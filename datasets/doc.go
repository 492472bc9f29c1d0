// Package datasets provides example data with known truth: handwritten digits, Fisher's
// irises and Forina's wines with their labels, documents drawn from topics, and observations
// drawn from other known distributions; and real documents, those of Go's standard library.
//
//	fit := datasets.Digits().Moment(4).Decompose(10)
//	fmt.Println(fit.Score(datasets.DigitMeans()))
//
// The same arguments give the same observations on every machine.
package datasets
