package linalg

import "math"

// Dot returns x'y; y is at least as long as x.
func Dot(x, y []float64) float64 {
	y = y[:len(x)]
	if active == generic {
		return dotGeneric(x, y)
	}
	return dotVectors(x, y)
}

// Axpy adds alpha x to y; y is at least as long as x.
func Axpy(alpha float64, x, y []float64) {
	y = y[:len(x)]
	if active == generic {
		axpyGeneric(alpha, x, y)
		return
	}
	axpyVectors(alpha, x, y)
}

// dotGeneric is Dot in Go. Four partial sums break the dependence between
// additions.
func dotGeneric[T float](x []T, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		s0 += float64(x[i]) * y[i]
		s1 += float64(x[i+1]) * y[i+1]
		s2 += float64(x[i+2]) * y[i+2]
		s3 += float64(x[i+3]) * y[i+3]
	}
	for ; i < len(x); i++ {
		s0 += float64(x[i]) * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// axpyGeneric is Axpy in Go.
func axpyGeneric[T float](alpha float64, x []T, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += alpha * float64(v)
	}
}

// Scale multiplies x by alpha.
func Scale(alpha float64, x []float64) {
	if active == generic {
		scaleGeneric(alpha, x)
		return
	}
	scaleVectors(alpha, x)
}

// scaleGeneric is Scale in Go.
func scaleGeneric(alpha float64, x []float64) {
	for i := range x {
		x[i] *= alpha
	}
}

// Multiply writes the products of the elements of x and y to z; y and z are at least as
// long as x, and z may be either of them.
func Multiply(z, x, y []float64) {
	z, y = z[:len(x)], y[:len(x)]
	if active == generic {
		multiplyGeneric(z, x, y)
		return
	}
	multiplyVectors(z, x, y)
}

// multiplyGeneric is Multiply in Go.
func multiplyGeneric(z, x, y []float64) {
	for i, v := range x {
		z[i] = v * y[i]
	}
}

// Norm2 returns the Euclidean norm of x without overflow or underflow of the
// squares.
func Norm2(x []float64) float64 {
	s := Dot(x, x)
	if s > 0x1p-900 && s < 0x1p900 {
		return math.Sqrt(s)
	}
	m := NormInf(x)
	if m == 0 || math.IsInf(m, 0) || math.IsNaN(m) {
		return m
	}
	s = 0
	for _, v := range x {
		s += (v / m) * (v / m)
	}
	return m * math.Sqrt(s)
}

// Finite reports whether all of some numbers are finite.
func Finite(v ...float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// NormInf returns the largest absolute value of x, NaN if x has one.
func NormInf(x []float64) float64 {
	// Without the sign, numbers are in the order of their bits, and NaN comes last. Four at a
	// time need not wait for each other.
	const sign = 1 << 63
	var m0, m1, m2, m3 uint64
	for ; len(x) >= 4; x = x[4:] {
		m0 = max(m0, math.Float64bits(x[0])&^sign)
		m1 = max(m1, math.Float64bits(x[1])&^sign)
		m2 = max(m2, math.Float64bits(x[2])&^sign)
		m3 = max(m3, math.Float64bits(x[3])&^sign)
	}
	for _, v := range x {
		m0 = max(m0, math.Float64bits(v)&^sign)
	}
	return math.Float64frombits(max(m0, m1, m2, m3))
}

// Powi returns x to the power k >= 0 by repeated multiplication.
func Powi(x float64, k int) float64 {
	p := 1.0
	for ; k > 0; k >>= 1 {
		if k&1 == 1 {
			p *= x
		}
		x *= x
	}
	return p
}

// PowInto raises every element of z to the power k >= 0, with the bits of Powi.
func PowInto(z []float64, k int) {
	if k == 0 {
		for i := range z {
			z[i] = 1
		}
		return
	}
	var square [128]float64
	for ; len(z) > 0; z = z[min(len(z), len(square)):] {
		z := z[:min(len(z), len(square))]
		k := k
		for ; k&1 == 0; k >>= 1 {
			Multiply(z, z, z)
		}
		if k == 1 {
			continue
		}
		x := square[:copy(square[:], z)]
		for k >>= 1; k > 0; k >>= 1 {
			Multiply(x, x, x)
			if k&1 == 1 {
				Multiply(z, z, x)
			}
		}
	}
}

// Picked returns the elements at some places, nil of none.
func Picked[T any](v []T, places []int) []T {
	if v == nil {
		return nil
	}
	out := make([]T, len(places))
	for i, j := range places {
		out[i] = v[j]
	}
	return out
}
