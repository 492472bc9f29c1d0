package linalg

import "math"

// Cholesky overwrites the lower triangle of the symmetric n x n matrix a (row
// major, row length stride) with its factor L, a = LL' (N&W algorithm A.2). It
// returns false if a is not positive definite to working precision.
func Cholesky(a []float64, n, stride int) bool {
	for j := range n {
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
	CholeskyForward(l, n, stride, x, m)
	for i := n - 1; i >= 0; i-- {
		xi := x[i*m : (i+1)*m]
		for k := i + 1; k < n; k++ {
			Axpy(-l[k*stride+i], x[k*m:(k+1)*m], xi)
		}
		Scale(1/l[i*stride+i], xi)
	}
}

// CholeskyForward overwrites x (n x m) with L^-1 x.
func CholeskyForward(l []float64, n, stride int, x []float64, m int) {
	for i := range n {
		xi := x[i*m : (i+1)*m]
		for k := range i {
			Axpy(-l[i*stride+k], x[k*m:(k+1)*m], xi)
		}
		Scale(1/l[i*stride+i], xi)
	}
}
