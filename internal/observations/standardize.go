package observations

import (
	"context"
	"slices"

	"symmom/internal/profile"
)

// Standardize returns observations whose variables have (weighted) mean 0 and, unless they
// are only centered, variance 1, and where they were before. A constant column becomes 0,
// with a warning; standardizing is an error when all are constant. Cost: three passes and a
// second copy of the values.
func (s *Set) Standardize(onlyCenter bool) (*Set, *profile.Location, error) {
	l, _ := profile.Locate(s.N, func(do func(float64, []float64)) error {
		var wide []float64
		for i := range s.P {
			do(s.weight(i), s.Row(i, &wide))
		}
		return nil
	})
	move, err := l.Move(s.profiled(), s.Source, onlyCenter)
	if err != nil {
		return nil, nil, err
	}
	c := s.moved(move)
	pr, _ := c.sweep(context.Background())
	if !onlyCenter {
		pr.Constant = nil // said in other words
		c.Warnings = l.Warnings(s.profiled())
	}
	c.Warnings = slices.Concat(pr.Warnings(c.profiled()), c.Warnings, c.Notes)
	return c, l, nil
}

// moved returns a copy of the observations, each of which move changed.
func (s *Set) moved(move func(row []float64)) *Set {
	c := *s
	c.Warnings, c.Values, c.Values32 = nil, slices.Clone(s.Values), slices.Clone(s.Values32)
	var row []float64
	for i := range c.P {
		out := c.Row(i, &row)
		move(out)
		c.put(i, out)
	}
	return &c
}

// Mapped returns the observations with a point subtracted, and divided by scale unless that
// is nil.
func (s *Set) Mapped(scale, point []float64) *Set {
	return s.moved(func(row []float64) {
		for j, by := range point {
			row[j] -= by
		}
		for j, by := range scale {
			row[j] /= by
		}
	})
}

func (s *Set) weight(i int) float64 {
	if s.Weights == nil {
		return 1 / float64(s.P)
	}
	return s.Weights[i]
}
