package moment

import (
	"iter"
	"math"

	"symmom/internal/linalg"
)

// apart is the largest cosine between two observations that are starts of two components.
const apart = .9

// longestMost is how many observations are looked at for each of them.
const longestMost = 32

// longer is the ratio of an observation's |v|^2 to the mean from which on it is longer than
// most: noise in dozens of variables stays below.
const longer = 2.25

// Longest fills the first columns of a with the directions of the observations of largest
// nu |v|^d that are not close to each other. The higher the order, the more of X are the
// terms of a few long observations, with peaks so narrow that no random start comes near.
// It returns how many columns it filled, and the sum of nu |v|^d of those that are longer
// than most, of the observations divided by Span: X a^d has no more from them in any
// direction a of unit norm. O(p).
func (s *Survey) Longest(a []float64) (filled int, held float64) {
	x, d := s.data, s.control.d
	top, _ := tops(x, s.sums.norms, d, longestMost*len(a)/x.N)
	mean := 0.
	for l, g := range s.sums.norms {
		mean += x.Weight(l) * g
	}
	for _, o := range top {
		if s.sums.norms[o.index] > longer*mean {
			held += math.Sqrt(o.term)
		}
	}
	return fillApart(a, x.N, func(yield func([]float64) bool) {
		var wide []float64
		for _, o := range top {
			if !yield(x.Values(o.index, o.index+1, &wide)) {
				return
			}
		}
	}), held
}

// Longest is like Survey.Longest for order d, among the observations that were kept.
func (e *Extremes) Longest(a []float64, d int) (filled int, held float64) {
	rows := e.sorted(d, e.scale)
	for _, r := range rows {
		if linalg.Dot(r.v, r.v)/e.scale/e.scale > longer*e.squares[1]/e.squares[0] {
			held += math.Sqrt(e.term(r, d, e.scale))
		}
	}
	return fillApart(a, e.n, func(yield func([]float64) bool) {
		for _, r := range rows {
			if !yield(r.v) {
				return
			}
		}
	}), held
}

// fillApart fills columns with the directions of the first observations that are apart.
func fillApart(a []float64, n int, observations iter.Seq[[]float64]) int {
	filled := 0
	for v := range observations {
		norm := linalg.Norm2(v)
		if filled == len(a)/n || norm == 0 {
			break
		}
		column := a[filled*n : (filled+1)*n]
		was := append([]float64(nil), column...)
		for i, x := range v {
			column[i] = x / norm
		}
		filled++
		for j := range filled - 1 {
			if math.Abs(linalg.Dot(column, a[j*n:(j+1)*n])) > apart {
				copy(column, was)
				filled--
				break
			}
		}
	}
	return filled
}
