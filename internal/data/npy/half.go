package npy

import "math"

// Half returns the number of the bits of a half-precision float.
func Half(h uint16) float64 {
	sign := 1 - 2*float64(h>>15)
	exp, frac := int(h>>10&31), float64(h&1023)
	switch {
	case exp == 31 && frac == 0:
		return math.Inf(int(sign))
	case exp == 31:
		return math.NaN()
	case exp == 0:
		return sign * math.Ldexp(frac, -24)
	}
	return sign * math.Ldexp(1024+frac, exp-25)
}
