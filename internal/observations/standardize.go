package observations

import (
	"context"
	"math"
	"slices"

	"symmom/internal/notice"
)

// Standardize returns observations whose variables have (weighted) mean 0 and
// variance 1, the sums running over nu: no correction for the estimated mean. It also
// returns the means that were subtracted and the deviations that were divided by. A
// constant column becomes 0, with a warning, and has deviation 1; it is an error when
// all are constant. Cost: three passes and a second copy of the values.
func (s *Set) Standardize() (z *Set, mean, deviation []float64, err error) {
	c := *s
	if s.Values32 == nil {
		c.Values = make([]float64, len(s.Values))
	} else {
		c.Values32 = make([]float32, len(s.Values32))
	}
	var in, to []float64             // scratch
	scale := make([][2]float64, s.N) // a power of 2 near the largest value: no over- or underflow below
	mean, deviation = make([]float64, s.N), make([]float64, s.N)
	rest := make([]float64, s.N) // of the mean, that rounding left
	low, high := slices.Clone(s.Row(0, &in)), slices.Clone(s.Row(0, &in))
	for i := range s.P {
		for j, v := range s.Row(i, &in) {
			low[j], high[j] = min(low[j], v), max(high[j], v)
		}
	}
	for j := range scale {
		_, exp := math.Frexp(max(math.Abs(low[j]), math.Abs(high[j])))
		// In two factors: 2^-exp itself may overflow.
		scale[j] = [2]float64{math.Ldexp(1, -exp/2), math.Ldexp(1, exp/2-exp)}
	}
	for i := range s.P {
		nu := s.weight(i)
		out := c.Row(i, &to)
		for j, v := range s.Row(i, &in) {
			out[j] = v * scale[j][0] * scale[j][1]
			mean[j] += nu * out[j]
		}
		c.put(i, out)
	}
	for i := range s.P {
		nu := s.weight(i)
		for j, v := range c.Row(i, &to) {
			deviation[j] += nu * (v - mean[j]) * (v - mean[j])
			rest[j] += nu * (v - mean[j])
		}
	}
	var constant []string
	for j := range deviation {
		deviation[j] = math.Sqrt(math.Max(0, deviation[j]-rest[j]*rest[j]))
		if low[j] == high[j] {
			constant = append(constant, short(s.Label(j)))
		}
	}
	if len(constant) == s.N {
		return nil, nil, nil, ErrConstant(s.Source, s.Values32 != nil)
	}
	for i := range s.P {
		out := c.Row(i, &to)
		for j, v := range out {
			if low[j] == high[j] {
				out[j] = 0
			} else {
				out[j] = (v - mean[j] - rest[j]) / deviation[j]
			}
		}
		c.put(i, out)
	}
	for j, to := range scale { // back in the data's units
		if low[j] == high[j] {
			mean[j], deviation[j] = low[j], 1
			continue
		}
		mean[j], deviation[j] = (mean[j]+rest[j])/to[0]/to[1], deviation[j]/to[0]/to[1]
	}
	pr, _ := c.sweep(context.Background())
	pr.Constant = nil // said in other words here
	c.Warnings = pr.Warnings(c.profiled())
	if len(constant) == 1 {
		c.Warnings = append(c.Warnings, notice.New(notice.Constant, "one column is constant%s and was set to 0: %s", notice.AsFloat32(s.Values32 != nil), constant[0]))
	} else if len(constant) > 1 {
		c.Warnings = append(c.Warnings, notice.New(notice.Constant, "%d columns are constant%s and were set to 0: %s", len(constant), notice.AsFloat32(s.Values32 != nil), list(constant)))
	}
	c.Warnings = append(c.Warnings, c.notes...)
	return &c, mean, deviation, nil
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
