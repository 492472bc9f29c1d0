package observations

import (
	"context"
	"slices"
)

// Center returns observations whose variables have (weighted) mean 0, and the
// mean that was subtracted. Cost: three passes and a second copy of the values.
func (s *Set) Center() (*Set, []float64, error) {
	mean := s.mean(make([]float64, s.N))
	for j, v := range s.mean(mean) {
		mean[j] += v // of the differences: what rounding left
	}
	c := s.Shift(mean)
	pr, _ := c.sweep(context.Background())
	c.Warnings = append(pr.Warnings(c.profiled()), c.notes...)
	return c, mean, nil
}

// mean returns the weighted mean of the differences from a point.
func (s *Set) mean(from []float64) []float64 {
	mean := make([]float64, s.N)
	var in []float64
	for i := range s.P {
		nu := s.weight(i)
		for j, v := range s.Row(i, &in) {
			mean[j] += nu * (v - from[j])
		}
	}
	return mean
}

// Shift returns a copy of the observations with a point subtracted from each.
func (s *Set) Shift(by []float64) *Set {
	c := *s
	c.Values, c.Values32 = slices.Clone(s.Values), slices.Clone(s.Values32)
	var row []float64
	for i := range c.P {
		out := c.Row(i, &row)
		for j, v := range by {
			out[j] -= v
		}
		c.put(i, out)
	}
	return &c
}
