package moment

import (
	"context"
	"slices"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// Bounds of the number of observations that are processed at once: as many as stay in
// the second-level cache.
const (
	formElements = 1 << 15
	minFormRows  = 128
	maxFormRows  = 1024
	minGroupForm = 256 // in a group
	loadRows     = 64  // observations that one job fetches
	formTile     = 8   // products that are multiplied by a variable at once
	// groupedEntries bounds moments of which each group of observations has its own sums,
	// in the second-level cache of its core: threads then wait for each other once a block.
	groupedEntries = 1 << 15
	panel          = 8 // observations that the kernels multiply at once
)

// NewExplicit forms the moment of order d of the observations divided by unit: packed,
// then laid out for products. It takes FormingBytes of memory, and returns a
// *TooLargeError if that is above limit. It returns ctx's error if cancelled.
func NewExplicit(ctx context.Context, x block.Source, d int, unit, limit float64, threads int) (*Explicit, error) {
	t, _, err := NewExplicitWith(ctx, x, d, nil, false, unit, limit, threads)
	return t, err
}

// NewExplicitWith is like NewExplicit for the moment with the noise removed, if there is
// any, or for its entries of distinct indices alone, and with the second moment as it is, from
// the same pass.
func NewExplicitWith(ctx context.Context, x block.Source, d int, noise *Noise, distinct bool, unit, limit float64, threads int) (*Explicit, *Packed, error) {
	_, n := x.Shape()
	if b := FormingBytes(d, n); !(b <= limit) {
		return nil, nil, &TooLargeError{Order: d, N: n, Bytes: b, Limit: limit}
	}
	var t, second *Packed
	var err error
	switch {
	case noise != nil:
		var others []*Packed
		if t, others, err = NewDebiased(ctx, x, nil, d, noise, unit, threads, 2); err == nil {
			second = others[0]
		}
	case d == 2:
		t, err = NewPacked(ctx, x, nil, d, unit, threads)
		second = t
	default:
		var both []*Packed
		if both, err = NewMoments(ctx, x, nil, []int{d, 2}, unit, threads); err == nil {
			t, second = both[0], both[1]
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if distinct {
		t = t.Distinct(nil)
	}
	e, err := t.Explicit(ctx, threads)
	return e, second, err
}

// NewPacked forms the moment of order d of the observations divided by unit, in the
// coordinates of basis b unless that is nil, in one pass. It takes 2 p C(n+d-1, d)
// operations and C(n+d-1, d) numbers of memory, of up to 32768 16 times as many, whatever p
// is, where n is the dimension of the basis; projecting takes 2 p n k more. The projected
// observations are never stored. It returns ctx's error if cancelled.
func NewPacked(ctx context.Context, x block.Source, b *Basis, d int, unit float64, threads int) (*Packed, error) {
	t, err := NewMoments(ctx, x, b, []int{d}, unit, threads)
	if err != nil {
		return nil, err
	}
	return t[0], nil
}

// NewMoments is like NewPacked for several orders in the same pass.
func NewMoments(ctx context.Context, x block.Source, b *Basis, orders []int, unit float64, threads int) ([]*Packed, error) {
	return NewCentral(ctx, x, b, nil, orders, unit, threads)
}

// NewCentral is like NewMoments about center instead of 0; nil means 0.
func NewCentral(ctx context.Context, x block.Source, b *Basis, center []float64, orders []int, unit float64, threads int) ([]*Packed, error) {
	f := newBuilder(x, b, orders, unit)
	if x, far := x.(block.Far); far {
		var q []float64
		if b != nil {
			q = b.Q
		}
		sums, ok := x.Sum(ctx, block.Pass{Kind: Moments, Orders: orders, Unit: unit, Data: [][]float64{q, center}}, nil)
		if !ok {
			return nil, block.Stopped(ctx, x)
		}
		for _, t := range f.moments {
			sums = sums[copy(t.x, sums):]
			linalg.Scale(f.share, t.x)
		}
		return f.moments, nil
	}
	f.about(center)
	groups, builders := f.grouped(x, parallel.Threads(threads))
	var now block.Block
	pool := parallel.Pool{Threads: len(builders), Job: func(worker, g int) {
		lo, hi := block.GroupStart(g, len(groups), now.Rows), block.GroupStart(g+1, len(groups), now.Rows)
		own := builders[worker]
		own.moments = groups[g]
		own.add(ctx, now.Part(lo, hi, f.in))
	}}
	if !x.Pass(ctx, func(b block.Block) {
		now = b
		pool.Run(ctx, len(groups))
	}) {
		return nil, block.Stopped(ctx, x)
	}
	for _, g := range groups[1:] {
		for i, t := range f.moments {
			linalg.Axpy(1, g[i].x, t.x)
		}
	}
	return f.moments, nil
}

// builder is the state of NewMoments. Where the moments are small, groups of observations have
// sums of their own, and several builders share the groups. The leading indices are divided
// among the threads of a builder within a block, so each entry has one writer and one order
// of additions.
type builder struct {
	moments []*Packed
	q       linalg.Aligned // the basis, n x in, divided by unit; or none
	in, n   int            // variables of the observations, and of the moments
	shift   []float64      // to subtract from the coordinates, divided by unit, or nil
	reach   linalg.Reach
	unit    float64
	share   float64
	size    [][][]int // of tails, for each moment
	most    int       // observations in a block
	jobs    []formJob
	spare   []formScratch // of each thread

	now  block.Block
	vt   []float64 // the block, one variable per row of now.Rows
	nu   []float64 // its weights
	load *parallel.Pool
	lead *parallel.Pool
}

// formJob is a range of leading indices of moment of: first, then lo..hi-1 if d > 2;
// only lo..hi-1 if first is -1. at is where their entries begin.
type formJob struct{ of, first, lo, hi, at int }

// formScratch is the scratch space of one thread.
type formScratch struct {
	wide     []float64   // loadRows observations as float64
	products [][]float64 // of the leading indices, one per depth
	tile     []float64   // formTile x block
	sums     []float64   // formTile x n
}

func newBuilder(x block.Source, b *Basis, orders []int, unit float64) *builder {
	_, in := x.Shape()
	n := in
	if b != nil {
		n = b.K
	}
	f := &builder{in: in, n: n, reach: block.Reach(x, 8), unit: unit, share: x.Share()}
	if b != nil {
		f.q = linalg.Align(b.Q, n, in, 1/unit)
	}
	for i, d := range orders {
		f.size = append(f.size, tails(d, n))
		f.moments = append(f.moments, &Packed{d: d, n: n, unit: unit, x: make([]float64, f.size[i][d][0])})
		f.jobs = append(f.jobs, formJobs(i, d, n, f.size[i])...)
	}
	f.most = max(minFormRows, min(maxFormRows, formElements/n)&^7) | panel // not a power of 2, for which the cache has few sets
	f.most = min(f.most, x.BlockRows())
	return f
}

// scratch prepares for blocks on a number of threads.
func (f *builder) scratch(threads int) {
	f.vt, f.nu = make([]float64, f.n*f.most), make([]float64, f.most)
	f.spare = make([]formScratch, threads)
	for i := range f.spare {
		s := &f.spare[i]
		s.tile, s.sums = make([]float64, formTile*f.most), make([]float64, formTile*f.n)
		for _, t := range f.moments {
			for len(s.products) < t.d {
				s.products = append(s.products, make([]float64, f.most))
			}
		}
	}
	f.load = &parallel.Pool{Threads: threads, Job: f.fetch}
	f.lead = &parallel.Pool{Threads: threads, Job: f.leading}
}

// grouped returns the moments of each group of observations of a block of x, and builders for
// them on a number of threads.
func (f *builder) grouped(x block.Source, threads int) (groups [][]*Packed, builders []*builder) {
	size := 0
	for _, t := range f.moments {
		size += len(t.x)
	}
	count := 1
	if size <= groupedEntries {
		count = block.EvenGroups(min(block.Groups(x, size), x.BlockRows()/minGroupForm))
	}
	groups = append(groups, f.moments)
	for range count - 1 {
		var moments []*Packed
		for _, t := range f.moments {
			moments = append(moments, &Packed{d: t.d, n: t.n, unit: t.unit, x: make([]float64, len(t.x))})
		}
		groups = append(groups, moments)
	}
	for range min(threads, count) {
		b := *f
		b.scratch(min((threads+count-1)/count, max(len(f.jobs), (f.most+loadRows-1)/loadRows)))
		builders = append(builders, &b)
	}
	return groups, builders
}

// about makes the moments central about center.
func (f *builder) about(center []float64) {
	switch {
	case center == nil:
		return
	case f.q.Rows == nil:
		f.shift = slices.Clone(center)
		linalg.Scale(1/f.unit, f.shift)
	default:
		f.shift = make([]float64, f.n)
		linalg.MulABt(f.shift, center, f.q.Rows, 1, f.n, f.in)
	}
}

func formJobs(of, d, n int, size [][]int) []formJob {
	if d == 1 {
		return []formJob{{of: of, first: -1, hi: n}}
	}
	var jobs []formJob
	tiles := func(first, from, at, m int) { // m indices are left
		for lo := from; lo < n; lo += formTile {
			hi := min(lo+formTile, n)
			jobs = append(jobs, formJob{of, first, lo, hi, at})
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

// add adds a block.
func (f *builder) add(ctx context.Context, b block.Block) {
	for lo := 0; lo < b.Rows; lo += f.most {
		f.now = b.Part(lo, min(lo+f.most, b.Rows), f.in)
		if !f.load.Run(ctx, (f.now.Rows+loadRows-1)/loadRows) || !f.lead.Run(ctx, len(f.jobs)) {
			return
		}
	}
}

// fetch writes some of the block's observations to vt.
func (f *builder) fetch(worker, i int) {
	n, rows := f.n, f.now.Rows
	lo := i * loadRows
	b := f.now.Part(lo, min(lo+loadRows, rows), f.in)
	v := b.Values(0, b.Rows, f.in, &f.spare[worker].wide)
	for l := range b.Rows {
		f.nu[lo+l] = f.share
		if b.Nu != nil {
			f.nu[lo+l] *= b.Nu[l]
		}
	}
	if f.q.Rows != nil {
		next := lo + loadRows*f.load.Threads // that this thread will probably fetch
		linalg.MulABtColumns(f.vt[lo:], rows, f.q, v, b.Rows, linalg.Ahead{V: f.now.InPlace(next, next+loadRows, f.in), Reach: f.reach})
		for i, c := range f.shift {
			row := f.vt[i*rows+lo:][:b.Rows]
			for l := range row {
				row[l] -= c
			}
		}
		return
	}
	for l := range b.Rows {
		for j, x := range v[l*n : (l+1)*n] {
			f.vt[j*rows+lo+l] = x / f.unit
			if f.shift != nil {
				f.vt[j*rows+lo+l] -= f.shift[j]
			}
		}
	}
}

// variable returns the block's values of variable i.
func (f *builder) variable(i int) []float64 { return f.vt[i*f.now.Rows : (i+1)*f.now.Rows] }

// leading adds the block's part of the entries of one job.
func (f *builder) leading(worker, i int) {
	s, j, c := &f.spare[worker], f.jobs[i], f.nu[:f.now.Rows]
	t := f.moments[j.of]
	m := t.d
	if j.first >= 0 {
		c = multiply(s.products[m-1], c, f.variable(j.first))
		m--
	}
	f.entries(t, s, c, m, j)
}

// entries adds the part of the entries of t that have m more indices, the next of
// which are those of j, after some whose product is c.
func (f *builder) entries(t *Packed, s *formScratch, c []float64, m int, j formJob) {
	n, rows, at := t.n, f.now.Rows, j.at
	switch m {
	case 1:
		for k := j.lo; k < j.hi; k++ {
			t.x[at] += linalg.Dot(c, f.variable(k))
			at++
		}
	case 2:
		for lo := j.lo; lo < j.hi; lo += formTile {
			wide := min(formTile, j.hi-lo)
			for k := range wide {
				multiply(s.tile[k*rows:], c, f.variable(lo+k))
			}
			// The tile extends slightly below the diagonal.
			linalg.MulABt(s.sums, s.tile, f.vt[lo*rows:n*rows], wide, n-lo, rows)
			for k := range wide {
				row := s.sums[k*(n-lo)+k : (k+1)*(n-lo)]
				linalg.Axpy(1, row, t.x[at:at+len(row)])
				at += len(row)
			}
		}
	default:
		for i := j.lo; i < j.hi; i++ {
			next := multiply(s.products[m-1], c, f.variable(i))
			f.entries(t, s, next, m-1, formJob{j.of, i, i, n, at})
			at += f.size[j.of][m-1][i]
		}
	}
}

// multiply writes the elementwise product of x and y to z, and returns it.
func multiply(z, x, y []float64) []float64 {
	z = z[:len(x)]
	linalg.Multiply(z, x, y)
	return z
}
