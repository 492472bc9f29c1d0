package linalg

import "math"

// Tanh replaces the elements of x by their hyperbolic tangents, to a few units
// in the last place.
func Tanh(x []float64) {
	if active == generic {
		tanhGeneric(x)
		return
	}
	tanhVectors(x)
}

// tanhGeneric is Tanh in Go.
func tanhGeneric(x []float64) {
	for i, v := range x {
		x[i] = math.Tanh(v)
	}
}
