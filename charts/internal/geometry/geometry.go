// Package geometry computes where the marks of figures are.
package geometry

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Stretch scales each column to the length and sign at which it is closest to the
// observations in its direction.
func Stretch(columns [][]float64, rows *mat.Dense) {
	for j, l := range Lengths(columns, rows) {
		if norm := math.Sqrt(Dot(columns[j], columns[j])); norm > 0 {
			Scale(l/norm, columns[j])
		}
	}
}

// Lengths returns, for each column, the mean inner product of its unit vector with
// the observations for which that product is the largest in absolute value of all
// columns: the length at which the column is closest to them. A column without
// observations gets the mean length of the others.
func Lengths(columns [][]float64, rows *mat.Dense) []float64 {
	norms := make([]float64, len(columns))
	for j, c := range columns {
		if norms[j] = math.Sqrt(Dot(c, c)); norms[j] == 0 {
			norms[j] = 1
		}
	}
	sum, count := make([]float64, len(columns)), make([]float64, len(columns))
	p, _ := rows.Dims()
	for l := range p {
		v, best, at := rows.RawRowView(l), 0.0, -1
		for j, c := range columns {
			if x := Dot(c, v) / norms[j]; math.Abs(x) > math.Abs(best) {
				best, at = x, j
			}
		}
		if at >= 0 {
			sum[at] += best
			count[at]++
		}
	}
	mean, with := 0.0, 0.0
	for j := range sum {
		if count[j] > 0 {
			sum[j] /= count[j]
			mean += math.Abs(sum[j])
			with++
		}
	}
	for j := range sum {
		if count[j] == 0 && with > 0 {
			sum[j] = mean / with
		}
	}
	return sum
}

// UnitNorm reports whether all columns have the norm 1.
func UnitNorm(columns [][]float64) bool {
	for _, c := range columns {
		if math.Abs(math.Sqrt(Dot(c, c))-1) > 1e-6 {
			return false
		}
	}
	return true
}

// Scale multiplies v by a.
func Scale(a float64, v []float64) {
	for i := range v {
		v[i] *= a
	}
}

// Box is a rectangle in the plane.
type Box struct{ Lo, Hi [2]float64 }

// EmptyBox returns a box that holds nothing.
func EmptyBox() Box {
	return Box{[2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}}
}

// With returns the box that also holds a point.
func (b Box) With(at [2]float64) Box {
	for i, x := range at {
		b.Lo[i], b.Hi[i] = math.Min(b.Lo[i], x), math.Max(b.Hi[i], x)
	}
	return b
}

// Padded widens the box by the given share on every side, to round numbers that
// make good ends of an axis.
func (b Box) Padded(share float64) Box {
	for i := range b.Lo {
		width := b.Hi[i] - b.Lo[i]
		if width <= 0 {
			width = math.Max(math.Abs(b.Lo[i]), 1)
		}
		unit := math.Pow(10, math.Floor(math.Log10(width))) / 5
		b.Lo[i] = math.Floor((b.Lo[i]-share*width)/unit) * unit
		b.Hi[i] = math.Ceil((b.Hi[i]+share*width)/unit) * unit
	}
	return b
}

// Wider reports whether b is enough larger than part to be worth a chart of its
// own.
func (b Box) Wider(part Box) bool {
	return b.Hi[0]-b.Lo[0] > 1.5*(part.Hi[0]-part.Lo[0]) || b.Hi[1]-b.Lo[1] > 1.5*(part.Hi[1]-part.Lo[1])
}

// Columns returns copies of the columns of m.
func Columns(m mat.Matrix) [][]float64 {
	_, r := m.Dims()
	c := make([][]float64, r)
	for j := range c {
		c[j] = mat.Col(nil, j, m)
	}
	return c
}

// Largest returns the largest absolute value in the columns.
func Largest(columns ...[]float64) float64 {
	m := 0.0
	for _, c := range columns {
		for _, x := range c {
			m = math.Max(m, math.Abs(x))
		}
	}
	return m
}

// Dot returns a'b.
func Dot(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

// Thin chooses at most limit of n indices, including the first and the last. Half
// of them are evenly spaced and half in geometric progression, because the axis may
// be logarithmic and the beginning is steep.
func Thin(n, limit int) []int {
	at := make([]int, 0, min(n, limit))
	if n <= limit {
		for i := range n {
			at = append(at, i)
		}
		return at
	}
	half := limit / 2
	for k := range half {
		share := float64(k) / float64(max(1, half-1))
		at = append(at, int(math.Round(share*float64(n-1))), int(math.Round(math.Pow(float64(n), share)))-1)
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// LargestRows returns the indices of at most limit rows, those with the largest
// entries, in ascending order.
func LargestRows(m mat.Matrix, limit int) []int {
	n, r := m.Dims()
	size := make([]float64, n)
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
		for j := range r {
			size[i] = math.Max(size[i], math.Abs(m.At(i, j)))
		}
	}
	if n > limit {
		slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
		rows = rows[:limit]
		slices.Sort(rows)
	}
	return rows
}
