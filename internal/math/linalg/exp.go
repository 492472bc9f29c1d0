package linalg

import "math"

// Exp replaces the elements of x, which are not above 0, by their exponentials, to a few units in the
// last place; those below 1e-307 may become 0.
func Exp(x []float64) {
	if active == generic {
		expGeneric(x)
		return
	}
	expVectors(x)
}

// expGeneric is Exp in Go.
func expGeneric(x []float64) {
	for i, v := range x {
		x[i] = math.Exp(v)
	}
}

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
