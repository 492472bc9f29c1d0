package linalg

// Transpose writes the k columns of length p in src to the first k places of the
// rows of dst, which are stride apart, in tiles that stay in the cache.
func Transpose(dst []float64, stride int, src []float64, p, k int) {
	const rows, cols = 32, 16
	for i0 := 0; i0 < p; i0 += rows {
		for j0 := 0; j0 < k; j0 += cols {
			for i := i0; i < min(i0+rows, p); i++ {
				row := dst[i*stride:]
				for j := j0; j < min(j0+cols, k); j++ {
					row[j] = src[j*p+i]
				}
			}
		}
	}
}
