package tables

import (
	"context"
	"math"
	"slices"

	"symmom/internal/data/columns"
	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
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

// Each is the kind of block.Pass that returns the Numbers of Variables; JoinEach adds them
// up.
const Each = "each"

// Describe describes the variables of a source in one pass (West 1979; Chan, Golub & LeVeque 1983),
// in which suspects, one for each variable, look at the values unless the source is block.Far.
func Describe(ctx context.Context, x block.Source, suspects ...columns.Suspects) (*Variables, error) {
	_, n := x.Shape()
	v := NewVariables(n)
	if x, far := x.(block.Far); far {
		sums, ok := x.Sum(ctx, block.Pass{Kind: Each, Unit: 1}, nil)
		if !ok {
			return nil, block.Stopped(ctx, x)
		}
		v.read(sums)
		return v, nil
	}
	var scratch []float64
	var first []float64 // observation: differences from it are nearly exact where the mean is far from 0
	columns, nonzero := make([]running, n), make([]float64, n)
	const together = 1 << 16 // values: they stay in the second-level cache
	weights := make([]weight, max(1, together/n))
	var values []float64 // of some observations
	strips := parallel.NewStrips(n, func(lo, hi int) {
		columns, nonzero, first, least, most := columns[lo:hi], nonzero[lo:hi], first[lo:hi], v.Min[lo:hi], v.Max[lo:hi]
		for l := range len(values) / n {
			for i, x := range values[l*n:][lo:hi] {
				if x != 0 {
					nonzero[i]++
				}
				columns[i].add(x, first[i], &weights[l])
				least[i], most[i] = min(least[i], x), max(most[i], x)
			}
		}
		if suspects != nil {
			for i := lo; i < hi; i++ {
				suspects[i].AddColumn(values[i:], n)
			}
		}
	})
	if !x.Pass(ctx, func(b block.Block) {
		for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += len(weights) {
			hi := min(lo+len(weights), b.Rows)
			values = b.Values(lo, hi, n, &scratch)
			if first == nil {
				first = slices.Clone(values[:n])
			}
			for l := lo; l < hi; l++ {
				w, before := x.Share()*b.Weight(l), v.Total
				v.Total += w
				weights[l-lo] = weight{w, w / v.Total, before / v.Total}
			}
			strips.Run(ctx)
		}
	}) {
		return nil, block.Stopped(ctx, x)
	}
	for _, k := range nonzero {
		v.Nonzero += k
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
	first         float64 // in this unit
	limit         float64 // of values that may be in this unit: their squares do not overflow
}

// farUnits is how many units a value may be.
const farUnits = 0x1p400

// weight is that of an observation, its share of all so far, and the share of those before.
type weight struct{ w, share, rest float64 }

// add adds an observation.
func (c *running) add(x, first float64, w *weight) {
	if !(math.Abs(x) < c.limit) && x != first {
		c.grow(x, first)
	}
	delta := x*c.unit[0]*c.unit[1] - c.first - c.mean
	c.mean += delta * w.share
	c.squares += w.w * w.rest * delta * delta
}

// grow makes the unit one for a value.
func (c *running) grow(x, first float64) {
	unit := linalg.NearOne(math.Max(math.Abs(x), math.Abs(first)))
	if c.unit[0] > 0 {
		by := unit[0] / c.unit[0] * (unit[1] / c.unit[1])
		c.mean, c.squares = c.mean*by, c.squares*by*by
	}
	c.unit, c.first = unit, first*unit[0]*unit[1]
	c.limit = farUnits / unit[0] / unit[1]
}

// Numbers returns the numbers for read, 4 n + 2 of them.
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
