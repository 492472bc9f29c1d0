package gmm

import (
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// points are observations that are multiplied by centers and added up.
type points struct {
	*block.Dense
	sparse  *sparseColumns // products with the values that are not zero; nil: with all
	centers []float64      // r x n
	r       int
	z       []float64
}

// newPoints returns observations, which without, unless nil, holds without their zeros.
func newPoints(x *block.Dense, without *block.SparseRows) *points {
	y := &points{Dense: x}
	if c := new(sparseColumns); without != nil && c.stored.set(without.Values, x.N, nil, 1) {
		y.sparse = c
	}
	return y
}

// row returns observation l.
func (x *points) row(l int) []float64 { return x.V[l*x.N : (l+1)*x.N] }

// step returns how many observations are worked on at once.
func (x *points) step() int {
	if x.sparse != nil {
		return x.sparse.stored.rows()
	}
	return linalg.BlockRows(x.N)
}

// squares sets out to the squares of all observations.
func (x *points) squares(out []float64) {
	if x.sparse == nil {
		for l := range out {
			out[l] = linalg.Dot(x.row(l), x.row(l))
		}
		return
	}
	for lo := 0; lo < x.P; lo += x.step() {
		hi := min(lo+x.step(), x.P)
		x.sparse.stored.fetch(&x.sparse.rows, lo, hi)
		copy(out[lo:hi], x.sparse.rows.norms)
	}
}

// take takes r centers for products.
func (x *points) take(centers []float64, r int) {
	if x.centers, x.r = centers, r; x.sparse != nil {
		x.sparse.take(centers, r)
	}
}

// products returns those of observations lo..hi-1 with the centers, until the next call.
func (x *points) products(lo, hi int) []float64 {
	if x.sparse != nil {
		z, _ := x.sparse.products(lo, hi)
		return z
	}
	if len(x.z) < (hi-lo)*x.r {
		x.z = make([]float64, (hi-lo)*x.r)
	}
	z := x.z[:(hi-lo)*x.r]
	linalg.MulABt(z, x.V[lo*x.N:hi*x.N], x.centers, hi-lo, x.r, x.N)
	return z
}

// times sets out to the products of all observations with c.
func (x *points) times(out, c []float64) {
	x.take(c, 1)
	if x.sparse == nil {
		linalg.MulABt(out, x.V, c, x.P, 1, x.N)
		return
	}
	for lo := 0; lo < x.P; lo += x.step() {
		copy(out[lo:], x.products(lo, min(lo+x.step(), x.P)))
	}
}

// add adds w times observation l, of the last products from lo on, to a sum, which ended completes.
func (x *points) add(sum []float64, lo, l int, w float64) {
	if x.sparse == nil {
		linalg.Axpy(w, x.row(l), sum)
		return
	}
	rows := &x.sparse.rows
	for k := rows.start[l-lo]; k < rows.start[l-lo+1]; k++ {
		sum[rows.index[k]] += w * rows.w[k]
	}
}

// ended completes a sum of observations with these weights in all.
func (x *points) ended(sum []float64, weights float64) {
	if x.sparse != nil {
		linalg.Axpy(weights, x.sparse.stored.zero, sum)
	}
}
