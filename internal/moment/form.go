package moment

import (
	"context"

	"symmom/internal/linalg"
)

// Bounds of the number of observations that are combined at once: as many as
// stay in the second-level cache.
const (
	formElements = 1 << 15
	minFormRows  = 128
	maxFormRows  = 1024
	loadRows     = 64 // of them that one job fetches
	formTile     = 8  // products that are multiplied with a variable at once
)

// NewExplicit forms the moment of order d of the observations divided by
// unit: packed, then with each entry copied to its permutations. Memory: 8 n^d
// bytes, refused with a *TooLargeError above limit, and those of the packed
// form. It returns ctx's error when cancelled.
func NewExplicit(ctx context.Context, x Source, d int, unit, limit float64, threads int) (*Explicit, error) {
	_, n := x.Shape()
	if b := DenseBytes(d, n); !(b <= limit) {
		return nil, &TooLargeError{Order: d, N: n, Bytes: b, Limit: limit}
	}
	t, err := NewPacked(ctx, x, nil, d, unit, threads)
	if err != nil {
		return nil, err
	}
	return t.Dense(ctx, threads)
}

// NewPacked forms the moment of order d of the observations divided by unit,
// in the coordinates of basis b unless that is nil, in one pass: 2 p
// C(n+d-1, d) operations and as many numbers of memory as C(n+d-1, d) whatever
// p is, for n the dimension of the basis; 2 p n k more to get there. The
// projected observations are never held. It returns ctx's error when cancelled.
func NewPacked(ctx context.Context, x Source, b *Basis, d int, unit float64, threads int) (*Packed, error) {
	f := newFormer(x, b, d, unit, threads)
	if !x.Pass(ctx, func(b Block) {
		for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += f.most {
			f.block(ctx, b.part(lo, min(lo+f.most, b.Rows), f.in))
		}
	}) {
		return nil, stopped(ctx, x)
	}
	return f.t, nil
}

// former is the state of NewPacked. Blocks of observations go one after the
// other; within a block the leading indices are shared out, so each entry has
// one writer and one order of additions.
type former struct {
	t     *Packed
	basis *Basis
	in    int // variables of the observations
	share float64
	size  [][]int // of tails
	most  int     // observations in a block
	jobs  []formJob
	spare []formScratch // of each thread

	now  Block
	vt   []float64 // the block, one variable a row of now.Rows
	nu   []float64 // its weights
	load team
	add  team
}

// formJob is some leading indices: first, then lo..hi-1 when d > 2; lo..hi-1
// alone when it is -1. at is where their entries begin.
type formJob struct{ first, lo, hi, at int }

// formScratch holds what one thread works on.
type formScratch struct {
	z, wide  []float64   // loadRows x n, in the coordinates of the basis; as they come
	products [][]float64 // of the leading indices, one a depth
	tile     []float64   // formTile x block
	sums     []float64   // formTile x n
}

func newFormer(x Source, b *Basis, d int, unit float64, threads int) *former {
	_, in := x.Shape()
	n := in
	if b != nil {
		n = b.K
	}
	f := &former{basis: b, in: in, share: x.Share(), size: tails(d, n)}
	f.t = &Packed{d: d, n: n, unit: unit, x: make([]float64, f.size[d][0])}
	f.most = max(minFormRows, min(maxFormRows, formElements/n)&^7)
	f.most = min(f.most, x.BlockRows())
	f.vt, f.nu = make([]float64, n*f.most), make([]float64, f.most)
	f.jobs = formJobs(d, n, f.size)
	f.spare = make([]formScratch, Threads(threads))
	for i := range f.spare {
		s := &f.spare[i]
		s.z, s.tile, s.sums = make([]float64, loadRows*n), make([]float64, formTile*f.most), make([]float64, formTile*n)
		s.products = make([][]float64, d)
		for k := range s.products {
			s.products[k] = make([]float64, f.most)
		}
	}
	f.load = team{threads: len(f.spare), job: f.fetch}
	f.add = team{threads: len(f.spare), job: f.leading}
	return f
}

