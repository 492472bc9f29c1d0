package main

import "symmom/internal/math/linalg"

//go:noescape
func fmaAVX512(n int)

//go:noescape
func fmaAVX2(n int)

// registerRate returns the operations per second of multiply-adds on registers alone, of
// the width that the kernels use, or 0 where that is not known.
func registerRate(rounds int) float64 {
	const n = 10000 // a tenth of a millisecond
	chains, width, loop := 12., 0., fmaAVX2
	switch linalg.Kernel() {
	case "avx512":
		width, loop = 8, fmaAVX512
	case "avx2":
		width = 4
	default:
		return 0
	}
	return 2 * chains * width * n / fastestCall(rounds, func() { loop(n) })
}
