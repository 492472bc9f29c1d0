package block

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"symmom/internal/math/linalg"
)

// Sparse holds observations of which only the nonzero values are stored. With Scale or
// Shift the variables are Scale (x - Shift) of the values x: zeros are then no longer
// zero, but the stored values do not change.
type Sparse struct {
	Start []int   // rows + 1: the values of row l are Start[l] to Start[l+1]-1
	Index []int32 // the variable of each value, ascending within a row
	V     []float64
	V32   []float32 // instead of V

	Scale, Shift []float64 // n each; nil means 1 and 0
}

// Stored returns the number of stored values.
func (s *Sparse) Stored() int { return s.Start[len(s.Start)-1] - s.Start[0] }

// mapped reports whether the variables differ from the stored values.
func (s *Sparse) mapped() bool { return s.Scale != nil || s.Shift != nil }

// Map returns the scale and the shift of a variable.
func (s *Sparse) Map(i int) (scale, shift float64) {
	scale = 1
	if s.Scale != nil {
		scale = s.Scale[i]
	}
	if s.Shift != nil {
		shift = s.Shift[i]
	}
	return scale, shift
}

// at returns the value that a stored value of variable i represents.
func (s *Sparse) at(i int, v float64) float64 {
	if s.Shift != nil {
		v -= s.Shift[i]
	}
	if s.Scale != nil {
		v *= s.Scale[i]
	}
	return v
}

// Value returns the value that the k-th stored one represents.
func (s *Sparse) Value(k int) float64 {
	if s.V32 != nil {
		return s.at(int(s.Index[k]), float64(s.V32[k]))
	}
	return s.at(int(s.Index[k]), s.V[k])
}

// Alike reports whether s and t have the same Scale and Shift.
func (s *Sparse) Alike(t *Sparse) bool {
	same := func(a, b []float64) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }
	return same(s.Scale, t.Scale) && same(s.Shift, t.Shift)
}

// part returns rows lo..hi-1.
func (s *Sparse) part(lo, hi int) *Sparse {
	c := *s
	c.Start = s.Start[lo : hi+1]
	return &c
}

// Rows64 returns the values as linalg's products take them, unless they are in V32.
func (s *Sparse) Rows64() linalg.SparseRows[float64] {
	return linalg.SparseRows[float64]{Start: s.Start, Index: s.Index, V: s.V}
}

// Rows32 is Rows64 for V32.
func (s *Sparse) Rows32() linalg.SparseRows[float32] {
	return linalg.SparseRows[float32]{Start: s.Start, Index: s.Index, V: s.V32}
}

// Column returns the stored values of a variable, with zeros where there are none.
func (s *Sparse) Column(variable int) []float64 {
	v := make([]float64, len(s.Start)-1)
	for l := range v {
		from, to := s.Start[l], s.Start[l+1]
		if k, ok := slices.BinarySearch(s.Index[from:to], int32(variable)); ok {
			v[l] = s.V[from+k]
		}
	}
	return v
}

// Select returns copies of some of n variables, in the order given.
func (s *Sparse) Select(variables []int, n int) *Sparse {
	to := make([]int, n) // 1 + the new place, or 0
	c := &Sparse{Start: make([]int, 1, len(s.Start))}
	if s.V32 != nil {
		c.V32 = []float32{}
	}
	for a, j := range variables {
		to[j] = a + 1
		if s.Scale != nil {
			c.Scale = append(c.Scale, s.Scale[j])
		}
		if s.Shift != nil {
			c.Shift = append(c.Shift, s.Shift[j])
		}
	}
	type value struct{ at, place int }
	var row []value
	for l := range len(s.Start) - 1 {
		row = row[:0]
		for k := s.Start[l]; k < s.Start[l+1]; k++ {
			if a := to[s.Index[k]]; a > 0 {
				row = append(row, value{a - 1, k})
			}
		}
		slices.SortFunc(row, func(x, y value) int { return x.at - y.at })
		for _, v := range row {
			c.Index = append(c.Index, int32(v.at))
			if s.V32 != nil {
				c.V32 = append(c.V32, s.V32[v.place])
			} else {
				c.V = append(c.V, s.V[v.place])
			}
		}
		c.Start = append(c.Start, len(c.Index))
	}
	return c
}

// Append appends observations to s, which must not be in use; neither may have a Shift
// or Scale.
func (s *Sparse) Append(x *Sparse) {
	n := s.Stored()
	for _, end := range x.Start[1:] {
		s.Start = append(s.Start, n+end-x.Start[0])
	}
	s.Index, s.V, s.V32 = append(s.Index, x.Index...), append(s.V, x.V...), append(s.V32, x.V32...)
}

