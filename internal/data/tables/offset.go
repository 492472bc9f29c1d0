package tables

import (
	"context"
	"math"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// offsetRows is the number of observations that Offset reads.
const offsetRows = 4096

// Offset returns the share of the mean in the trace of the second moment, computed
// from some evenly spaced observations if there are many, or from a sample of a
// stream.
func (t *Table) Offset() float64 {
	_, share := t.about()
	return share
}

// Directions returns in how many directions the observations can vary: the number of
// variables that are not constant in those that Offset reads, or of observations if that
// is less.
func (t *Table) Directions() int {
	var first []float64
	var same []int // variables that are constant so far
	t.some(func(_ float64, v []float64) bool {
		if first == nil {
			first = slices.Clone(v)
			for i := range v {
				same = append(same, i)
			}
		}
		same = slices.DeleteFunc(same, func(i int) bool { return v[i] != first[i] })
		return len(same) > 0
	})
	return min(t.P, t.N-len(same))
}

// SuggestedRank is that of the eigenvalues of the second moment of all observations.
func (t *Table) SuggestedRank(ctx context.Context, s *moment.Second) (int, error) {
	directions := t.Directions()
	if s.Alike(directions, float64(t.P)) == 0 {
		return 0, nil // nor do any of fewer observations
	}
	p, err := t.Effective(ctx)
	if err != nil {
		return 0, err
	}
	return s.SuggestedRank(ctx, directions, p)
}

// about also returns the mean of these observations.
func (t *Table) about() (mean []float64, share float64) {
	if t.centered {
		return make([]float64, t.N), 0
	}
	mean = make([]float64, t.N)
	y := make([]float64, t.N)
	span := 0x1p-1022 // of which there is an inverse; mean and trace are of the observations divided by it
	var trace, total float64
	t.some(func(nu float64, v []float64) bool {
		most := linalg.Norm2(v)
		if math.IsInf(most, 0) {
			most = linalg.NormInf(v)
		}
		if most > span {
			linalg.Scale(span/most, mean)
			trace *= span / most * (span / most)
			span = most
		}
		copy(y, v)
		linalg.Scale(1/span, y)
		total += nu
		linalg.Axpy(nu, y, mean)
		trace += nu * linalg.Dot(y, y)
		return true
	})
	share = linalg.Dot(mean, mean) / total / trace
	linalg.Scale(span/total, mean)
	return mean, share
}

// Variances returns those of the variables in the observations that Offset reads, and as how
// many of equal weight these tell.
func (t *Table) Variances() (v []float64, p float64) {
	mean, _ := t.about()
	v = make([]float64, t.N)
	var total, squares float64
	t.some(func(nu float64, x []float64) bool {
		total += nu
		squares += nu * nu
		for i, m := range mean {
			v[i] += nu * (x[i] - m) * (x[i] - m)
		}
		return true
	})
	linalg.Scale(1/total, v)
	return v, total * total / squares
}

// some calls f with the observations that Offset reads and their weights, until f returns
// false.
func (t *Table) some(f func(nu float64, v []float64) bool) {
	var x *block.Dense
	var rows int
	if k := t.Sketch(); k != nil {
		x = k.Sample.Data()
		rows = x.P
	} else {
		x = t.Array().Dense()
		rows = min(x.P, offsetRows)
	}
	var scratch []float64
	for i := range rows {
		l := i * x.P / rows
		nu := 1.
		if x.Nu != nil {
			nu = x.Nu[l]
		}
		if !f(nu, x.Values(l, l+1, &scratch)) {
			return
		}
	}
}
