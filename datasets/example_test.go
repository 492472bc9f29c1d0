package datasets_test

import (
	"fmt"

	"symmom/datasets"
	"symmom/symmom"
)

// The ten components of the fourth moment of handwritten digits are their shapes.
func Example() {
	fit := datasets.Digits().Moment(4).Decompose(10)
	fmt.Println(fit.Score(datasets.DigitMeans()).Value > .97)
	// Output:
	// true
}

func ExampleDigits() {
	s := datasets.Digits()
	fmt.Println(s.Observations(), s.N(), len(datasets.DigitLabels()))
	// Output:
	// 1797 64 1797
}

func ExampleMixture() {
	x := datasets.GaussianMixture(datasets.MixtureOptions{N: 20, Components: 5, PerComponent: 200, Sigma: .05, Congruence: .5})
	n, r := x.Means.Dims()
	fmt.Println(x.Session.Observations(), n, r)
	fit := x.Session.Moment(3).With(symmom.Options{Starts: 3}).Decompose(5)
	fmt.Printf("%.2f\n", fit.Score(x.Means).Value)
	// Output:
	// 1000 20 5
	// 1.00
}

func ExampleMixtureOptions() {
	x := datasets.GaussianMixture(datasets.MixtureOptions{N: 3, Components: 2, Observations: 100, Sigma: .1, Weights: []float64{.7, .3}})
	fmt.Println(x)
	// Output:
	// Gaussian mixture: 2 components, 100 observations of 3 variables
}

func ExampleUniform() {
	s := datasets.Uniform(3, 100, 1)
	fmt.Println(s.Observations(), s.N(), s.Fingerprint() == datasets.Uniform(3, 100, 1).Fingerprint())
	// Output: 100 3 true
}
