package moment

import (
	"context"
	"math"
	"slices"
	"sync"

	"symmom/internal/math/linalg"
)

// Packed is a moment tensor that stores each of its distinct entries once: those of
// indices i_1 <= ... <= i_d, in lexicographic order, C(n+d-1, d) of them. It is never
// changed. Products are computed with a copy, an Explicit, which is made for the first
// of them.
type Packed struct {
	d, n int
	unit float64
	x    []float64 // of the observations divided by unit

	distinct bool // the other entries are 0

	once  sync.Once
	quick *Explicit
}

func (t *Packed) Name() string  { return "packed" }
func (t *Packed) Order() int    { return t.d }
func (t *Packed) N() int        { return t.n }
func (t *Packed) Unit() float64 { return t.unit }

// OverDistinct reports whether only entries whose indices all differ count.
func (t *Packed) OverDistinct() bool { return t.distinct }

// Distinct returns a copy in which only the entries count whose indices all differ: the others
// are 0. It is of the observations times scale, variable by variable, unless that is nil.
func (t *Packed) Distinct(scale []float64) *Packed {
	c := &Packed{d: t.d, n: t.n, unit: t.unit, x: make([]float64, len(t.x)), distinct: true}
	at := 0
	var down func(depth, from int, differ bool, factor float64)
	down = func(depth, from int, differ bool, factor float64) {
		for i := from; i < t.n; i++ {
			differ, factor := differ && (depth == 0 || i > from), factor
			if scale != nil {
				factor *= scale[i]
			}
			if depth < t.d-1 {
				down(depth+1, i, differ, factor)
				continue
			}
			if differ {
				c.x[at] = factor * t.x[at]
			}
			at++
		}
	}
	down(0, 0, true, 1)
	return c
}

// PackedBytes returns the size of the packed tensor, 8 C(n+d-1, d).
func PackedBytes(d, n int) float64 {
	c := 8.0
	for i := range d {
		c *= float64(n+i) / float64(i+1)
	}
	return math.Round(c)
}

// tails returns a table of the number of sorted tuples of m indices from i..n-1, at
// [m][i] for m = 0..d and i = 0..n.
func tails(d, n int) [][]int {
	t := make([][]int, d+1)
	for m := range t {
		t[m] = make([]int, n+1)
		for i := n - 1; i >= 0; i-- {
			if m == 0 {
				t[m][i] = 1
			} else {
				t[m][i] = t[m][i+1] + t[m-1][i]
			}
		}
	}
	return t
}

// NormSquared returns ||X||^2 of the observations divided by Unit.
func (t *Packed) NormSquared() float64 {
	at, sum := 0, 0.
	// times is the number of permutations of the indices so far, the last of which has
	// occurred run times in a row.
	var down func(depth, from, run int, times float64)
	down = func(depth, from, run int, times float64) {
		for i := from; i < t.n; i++ {
			r := 1
			if i == from && depth > 0 {
				r = run + 1
			}
			all := times * float64(depth+1) / float64(r)
			if depth < t.d-1 {
				down(depth+1, i, r, all)
				continue
			}
			sum += all * t.x[at] * t.x[at]
			at++
		}
	}
	down(0, 0, 0, 1)
	return sum
}

// Trace returns the sum of the diagonal entries in the units of the data.
func (t *Packed) Trace() float64 {
	size, at, sum := tails(t.d, t.n), 0, 0.
	for i := range t.n {
		sum += t.x[at]
		at += size[t.d-1][i]
	}
	return sum * math.Pow(t.unit, float64(t.d))
}

// Mix returns the moment of the observations of t and u together, with shares a and b
// of the weight. Both must have the same order, dimension and unit.
func (t *Packed) Mix(a float64, u *Packed, b float64) *Packed {
	m := &Packed{d: t.d, n: t.n, unit: t.unit, x: make([]float64, len(t.x))}
	for i, v := range t.x {
		m.x[i] = a*v + b*u.x[i]
	}
	return m
}

// Worker returns a worker for r columns, that of an Explicit.
func (t *Packed) Worker(r, threads int) Worker {
	t.once.Do(func() { t.quick, _ = t.Explicit(context.Background(), threads) })
	return t.quick.Worker(r, threads)
}

// Full returns all n^d entries, of the observations divided by Unit.
func (t *Packed) Full() []float64 {
	n, size := t.n, tails(t.d, t.n)
	full := make([]float64, int(linalg.Powi(float64(n), t.d)))
	index := make([]int, t.d)
	for at := range full {
		for k, rest := t.d-1, at; k >= 0; k, rest = k-1, rest/n {
			index[k] = rest % n
		}
		slices.Sort(index)
		from, place := 0, 0
		for k, i := range index {
			place += size[t.d-k][from] - size[t.d-k][i]
			from = i
		}
		full[at] = t.x[place]
	}
	return full
}
