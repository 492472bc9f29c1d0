package linalg

// Transpose writes the k columns of length p in src to the first k places of the
// rows of dst, which are stride apart, eight columns at a time.
func Transpose(dst []float64, stride int, src []float64, p, k int) {
	j := 0
	for ; j+8 <= k; j += 8 {
		at := func(c int) []float64 { return src[(j+c)*p : (j+c+1)*p] }
		s0 := at(0)
		s1, s2, s3, s4, s5, s6, s7 := at(1)[:len(s0)], at(2)[:len(s0)], at(3)[:len(s0)], at(4)[:len(s0)], at(5)[:len(s0)], at(6)[:len(s0)], at(7)[:len(s0)]
		for i, v := range s0 {
			row := dst[i*stride+j:][:8]
			row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7] = v, s1[i], s2[i], s3[i], s4[i], s5[i], s6[i], s7[i]
		}
	}
	for ; j < k; j++ {
		for i, v := range src[j*p : (j+1)*p] {
			dst[i*stride+j] = v
		}
	}
}
