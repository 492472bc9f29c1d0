package gmm

import (
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// stored are sparse observations in the coordinates of a mixture, v = scale (x - shift), of which only the values
// that are stored take time:
//
//	v = zero + w,  w = scale (x - base) where a value is stored, 0 elsewhere.
//
// A variable that all observations store has no zeros: its base is the shift, so that a large one costs no digits.
type stored struct {
	n                 int
	scale, base, zero []float64 // n
	square            float64   // of zero

	of   *block.Sparse // what the above is for; nil before
	fits bool
}

const (
	// A value that is stored takes the time of some that are not.
	sparseShare = 4
	// fewZeros is the share of zeros in a variable below which sums about them lose digits.
	fewZeros = 1e-3
	// Sparse observations are worked on so many at once that what is computed of them stays in cache.
	sparseNumbers = 1 << 13
)

// set prepares for the observations of a block, minus the center, divided by the unit. It reports whether working
// with the stored values alone is faster than with all, and as accurate.
func (s *stored) set(x *block.Sparse, n int, center []float64, unit float64) bool {
	if s.of == x {
		return s.fits
	}
	s.of, s.fits, s.n = x, false, n
	rows := len(x.Start) - 1
	if sparseShare*float64(x.Stored()) > float64(rows)*float64(n) {
		return false
	}
	if s.scale == nil {
		s.scale, s.base, s.zero = make([]float64, n), make([]float64, n), make([]float64, n)
	}
	counts := make([]int, n)
	for _, i := range x.Index[x.Start[0]:x.Start[rows]] {
		counts[i]++
	}
	s.square = 0
	for i, count := range counts {
		scale, shift := x.Map(i)
		if center != nil {
			shift += center[i] / scale
		}
		scale /= unit
		s.scale[i], s.base[i], s.zero[i] = scale, 0, -scale*shift
		switch zeros := rows - count; {
		case zeros == 0:
			s.base[i], s.zero[i] = shift, 0
		case shift != 0 && float64(zeros) < fewZeros*float64(rows):
			return false
		}
		s.square += s.zero[i] * s.zero[i]
	}
	s.fits = true
	return true
}

// rows returns how many observations are worked on at once.
func (s *stored) rows() int {
	rows := len(s.of.Start) - 1
	return max(leastRows, min(mostRows, sparseNumbers*rows/max(1, s.of.Stored())&^7))
}

// storedRows are some of the observations.
type storedRows struct {
	start   []int
	index   []int32
	w       []float64
	squares []float64 // v^2 - zero^2 of each value
	norms   []float64 // |v|^2 of each observation
}

// fetch sets the rows to observations lo..hi-1.
func (s *stored) fetch(to *storedRows, lo, hi int) {
	x := s.of
	from, end := x.Start[lo], x.Start[hi]
	to.start, to.w, to.squares, to.norms = to.start[:0], to.w[:0], to.squares[:0], to.norms[:0]
	for _, at := range x.Start[lo : hi+1] {
		to.start = append(to.start, at-from)
	}
	to.index = x.Index[from:end]
	if x.V32 != nil {
		for k, i := range to.index {
			to.w = append(to.w, s.scale[i]*(float64(x.V32[from+k])-s.base[i]))
		}
	} else {
		for k, i := range to.index {
			to.w = append(to.w, s.scale[i]*(x.V[from+k]-s.base[i]))
		}
	}
	for k, i := range to.index {
		to.squares = append(to.squares, to.w[k]*(to.w[k]+2*s.zero[i]))
	}
	for l := range hi - lo {
		square := s.square
		for _, v := range to.squares[to.start[l]:to.start[l+1]] {
			square += v
		}
		to.norms = append(to.norms, square)
	}
}

// with returns the rows with other values in the places of w.
func (r *storedRows) with(values []float64) linalg.SparseRows[float64] {
	return linalg.SparseRows[float64]{Start: r.start, Index: r.index, V: values}
}

// sparseColumns multiplies observations by columns.
type sparseColumns struct {
	stored   stored
	r        int
	at       []float64 // interleaved
	constant []float64 // r, products of zeros
	rows     storedRows
	z, wide  []float64
}

// take takes the columns a, r x n.
func (c *sparseColumns) take(a []float64, r int) {
	n := c.stored.n
	if size := linalg.InterleavedLen(n, r); c.r != r {
		c.r, c.at, c.constant = r, make([]float64, size), make([]float64, r)
		c.z, c.wide = make([]float64, mostRows*r), make([]float64, linalg.SparseScratch(mostRows, n, r))
	}
	linalg.Interleave(c.at, a, n, r, nil)
	for j := range c.constant {
		c.constant[j] = linalg.Dot(a[j*n:(j+1)*n], c.stored.zero)
	}
}

// products returns the products of observations lo..hi-1 with the columns, one observation after the other, and the
// squares of the observations. Both are valid until the next call.
func (c *sparseColumns) products(lo, hi int) (z, squares []float64) {
	c.stored.fetch(&c.rows, lo, hi)
	z = c.z[:(hi-lo)*c.r]
	linalg.SparseProducts(z, c.rows.with(c.rows.w), c.stored.n, c.at, c.r, c.wide)
	for at := 0; at < len(z); at += c.r {
		linalg.Axpy(1, c.constant, z[at:at+c.r])
	}
	return z, c.rows.norms
}

// sparseTerms holds the terms of log densities in sparse observations.
type sparseTerms struct {
	constant        []float64 // r, of zeros
	linear, squares []float64 // interleaved, of w; of the squares of variables
	spherical       []float64 // r, of |v|^2
	diagonal        bool
	columns         []float64 // scratch, r x n
}

// set takes the terms of densities, which are not Full.
func (t *sparseTerms) set(q *density, s *stored) {
	n, r := q.n, q.r
	if t.constant == nil {
		t.constant, t.spherical = make([]float64, r), make([]float64, r)
		t.linear, t.columns = make([]float64, linalg.InterleavedLen(n, r)), make([]float64, r*n)
	}
	clear(t.spherical)
	copy(t.constant, q.coefficients[:r])
	linear := q.coefficients[r : (1+n)*r]
	for i, zero := range s.zero {
		linalg.Axpy(zero, linear[i*r:(i+1)*r], t.constant)
	}
	linalg.Transpose(t.columns, n, linear, r, n)
	linalg.Interleave(t.linear, t.columns, n, r, nil)
	if q.shape == Spherical {
		copy(t.spherical, q.coefficients[(1+n)*r:])
	}
	if t.diagonal = q.shape == Diagonal; !t.diagonal {
		return
	}
	if t.squares == nil {
		t.squares = make([]float64, linalg.InterleavedLen(n, r))
	}
	square := q.coefficients[(2+n)*r : (2+2*n)*r]
	for i, zero := range s.zero {
		linalg.Axpy(zero*zero, square[i*r:(i+1)*r], t.constant)
	}
	linalg.Transpose(t.columns, n, square, r, n)
	linalg.Interleave(t.squares, t.columns, n, r, nil)
}

// sparseScratch is the scratch space of a thread.
type sparseScratch struct {
	rows           storedRows
	z, more        []float64 // rows x r
	wide           []float64
	linear, square []float64 // interleaved, of a group
	columns        []float64 // r x n
	weights, norms []float64 // r, sums of responsibilities, and times |v|^2
}

// logs sets z, r x rows, to the log densities of the rows fetched, but for v'Pv/2 of Tied.
func (t *sparseTerms) logs(c *sparseScratch, z []float64, n int) {
	r, rows := len(t.constant), len(c.rows.norms)
	if c.z == nil {
		c.z, c.more, c.wide = make([]float64, mostRows*r), make([]float64, mostRows*r), make([]float64, linalg.SparseScratch(mostRows, n, r))
	}
	products := c.z[:rows*r]
	linalg.SparseProducts(products, c.rows.with(c.rows.w), n, t.linear, r, c.wide)
	if t.diagonal {
		more := c.more[:rows*r]
		linalg.SparseProducts(more, c.rows.with(c.rows.squares), n, t.squares, r, c.wide)
		linalg.Axpy(1, more, products)
	}
	linalg.Transpose(z, rows, products, r, rows)
	for j, constant := range t.constant {
		of, by := z[j*rows:(j+1)*rows], t.spherical[j]
		for l, square := range c.rows.norms {
			of[l] += constant + by*square
		}
	}
}

// begin begins the sums of a group.
func (c *sparseScratch) begin(n, r int, shape Shape) {
	if c.linear == nil {
		c.linear, c.columns = make([]float64, linalg.InterleavedLen(n, r)), make([]float64, r*n)
		c.weights, c.norms = make([]float64, r), make([]float64, r)
	}
	clear(c.linear)
	clear(c.weights)
	clear(c.norms)
	if shape == Diagonal {
		if c.square == nil {
			c.square = make([]float64, linalg.InterleavedLen(n, r))
		}
		clear(c.square)
	}
}

// add adds the rows fetched, weighted with z, r x rows.
func (c *sparseScratch) add(z []float64, n, r int, shape Shape) {
	rows := len(c.rows.norms)
	for j := range r {
		of := z[j*rows : (j+1)*rows]
		for _, v := range of {
			c.weights[j] += v
		}
		c.norms[j] += linalg.Dot(of, c.rows.norms)
	}
	factors := c.z[:rows*r]
	linalg.Transpose(factors, r, z, rows, r)
	linalg.AddSparseProducts(c.linear, c.rows.with(c.rows.w), n, factors, r, c.wide)
	if shape == Diagonal {
		linalg.AddSparseProducts(c.square, c.rows.with(c.rows.squares), n, factors, r, c.wide)
	}
}

// end adds the sums of a group to those of the features.
func (c *sparseScratch) end(s *stored, r int, shape Shape, terms func(j int) []float64) {
	n := s.n
	columns := func(of []float64) []float64 {
		clear(c.columns)
		linalg.AddInterleaved(c.columns, of, n, r)
		return c.columns
	}
	linear := columns(c.linear)
	for j := range r {
		to := terms(j)
		to[0] += c.weights[j]
		linalg.Axpy(1, linear[j*n:(j+1)*n], to[1:1+n])
		linalg.Axpy(c.weights[j], s.zero, to[1:1+n])
		if len(to) > 1+n {
			to[1+n] += c.norms[j]
		}
	}
	if shape != Diagonal {
		return
	}
	square := columns(c.square)
	for j := range r {
		to := terms(j)[2+n:]
		for i, zero := range s.zero {
			to[i] += square[j*n+i] + c.weights[j]*(zero*zero)
		}
	}
}
