package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Every length and size of number, beside math.Exp. Nothing beyond the vector is written.
func TestExp(t *testing.T) {
	rng := rand.New(rand.NewPCG(72, 2))
	numbers := []float64{0, math.Copysign(0, -1), math.Inf(-1), math.NaN(), -5e-324, -1e-300, -1e-17, -.34657, -.34658, -.5, -708, -708.39, -708.5, -709, -710, -745.2, -1e4, -math.MaxFloat64}
	for range 20000 {
		numbers = append(numbers, -math.Exp(rng.Float64()*27-20)) // to -1097
	}
	testVectors(t, Exp, numbers, func(x, got float64) bool {
		want := math.Exp(x)
		return math.Abs(got-want) <= 4*0x1p-53*want || want < 1e-307 && got >= 0 && got < 1e-307
	})
}

// testVectors calls a function with vectors of every length, in all kernels, and right with what it was
// given and made of that, unless both are NaN.
func testVectors(t *testing.T, f func([]float64), numbers []float64, right func(x, got float64) bool) {
	for _, k := range append(assembly(), generic) {
		use(t, k)
		for n := range 40 {
			for lo := 0; lo+n+1 <= len(numbers); lo += max(1, n*len(numbers)/2000) {
				got := append([]float64(nil), numbers[lo:lo+n+1]...)
				f(got[:n])
				if math.Float64bits(got[n]) != math.Float64bits(numbers[lo+n]) {
					t.Fatalf("%v, n=%d: wrote beyond the vector", k, n)
				}
				for i, x := range numbers[lo : lo+n] {
					if !right(x, got[i]) && !(math.IsNaN(x) && math.IsNaN(got[i])) {
						t.Fatalf("%v, n=%d: of %g comes %g", k, n, x, got[i])
					}
				}
			}
		}
	}
}

// Every length, every size of number and both signs, beside math.Tanh, which is
// a rational function and so made differently. Each is off by four units in the
// last place at most: the kernel by the roundings of e, of e + 2 and of their
// quotient. Nothing beyond the vector is written.
func TestTanh(t *testing.T) {
	rng := rand.New(rand.NewPCG(72, 1))
	numbers := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -5e-324, 1e-300, 1e-9, .17328, .17329, -.34657, -.34658,
		.5, -.625, 18.7, 19.06, 20, -20, 20.1, 710, -math.MaxFloat64}
	for range 20000 {
		x := math.Exp(rng.Float64()*24 - 20) // 2e-9 to 55
		numbers = append(numbers, math.Copysign(x, rng.Float64()-.5))
	}
	testVectors(t, Tanh, numbers, func(x, got float64) bool {
		want := math.Tanh(x)
		return math.Abs(got-want) <= 8*0x1p-53*math.Abs(want) && math.Signbit(got) == math.Signbit(want)
	})
}

func BenchmarkTanh(b *testing.B) {
	x, y := make([]float64, 4096), make([]float64, 4096)
	for i := range x {
		x[i] = float64(i%64)/16 - 2
	}
	for _, k := range append(assembly(), generic) {
		b.Run(k.String(), func(b *testing.B) {
			use(b, k)
			b.SetBytes(int64(8 * len(x)))
			for b.Loop() {
				copy(y, x)
				Tanh(y)
			}
		})
	}
}
