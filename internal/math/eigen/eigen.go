// Package eigen computes eigenvalues and eigenvectors of symmetric matrices, and
// orthonormal rows.
package eigen

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	gonum "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// Sym returns the eigenvalues of m, smallest first, and, if vectors is set, the
// eigenvectors as the columns of an n x n matrix. The steps are those of LAPACK's
// Dsyev, except that entries below 1e-60 of the largest are dropped once m is
// tridiagonal: its own rounding is 1e-16. On blocks smaller than 1e-122 gonum's Dsterf
// panics and its Dsteqr returns numbers like 1e104 (v0.17.0). Of variables of very different
// scale, small eigenvalues keep their digits: the matrix is reduced from its end, where the
// largest then come (Barlow & Demmel, SIAM J. Numer. Anal. 27, 1990, on graded matrices).
func Sym(m *mat.SymDense, vectors bool) (values, columns []float64, ok bool) {
	n := m.SymmetricDim()
	columns = make([]float64, n*n)
	largest, order := 0.0, ascending(m)
	for i := range n {
		for j := i; j < n; j++ {
			columns[i*n+j] = m.At(order[i], order[j])
			largest = max(largest, math.Abs(m.At(i, j)))
		}
	}
	values = make([]float64, n)
	if largest == 0 {
		for i := range n {
			columns[i*n+i] = 1
		}
		return values, columns, true
	}
	_, exponent := math.Frexp(largest)
	for i, v := range columns {
		columns[i] = math.Ldexp(v, -exponent) // a power of two: exact
	}
	var impl gonum.Implementation
	e, tau, work := make([]float64, n), make([]float64, n), make([]float64, 34*n) // a block of 32, and two
	impl.Dsytrd(blas.Upper, n, columns, n, values, e, tau, work, len(work))
	for _, part := range [][]float64{values, e} {
		for i, v := range part {
			if math.Abs(v) < 1e-60 {
				part[i] = 0
			}
		}
	}
	if vectors {
		impl.Dorgtr(blas.Upper, n, columns, n, tau, work, len(work))
		ok = impl.Dsteqr(lapack.EVOrig, n, values, e, columns, n, work)
	} else {
		ok = impl.Dsterf(n, values, e)
	}
	for i, v := range values {
		values[i] = math.Ldexp(v, exponent)
	}
	if vectors && !slices.IsSorted(order) {
		rows := slices.Clone(columns)
		for i, at := range order {
			copy(columns[at*n:(at+1)*n], rows[i*n:(i+1)*n])
		}
	}
	return values, columns, ok
}

// graded is the ratio of entries of the diagonal from which on their order matters: with less,
// rounding of the largest leaves twelve digits of the smallest.
const graded = 1e4

// ascending returns the rows of m by ascending entries of the diagonal, or as they are.
func ascending(m *mat.SymDense) []int {
	order := make([]int, m.SymmetricDim())
	least, most := math.Inf(1), 0.
	for i := range order {
		order[i] = i
		least, most = min(least, m.At(i, i)), max(most, m.At(i, i))
	}
	if most > graded*least {
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(m.At(i, i), m.At(j, j)) })
	}
	return order
}

// SymOf returns a matrix that rounding has left slightly unsymmetric as a symmetric
// one.
func SymOf(s []float64, n int) *mat.SymDense {
	m := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			m.SetSym(i, j, (s[i*n+j]+s[j*n+i])/2)
		}
	}
	return m
}

// waits is the number of rows from which on SymContext does not wait for the result
// where ctx is cancelled: with fewer it takes .05 s (measured, as below).
const waits = 300

// SymContext is Sym that returns ctx's error as soon as ctx is cancelled. What goes on
// then cannot be stopped within a matrix: it ends in the background, on one core, where
// nobody sees its result. With eigenvectors it takes .4 s for n = 600 and 34 s for 2,000.
func SymContext(ctx context.Context, m *mat.SymDense, vectors bool) (values, columns []float64, ok bool, err error) {
	if m.SymmetricDim() < waits {
		values, columns, ok = Sym(m, vectors)
		return values, columns, ok, ctx.Err()
	}
	type result struct {
		values, columns []float64
		ok              bool
		panicked        any
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			r.panicked = recover()
			done <- r
		}()
		r.values, r.columns, r.ok = Sym(m, vectors)
	}()
	select {
	case <-ctx.Done():
		return nil, nil, false, ctx.Err()
	case r := <-done:
		if r.panicked != nil {
			panic(r.panicked)
		}
		return r.values, r.columns, r.ok, ctx.Err()
	}
}
