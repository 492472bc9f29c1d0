package ica

import "math"

// Normal returns how many sources have the kurtosis that sources of normal observations
// have: the largest number m such that all others are out of the range of m. p is the
// effective number of observations.
func Normal(kurtosis []float64, p float64) int {
	for m := len(kurtosis); ; {
		least, greatest := normalRange(m, p)
		within := 0
		for _, v := range kurtosis {
			if least <= v && v <= greatest {
				within++
			}
		}
		if within >= m {
			return m
		}
		m = within
	}
}

// normal returns the number of sources that are indistinguishable from normal ones.
func (r *Result) normal(p float64) int {
	var rest []float64
	for j, v := range r.Kurtosis {
		if r.other == nil || !r.other[j] {
			rest = append(rest, v)
		}
	}
	return Normal(rest, p)
}

// normal reports which sources have that kurtosis.
func normal(kurtosis []float64, p float64) []bool {
	least, greatest := normalRange(Normal(kurtosis, p), p)
	is := make([]bool, len(kurtosis))
	for j, v := range kurtosis {
		is[j] = least <= v && v <= greatest
	}
	return is
}

// normalRange returns the range in which all of m sources of p normal observations have
// their kurtosis, in 97 of 100 tables or more. In one direction it has the standard error
// sqrt(24/p); but sources are those directions of a rotation that take it farthest, which is
// as the root of m, the extreme of a normal field over the sphere, and more where they can
// point at single observations. Below 0 a kurtosis is bounded. The numbers are fitted to
// simulations of 1 to 40 sources and 20 to 5,000 observations (TestNormal has others).
func normalRange(m int, p float64) (least, greatest float64) {
	root := math.Sqrt(float64(m))
	x := (1.3 + 1.2*root) * math.Sqrt(24/p)
	return -x / (1 + x/3), x + 20*math.Pow(root, 2.9)/p
}

// normalRange returns what |E z g(z) - E g'(z)| is below for all of m sources of p normal
// observations that were turned to the largest of them, in 99 of 100 tables: in one direction
// its standard error is sqrt(6/p), and .354/sqrt(p) for tanh. The other numbers are fitted to
// simulations of 2 to 20 sources and 50 to 4,000 observations (TestNormalRangeOfContrasts has others).
func (by contrast) normalRange(m int, p float64) float64 {
	deviation := .354
	if by == skewness {
		deviation = math.Sqrt(6)
	}
	root := math.Sqrt(float64(m))
	return (1 + 1.5*root + 1.4*root*root/math.Sqrt(p)) * deviation / math.Sqrt(p)
}
