package moment

import (
	"math"

	"symmom/internal/linalg"
)

// apart are the largest cosines between two observations that are starts of two components:
// in a first round, and in a second one where places are left. With some noise, observations
// of the same component are within the first only.
var apart = [...]float64{.7, .9}

// longestMost is how many observations are looked at for each of them.
const longestMost = 128

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
	var sum, weights float64
	for l, g := range s.sums.norms {
		w := x.Weight(l)
		sum, weights = sum+w*w*g, weights+w*w // as Extremes has them
	}
	for _, o := range top {
		if s.sums.norms[o.index]*weights > longer*sum {
			held += math.Sqrt(o.term)
		}
	}
	var wide []float64
	row := func(i int) []float64 { return x.Values(top[i].index, top[i].index+1, &wide) }
	return fillApart(a, x.N, len(top), row), held
}

// Longest is like Survey.Longest for order d, among the observations that were kept.
func (e *Extremes) Longest(a []float64, d int) (filled int, held float64) {
	rows := e.sorted(d, e.scale)
	for _, r := range rows {
		if linalg.Dot(r.v, r.v)/e.scale/e.scale > longer*e.squares[1]/e.squares[0] {
			held += math.Sqrt(e.term(r, d, e.scale))
		}
	}
	return fillApart(a, e.n, len(rows), func(i int) []float64 { return rows[i].v }), held
}

// fillApart fills columns with the directions of the first observations that are apart.
func fillApart(a []float64, n, count int, row func(i int) []float64) (filled int) {
	for _, most := range apart {
		for i := 0; i < count && filled < len(a)/n; i++ {
			v := row(i)
			norm := linalg.Norm2(v)
			if norm == 0 {
				break
			}
			if !along(v, a[:filled*n], most*norm) {
				column := a[filled*n : (filled+1)*n]
				for i, x := range v {
					column[i] = x / norm
				}
				filled++
			}
		}
	}
	return filled
}

// along reports whether the product of v and any row of a is larger than most.
func along(v, a []float64, most float64) bool {
	for ; len(a) > 0; a = a[len(v):] {
		if math.Abs(linalg.Dot(v, a[:len(v)])) > most {
			return true
		}
	}
	return false
}
