package eigen

import (
	"context"

	"symmom/internal/math/linalg"
	"symmom/internal/math/parallel"
)

const (
	// dependent bounds the remainder of a row of norm 1 that depends on others, which is rounding.
	dependent = 1e-13
	// blockRows are made orthogonal to all rows before them at once, jobRows by one
	// worker: the result depends on neither the machine nor the number of threads.
	blockRows, jobRows = 64, 16
)

// Orthonormalize makes the k rows of q (k x n) orthonormal, keeping the space
// spanned by the first i of them for every i, by Gram-Schmidt done twice
// ("twice is enough", Kahan and Parlett). A row that depends on those before
// it is dropped, and the rest move up. It returns the number of rows left, or ctx's
// error if cancelled. 6 n k^2 operations.
func Orthonormalize(ctx context.Context, q []float64, k, n, threads int) (int, error) {
	kept := 0
	outer := newOuter(n, min(blockRows, k), k, threads)
	for lo := 0; lo < k; lo += blockRows {
		rows := min(blockRows, k-lo)
		block := q[kept*n : (kept+rows)*n]
		copy(block, q[lo*n:(lo+rows)*n])
		for i := range rows {
			row := block[i*n : (i+1)*n]
			if size := linalg.Norm2(row); size > 0 {
				linalg.Scale(1/size, row)
			}
		}
		if !outer.subtract(ctx, block, q[:kept*n], 2) {
			return 0, ctx.Err()
		}
		rows = inner(block, rows, n)
		if kept > 0 { // rounding of nearly dependent rows, magnified
			block = block[:rows*n]
			if !outer.subtract(ctx, block, q[:kept*n], 1) {
				return 0, ctx.Err()
			}
			rows = inner(block, rows, n)
		}
		kept += rows
	}
	return kept, ctx.Err()
}

// inner makes rows of norm 1, or what is left of them, orthonormal among themselves. It
// returns how many are left.
func inner(q []float64, rows, n int) int {
	kept := 0
	for i := range rows {
		row := q[i*n : (i+1)*n]
		if kept < i {
			copy(q[kept*n:(kept+1)*n], row)
			row = q[kept*n : (kept+1)*n]
		}
		for range 2 {
			for j := range kept {
				p := q[j*n : (j+1)*n]
				linalg.Axpy(-linalg.Dot(p, row), p, row)
			}
		}
		after := linalg.Norm2(row)
		if after <= dependent {
			continue
		}
		linalg.Scale(1/after, row)
		for j := range kept { // rounding of a nearly dependent row, magnified
			p := q[j*n : (j+1)*n]
			linalg.Axpy(-linalg.Dot(p, row), p, row)
		}
		linalg.Scale(1/linalg.Norm2(row), row)
		kept++
	}
	return kept
}

// outer subtracts from rows their parts in the space of orthonormal rows q.
type outer struct {
	n, kept  int
	block, q []float64
	products []float64 // of rows of the block with rows of q
	pool     parallel.Pool
}

// newOuter prepares for some rows and at most so many of q.
func newOuter(n, rows, most, threads int) *outer {
	o := &outer{n: n, products: make([]float64, rows*most)}
	o.pool = parallel.Pool{Threads: min(parallel.Threads(threads), 1+(rows-1)/jobRows), Job: o.job}
	return o
}

func (o *outer) subtract(ctx context.Context, block, q []float64, times int) bool {
	o.block, o.q, o.kept = block, q, len(q)/o.n
	rows := len(block) / o.n
	for range times {
		if o.kept > 0 && !o.pool.Run(ctx, (rows+jobRows-1)/jobRows) {
			return false
		}
	}
	return ctx.Err() == nil
}

func (o *outer) job(_, i int) {
	lo := i * jobRows
	block := o.block[lo*o.n : min((lo+jobRows)*o.n, len(o.block))]
	rows := len(block) / o.n
	c := o.products[lo*o.kept : (lo+rows)*o.kept]
	linalg.MulABt(c, o.q, block, o.kept, rows, o.n) // kept x rows, as AddAtB wants it
	linalg.Scale(-1, c)
	linalg.AddAtB(block, c, o.q, rows, o.n, o.kept)
}
