package solve

import "math"

// box holds the bounds, one of each for every variable; -Inf and +Inf mean none.
type box struct {
	lower, upper []float64
	closed       bool // every variable has both bounds
}

// newBox copies the bounds; nil means none.
func newBox(n int, lower, upper []float64) *box {
	fill := func(v []float64, none float64) []float64 {
		w := make([]float64, n)
		for i := range w {
			w[i] = none
		}
		copy(w, v)
		return w
	}
	b := &box{fill(lower, math.Inf(-1)), fill(upper, math.Inf(1)), true}
	for i := range n {
		if math.IsInf(b.lower[i], -1) || math.IsInf(b.upper[i], 1) {
			b.closed = false
		}
	}
	return b
}

// project moves x to the nearest point within the bounds.
func (b *box) project(x []float64) {
	for i, v := range x {
		x[i] = min(max(v, b.lower[i]), b.upper[i])
	}
}

// projected is entry i of the projected gradient at x, that of the gradient
// being g.
func (b *box) projected(x []float64, i int, g float64) float64 {
	if g < 0 {
		return max(g, x[i]-b.upper[i])
	}
	return min(g, x[i]-b.lower[i])
}

// free says that v is strictly within the bounds of variable i.
func (b *box) free(i int, v float64) bool { return v > b.lower[i] && v < b.upper[i] }

// room is the largest step along d from x, within the bounds, that stays within
// them, and at most most.
func (b *box) room(x, d []float64, most float64) float64 {
	for i, v := range d {
		switch {
		case v < 0:
			most = min(most, (b.lower[i]-x[i])/v)
		case v > 0:
			most = min(most, (b.upper[i]-x[i])/v)
		}
	}
	return most
}
