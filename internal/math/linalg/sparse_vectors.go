//go:build (amd64 || arm64) && !purego

package linalg

// sparseVectors multiplies sparse rows with columns or, where add is set, adds to
// these the products with z.
func sparseVectors[T float](add bool, z []float64, x SparseRows[T], at []float64, wide int) {
	rows := len(x.Start) - 1
	if rows == 0 || x.Start[0] == x.Start[rows] {
		if !add {
			clear(z[:rows*wide])
		}
		return
	}
	_ = z[:rows*wide]
	pairs, start, index := wide/2, &x.Start[0], &x.Index[0]
	switch v := any(x.V).(type) {
	case []float64:
		kernel := sparseDot64
		if add {
			kernel = sparseAdd64
		}
		kernel(rows, pairs, start, index, &v[0], &at[0], &z[0])
	case []float32:
		kernel := sparseDot32
		if add {
			kernel = sparseAdd32
		}
		kernel(rows, pairs, start, index, &v[0], &at[0], &z[0])
	}
}
