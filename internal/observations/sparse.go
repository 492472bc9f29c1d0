package observations

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"symmom/internal/notice"
	"symmom/internal/obs"
	"symmom/internal/words"
)

// FromCSR makes sparse observations of n variables of compressed rows: row l has
// values[start[l]:start[l+1]], of the variables index at the same places, in any
// order. It copies what it keeps, which are the values that are not zero.
func FromCSR(n int, start, index []int, values []float64) (*Info, *obs.SparseRows, error) {
	const source = "sparse matrix"
	switch {
	case len(start) < 2:
		return nil, nil, fail(source, "has no observations: want the start of each row and the end of the last, got %s", words.Plural(len(start), "number"))
	case n < 1 || n > math.MaxInt32:
		return nil, nil, fail(source, "of %s: want 1 to %d", words.Plural(n, "variable"), math.MaxInt32)
	case start[0] != 0 || start[len(start)-1] != len(values):
		return nil, nil, fail(source, "rows from value %d to %d: want 0 to %d, the number of values", start[0], start[len(start)-1], len(values))
	case len(index) != len(values):
		return nil, nil, fail(source, "%d indices for %s: want one each", len(index), words.Plural(len(values), "value"))
	}
	x := &obs.Sparse{Start: make([]int, 1, len(start)), Index: make([]int32, 0, len(index)), V: make([]float64, 0, len(values))}
	for l := range len(start) - 1 {
		from, to := start[l], start[l+1]
		if to < from || to > len(values) {
			return nil, nil, fail(source, "row %d ends at value %d and begins at %d", l+1, to, from)
		}
		row := byVariable{index: slices.Clone(index[from:to]), values: slices.Clone(values[from:to])}
		if !slices.IsSorted(row.index) {
			sort.Sort(row)
		}
		for k, i := range row.index {
			v := row.values[k]
			switch {
			case i < 0 || i >= n:
				return nil, nil, fail(source, "row %d: index %d: want 0 to %d", l+1, i, n-1)
			case k > 0 && i == row.index[k-1]:
				return nil, nil, fail(source, "row %d: index %d appears twice; add its values up first", l+1, i)
			case v-v != 0:
				return nil, nil, fail(source, "row %d: index %d is %g: want finite values", l+1, i, v)
			}
			if v != 0 {
				x.Index, x.V = append(x.Index, int32(i)), append(x.V, v)
			}
		}
		x.Start = append(x.Start, len(x.V))
	}
	info := &Info{P: len(start) - 1, N: n, Source: source}
	info.Warnings = sparseWarnings(x, n)
	return info, &obs.SparseRows{P: info.P, N: n, Values: x}, nil
}

// byVariable sorts the values of a row.
type byVariable struct {
	index  []int
	values []float64
}

func (r byVariable) Len() int           { return len(r.index) }
func (r byVariable) Less(i, j int) bool { return r.index[i] < r.index[j] }
func (r byVariable) Swap(i, j int) {
	r.index[i], r.index[j] = r.index[j], r.index[i]
	r.values[i], r.values[j] = r.values[j], r.values[i]
}

// sparseWarnings says which variables are zero everywhere.
func sparseWarnings(x *obs.Sparse, n int) []notice.Warning {
	seen := make([]bool, n)
	for _, i := range x.Index {
		seen[i] = true
	}
	empty, first := 0, 0
	for i, s := range seen {
		if !s {
			if empty == 0 {
				first = i
			}
			empty++
		}
	}
	if empty == 0 {
		return nil
	}
	which := fmt.Sprintf("column %d", first+1)
	if empty > 1 {
		which += fmt.Sprintf(" and %d more", empty-1)
	}
	return []notice.Warning{notice.New(notice.Constant, "%s zero everywhere: %s", words.Plural(empty, "column")+map[bool]string{true: " is", false: " are"}[empty == 1], which)}
}

// SparseMoments returns the mean and the standard deviation of each variable of
// sparse observations as they are stored, without a shift or scale.
func SparseMoments(x *obs.SparseRows) (mean, deviation []float64) {
	s := x.Values
	mean, deviation = make([]float64, x.N), make([]float64, x.N)
	share := make([]float64, x.N) // of the observations where the variable is stored
	each := func(do func(i int32, nu, v float64)) {
		for l := range x.P {
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
	each(func(i int32, nu, v float64) { mean[i] += nu * v; share[i] += nu })
	each(func(i int32, nu, v float64) { deviation[i] += nu * (v - mean[i]) * (v - mean[i]) })
	for i, m := range mean {
		deviation[i] = math.Sqrt(deviation[i] + math.Max(0, 1-share[i])*m*m)
	}
	return mean, deviation
}