// dense writes rows lo..hi-1 of n variables, with their zeros, to out.
func (s *Sparse) dense(out []float64, lo, hi, n int) {
	clear(out)
	for l := lo; l < hi; l++ {
		row := out[(l-lo)*n : (l-lo+1)*n]
		from, to := s.Start[l], s.Start[l+1]
		if s.V32 != nil {
			for k, i := range s.Index[from:to] {
				row[i] = float64(s.V32[from+k])
			}
		} else {
			for k, i := range s.Index[from:to] {
				row[i] = s.V[from+k]
			}
		}
		for i, c := range s.Shift {
			row[i] -= c
		}
		for i, c := range s.Scale {
			row[i] *= c
		}
	}
}

// SparseRows holds sparse weighted observations in memory. They are never changed.
type SparseRows struct {
	P, N   int
	Values *Sparse
	Nu     []float64 // P weights of sum 1, nil for 1/P each
}

// Shape returns P and N.
func (x *SparseRows) Shape() (p, n int) { return x.P, x.N }

// Share returns 1/P if Nu is nil, otherwise 1.
func (x *SparseRows) Share() float64 {
	if x.Nu == nil {
		return 1 / float64(x.P)
	}
	return 1
}

// BlockRows returns P: all observations are in one block.
func (x *SparseRows) BlockRows() int { return x.P }

// Pass calls do once, with all observations.
func (x *SparseRows) Pass(ctx context.Context, do func(Block)) bool {
	if ctx.Err() == nil {
		do(Block{Rows: x.P, Sparse: x.Values, Nu: x.Nu})
	}
	return ctx.Err() == nil
}

// Err returns nil: memory does not fail.
func (x *SparseRows) Err() error { return nil }

// RowError says what is wrong in a row, which counts from 0.
type RowError struct {
	Row  int
	Text string
}

func (e *RowError) Error() string { return fmt.Sprintf("row %d: %s", e.Row+1, e.Text) }

// Compress makes sparse observations of n variables from compressed rows: row l has
// values[start[l]:start[l+1]] of the variables index at the same places, in any order.
// It keeps the values that are not zero. If an index appears twice in a row, add decides
// whether the values are added, in order, or whether that is an error. out is where the
// values are stored if it is large enough; it may be values[:0].
func Compress[I int | int32](n int, start []int, index []I, values []float64, add bool, out []float64) (*Sparse, error) {
	switch {
	case len(start) < 2:
		return nil, fmt.Errorf("has no observations: want the start of each row and the end of the last, got %d of them", len(start))
	case n < 1 || n > math.MaxInt32:
		return nil, fmt.Errorf("%d variables: want 1 to %d", n, math.MaxInt32)
	case start[0] != 0 || start[len(start)-1] != len(values):
		return nil, fmt.Errorf("rows from value %d to %d: want 0 to %d, the number of values", start[0], start[len(start)-1], len(values))
	case len(index) != len(values):
		return nil, fmt.Errorf("%d indices for %d values: want one each", len(index), len(values))
	}
	x := &Sparse{Start: make([]int, 1, len(start)), Index: make([]int32, 0, len(index)), V: slices.Grow(out, len(values))}
	var row byVariable[I]
	for l := range len(start) - 1 {
		from, to := start[l], start[l+1]
		if to < from || to > len(values) {
			return nil, fmt.Errorf("row %d ends at value %d and begins at %d", l+1, to, from)
		}
		row.index, row.values = append(row.index[:0], index[from:to]...), append(row.values[:0], values[from:to]...)
		if !slices.IsSorted(row.index) {
			sort.Stable(row)
		}
		for k := 0; k < len(row.index); {
			i, v, first := row.index[k], 0., k
			for ; k < len(row.index) && row.index[k] == i; k++ {
				v += row.values[k]
			}
			switch {
			case i < 0 || int(i) >= n:
				return nil, &RowError{l, fmt.Sprintf("index %d: want 0 to %d", i, n-1)}
			case k > first+1 && !add:
				return nil, &RowError{l, fmt.Sprintf("index %d appears twice; add its values up first", i)}
			case v-v != 0:
				return nil, &RowError{l, fmt.Sprintf("index %d is %g: want finite values", i, v)}
			case v != 0:
				x.Index, x.V = append(x.Index, int32(i)), append(x.V, v)
			}
		}
		x.Start = append(x.Start, len(x.V))
	}
	return x, nil
}

// byVariable sorts the values of a row.
type byVariable[I int | int32] struct {
	index  []I
	values []float64
}

