package storage

import (
	"context"
	"math"
	"slices"

	"symmom/internal/codes"
	"symmom/internal/linalg"
	"symmom/internal/obs"
)

// Variables describes each variable of a source, weighted as the observations are.
type Variables struct {
	Mean, Root []float64 // Root is that of the sum of weighted squares of deviations
	Min, Max   []float64
	Total      float64 // of the weights
	Nonzero    float64 // values
}

// NewVariables describes n variables of no observations.
func NewVariables(n int) *Variables {
	all := make([]float64, 4*n)
	v := &Variables{Mean: all[:n:n], Root: all[n : 2*n : 2*n], Min: all[2*n : 3*n : 3*n], Max: all[3*n:]}
	for i := range n {
		v.Min[i], v.Max[i] = math.Inf(1), math.Inf(-1)
	}
	return v
}

// Each is the kind of obs.Pass that returns the Numbers of Variables; JoinEach adds them
// up.
const Each = "each"

// Describe describes the variables of a source in one pass (West 1979; Chan, Golub & LeVeque 1983),
// in which suspects, one for each variable, look at the values unless the source is obs.Far.
func Describe(ctx context.Context, x obs.Source, suspects ...codes.Suspects) (*Variables, error) {
	_, n := x.Shape()
	v := NewVariables(n)
	if x, far := x.(obs.Far); far {
		sums, ok := x.Sum(ctx, obs.Pass{Kind: Each, Unit: 1}, nil)
		if !ok {
			return nil, obs.Stopped(ctx, x)
		}
		v.read(sums)
		return v, nil
	}
	var scratch []float64
	var first []float64 // observation: differences from it are nearly exact where the mean is far from 0
	columns := make([]running, n)
	if !x.Pass(ctx, func(b obs.Block) {
		for l := range b.Rows {
			w := x.Share() * b.Weight(l)
			before := v.Total
			v.Total += w
			share, rest := w/v.Total, before/v.Total
			row := b.Values(l, l+1, n, &scratch)
			if first == nil {
				first = slices.Clone(row)
			}
			for i, x := range row {
				if x != 0 {
					v.Nonzero++
				}
				columns[i].add(x, first[i], w, share, rest)
				v.Min[i], v.Max[i] = math.Min(v.Min[i], x), math.Max(v.Max[i], x)
			}
			for i := range suspects {
				suspects[i].Add(row[i])
			}
		}
	}) {
		return nil, obs.Stopped(ctx, x)
	}
	for i, c := range columns {
		v.Mean[i], v.Root[i] = first[i]+c.mean/c.unit[0]/c.unit[1], math.Sqrt(c.squares)/c.unit[0]/c.unit[1]
		if c.unit == [2]float64{} { // all are the first
			v.Mean[i], v.Root[i] = first[i], 0
		}
	}
	return v, nil
}

// running describes a variable so far: mean and sum of weighted squares of the differences
// from its first value, times a power of 2, in two factors, in which they stay in range.
type running struct {
	mean, squares float64
	unit          [2]float64
}

// farUnits is how many units a value may be: its square does not overflow.
const farUnits = 0x1p400

// add adds an observation of weight w, share of all so far; rest is that of those before.
func (c *running) add(x, first, w, share, rest float64) {
	if x != first && (c.unit[0] == 0 || !(math.Abs(x)*c.unit[0]*c.unit[1] < farUnits)) {
		unit := linalg.NearOne(math.Max(math.Abs(x), math.Abs(first)))
		if c.unit[0] > 0 {
			by := unit[0] / c.unit[0] * (unit[1] / c.unit[1])
			c.mean, c.squares = c.mean*by, c.squares*by*by
		}
		c.unit = unit
	}
	from := x*c.unit[0]*c.unit[1] - first*c.unit[0]*c.unit[1]
	delta := from - c.mean
	c.mean += delta * share
	c.squares += w * rest * delta * delta
}

// Numbers returns what read reads, 4 n + 2 numbers.
func (v *Variables) Numbers() []float64 {
	out := make([]float64, 0, 4*len(v.Mean)+2)
	for _, part := range [][]float64{v.Mean, v.Root, v.Min, v.Max, {v.Total, v.Nonzero}} {
		out = append(out, part...)
	}
	return out
}

func (v *Variables) read(numbers []float64) {
	for _, part := range [][]float64{v.Mean, v.Root, v.Min, v.Max} {
		numbers = numbers[copy(part, numbers):]
	}
	v.Total, v.Nonzero = numbers[0], numbers[1]
}

// join adds the observations that w describes (Chan, Golub & LeVeque 1983).
func (v *Variables) join(w *Variables) {
	total := v.Total + w.Total
	for i, m := range w.Mean {
		delta := m - v.Mean[i]
		v.Mean[i] += delta * w.Total / total
		v.Root[i] = math.Hypot(math.Hypot(v.Root[i], w.Root[i]), delta*math.Sqrt(v.Total*w.Total/total))
		v.Min[i], v.Max[i] = math.Min(v.Min[i], w.Min[i]), math.Max(v.Max[i], w.Max[i])
	}
	v.Total, v.Nonzero = total, v.Nonzero+w.Nonzero
}

// JoinEach adds to the numbers of a pass of kind Each those of the next part of a source,
// as many.
func JoinEach(total, next []float64) {
	n := (len(total) - 2) / 4
	v, w := NewVariables(n), NewVariables(n)
	v.read(total)
	w.read(next)
	v.join(w)
	copy(total, v.Numbers())
}
