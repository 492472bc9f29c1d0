package moment

import (
	"slices"

	"symmom/internal/math/distinct"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// distinctSparse is the part of a distinctWorker for sparse observations. With v = s (x - c)
// the powers of a value that is not stored are those of b = -s c, so that v^m = b^m + e^m with
// e^m of the stored values only.
type distinctSparse struct {
	like    *block.Sparse         // of the current pass, or nil before its first block
	base    [][]float64           // b^m, n each, m = 1..d; nil where all are 0
	columns [][]float64           // A^m, interleaved, m = 1..d-1
	offset  [][]float64           // A^m b^m, r each
	sums    []distinctSums        // of each group
	tiles   []*distinctSparseTile // of each thread
}

// distinctSums are those of a group: of e^m and of 1 times nu F_(d-m).
type distinctSums struct {
	products [][]float64 // interleaved, m = 1..d-1
	factors  [][]float64 // r each
	last     []float64   // n: of nu e^d
	weight   float64     // of nu
	old      bool        // they are of an earlier pass
}

// takes reports whether a block is sparse, and like the others of the pass.
func (s *distinctSparse) takes(b block.Block) bool {
	return b.Sparse != nil && s.like != nil && s.like.Alike(b.Sparse)
}

// begin prepares for a block. It reports whether it takes the block.
func (s *distinctSparse) begin(w *distinctWorker, b block.Block) bool {
	if s.like != nil {
		return s.like.Alike(b.Sparse)
	}
	n, r, d := w.n, w.r, w.d
	s.like = b.Sparse
	if s.sums == nil {
		for range max(1, min(w.groups, b.Sparse.Stored()/(sparseGroupValues*n))) {
			g := distinctSums{last: make([]float64, n)}
			for range d - 1 {
				g.products, g.factors = append(g.products, make([]float64, linalg.InterleavedLen(n, r))), append(g.factors, make([]float64, r))
			}
			s.sums = append(s.sums, g)
		}
		for range d - 1 {
			s.columns = append(s.columns, make([]float64, linalg.InterleavedLen(n, r)))
		}
		s.tiles = make([]*distinctSparseTile, len(w.tiles))
	}
	for g := range s.sums {
		s.sums[g].old = true
	}
	for m, p := range w.powers {
		linalg.Interleave(s.columns[m], p, n, r, nil)
	}
	s.base, s.offset = nil, nil
	if b.Sparse.Shift == nil {
		return true
	}
	base := make([]float64, n)
	for i, c := range b.Sparse.Shift {
		base[i] = -c
		if b.Sparse.Scale != nil {
			base[i] *= b.Sparse.Scale[i]
		}
	}
	for m := 1; m <= d; m++ {
		power := slices.Clone(base)
		linalg.PowInto(power, m)
		s.base = append(s.base, power)
		if m < d {
			offset := make([]float64, r)
			linalg.MulABt(offset, power, w.powers[m-1], 1, r, n)
			s.offset = append(s.offset, offset)
		}
	}
	return true
}

// distinctSparseTile is the scratch space of a thread.
type distinctSparseTile struct {
	values [][]float64 // e^m, m = 1..d
	wide   []float64
	sums   [][]float64 // rows x r
	now    [][]float64
}

// add adds a part of a block to a group.
func (s *distinctSparse) add(w *distinctWorker, b block.Block, group, worker int) {
	g := &s.sums[group]
	if g.old {
		for m := range g.products {
			clear(g.products[m])
			clear(g.factors[m])
		}
		clear(g.last)
		g.weight, g.old = 0, false
	}
	t := s.tiles[worker]
	if t == nil {
		t = &distinctSparseTile{values: make([][]float64, w.d), now: make([][]float64, w.d-1), wide: make([]float64, linalg.SparseScratch(mostTileRows, w.n, w.r))}
		for range w.d - 1 {
			t.sums = append(t.sums, make([]float64, mostTileRows*w.r))
		}
		s.tiles[worker] = t
	}
	for lo := 0; lo < b.Rows && w.ctx.Err() == nil; lo += mostTileRows {
		t.add(s, w, g, b.Part(lo, min(lo+mostTileRows, b.Rows), w.n))
	}
}

func (t *distinctSparseTile) add(s *distinctSparse, w *distinctWorker, g *distinctSums, b block.Block) {
	x := b.Sparse
	from := x.Start[0]
	rows := linalg.SparseRows[float64]{Start: make([]int, b.Rows+1), Index: x.Index[from:]}
	for l, at := range x.Start {
		rows.Start[l] = at - from
	}
	for m := range w.d {
		t.values[m] = slices.Grow(t.values[m][:0], x.Stored())[:x.Stored()]
	}
	for k := range x.Stored() {
		i := x.Index[from+k]
		v := x.Value(from + k)
		power := 1.
		for m := range w.d {
			power *= v
			t.values[m][k] = power
			if s.base != nil {
				t.values[m][k] -= s.base[m][i]
			}
		}
	}
	for m := range t.now {
		t.now[m] = t.sums[m][:b.Rows*w.r]
		rows.V = t.values[m]
		linalg.SparseProducts(t.now[m], rows, w.n, s.columns[m], w.r, t.wide)
		if s.offset != nil {
			for l := range b.Rows {
				linalg.Axpy(1, s.offset[m], t.now[m][l*w.r:(l+1)*w.r])
			}
		}
	}
	distinct.FromPowerSums(t.now)
	for l := range b.Rows {
		nu := b.Weight(l)
		g.weight += nu
		for _, f := range t.now {
			linalg.Scale(nu, f[l*w.r:(l+1)*w.r])
		}
		for k := rows.Start[l]; k < rows.Start[l+1]; k++ {
			g.last[rows.Index[k]] += nu * t.values[w.d-1][k]
		}
	}
	for m := range g.products {
		f := t.now[w.d-m-2] // F_(d-(m+1))
		rows.V = t.values[m]
		linalg.AddSparseProducts(g.products[m], rows, w.n, f, w.r, t.wide)
		if s.base != nil {
			for l := range b.Rows {
				linalg.Axpy(1, f[l*w.r:(l+1)*w.r], g.factors[m])
			}
		}
	}
}

// finish adds the sums of the pass to y.
func (s *distinctSparse) finish(w *distinctWorker) {
	if s.like == nil {
		return
	}
	products, last := make([][]float64, w.d-1), make([]float64, w.n)
	for m := range products {
		products[m] = make([]float64, w.r*w.n)
	}
	share := w.data.Share()
	for _, g := range s.sums {
		if g.old {
			continue
		}
		linalg.Axpy(share, g.last, last)
		if s.base != nil {
			linalg.Axpy(share*g.weight, s.base[w.d-1], last)
		}
		for m, p := range products {
			linalg.Scale(share, g.products[m])
			linalg.AddInterleaved(p, g.products[m], w.n, w.r)
			if s.base != nil {
				for j, f := range g.factors[m] {
					linalg.Axpy(share*f, s.base[m], p[j*w.n:(j+1)*w.n])
				}
			}
		}
	}
	for g := range s.sums {
		s.sums[g].old = true
	}
	s.like = nil
	addDistinct(w.y, products, last, w.powers)
}