func (r byVariable[I]) Len() int           { return len(r.index) }
func (r byVariable[I]) Less(i, j int) bool { return r.index[i] < r.index[j] }
func (r byVariable[I]) Swap(i, j int) {
	r.index[i], r.index[j] = r.index[j], r.index[i]
	r.values[i], r.values[j] = r.values[j], r.values[i]
}

// Moments returns the mean and the standard deviation of each variable as it is
// stored, without shift and scale. That of a constant variable is 0. The error is ctx's.
func (x *SparseRows) Moments(ctx context.Context) (mean, deviation []float64, err error) {
	s := x.Values
	mean, deviation = make([]float64, x.N), make([]float64, x.N)
	share := make([]float64, x.N) // of the observations where the variable is stored
	each := func(do func(i int32, nu, v float64)) {
		for l := range x.P {
			if l%(1<<12) == 0 && ctx.Err() != nil {
				return
			}
			nu := x.Share()
			if x.Nu != nil {
				nu *= x.Nu[l]
			}
			for k := s.Start[l]; k < s.Start[l+1]; k++ {
				if s.V32 != nil {
					do(s.Index[k], nu, float64(s.V32[k]))
				} else {
					do(s.Index[k], nu, s.V[k])
				}
			}
		}
	}
	// Weights and their sum are rounded: what is everywhere the same must not get a deviation
	// from that, by which it would be divided.
	plain := &SparseRows{P: x.P, N: x.N, Values: &Sparse{Start: s.Start, Index: s.Index, V: s.V, V32: s.V32}}
	least, greatest, counts := plain.Ranges()
	unit := make([][2]float64, x.N) // of what follows: no over- or underflow
	for i := range unit {
		unit[i] = linalg.NearOne(math.Max(math.Abs(least[i]), math.Abs(greatest[i])))
	}
	each(func(i int32, nu, v float64) { mean[i] += nu * (v * unit[i][0] * unit[i][1]); share[i] += nu })
	rest := make([]float64, x.N) // of the mean, that rounding left
	each(func(i int32, nu, v float64) { rest[i] += nu * (v*unit[i][0]*unit[i][1] - mean[i]) })
	for i, m := range mean {
		switch {
		case least[i] == greatest[i]:
			mean[i] = least[i] * unit[i][0] * unit[i][1]
		case counts[i] == x.P:
			mean[i] += rest[i]
		default:
			mean[i] += rest[i] - math.Max(0, 1-share[i])*m
		}
	}
	each(func(i int32, nu, v float64) {
		d := v*unit[i][0]*unit[i][1] - mean[i]
		deviation[i] += nu * d * d
	})
	for i, m := range mean {
		if counts[i] < x.P {
			deviation[i] += math.Max(0, 1-share[i]) * m * m
		}
		mean[i], deviation[i] = m/unit[i][0]/unit[i][1], math.Sqrt(deviation[i])/unit[i][0]/unit[i][1]
	}
	return mean, deviation, ctx.Err()
}

// Ranges returns the least and the greatest value of each variable, and how many of its
// values are not zero: after a shift also those that are not stored.
func (x *SparseRows) Ranges() (least, greatest []float64, nonzero []int) {
	s := x.Values
	least, greatest, nonzero = make([]float64, x.N), make([]float64, x.N), make([]int, x.N)
	stored, shift := make([]int, x.N), s.Shift
	if shift == nil {
		shift = make([]float64, x.N)
	}
	for k := s.Start[0]; k < s.Start[x.P]; k++ {
		i, v := s.Index[k], 0.
		if s.V32 != nil {
			v = float64(s.V32[k])
		} else {
			v = s.V[k]
		}
		if stored[i] == 0 {
			least[i], greatest[i] = v, v
		}
		least[i], greatest[i] = min(least[i], v), max(greatest[i], v)
		stored[i]++
		if v != shift[i] {
			nonzero[i]++
		}
	}
	for i := range x.N {
		if stored[i] < x.P {
			least[i], greatest[i] = min(least[i], 0), max(greatest[i], 0)
		}
		if shift[i] != 0 {
			nonzero[i] += x.P - stored[i]
		}
		least[i], greatest[i] = least[i]-shift[i], greatest[i]-shift[i]
		if s.Scale != nil {
			least[i], greatest[i] = least[i]*s.Scale[i], greatest[i]*s.Scale[i]
			if s.Scale[i] < 0 {
				least[i], greatest[i] = greatest[i], least[i]
			}
		}
	}
	return least, greatest, nonzero
}
