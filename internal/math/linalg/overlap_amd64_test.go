//go:build amd64 && !purego

package linalg

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// overlapped makes both ways available for rows of any length, whatever suits this processor,
// and returns how to choose. Without AVX-512 there is one.
func overlapped(t testing.TB) (choose func(bool)) {
	use(t, active)
	before := policy.overlaps
	t.Cleanup(func() { policy.overlaps = before })
	return func(on bool) {
		policy.overlaps = 0
		if on {
			policy.overlaps = 1 << 20
		}
	}
}

// Products that overlap have the bits of those one after the other.
func TestOverlapBits(t *testing.T) {
	choose := overlapped(t)
	rng := rand.New(rand.NewPCG(3, 9))
	for i := range 600 {
		rows, n, r, k := 8+rng.IntN(70), 1+rng.IntN(90), 1+rng.IntN(overlapColumns), 1+rng.IntN(overlapPower)
		if i%20 == 0 {
			n += 500
		}
		p := newProblem(t, rng, rows, n, r, k, rng.IntN(2) == 0, Reach(rng.IntN(int(Memory))))
		for _, active = range assembly() {
			var got [2][]float64
			for i, on := range []bool{false, true} {
				choose(on)
				got[i] = slices.Clone(p.y)
				TTSV(got[i], Operands[float64]{V: p.v, A: p.a, Nu: p.nu, Rows: rows, N: n, R: r, K: k, Reach: p.reach}, p.z)
			}
			if !slices.Equal(got[0], got[1]) {
				t.Fatalf("%v %v: %v, want %v", active, p, got[1], got[0])
			}
		}
		p.check(t)
	}
}

// BenchmarkOverlap measures products that overlap against those one after the other: policy
// says what was found.
func BenchmarkOverlap(b *testing.B) {
	choose := overlapped(b)
	for _, n := range []int{20, 75, 200, 375, 500} {
		for _, size := range []int{400 << 10, 5 << 20, 11 << 20, 400 << 20} {
			stride := PaddedStride[float64](n)
			rows := size / 8 / stride
			v := MakeLarge[float64](rows * stride)
			for i := range v {
				v[i] = float64(i % 7)
			}
			for r := 1; r <= overlapColumns; r++ {
				a, y, z := make([]float64, r*n), make([]float64, r*n), make([]float64, TTSVScratch(n, r))
				for i := range a {
					a[i], y[i] = 1e-3, 1e-3
				}
				for i, name := range []string{"tiles", "overlap"} {
					b.Run(fmt.Sprintf("n=%d/%dKB/r=%d/%s", n, size>>10, r, name), func(b *testing.B) {
						choose(i == 1)
						for b.Loop() {
							TTSV(y, Operands[float64]{V: v, A: a, Rows: rows, N: n, R: r, K: 2, Reach: ReachOf(size), Stride: stride}, z)
						}
						b.ReportMetric(4*float64(rows*n*r)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
					})
				}
			}
		}
	}
}
