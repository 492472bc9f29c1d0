package norm

import (
	"cmp"
	"math"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/moment"
)

// apart are the largest cosines between two observations that are starts of two components:
// in a first round, and in a second one where places are left. With some noise, observations
// of the same component are within the first only.
var apart = [...]float64{.7, .9}

// How many observations are looked at: for each of them, and of those that are longer than
// most, of which one component can have thousands.
const (
	longestEach = 32
	longestMost = 1 << 13
)

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
	var sum, weights float64
	for l, g := range s.sums.norms {
		w := x.Weight(l)
		sum, weights = sum+w*w*g, weights+w*w // as Extremes has them
	}
	least := longer * sum / weights
	for l, g := range s.sums.norms {
		if g > least {
			held += x.Weight(l) * linalg.Powi(math.Sqrt(g), d)
		}
	}
	top, _ := tops(x, s.sums.norms, d, longestMost, least)
	if each := longestEach * len(a) / x.N; len(top) < each {
		top, _ = tops(x, s.sums.norms, d, each, 0)
	}
	var wide []float64
	row := func(i int) []float64 { return x.Values(top[i].index, top[i].index+1, &wide) }
	return fillApart(a, x.N, len(top), row), held
}

// Longest is like Survey.Longest for order d: of the observations that were kept, and of a
// sample after them, as one component can have all that were kept. O(m n) for m in the sample.
func (e *Extremes) Longest(a []float64, d int, sample *moment.Sample) (filled int, held float64) {
	rows, all := e.sorted(d, e.scale), sample.Data()
	least := longer * e.squares[1] / e.squares[0]
	row := func(l int) []float64 { return all.V[l*e.n : (l+1)*e.n] }
	square := func(v []float64) float64 { return linalg.Dot(v, v) / e.scale / e.scale }
	for _, r := range rows {
		if square(r.v) > least {
			held += math.Sqrt(e.term(r, d, e.scale))
		}
	}
	var top []one
	drawn := 0.
	for l := range all.P {
		if g := square(row(l)); g > least {
			top = append(top, one{l, g})
			drawn += math.Pow(g, float64(d)/2) / float64(all.P)
		}
	}
	slices.SortStableFunc(top, func(a, b one) int { return cmp.Compare(b.term, a.term) })
	return fillApart(a, e.n, len(rows)+len(top), func(i int) []float64 {
		if i < len(rows) {
			return rows[i].v
		}
		return row(top[i-len(rows)].index)
	}), math.Max(held, drawn)
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
