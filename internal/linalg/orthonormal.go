package linalg

// Orthonormalize makes the k rows of q (k x n) orthonormal, keeping the space
// spanned by the first i of them for every i, by Gram-Schmidt done twice
// ("twice is enough", Kahan and Parlett). A row that depends on those before
// it is dropped, and the rest move up. It returns the number of rows left.
// 4 n k^2 operations.
func Orthonormalize(q []float64, k, n int) int {
	kept := 0
	for i := range k {
		row := q[i*n : (i+1)*n]
		if kept < i {
			copy(q[kept*n:(kept+1)*n], row)
			row = q[kept*n : (kept+1)*n]
		}
		before := Norm2(row)
		if before == 0 {
			continue
		}
		Scale(1/before, row)
		for range 2 {
			for j := range kept {
				p := q[j*n : (j+1)*n]
				Axpy(-Dot(p, row), p, row)
			}
		}
		// What is left of a dependent row is rounding.
		after := Norm2(row)
		if after <= 1e-13 {
			continue
		}
		Scale(1/after, row)
		for j := range kept { // rounding of a nearly dependent row, magnified
			p := q[j*n : (j+1)*n]
			Axpy(-Dot(p, row), p, row)
		}
		Scale(1/Norm2(row), row)
		kept++
	}
	return kept
}
