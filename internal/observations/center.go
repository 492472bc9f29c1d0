package observations

import (
	"context"
	"slices"
)

// Center returns observations whose variables have (weighted) mean 0, and the
// mean that was subtracted. Cost: three passes and a second copy of the values.
func (s *Set) Center() (*Set, []float64, error) {
	mean := s.mean(make([]float64, s.N))
	rest := s.mean(mean) // of the differences: what rounding left, subtracted apart from them
	c := s.Mapped(nil, mean, rest)
	for j, v := range rest {
		mean[j] += v
	}
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

// Mapped returns a copy of the observations with points subtracted from each, one after the
// other, and divided by scale, unless that is nil.
func (s *Set) Mapped(scale []float64, points ...[]float64) *Set {
	c := *s
	c.Values, c.Values32 = slices.Clone(s.Values), slices.Clone(s.Values32)
	var row []float64
	for i := range c.P {
		out := c.Row(i, &row)
		for _, by := range points {
			for j, v := range by {
				out[j] -= v
			}
		}
		for j, v := range scale {
			out[j] /= v
		}
		c.put(i, out)
	}
	return &c
}
