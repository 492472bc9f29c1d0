package linalg

// Widen writes the numbers of src to dst, which is as long.
func Widen(dst []float64, src []float32) {
	dst = dst[:len(src)]
	if active == generic {
		widenGeneric(dst, src)
		return
	}
	widenVectors(dst, src)
}

// widenGeneric is Widen in Go.
func widenGeneric(dst []float64, src []float32) {
	for i, x := range src {
		dst[i] = float64(x)
	}
}

// Narrow writes the numbers of src to dst, which is as long, rounded.
func Narrow(dst []float32, src []float64) {
	dst = dst[:len(src)]
	for i, x := range src {
		dst[i] = float32(x)
	}
}
