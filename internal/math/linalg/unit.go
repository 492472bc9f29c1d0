package linalg

import "math"

// NearOne returns the power of 2 that brings a number near 1, in two factors: itself it may
// overflow. Products with them are exact except for values far smaller.
func NearOne(v float64) [2]float64 {
	_, exp := math.Frexp(v)
	return [2]float64{math.Ldexp(1, -exp/2), math.Ldexp(1, exp/2-exp)}
}
