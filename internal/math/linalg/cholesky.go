package linalg

import "math"

// Cholesky overwrites the lower triangle of the symmetric n x n matrix a (row
// major, row length stride) with its factor L, a = LL' (N&W algorithm A.2). It
// returns false if a is not positive definite to working precision.
func Cholesky(a []float64, n, stride int) bool { return CholeskyUntil(a, n, stride, nil) }

// CholeskyUntil is Cholesky of a matrix so large that it asks for each column whether to stop,
// unless stop is nil, and returns false then.
func CholeskyUntil(a []float64, n, stride int, stop func() bool) bool {
	for j := range n {
		if stop != nil && stop() {
			return false
		}
		rowj := a[j*stride : j*stride+j+1]
		pivot := rowj[j] - Dot(rowj[:j], rowj[:j])
		if !(pivot > 0) || math.IsInf(pivot, 1) {
			return false
		}
		rowj[j] = math.Sqrt(pivot)
		for i := j + 1; i < n; i++ {
			rowi := a[i*stride : i*stride+j+1]
			rowi[j] = (rowi[j] - Dot(rowi[:j], rowj[:j])) / rowj[j]
		}
	}
	return true
}

// CholeskySolve overwrites x (n x m) with (LL')^-1 x.
func CholeskySolve(l []float64, n, stride int, x []float64, m int) {
	for i := range n {
		xi := x[i*m : (i+1)*m]
		for k := range i {
			Axpy(-l[i*stride+k], x[k*m:(k+1)*m], xi)
		}
		Scale(1/l[i*stride+i], xi)
	}
	for i := n - 1; i >= 0; i-- {
		xi := x[i*m : (i+1)*m]
		for k := i + 1; k < n; k++ {
			Axpy(-l[k*stride+i], x[k*m:(k+1)*m], xi)
		}
		Scale(1/l[i*stride+i], xi)
	}
}

// CholeskyInOrder is Cholesky with every sum in the order of its terms, the same bits
// for all kernels. Quasi-Newton matrices are so nearly singular that the last bits of
// their factors decide how many steps follow.
func CholeskyInOrder(a []float64, n, stride int) bool {
	for j := range n {
		rowj := a[j*stride : j*stride+j+1]
		pivot := rowj[j]
		for _, v := range rowj[:j] {
			pivot -= v * v
		}
		if !(pivot > 0) || math.IsInf(pivot, 1) {
			return false
		}
		rowj[j] = math.Sqrt(pivot)
		for i := j + 1; i < n; i++ {
			rowi := a[i*stride : i*stride+j+1]
			v := rowi[j]
			for k, w := range rowj[:j] {
				v -= rowi[k] * w
			}
			rowi[j] = v / rowj[j]
		}
	}
	return true
}

// CholeskySolveInOrder overwrites the vector x with (LL')^-1 x, in the same way.
func CholeskySolveInOrder(l []float64, n, stride int, x []float64) {
	CholeskyForwardInOrder(l, n, stride, x)
	for i := n - 1; i >= 0; i-- {
		v := x[i]
		for k := i + 1; k < n; k++ {
			v -= l[k*stride+i] * x[k]
		}
		x[i] = v / l[i*stride+i]
	}
}

// CholeskyForwardInOrder overwrites the vector x with L^-1 x, in the same way.
func CholeskyForwardInOrder(l []float64, n, stride int, x []float64) {
	for i := range n {
		v := x[i]
		for k, w := range l[i*stride : i*stride+i] {
			v -= w * x[k]
		}
		x[i] = v / l[i*stride+i]
	}
}
