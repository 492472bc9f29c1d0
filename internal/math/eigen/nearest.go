package eigen

import (
	"math"

	"symmom/internal/math/linalg"
)

// Nearest replaces the rows of w (r x n, r <= n) by the nearest orthonormal
// rows, (W W')^(-1/2) W. It returns false if the rows are dependent.
func Nearest(w []float64, r, n int) bool {
	gram := make([]float64, r*r)
	linalg.MulABt(gram, w, w, r, r, n)
	values, columns, ok := Sym(SymOf(gram, r), true)
	if !ok || !(values[0] > 1e-13*values[r-1]) {
		return false
	}
	root := make([]float64, r*r)
	for k, v := range values {
		v = 1 / math.Sqrt(v)
		for i := range r {
			for j := range r {
				root[i*r+j] += v * columns[i*r+k] * columns[j*r+k]
			}
		}
	}
	out := make([]float64, r*n)
	linalg.AddAtB(out, root, w, r, n, r) // root is symmetric
	copy(w, out)
	return true
}
