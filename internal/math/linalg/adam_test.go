package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The kernel does the operations of the Go code one by one, each rounded, so the
// bits are the same but where a compiler fuses a product into a sum: each
// number is a sum of two terms, off by a few roundings of these. Nothing beyond
// the vectors is written.
func TestAdamStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 1))
	step := AdamStep{Beta1: .9, Rest1: 1 - .9, Beta2: .999, Rest2: 1 - .999, Rate: .01 / (1 - .9), Unbias: 1 / (1 - .999), Epsilon: 1e-8}
	for _, k := range assembly() {
		use(t, k)
		for n := range 40 {
			const guard = 3
			var got, want [4][]float64 // x, m, v, g
			for i := range got {
				got[i] = make([]float64, n+guard)
				for j := range got[i] {
					got[i][j] = rng.NormFloat64()
				}
				if i == 2 {
					for j := range got[i] {
						got[i][j] *= got[i][j]
					}
				}
				want[i] = append([]float64(nil), got[i]...)
			}
			step.Apply(got[0][:n], got[1][:n], got[2][:n], got[3][:n])
			step.applyGeneric(want[0][:n], want[1][:n], want[2][:n], want[3][:n])
			for i := range got {
				for j := range got[i] {
					if d := math.Abs(got[i][j] - want[i][j]); !(d <= 0x1p-50*(1+math.Abs(want[i][j]))) || j >= n && d != 0 {
						t.Fatalf("%v, n=%d: vector %d [%d] = %g, want %g", k, n, i, j, got[i][j], want[i][j])
					}
				}
			}
		}
	}
}

// Fetching changes nothing, however long or empty the vector is, and asks for
// nothing that faults at the end of memory.
func TestFetch(t *testing.T) {
	for _, k := range append(assembly(), generic) {
		use(t, k)
		for _, n := range []int{0, 1, 7, 8, 9, 63, 5000} {
			v, w := make([]float64, n), make([]float32, n)
			for i := range v {
				v[i], w[i] = float64(i), float32(i)
			}
			Fetch(v)
			Fetch(w)
			for i := range v {
				if v[i] != float64(i) || w[i] != float32(i) {
					t.Fatalf("%v: [%d] = %g and %g", k, i, v[i], w[i])
				}
			}
		}
	}
}
