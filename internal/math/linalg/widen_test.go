package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Numbers are converted exactly, of every length and alignment, specials
// included, and nothing beyond them is written.
func TestWiden(t *testing.T) {
	rng := rand.New(rand.NewPCG(70, 1))
	specials := []float32{0, float32(math.Copysign(0, -1)), math.MaxFloat32, math.SmallestNonzeroFloat32, float32(math.Inf(-1)), float32(math.NaN())}
	for _, k := range append(assembly(), generic) {
		use(t, k)
		for n := range 70 {
			from, to := rng.IntN(3), rng.IntN(4)
			src, dst := guarded[float32](t, from+n), guarded[float64](t, to+n)
			for i := range src {
				src[i] = float32(rng.NormFloat64())
				if rng.IntN(8) == 0 {
					src[i] = specials[rng.IntN(len(specials))]
				}
			}
			for i := range dst {
				dst[i] = 7
			}
			Widen(dst[to:], src[from:])
			for i, got := range dst {
				want := 7.
				if i >= to {
					want = float64(src[from+i-to])
				}
				if math.Float64bits(got) != math.Float64bits(want) {
					t.Fatalf("%v, n=%d: [%d] = %g, want %g", k, n, i, got, want)
				}
			}
		}
	}
	back := make([]float32, 2)
	Narrow(back, []float64{1.5, 1e60})
	if back[0] != 1.5 || !math.IsInf(float64(back[1]), 1) {
		t.Errorf("narrowed to %v", back)
	}
}