func formJobs(d, n int, size [][]int) []formJob {
	if d == 1 {
		return []formJob{{first: -1, hi: n}}
	}
	var jobs []formJob
	tiles := func(first, from, at, m int) { // m indices are left
		for lo := from; lo < n; lo += formTile {
			hi := min(lo+formTile, n)
			jobs = append(jobs, formJob{first, lo, hi, at})
			at += size[m][lo] - size[m][hi]
		}
	}
	if d == 2 {
		tiles(-1, 0, 0, 2)
		return jobs
	}
	for i := range n {
		tiles(i, i, size[d][0]-size[d][i], d-1)
	}
	return jobs
}

// block adds one block.
func (f *former) block(ctx context.Context, b Block) {
	f.now = b
	if f.load.run(ctx, (b.Rows+loadRows-1)/loadRows) {
		f.add.run(ctx, len(f.jobs))
	}
}

// fetch writes some of the block's observations to vt.
func (f *former) fetch(worker, i int) {
	n, rows := f.t.n, f.now.Rows
	lo := i * loadRows
	b := f.now.part(lo, min(lo+loadRows, rows), f.in)
	v := b.Values(0, b.Rows, f.in, &f.spare[worker].wide)
	if f.basis != nil {
		z := f.spare[worker].z
		linalg.MulABt(z, v, f.basis.Q, b.Rows, n, f.in)
		v = z
	}
	for l := range b.Rows {
		f.nu[lo+l] = f.share
		if b.Nu != nil {
			f.nu[lo+l] *= b.Nu[l]
		}
		for j, x := range v[l*n : (l+1)*n] {
			f.vt[j*rows+lo+l] = x / f.t.unit
		}
	}
}

// variable returns the block's values of variable i.
func (f *former) variable(i int) []float64 { return f.vt[i*f.now.Rows : (i+1)*f.now.Rows] }

// leading adds the block's part of the entries of one job.
func (f *former) leading(worker, i int) {
	s, j, c, m := &f.spare[worker], f.jobs[i], f.nu[:f.now.Rows], f.t.d
	if j.first >= 0 {
		c = multiply(s.products[m-1], c, f.variable(j.first))
		m--
	}
	f.entries(s, c, m, j.lo, j.hi, j.at)
}

// entries adds the part of the entries that have m more indices, the next of
// them in lo..hi-1, after some whose product is c; they begin at at.
func (f *former) entries(s *formScratch, c []float64, m, lo, hi, at int) {
	n, rows := f.t.n, f.now.Rows
	switch m {
	case 1:
		for k := lo; k < hi; k++ {
			f.t.x[at] += linalg.Dot(c, f.variable(k))
			at++
		}
	case 2:
		for ; lo < hi; lo += formTile {
			wide := min(formTile, hi-lo)
			for t := range wide {
				multiply(s.tile[t*rows:], c, f.variable(lo+t))
			}
			// The tile sticks out below the diagonal a little.
			linalg.MulABt(s.sums, s.tile, f.vt[lo*rows:n*rows], wide, n-lo, rows)
			for t := range wide {
				row := s.sums[t*(n-lo)+t : (t+1)*(n-lo)]
				linalg.Axpy(1, row, f.t.x[at:at+len(row)])
				at += len(row)
			}
		}
	default:
		for i := lo; i < hi; i++ {
			next := multiply(s.products[m-1], c, f.variable(i))
			f.entries(s, next, m-1, i, n, at)
			at += f.size[m-1][i]
		}
	}
}

// multiply writes the elementwise product of x and y to z, and returns it.
func multiply(z, x, y []float64) []float64 {
	z, y = z[:len(x)], y[:len(x)]
	for l, v := range x {
		z[l] = v * y[l]
	}
	return z
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
