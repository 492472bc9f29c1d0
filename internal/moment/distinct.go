package moment

import (
	"context"

	"symmom/internal/math/distinct"
	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// distinctWorker computes products with the entries of the moment whose indices all differ
// (package distinct),
//
//	y_j = sum_(m=1..d) c_dm a_j^(m-1) * sum_l nu_l v_l^m F_(d-m)(v_l*a_j),
//
// where the power sums of v_l*a_j are the products of v_l^m and a_j^m. The powers of some
// observations at a time are taken in cache, and none is stored. 4 (d-1) p n r operations.
type distinctWorker struct {
	data    block.Source
	d, n, r int
	groups  int
	partial []float64       // groups x r x n, nil before the first block
	tiles   []*distinctTile // of each thread
	pool    parallel.Pool
	sparse  distinctSparse

	// Of the current call.
	ctx    context.Context
	y      []float64
	powers [][]float64 // A^m, r x n, m = 1..d-1
	dense  bool        // a block was
	now    block.Block
}

func newDistinctWorker(x block.Source, d, r, threads int) *distinctWorker {
	_, n := x.Shape()
	w := &distinctWorker{data: x, d: d, n: n, r: r, groups: block.Groups(x, n*r)}
	for range max(0, d-1) {
		w.powers = append(w.powers, make([]float64, r*n))
	}
	w.tiles = make([]*distinctTile, min(parallel.Threads(threads), w.groups))
	w.pool = parallel.Pool{Threads: len(w.tiles), Job: w.group}
	return w
}

func (w *distinctWorker) TTSV(ctx context.Context, y, a []float64) bool {
	w.begin(ctx, y, a)
	ok := w.data.Pass(ctx, w.block)
	if ok {
		w.finish()
	}
	w.ctx, w.y, w.now = nil, nil, block.Block{}
	return ok
}

func (w *distinctWorker) begin(ctx context.Context, y, a []float64) {
	w.ctx, w.y, w.dense = ctx, y[:w.r*w.n], false
	for m, p := range w.powers {
		if m == 0 {
			copy(p, a)
			continue
		}
		linalg.Multiply(p, w.powers[m-1], w.powers[0])
	}
	w.sparse.like = nil
}

func (w *distinctWorker) block(b block.Block) {
	w.now = b
	if b.Sparse != nil && w.sparse.begin(w, b) {
		w.pool.Run(w.ctx, len(w.sparse.sums))
		return
	}
	if !w.dense {
		w.dense = true
		if w.partial == nil {
			w.partial = make([]float64, w.groups*w.r*w.n)
		}
		clear(w.partial)
	}
	w.pool.Run(w.ctx, w.groups)
}

func (w *distinctWorker) finish() {
	clear(w.y)
	if w.dense {
		sumGroups(w.y, w.partial, w.groups, w.data.Share())
	}
	w.sparse.finish(w)
}

// group adds one group of the block to its sums.
func (w *distinctWorker) group(worker, g int) {
	if w.sparse.takes(w.now) {
		lo, hi := block.GroupStart(g, len(w.sparse.sums), w.now.Rows), block.GroupStart(g+1, len(w.sparse.sums), w.now.Rows)
		w.sparse.add(w, w.now.Part(lo, hi, w.n), g, worker)
		return
	}
	t := w.tiles[worker]
	if t == nil {
		t = newDistinctTile(w.d, w.n, w.r)
		w.tiles[worker] = t
	}
	lo, hi := block.GroupStart(g, w.groups, w.now.Rows), block.GroupStart(g+1, w.groups, w.now.Rows)
	t.clear()
	for ; lo < hi && w.ctx.Err() == nil; lo += t.rows {
		t.add(w.now, lo, min(lo+t.rows, hi), w.powers)
	}
	t.addTo(w.partial[g*w.r*w.n:(g+1)*w.r*w.n], w.powers)
}

// distinctNumbers bounds the powers of a tile of observations: they stay in a second-level
// cache. From mostTileRows on more rows are no faster.
const (
	distinctNumbers = 1 << 15
	mostTileRows    = 128
)

// distinctTile is the scratch space of a thread, and the sums of a group:
// sum_l nu_l v_l^m F_(d-m)(v_l*a_j), r x n for m = 1..d-1, and n numbers for m = d.
type distinctTile struct {
	d, n, r, rows int
	powers        [][]float64 // V^m, rows x n, m = 1..d
	sums          [][]float64 // F_m, rows x r, m = 1..d-1
	products      [][]float64 // r x n, m = 1..d-1
	last          []float64   // n
	nu, wide      []float64
	now           [][]float64 // sums, of as many rows as there are
}

func newDistinctTile(d, n, r int) *distinctTile {
	t := &distinctTile{d: d, n: n, r: r, rows: max(8, min(mostTileRows, distinctNumbers/(d*n)&^7)), last: make([]float64, n)}
	t.nu, t.now = make([]float64, t.rows), make([][]float64, max(0, d-1))
	for m := range d {
		t.powers = append(t.powers, make([]float64, t.rows*n))
		if m < d-1 {
			t.sums, t.products = append(t.sums, make([]float64, t.rows*r)), append(t.products, make([]float64, r*n))
		}
	}
	return t
}

func (t *distinctTile) clear() {
	clear(t.last)
	for _, p := range t.products {
		clear(p)
	}
}

// add adds rows lo..hi-1 of a block, for the powers of A.
func (t *distinctTile) add(b block.Block, lo, hi int, powers [][]float64) {
	rows := hi - lo
	v := b.Values(lo, hi, t.n, &t.wide)
	for m := 2; m <= t.d; m++ {
		linalg.Multiply(t.powers[m-1][:rows*t.n], t.power(m-1, v), v)
	}
	for m := range t.now {
		t.now[m] = t.sums[m][:rows*t.r]
		linalg.MulABt(t.now[m], t.power(m+1, v), powers[m], rows, t.r, t.n)
	}
	distinct.FromPowerSums(t.now)
	nu := t.nu[:rows]
	for l := range nu {
		nu[l] = b.Weight(lo + l)
		if b.Nu != nil {
			for _, f := range t.now {
				linalg.Scale(nu[l], f[l*t.r:(l+1)*t.r])
			}
		}
	}
	linalg.AddAtB(t.last, nu, t.power(t.d, v), 1, t.n, rows)
	for m := range t.products {
		linalg.AddAtB(t.products[m], t.factors(m+1), t.power(m+1, v), t.r, t.n, rows)
	}
}

// power returns the m-th matrix of the rows v, V^m: what power sums and products are made with.
// (Of counts, distinct places of a document instead of distinct variables have the same
// formulas, with v itself for every m.)
func (t *distinctTile) power(m int, v []float64) []float64 {
	if m == 1 {
		return v
	}
	return t.powers[m-1][:len(v)]
}

// factors returns nu F_(d-m), m < d.
func (t *distinctTile) factors(m int) []float64 { return t.now[t.d-m-1] }

// addTo adds the part of Y that the sums are to y.
func (t *distinctTile) addTo(y []float64, powers [][]float64) {
	addDistinct(y, t.products, t.last, powers)
}

// addDistinct adds sum_m c_dm A^(m-1) * products_m to y (r x n); those of m = d are last for
// each column. It changes products.
func addDistinct(y []float64, products [][]float64, last []float64, powers [][]float64) {
	d, n := len(products)+1, len(last)
	for m, p := range products {
		if m > 0 {
			linalg.Multiply(p, p, powers[m-1])
		}
		linalg.Axpy(distinct.Newton(d, m+1), p, y)
	}
	for at := 0; at < len(y); at += n {
		column := y[at : at+n]
		if d == 1 {
			linalg.Axpy(1, last, column)
			continue
		}
		c := distinct.Newton(d, d)
		for i, v := range powers[d-2][at : at+n] {
			column[i] += c * v * last[i]
		}
	}
}
