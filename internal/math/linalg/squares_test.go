package linalg

import (
	"math/rand/v2"
	"testing"
)

func TestAddSquares(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 300 {
		n, rows := rng.IntN(40), rng.IntN(15)
		v, start := guarded[float64](t, n*rows+rng.IntN(max(n, 1))), make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		for j := range start {
			start[j] = rng.Float64()
		}
		for _, k := range append(assembly(), generic) {
			use(t, k)
			sums := guarded[float64](t, n)
			copy(sums, start)
			AddSquares(sums, v)
			for j := range sums {
				want := start[j]
				for i := range rows {
					want += v[i*n+j] * v[i*n+j]
				}
				// Each sum is rounded once a row, and each square once: no term is negative.
				if d := sums[j] - want; d > float64(2*rows)*0x1p-52*want || d < -float64(2*rows)*0x1p-52*want {
					t.Fatalf("%v: %d rows of %d: column %d: %v, want %v", k, rows, n, j, sums[j], want)
				}
			}
		}
	}
}

func BenchmarkAddSquares(b *testing.B) {
	for _, n := range []int{5, 20, 75, 500} {
		v, sums := make([]float64, 1<<16/n*n), make([]float64, n)
		for i := range v {
			v[i] = 1
		}
		b.Run("", func(b *testing.B) {
			b.SetBytes(int64(8 * len(v)))
			for b.Loop() {
				AddSquares(sums, v)
			}
		})
	}
}
