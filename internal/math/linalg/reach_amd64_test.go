//go:build amd64 && !purego

package linalg

import (
	"fmt"
	"testing"
	"unsafe"
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

// TestPrefetchStreams holds hintStreams to its word: from memory no line of the next block is
// left out, however few the columns, nothing far from it is asked for, and advance says where the
// rule that the kernels follow, here in Go, comes to.
func TestPrefetchStreams(t *testing.T) {
	defer func(p fetching) { policy = p }(policy)
	policy.hints[Memory] = hintStreams
	for i := range 2 * 12 {
		b, r := &blockings[[]kernel{avx2, avx512}[i%2]], i/2+1
		for _, n := range []int{16, 75, 120, 375, 500, 1000} {
			rows := tileRows[float64](n, r, Memory)
			size := 8 * rows * n
			v := make([]float64, rows*n)
			var l lanes
			p := b.ahead(unsafe.Pointer(&v[0]), len(v), 8, rows, n, r, &l, Memory)
			if p.hint < hintStreams {
				continue // many more requests than lines
			}
			begin := p.next
			_, steps := b.steps(8, rows, n, r, &l)
			requests := steps * p.lines
			most := size + requests + streams*(lineBytes+size/requests+1)
			asked := make([]bool, size/lineBytes+1)
			for range steps {
				q := p
				for range p.lines {
					if at := int(p.next - begin); at >= most {
						t.Fatalf("n=%d r=%d: asks for byte %d of a block of %d", n, r, at, size)
					} else if at < size {
						asked[at/lineBytes] = true
					}
					if p.next += uintptr(p.step); p.next >= p.end {
						p.next -= uintptr(p.back)
					}
				}
				if q.advance(q.lines); q.next != p.next {
					t.Fatalf("n=%d r=%d: next is %d, not %d", n, r, q.next-begin, p.next-begin)
				}
				p.turn = q.turn
			}
			missing := 0
			for _, ok := range asked[:size/lineBytes] {
				if !ok {
					missing++
				}
			}
			// A row has a chunk without a request: short rows have too few of them.
			if n >= 75 && missing > size/lineBytes/20 {
				t.Errorf("n=%d r=%d: %d of %d lines are left out", n, r, missing, size/lineBytes)
			}
		}
	}
}

// Rows are asked for together wherever they lie, of any length, and also if there are fewer than
// RowsTogether; nothing is allocated.
func TestFetchRows(t *testing.T) {
	defer func(spreads bool) { policy.spreads = spreads }(policy.spreads)
	for _, policy.spreads = range []bool{false, true} {
		for _, n := range []int{0, 1, 7, 75, 500, 3000} {
			v := make([]float64, MostTogether*n+1)
			w := make([]float32, MostTogether*n+1)
			for many := range RowsTogether() + 1 {
				if got := testing.AllocsPerRun(3, func() {
					var rows [MostTogether][]float64
					var single [MostTogether][]float32
					for i := range many {
						rows[i], single[i] = v[i*n+1:(i+1)*n+1], w[i*n+1:(i+1)*n+1]
					}
					FetchRows(rows[:many])
					FetchRows(single[:many])
				}); got > 0 {
					t.Errorf("%d rows of %d: %g allocations", many, n, got)
				}
			}
		}
	}
}
