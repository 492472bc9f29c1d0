package moment

import (
	"context"
	"fmt"
	"math"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Explicit is a moment tensor laid out for products with vectors. Its distinct entries
// x_I, with indices i_1 <= ... <= i_d, are stored once, multiplied by the number of
// their permutations and divided by d, so that y = X a^(d-1) is the gradient of the
// polynomial sum_I x_I a_(i_1) ... a_(i_d).
//
// For d >= 3 an entry has a middle index k = i_(d-1). Entries with the same k form a
// matrix: a row for each i_1 <= ... <= i_(d-2) <= k, ordered by the last of these,
// then by the one before it and so on; a column for each i_d >= k. So the rows of k
// are the first C(k+d-2, d-2) of one list that all k share, and the products of
// components that belong to rows are computed once. Eight consecutive k form a slab,
// see linalg.Slab.
//
// For d <= 2 all n^d entries are stored unchanged.
type Explicit struct {
	d, n  int
	unit  float64
	norm  float64 // ||X||^2
	x     []float64
	slabs []slab

	distinct bool // the other entries are 0
}

// slab locates the entries of some middle indices: panel after panel of 8 rows, each
// column by column.
type slab struct {
	at, first, end int // in x; middle indices first..end-1
	width          int // columns, starting with first; those beyond n are zero
}

// chunk is the number of middle indices of a slab, and of rows in a panel.
const chunk = 8

func roundUp(x int) int { return (x + chunk - 1) &^ (chunk - 1) }

// multisets returns C(n+k-1, k), the number of sorted tuples of k indices out of n.
func multisets(n, k int) int {
	if n == 0 && k > 0 {
		return 0
	}
	c := 1
	for i := range k {
		c = c * (n + i) / (i + 1)
	}
	return c
}

// layout returns the slabs of a tensor, d >= 3, and their total size.
func layout(d, n int) (slabs []slab, size int) {
	for first := 0; first < n; first += chunk {
		s := slab{at: size, first: first, end: min(first+chunk, n), width: roundUp(n - first)}
		for k := s.first; k < s.end; k++ {
			size += s.rows(d, k) * s.width
		}
		slabs = append(slabs, s)
	}
	return slabs, size
}

// rows returns the number of rows of middle index k, rounded up to whole panels.
func (s slab) rows(d, k int) int { return roundUp(multisets(k+1, d-2)) }

// row returns the position of the first column of row i of middle index k; the next
// columns are chunk apart.
func (s slab) row(d, k, i int) int {
	before := 0
	for l := s.first; l < k; l++ {
		before += s.rows(d, l)
	}
	return s.at + (before+i&^(chunk-1))*s.width + i%chunk
}

func (t *Explicit) Name() string  { return "explicit" }
func (t *Explicit) Order() int    { return t.d }
func (t *Explicit) N() int        { return t.n }
func (t *Explicit) Unit() float64 { return t.unit }

// OverDistinct reports whether only entries whose indices all differ count.
func (t *Explicit) OverDistinct() bool { return t.distinct }

// TooLargeError reports a tensor that would not fit in memory.
type TooLargeError struct {
	Order, N     int
	Bytes, Limit float64
}

// Unwrap returns diag.ErrTooLarge.
func (e *TooLargeError) Unwrap() error { return diag.ErrTooLarge }

// Help names the alternative.
func (e *TooLargeError) Help() []string { return []string{"Implicit", "MemoryLimit"} }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("explicit moment of order %d of %d variables needs %s (its distinct entries, C(n+d-1, d), and a copy of them while it is formed), more than the %s that may be used: choose the implicit form, which needs no tensor, or allow more",
		e.Order, e.N, words.Bytes(e.Bytes), words.Bytes(e.Limit))
}

// DenseBytes returns the size of a tensor with all its entries, 8 n^d.
func DenseBytes(d, n int) float64 { return 8 * math.Pow(float64(n), float64(d)) }

// ExplicitBytes returns the size of an Explicit: 8 C(n+d-1, d) and the padding of its
// slabs, a third of that if n is a hundred, 7% if it is 500.
func ExplicitBytes(d, n int) float64 {
	if d <= 2 {
		return DenseBytes(d, n)
	}
	size, rows := 0., 1.
	for k := range n {
		if k > 0 { // C(k+d-2, d-2)
			rows = math.Round(rows * float64(k+d-2) / float64(k))
		}
		size += math.Ceil(rows/chunk) * chunk * float64(roundUp(n-k&^(chunk-1)))
	}
	return 8 * size
}

// FormingBytes returns the memory needed to form an Explicit.
func FormingBytes(d, n int) float64 { return ExplicitBytes(d, n) + PackedBytes(d, n) }

// Explicit returns the tensor laid out for products with vectors. It returns ctx's
// error if cancelled.
func (t *Packed) Explicit(ctx context.Context, threads int) (*Explicit, error) {
	e := &Explicit{d: t.d, n: t.n, unit: t.unit, norm: t.NormSquared(), distinct: t.distinct}
	n := t.n
	switch t.d {
	case 1:
		e.x = t.x
		return e, nil
	case 2:
		e.x = make([]float64, n*n)
		at := 0
		for i := range n {
			for k := i; k < n; k++ {
				e.x[i*n+k], e.x[k*n+i] = t.x[at], t.x[at]
				at++
			}
		}
		return e, nil
	}
	var size int
	e.slabs, size = layout(t.d, n)
	e.x = make([]float64, size)
	linalg.LargePages(e.x)
	tuples := tails(t.d, n)
	team := &parallel.Pool{Threads: min(parallel.Threads(threads), n), Job: func(_, i int) {
		e.spread(t.x[tuples[t.d][0]-tuples[t.d][i]:], 1, i, i, 1, 1)
	}}
	if !team.Run(ctx, n) {
		return nil, ctx.Err()
	}
	return e, nil
}

// spread copies the entries at the beginning of x, whose first depth indices are
// given, to their places, times the number of permutations over d, and returns the
// entries after them. from is the last of these indices, which has occurred run times
// in a row; row is the position of all of them in the list of rows; times is the
// number of their permutations.
func (t *Explicit) spread(x []float64, depth, from, row, run int, times float64) []float64 {
	n := t.n
	for k := from; k < n; k++ {
		r := 1
		if k == from {
			r = run + 1
		}
		permutations := times * float64(depth+1) / float64(r)
		if depth < t.d-2 {
			x = t.spread(x, depth+1, k, row+multisets(k, depth+1), r, permutations)
			continue
		}
		s := t.slabs[k/chunk]
		to := t.x[s.row(t.d, k, row)+chunk*(k-s.first):]
		for l, v := range x[:n-k] {
			to[chunk*l] = v * permutations
		}
		to[0] /= float64(r + 1)
		x = x[n-k:]
	}
	return x
}

// NormSquared returns ||X||^2 for the observations divided by Unit.
func (t *Explicit) NormSquared() float64 { return t.norm }

// Entries returns the numbers that a product reads, in their order. It does not copy
// them.
func (t *Explicit) Entries() []float64 { return t.x }
