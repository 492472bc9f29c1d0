package main

import (
	"math"
	"slices"
)

// sample holds repeated measurements of one thing.
type sample []float64

// median returns the middle value, the mean of the two middle values of an even
// number of values, and NaN if there are none.
func (s sample) median() float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(s))
	h := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[h]
	}
	return (sorted[h-1] + sorted[h]) / 2
}

// least returns the smallest value, NaN if there are none.
func (s sample) least() float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	return slices.Min(s)
}

// mean returns the mean, NaN if there are no values.
func (s sample) mean() float64 {
	var sum float64
	for _, v := range s {
		sum += v
	}
	return sum / float64(len(s))
}

// spread returns half the range, relative to the median.
func (s sample) spread() float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	return (slices.Max(s) - slices.Min(s)) / 2 / s.median()
}

// ratio is one time over another.
type ratio struct {
	value     float64 // of the medians
	low, high float64 // of single turns
}

// over returns the ratio of measurements taken in turns.
func (s sample) over(t sample) ratio {
	r := ratio{value: s.median() / t.median(), low: math.NaN(), high: math.NaN()}
	for i := range min(len(s), len(t)) {
		q := s[i] / t[i]
		if i == 0 {
			r.low, r.high = q, q
		}
		r.low, r.high = math.Min(r.low, q), math.Max(r.high, q)
	}
	return r
}

// exponent fits y = c x^e by least squares in the logarithms and returns e. It
// needs two different x, and positive numbers.
func exponent(x, y []float64) float64 {
	var mx, my float64
	for i := range x {
		mx += math.Log(x[i]) / float64(len(x))
		my += math.Log(y[i]) / float64(len(x))
	}
	var sxy, sxx float64
	for i := range x {
		dx := math.Log(x[i]) - mx
		sxy += dx * (math.Log(y[i]) - my)
		sxx += dx * dx
	}
	return sxy / sxx
}
