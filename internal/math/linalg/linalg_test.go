package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func random(n int, rng *rand.Rand) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// close compares with the rounding error of a sum of n products of numbers of
// order one, which stays well below 1e-14 n.
func closeTo(t *testing.T, what string, got, want []float64, n int) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-14*float64(n+10)*(1+math.Abs(want[i]))) {
			t.Fatalf("%s[%d] = %g, want %g", what, i, got[i], want[i])
		}
	}
}

// Every shape up to a little beyond the tiles, so that all tails run.
func TestProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for m := range 10 {
		for n := range 6 {
			for k := range 10 {
				a, b := random(m*k, rng), random(n*k, rng)
				c, want := make([]float64, m*n), make([]float64, m*n)
				for i := range m {
					for j := range n {
						for l := range k {
							want[i*n+j] += a[i*k+l] * b[j*k+l]
						}
					}
				}
				MulABt(c, a, b, m, n, k)
				closeTo(t, fmt.Sprintf("MulABt %dx%dx%d", m, n, k), c, want, k)

				a, b = random(k*m, rng), random(k*n, rng)
				c = random(m*n, rng)
				copy(want, c)
				for i := range m {
					for j := range n {
						for l := range k {
							want[i*n+j] += a[l*m+i] * b[l*n+j]
						}
					}
				}
				AddAtB(c, a, b, m, n, k)
				closeTo(t, fmt.Sprintf("AddAtB %dx%dx%d", m, n, k), c, want, k)
			}
		}
	}
}

func TestTTSVBlock(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, weighted := range []bool{false, true} {
		for k := range 6 {
			rows, n, r := 1+rng.IntN(20), 1+rng.IntN(20), 1+rng.IntN(5)
			v, a, y := random(rows*n, rng), random(r*n, rng), random(r*n, rng)
			var nu []float64
			if weighted {
				nu = random(rows, rng)
			}
			want := append([]float64{}, y...)
			for l := range rows {
				for j := range r {
					z := 1.0
					for range k {
						z *= Dot(v[l*n:(l+1)*n], a[j*n:(j+1)*n])
					}
					if weighted {
						z *= nu[l]
					}
					for i := range n {
						want[j*n+i] += z * v[l*n+i]
					}
				}
			}
			TTSV(y, Operands[float64]{V: v, A: a, Nu: nu, Rows: rows, N: n, R: r, K: k}, make([]float64, TTSVScratch(n, r)))
			scale := NormInf(want)
			for i := range want {
				// Relative to the largest sum: powers make entries of any size.
				if !(math.Abs(y[i]-want[i]) <= 1e-13*scale) {
					t.Fatalf("k=%d weighted=%v: y[%d] = %g, want %g", k, weighted, i, y[i], want[i])
				}
			}
		}
	}
}

// No bit depends on the blocks: those of other processors give the same.
func TestTTSVSplit(t *testing.T) {
	use(t, active)
	defer func(before tiling) { tiles = before }(tiles)
	other := tiling{elements: [...]int{Near: 3 << 14, Cached: 1 << 12, Memory: 1 << 10}, rows: [...]int{Near: 128, Cached: 32, Memory: 8}, few: 5 << 10}
	rng := rand.New(rand.NewPCG(4, 2))
	for _, n := range []int{3, 75, 300, 700} {
		for _, r := range []int{1, 2, 3, 5, 10, 25} {
			p := newProblem(t, rng, 129+rng.IntN(200), n, r, 2, true, Near)
			for _, k := range assembly() {
				active = k
				for reach := Near; reach <= Memory; reach++ {
					var first []float64
					for _, tiles = range []tiling{usualTiles, other} {
						h := Hermite{D: 4, S: p.nu[:r], Sums: make([]float64, r)}
						z := make([]float64, TTSVScratch(n, r)) // of these tiles
						y := make([]float64, 2*r*n, 2*r*n+r)
						TTSV(y[:r*n], Operands[float64]{V: p.v, A: p.a, Nu: p.nu, Rows: p.rows, N: n, R: r, K: 2, Reach: reach}, z)
						TTSV(y[r*n:], Operands[float64]{V: p.v, A: p.a, Nu: p.nu, Rows: p.rows, N: n, R: r, Hermite: h, Reach: reach}, z)
						y = append(y, h.Sums...)
						if first == nil {
							first = y
						}
						if !slices.Equal(y, first) {
							p.reach = reach
							t.Fatalf("%v %v: other bits in other blocks", k, p)
						}
					}
				}
			}
		}
	}
}

