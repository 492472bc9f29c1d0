package moment

import (
	"context"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// Projected is observations in the coordinates of a basis, Q'v: they are projected as they are
// read, some at a time, and never held together. Sparse ones take 2 K operations a value.
type Projected struct {
	block.Source
	Basis   *Basis
	Threads int
}

// projectedRows are projected at a time, by one thread.
const projectedRows = 1024

// Shape returns the number of observations, and K.
func (x *Projected) Shape() (p, n int) {
	p, _ = x.Source.Shape()
	return p, x.Basis.K
}

// BlockRows returns the number of observations in a block.
func (x *Projected) BlockRows() int { return min(block.MaxGroups*projectedRows, x.Source.BlockRows()) }

// Pass reads the source once.
func (x *Projected) Pass(ctx context.Context, do func(block.Block)) bool {
	k, n, most := x.Basis.K, x.Basis.N, x.BlockRows()
	out := make([]float64, most*k)
	threads := parallel.Threads(x.Threads)
	wide := make([][]float64, threads)
	var columns *sparseColumns
	var now block.Block
	pool := parallel.Pool{Threads: threads, Job: func(worker, i int) {
		lo, hi := i*projectedRows, min((i+1)*projectedRows, now.Rows)
		to := out[lo*k : hi*k]
		if now.Sparse == nil {
			linalg.MulABt(to, now.Values(lo, hi, n, &wide[worker]), x.Basis.Q, hi-lo, k, n)
			return
		}
		if wide[worker] == nil {
			wide[worker] = make([]float64, linalg.SparseScratch(projectedRows, n, k))
		}
		columns.multiply(to, now.Part(lo, hi, n).Sparse, wide[worker])
	}}
	return x.Source.Pass(ctx, func(b block.Block) {
		if b.Sparse != nil {
			columns = newSparseColumns(n, k)
			columns.set(x.Basis.Q, b.Sparse)
		}
		for lo := 0; lo < b.Rows; lo += most {
			now = b.Part(lo, min(lo+most, b.Rows), n)
			if !pool.Run(ctx, (now.Rows+projectedRows-1)/projectedRows) {
				return
			}
			do(block.Block{Rows: now.Rows, V: out[:now.Rows*k], Nu: now.Nu})
		}
	}) && ctx.Err() == nil
}
