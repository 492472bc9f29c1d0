package linalg

import (
	"fmt"
	"testing"
)

// BenchmarkSingle measures observations that are stored in 4 bytes, from the caches and from memory.
// To widen them first, a block at a time, would make kernels for them needless, and takes 10 to 30%
// longer with 5 to 10 columns, and up to twice as long with fewer (Zen 4).
func BenchmarkSingle(b *testing.B) {
	for _, c := range []struct {
		name    string
		n, rows int // of a pass
		passes  int // over as many rows, one after the other
	}{{"L2", 75, 1250, 1}, {"L2", 500, 192, 1}, {"L3", 20, 100000, 1}, {"L3", 75, 30000, 1}, {"L3", 500, 5000, 1}, {"memory", 75, 20000, 40}, {"memory", 500, 4000, 40}} {
		v := make([]float32, c.passes*c.rows*c.n)
		LargePages(v)
		for i := range v {
			v[i] = float32(i % 7)
		}
		for _, r := range []int{1, 2, 3, 5, 6, 10, 21, 25} {
			a, y, z := make([]float64, r*c.n), make([]float64, r*c.n), make([]float64, TTSVScratch(c.n, r))
			for _, x := range [][]float64{a, y, z} {
				for i := range x {
					x[i] = 1e-3
				}
			}
			b.Run(fmt.Sprintf("%s/n=%d/r=%d", c.name, c.n, r), func(b *testing.B) {
				size, at := c.rows*c.n, 0
				for b.Loop() {
					TTSV(y, Operands[float32]{V: v[at : at+size], A: a, Rows: c.rows, N: c.n, R: r, K: 2, Reach: ReachOf(4 * len(v))}, z)
					if at += size; at == len(v) {
						at = 0
					}
				}
				b.ReportMetric(4*float64(size*r)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
