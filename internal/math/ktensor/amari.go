package ktensor

import "math"

// Amari returns the distance of P, k x k, from a permutation with scales, 0 to 1:
// how far the product of an unmixing and the true mixing matrix is from separating
// the sources (Amari, Cichocki & Yang 1996).
func Amari(p []float64, k int) float64 {
	var sum float64
	for i := range k {
		var row, column, rowMost, columnMost float64
		for j := range k {
			r, c := math.Abs(p[i*k+j]), math.Abs(p[j*k+i])
			row, column = row+r, column+c
			rowMost, columnMost = math.Max(rowMost, r), math.Max(columnMost, c)
		}
		sum += row/rowMost - 1 + column/columnMost - 1
	}
	return sum / float64(2*k*(k-1))
}
