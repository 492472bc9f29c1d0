//go:build amd64 && !purego

package linalg

import (
	"fmt"
	"testing"
)

// BenchmarkReach measures in what blocks data of a size are best read, and how
// they are best fetched: not at all, to the second-level cache, or to be dropped
// from there first. policy and tiles say what was found.
func BenchmarkReach(b *testing.B) {
	for _, c := range []struct {
		name       string
		rows, n, r int
		passes     int // over as many rows, one after the other
		reach      Reach
	}{
		{"450KB", 750, 75, 25, 1, Cached}, // on AMD it is not worth it,
		{"2MB", 3750, 75, 25, 1, Cached},  // nor here,
		{"5MB", 1250, 500, 5, 1, Cached},  // nor here; on Intel it is
		{"10MB", 2500, 500, 10, 1, Cached},
		{"11MB", 3750, 375, 5, 1, Cached},
		{"800MB", 4000, 500, 10, 50, Memory},
	} {
		v := make([]float64, c.passes*c.rows*c.n)
		LargePages(v)
		for i := range v {
			v[i] = float64(i % 7)
		}
		a, y, z := make([]float64, c.r*c.n), make([]float64, c.r*c.n), make([]float64, TTSVScratch(c.n, c.r))
		for _, x := range [][]float64{a, y, z} {
			for i := range x {
				x[i] = 1e-3 // memory never written to is one page of zeros, on which caches stumble
			}
		}
		measure := func(how string, reach Reach) {
			b.Run(fmt.Sprintf("%s/rows=%d/%s", c.name, tileRows[float64](c.n, c.r, reach), how), func(b *testing.B) {
				size, at := c.rows*c.n, 0
				for b.Loop() {
					TTSV(y, Operands[float64]{V: v[at : at+size], A: a, Rows: c.rows, N: c.n, R: c.r, K: 2, Reach: reach}, z)
					if at += size; at == len(v) {
						at = 0
					}
				}
				b.ReportMetric(4*float64(size*c.r)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
		measure("none", Near)
		before, bounds := policy, tiles
		for _, tiles.elements[c.reach] = range []int{1 << 13, 1 << 14, 3 << 13, 1 << 15} {
			for h, name := range hintNames {
				if hint(h) != hintNone {
					policy.hints[c.reach] = hint(h)
					measure(name, c.reach)
				}
			}
		}
		policy, tiles = before, bounds
	}
}

// Columns left over by the lanes, gathered beside them and not, whatever suits this processor.
func TestTTSVLanesGather(t *testing.T) {
	defer func(gathers bool) { policy.gathers = gathers }(policy.gathers)
	for _, policy.gathers = range []bool{false, true} {
		TestTTSVLanes(t)
	}
}
