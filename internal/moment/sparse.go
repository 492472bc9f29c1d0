package moment

import (
	"context"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// sparseColumns holds columns that sparse observations are multiplied by, in the
// layout of the kernels. With v = s (x - m), v'a = x'(s a) - m'(s a).
type sparseColumns struct {
	n, r   int
	at     []float64 // s A, interleaved
	offset []float64 // -m's A, or nil
}

func newSparseColumns(n, r int) *sparseColumns {
	return &sparseColumns{n: n, r: r, at: make([]float64, linalg.InterleavedLen(n, r))}
}

// set takes the columns a (r x n) for observations like x.
func (c *sparseColumns) set(a []float64, x *block.Sparse) {
	linalg.Interleave(c.at, a, c.n, c.r, x.Scale)
	if x.Shift == nil {
		c.offset = nil
		return
	}
	if c.offset == nil {
		c.offset = make([]float64, linalg.InterleavedLen(1, c.r))
	}
	for j := range c.r {
		sum := 0.
		for i, v := range a[j*c.n : (j+1)*c.n] {
			if x.Scale != nil {
				v *= x.Scale[i]
			}
			sum -= v * x.Shift[i]
		}
		c.offset[j] = sum
	}
}

// multiply writes the products of sparse observations and the columns to z (rows x r).
func (c *sparseColumns) multiply(z []float64, x *block.Sparse, wide []float64) {
	rows := len(x.Start) - 1
	if x.V32 != nil {
		linalg.SparseProducts(z, x.Rows32(), c.n, c.at, c.r, wide)
	} else {
		linalg.SparseProducts(z, x.Rows64(), c.n, c.at, c.r, wide)
	}
	if c.offset != nil {
		for l := range rows {
			linalg.Axpy(1, c.offset[:c.r], z[l*c.r:(l+1)*c.r])
		}
	}
}

// sparseSums holds sums over sparse observations v = s (x - m) with r factors each: of
// x, and of the factors.
type sparseSums struct {
	n, r    int
	y       []float64 // interleaved
	factors []float64 // nil if there is no m
	old     bool      // they are of an earlier pass
}

// newSparseSums returns sums of 0, in y, which is of length InterleavedLen and 0.
func newSparseSums(n, r int, y []float64) *sparseSums {
	return &sparseSums{n: n, r: r, y: y, factors: make([]float64, linalg.InterleavedLen(1, r))}
}

// renew begins the sums of a pass. Who adds to them calls it, so that they are in its
// cache then.
func (s *sparseSums) renew() {
	if s.old {
		clear(s.y)
		clear(s.factors)
		s.old = false
	}
}

func (s *sparseSums) add(from *sparseSums) {
	linalg.Axpy(1, from.y, s.y)
	linalg.Axpy(1, from.factors, s.factors)
}

// sparseStep is the number of observations between two checks of the context.
const sparseStep = 1 << 14

// addTTSV adds a block's part of Y; it stops when ctx is cancelled.
func (s *sparseSums) addTTSV(ctx context.Context, b block.Block, c *sparseColumns, k int, h linalg.Hermite, z []float64) {
	s.renew()
	factors := s.factors
	if b.Sparse.Shift == nil {
		factors = nil
	}
	for lo := 0; lo < b.Rows && ctx.Err() == nil; lo += sparseStep {
		p := b.Part(lo, min(lo+sparseStep, b.Rows), s.n)
		if x := p.Sparse; x.V32 != nil {
			linalg.SparseTTSV(s.y, linalg.SparseOperands[float32]{V: x.Rows32(), A: c.at, Nu: p.Nu, N: s.n, R: s.r, K: k, Hermite: h, Offset: c.offset}, factors, z)
		} else {
			linalg.SparseTTSV(s.y, linalg.SparseOperands[float64]{V: x.Rows64(), A: c.at, Nu: p.Nu, N: s.n, R: s.r, K: k, Hermite: h, Offset: c.offset}, factors, z)
		}
	}
}

// addFactors adds sparse observations times their factors (rows x r).
func (s *sparseSums) addFactors(x *block.Sparse, factors, wide []float64) {
	if x.V32 != nil {
		linalg.AddSparseProducts(s.y, x.Rows32(), s.n, factors, s.r, wide)
	} else {
		linalg.AddSparseProducts(s.y, x.Rows64(), s.n, factors, s.r, wide)
	}
	for l := range len(x.Start) - 1 {
		linalg.Axpy(1, factors[l*s.r:(l+1)*s.r], s.factors[:s.r])
	}
}

// addTo adds share times the sums to y (r x n).
func (s *sparseSums) addTo(y []float64, x *block.Sparse, share float64) {
	if share != 1 {
		linalg.Scale(share, s.y)
		linalg.Scale(share, s.factors)
	}
	if x.Shift == nil && x.Scale == nil {
		linalg.AddInterleaved(y, s.y, s.n, s.r)
		return
	}
	own := make([]float64, s.r*s.n)
	linalg.AddInterleaved(own, s.y, s.n, s.r)
	for j := range s.r {
		column := own[j*s.n : (j+1)*s.n]
		if x.Shift != nil {
			linalg.Axpy(-s.factors[j], x.Shift, column)
		}
		for i, c := range x.Scale {
			column[i] *= c
		}
	}
	linalg.Axpy(1, own, y)
}

// sparseWorker holds the buffers of an implicitWorker for sparse observations, from the first
// block of them on.
type sparseWorker struct {
	columns *sparseColumns
	sums    []*sparseSums // of each group
	z       [][]float64   // scratch of each thread
	like    *block.Sparse // of the current pass, or nil before its first block
}

// sparseGroupValues is the minimum number of values per variable in a group: its sums
// are n r numbers to be cleared and added.
const sparseGroupValues = 64

// takes reports whether a block is sparse, and like the others of the pass.
func (w *sparseWorker) takes(b block.Block) bool {
	return b.Sparse != nil && (w.like == nil || w.like.Alike(b.Sparse))
}

// begin prepares for a block, which has at most this many groups.
func (w *sparseWorker) begin(b block.Block, n, r, groups, threads int, a []float64) {
	if w.columns == nil {
		groups = max(1, min(groups, b.Sparse.Stored()/(sparseGroupValues*n)))
		// Together they fill large pages, which random access is a tenth faster in.
		size := linalg.InterleavedLen(n, r)
		all := make([]float64, (groups+1)*size)
		linalg.LargePages(all)
		w.columns = &sparseColumns{n: n, r: r, at: all[:size]}
		for g := range groups {
			w.sums = append(w.sums, newSparseSums(n, r, all[(g+1)*size:(g+2)*size]))
		}
		for range min(groups, threads) {
			w.z = append(w.z, make([]float64, linalg.SparseScratch(sparseStep, n, r)))
		}
	}
	if w.like == nil {
		w.columns.set(a, b.Sparse)
		for _, s := range w.sums {
			s.old = true
		}
		w.like = b.Sparse
	}
}

// finish adds the sums of the pass to y.
func (w *sparseWorker) finish(y []float64, share float64) {
	if w.like == nil {
		return
	}
	w.sums[0].renew()
	for _, s := range w.sums[1:] {
		if !s.old {
			w.sums[0].add(s)
		}
	}
	w.sums[0].addTo(y, w.like, share)
	w.like = nil
}
