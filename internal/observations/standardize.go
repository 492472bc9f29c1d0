package observations

import (
	"context"
	"math"
	"slices"

	"symmom/internal/notice"
)

// Location is where the values of each variable lie, and how far they spread.
type Location struct {
	Mean, Deviation []float64 // weighted, the sums running over nu: no correction for the estimated mean; a constant variable has deviation 1
	Constant        []int     // variables

	low, high             []float64
	near, left            []float64    // whose sum is Mean; left is what rounding left
	unit                  [][2]float64 // a power of 2 near the largest value, in two factors: no over- or underflow
	mean, rest, deviation []float64    // near, left and Deviation of the values times unit
}

// Locate describes n variables in two passes, each of which calls do with every observation
// and its weight; the weights sum to 1.
func Locate(n int, pass func(do func(nu float64, row []float64)) error) (*Location, error) {
	some := func() []float64 { return make([]float64, n) }
	l := &Location{Mean: some(), Deviation: some(), near: some(), left: some(), unit: make([][2]float64, n), mean: some(), rest: some(), deviation: some()}
	if err := pass(func(nu float64, row []float64) {
		if l.low == nil {
			l.low, l.high = slices.Clone(row), slices.Clone(row)
		}
		for j, v := range row {
			l.low[j], l.high[j] = min(l.low[j], v), max(l.high[j], v)
			l.mean[j] += nu * v
		}
	}); err != nil {
		return nil, err
	}
	for j, m := range l.mean {
		_, exp := math.Frexp(max(math.Abs(l.low[j]), math.Abs(l.high[j])))
		u := [2]float64{math.Ldexp(1, -exp/2), math.Ldexp(1, exp/2-exp)} // 2^-exp itself may overflow
		l.unit[j], l.mean[j] = u, m*u[0]*u[1]
	}
	if err := pass(func(nu float64, row []float64) {
		for j, v := range row {
			d := v*l.unit[j][0]*l.unit[j][1] - l.mean[j]
			l.deviation[j] += nu * d * d
			l.rest[j] += nu * d
		}
	}); err != nil {
		return nil, err
	}
	for j, u := range l.unit {
		if l.low[j] == l.high[j] {
			l.Constant = append(l.Constant, j)
			l.mean[j], l.rest[j], l.deviation[j], l.unit[j] = l.low[j], 0, 1, [2]float64{1, 1}
		} else {
			l.deviation[j] = math.Sqrt(math.Max(0, l.deviation[j]-l.rest[j]*l.rest[j]))
		}
		u = l.unit[j]
		l.near[j], l.left[j] = l.mean[j]/u[0]/u[1], l.rest[j]/u[0]/u[1]
		l.Mean[j], l.Deviation[j] = l.near[j]+l.left[j], l.deviation[j]/u[0]/u[1]
	}
	return l, nil
}

// Center subtracts the means from an observation.
func (l *Location) Center(row []float64) {
	near, left := l.near[:len(row)], l.left[:len(row)]
	for j, v := range row {
		row[j] = v - near[j] - left[j]
	}
}

// Standardize also divides by the deviations.
func (l *Location) Standardize(row []float64) {
	unit, mean, rest, deviation := l.unit[:len(row)], l.mean[:len(row)], l.rest[:len(row)], l.deviation[:len(row)]
	for j, v := range row {
		row[j] = (v*unit[j][0]*unit[j][1] - mean[j] - rest[j]) / deviation[j]
	}
}

// Movable refuses to center values so far apart that their differences are infinite.
func (l *Location) Movable(t *Info) error {
	for j, m := range l.Mean {
		if math.IsInf(l.high[j]-m, 0) || math.IsInf(l.low[j]-m, 0) {
			return fail(t.Source, "%s: its values are too large to be shifted", t.Label(j))
		}
	}
	return nil
}

// Warnings returns those about data of which all variables were standardized, instead of
// those about constant ones.
func (l *Location) Warnings(t *Info, single bool) []notice.Warning {
	var names []string
	for _, j := range l.Constant {
		names = append(names, short(t.Label(j)))
	}
	switch len(names) {
	case 0:
		return nil
	case 1:
		return []notice.Warning{notice.New(notice.Constant, "one column is constant%s and was set to 0: %s", notice.AsFloat32(single), names[0])}
	}
	return []notice.Warning{notice.New(notice.Constant, "%d columns are constant%s and were set to 0: %s", len(names), notice.AsFloat32(single), list(names))}
}

// Standardize returns observations whose variables have (weighted) mean 0 and, unless they
// are only centered, variance 1, and where they were before. A constant column becomes 0,
// with a warning; standardizing is an error when all are constant. Cost: three passes and a
// second copy of the values.
func (s *Set) Standardize(onlyCenter bool) (*Set, *Location, error) {
	l, _ := Locate(s.N, func(do func(float64, []float64)) error {
		var wide []float64
		for i := range s.P {
			do(s.weight(i), s.Row(i, &wide))
		}
		return nil
	})
	move := l.Standardize
	if onlyCenter {
		if err := l.Movable(&s.Info); err != nil {
			return nil, nil, err
		}
		move = l.Center
	} else if len(l.Constant) == s.N {
		return nil, nil, ErrConstant(s.Source, s.Values32 != nil)
	}
	c := s.moved(move)
	pr, _ := c.sweep(context.Background())
	if !onlyCenter {
		pr.Constant = nil // said in other words
		c.Warnings = l.Warnings(&s.Info, s.Values32 != nil)
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

// ErrConstant refuses to standardize data without any variance.
func ErrConstant(source string, single bool) error {
	return fail(source, "every column is constant%s, so nothing can be standardized", notice.AsFloat32(single))
}

func (s *Set) weight(i int) float64 {
	if s.Weights == nil {
		return 1 / float64(s.P)
	}
	return s.Weights[i]
}
