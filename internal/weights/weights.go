// Package weights checks the weights of observations, and normalizes them to sum 1.
package weights

import (
	"math"
	"slices"

	"symmom/internal/faults"
)

// Problem returns the expected weight for an invalid one, "" for a valid one.
func Problem(w float64) string {
	switch {
	case w != w:
		return "a positive weight for each row; fill it in, or drop the row"
	case w == 0:
		return "a positive weight; leave the row out instead of giving it no weight"
	case w < 0 || math.IsInf(w, 0):
		return "a positive, finite weight"
	}
	return ""
}

// Check is for weights that are not part of a table.
func Check(source string, w []float64) error {
	for i, v := range w {
		if what := Problem(v); what != "" {
			return faults.Fail(source, "weight %d is %s, want %s", i+1, faults.Value(v), what)
		}
	}
	return nil
}

// Normalize divides positive, finite weights by their sum. The result is new, and nil where
// all are equal: these say as much as none.
func Normalize(source string, w []float64) ([]float64, error) {
	largest := slices.Max(w)
	if slices.Min(w) == largest {
		return nil, nil
	}
	sum := 0.0
	for _, v := range w {
		sum += v / largest // the sum of the weights themselves may overflow
	}
	out := make([]float64, len(w))
	for i, v := range w {
		out[i] = v / largest / sum
		if out[i] == 0 {
			return nil, faults.Fail(source, "weight %d (%s) vanishes beside the largest (%s); leave the row out", i+1, faults.Value(v), faults.Value(largest))
		}
	}
	return out, Alone(source, sum)
}

// Alone refuses weights that differ if all but the largest, relative to which their sum is,
// vanish in it.
func Alone(source string, sum float64) error {
	if sum-1 < 0x1p-50 {
		return faults.Fail(source, "one weight is all of the sum, so that no other observation counts: leave that row out, or its weight")
	}
	return nil
}