func TestPowi(t *testing.T) {
	for k := range 20 {
		for _, x := range []float64{-1.5, -1, 0, .3, 1, 2} {
			z := []float64{x}
			PowInto(z, k)
			want := math.Pow(x, float64(k))
			for _, got := range []float64{Powi(x, k), z[0]} {
				// k-1 roundings at most.
				if !(math.Abs(got-want) <= 20*0x1p-53*math.Abs(want)) {
					t.Errorf("%g^%d = %g, want %g", x, k, got, want)
				}
			}
		}
	}
}

func TestNorms(t *testing.T) {
	for _, scale := range []float64{1, 0x1p-600, 0x1p600} {
		if got := Norm2([]float64{3 * scale, -4 * scale}); got != 5*scale {
			t.Errorf("Norm2 at scale %g: %g", scale, got/scale)
		}
	}
	if Norm2(nil) != 0 || Norm2([]float64{0, 0}) != 0 {
		t.Error("Norm2 of zeros")
	}
	if !math.IsInf(Norm2([]float64{1, math.Inf(-1)}), 1) || !math.IsNaN(Norm2([]float64{math.NaN(), 1})) {
		t.Error("Norm2 hides what is not finite")
	}
	if NormInf([]float64{1, -3, 2}) != 3 || !math.IsNaN(NormInf([]float64{1, math.NaN(), 5})) {
		t.Error("NormInf")
	}
}

func TestBlockRows(t *testing.T) {
	for _, n := range []int{0, 1, 7, 64, 500, 1 << 20} {
		if b := BlockRows(n); b < 8 || b%8 != 0 || b > 8 && b*n > blockElements {
			t.Errorf("BlockRows(%d) = %d", n, b)
		}
	}
}

func BenchmarkTTSV(b *testing.B) {
	for _, c := range []struct{ n, r, rows int }{{75, 5, 750}, {75, 25, 750}, {375, 5, 320}, {500, 5, 320}, {500, 6, 320}, {500, 10, 320}, {500, 21, 320}} {
		for _, k := range supported() {
			b.Run(fmt.Sprintf("n=%d/r=%d/cpu=%s", c.n, c.r, k), func(b *testing.B) {
				defer func(was kernel) { active = was }(active)
				active = k
				rng := rand.New(rand.NewPCG(1, 1))
				v, a, y, z := random(c.rows*c.n, rng), random(c.r*c.n, rng), make([]float64, c.r*c.n), make([]float64, TTSVScratch(c.n, c.r))
				b.ReportAllocs()
				for b.Loop() {
					TTSV(y, Operands[float64]{V: v, A: a, Rows: c.rows, N: c.n, R: c.r, K: 2}, z)
				}
				b.ReportMetric(4*float64(c.rows*c.n*c.r)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}

// Every number of columns, with 500 variables from the second-level cache: no number should
// be much slower than its neighbours.
func BenchmarkColumns(b *testing.B) {
	const n, rows = 500, 192
	rng := rand.New(rand.NewPCG(1, 1))
	stride := PaddedStride[float64](n)
	v := random(rows*stride, rng)
	for r := 1; r <= 32; r++ {
		b.Run(fmt.Sprintf("r=%d", r), func(b *testing.B) {
			a, y, z := random(r*n, rng), make([]float64, r*n), make([]float64, TTSVScratch(n, r))
			for b.Loop() {
				TTSV(y, Operands[float64]{V: v, A: a, Rows: rows, N: n, R: r, K: 2, Stride: stride}, z)
			}
			b.ReportMetric(4*float64(rows*n*r)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}

// PowInto has the bits of Powi, whatever the length.
func TestPowInto(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, k := range append(assembly(), generic) {
		use(t, k)
		for _, n := range []int{0, 1, 7, 128, 129, 700} {
			for k := range 14 {
				z := random(n, rng)
				want := slices.Clone(z)
				for i, v := range want {
					want[i] = Powi(v, k)
				}
				if PowInto(z, k); !slices.Equal(z, want) {
					t.Errorf("%v: power %d of %d numbers", active, k, n)
				}
			}
		}
	}
}
