package moment

import (
	"context"

	"symmom/internal/linalg"
)

// formBlock is the number of observations that are combined at once.
const formBlock = 256

// NewExplicit forms the moment of order d of the observations divided by
// unit. It computes the entries of sorted indices, about n^d / d! of them, in
// p n^d / d! operations, and copies each to its permutations. Memory: 8 n^d
// bytes, refused with a *TooLargeError above limit. It returns ctx's error
// when cancelled.
func NewExplicit(ctx context.Context, x *Data, d int, unit, limit float64, threads int) (*Explicit, error) {
	if b := DenseBytes(d, x.N); !(b <= limit) {
		return nil, &TooLargeError{Order: d, N: x.N, Bytes: b, Limit: limit}
	}
	size := 1
	for range d {
		size *= x.N
	}
	f := &former{t: &Explicit{d: d, n: x.N, unit: unit, x: make([]float64, size)}}
	f.vt = make([]float64, x.N*formBlock)
	f.nu = make([]float64, formBlock)
	f.scratch = make([][]float64, min(Threads(threads), x.N))
	for i := range f.scratch {
		f.scratch[i] = make([]float64, d*formBlock)
	}
	// Blocks of observations go one after the other; within a block the
	// leading index is shared out, so each entry has one writer and one order
	// of additions.
	team := &team{threads: len(f.scratch), job: f.leading}
	for lo := 0; lo < x.P; lo += formBlock {
		f.load(x, lo, min(formBlock, x.P-lo))
		if !team.run(ctx, x.N) {
			return nil, ctx.Err()
		}
	}
	team.job = mirror{f.t}.slice
	if !team.run(ctx, x.N) {
		return nil, ctx.Err()
	}
	return f.t, nil
}

// former is the state of NewExplicit.
type former struct {
	t       *Explicit
	rows    int         // observations in the block
	vt      []float64   // the block, one variable a row
	nu      []float64   // its weights
	scratch [][]float64 // d rows for each thread
}

func (f *former) load(x *Data, lo, rows int) {
	f.rows = rows
	share, nu := x.share(), x.weights(lo, lo+rows)
	for l := range rows {
		f.nu[l] = share
		if nu != nil {
			f.nu[l] = nu[l] * share
		}
		for i, v := range x.rows(lo+l, lo+l+1) {
			f.vt[i*formBlock+l] = v / f.t.unit
		}
	}
}

// variable returns the block's values of variable i.
func (f *former) variable(i int) []float64 { return f.vt[i*formBlock : i*formBlock+f.rows] }

// leading adds the block's part of all entries i <= i_2 <= ... <= i_d.
func (f *former) leading(worker, i int) {
	f.add(f.scratch[worker], f.nu[:f.rows], i, i, 1)
}

// add multiplies variable i, the index at depth, into the product c of the
// indices before it, and goes on to the indices after it. at is the position
// of the indices so far.
func (f *former) add(scratch, c []float64, i, at, depth int) {
	t, v := f.t, f.variable(i)
	if depth == t.d {
		t.x[at] += linalg.Dot(c, v)
		return
	}
	next := scratch[:f.rows]
	for l := range next {
		next[l] = c[l] * v[l]
	}
	for k := i; k < t.n; k++ {
		f.add(scratch[formBlock:], next, k, at*t.n+k, depth+1)
	}
}

// mirror copies the entries of sorted indices to all their permutations.
type mirror struct{ t *Explicit }

// slice fills X(i, :, ..., :).
func (m mirror) slice(_, i int) {
	index := make([]int, m.t.d)
	sorted := make([]int, m.t.d)
	inner := len(m.t.x) / m.t.n
	index[0] = i
	for at := i * inner; at < (i+1)*inner; at++ {
		copy(sorted, index)
		from := 0
		for a := 1; a < len(sorted); a++ {
			for b := a; b > 0 && sorted[b-1] > sorted[b]; b-- {
				sorted[b-1], sorted[b] = sorted[b], sorted[b-1]
			}
		}
		for _, s := range sorted {
			from = from*m.t.n + s
		}
		if from != at {
			m.t.x[at] = m.t.x[from]
		}
		for k := m.t.d - 1; k > 0; k-- {
			if index[k]++; index[k] < m.t.n {
				break
			}
			index[k] = 0
		}
	}
}
