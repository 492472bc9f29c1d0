package linalg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/test/slow"
)

// sparseOf draws sparse rows; some are empty. dense has the same values.
func sparseOf[T float](rng *rand.Rand, rows, n int, density float64) (x SparseRows[T], dense []T) {
	x.Start = []int{0}
	dense = make([]T, rows*n)
	for l := range rows {
		for i := range n {
			if l%7 != 3 && rng.Float64() < density {
				v := T(rng.NormFloat64())
				dense[l*n+i] = v
				x.Index, x.V = append(x.Index, int32(i)), append(x.V, v)
			}
		}
		x.Start = append(x.Start, len(x.V))
	}
	return x, dense
}

// Sparse rows give what the same rows give with their zeros, for every number of
// columns, power, weight and kernel. The tolerance is that of sums in another order:
// n additions each, 2^-53 of the sum of magnitudes, which is below 100.
func TestSparseTTSV(t *testing.T) {
	slow.Test(t)
	t.Run("float64", testSparseTTSV[float64])
	t.Run("float32", testSparseTTSV[float32])
}

func testSparseTTSV[T float](t *testing.T) {
	rng := rand.New(rand.NewPCG(73, 1))
	for _, k := range append(assembly(), generic) {
		use(t, k)
		for trial := range 300 {
			rows, n, r := rng.IntN(70), 1+rng.IntN(40), 1+rng.IntN(70)
			x, dense := sparseOf[T](rng, rows, n, []float64{0, .1, .5, 1}[trial%4])
			a := make([]float64, r*n)
			for i := range a {
				a[i] = rng.NormFloat64() / math.Sqrt(float64(n))
			}
			var nu []float64
			if trial%2 == 0 {
				nu = make([]float64, rows)
				for l := range nu {
					nu[l] = rng.Float64()
				}
			}
			power := rng.IntN(4)
			var h, g Hermite
			if trial%3 == 0 {
				h = Hermite{D: 2 + rng.IntN(4), S: make([]float64, r), Sums: make([]float64, r)}
				for j := range h.S {
					h.S[j] = rng.Float64()
				}
				g = Hermite{D: h.D, S: h.S, Sums: make([]float64, r)}
			}
			at, yt := guarded[float64](t, InterleavedLen(n, r)), guarded[float64](t, InterleavedLen(n, r))
			clear(yt)
			Interleave(at, a, n, r, nil)
			v := x
			v.V = guarded[T](t, len(x.V))
			copy(v.V, x.V)
			SparseTTSV(yt, SparseOperands[T]{V: v, A: at, Nu: nu, N: n, R: r, K: power, Hermite: h}, nil, guarded[float64](t, SparseScratch(len(x.Start), n, r)))
			got, want := make([]float64, r*n), make([]float64, r*n)
			AddInterleaved(got, yt, n, r)
			if rows > 0 {
				o := Operands[T]{V: dense, A: a, Nu: nu, Rows: rows, N: n, R: r, K: power, Hermite: g, as: n, Stride: n}
				ttsvGeneric(want, o, make([]float64, TTSVScratch(n, r)))
			}
			for i := range want {
				if d := math.Abs(got[i] - want[i]); !(d <= 1e-11*(1+math.Abs(want[i]))) {
					t.Fatalf("%v, rows=%d n=%d r=%d k=%d d=%d: element %d is %g, want %g", k, rows, n, r, power, h.D, i, got[i], want[i])
				}
			}
			for j := range g.Sums {
				if d := math.Abs(g.Sums[j] - h.Sums[j]); !(d <= 1e-11*(1+math.Abs(g.Sums[j]))) {
					t.Fatalf("%v: sum %d is %g, want %g", k, j, h.Sums[j], g.Sums[j])
				}
			}
		}
	}
}

// With offsets and sums it is TTSV of observations that are scaled and shifted:
// v = s (x - m).
func TestSparseAffine(t *testing.T) {
	const rows, n, r, power = 50, 9, 11, 2
	rng := rand.New(rand.NewPCG(74, 1))
	x, dense := sparseOf[float64](rng, rows, n, .3)
	a, scale, shift := make([]float64, r*n), make([]float64, n), make([]float64, n)
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	for i := range n {
		scale[i], shift[i] = 1+rng.Float64(), rng.NormFloat64()
	}
	for l := range rows {
		for i := range n {
			dense[l*n+i] = scale[i] * (dense[l*n+i] - shift[i])
		}
	}
	want := make([]float64, r*n)
	ttsvGeneric(want, Operands[float64]{V: dense, A: a, Rows: rows, N: n, R: r, K: power, as: n, Stride: n}, make([]float64, TTSVScratch(n, r)))

	at, yt := make([]float64, InterleavedLen(n, r)), make([]float64, InterleavedLen(n, r))
	offset, sums := make([]float64, InterleavedLen(1, r)), make([]float64, InterleavedLen(1, r))
	Interleave(at, a, n, r, scale)
	for j := range r {
		for i := range n {
			offset[j] -= shift[i] * scale[i] * a[j*n+i]
		}
	}
	SparseTTSV(yt, SparseOperands[float64]{V: x, A: at, N: n, R: r, K: power, Offset: offset}, sums, make([]float64, SparseScratch(len(x.Start), n, r)))
	got := make([]float64, r*n)
	AddInterleaved(got, yt, n, r)
	for j := range r {
		for i := range n {
			y := scale[i] * (got[j*n+i] - shift[i]*sums[j])
			if d := math.Abs(y - want[j*n+i]); !(d <= 1e-10*(1+math.Abs(y))) {
				t.Fatalf("column %d, variable %d: %g, want %g", j, i, y, want[j*n+i])
			}
		}
	}
}

func BenchmarkSparseTTSV(b *testing.B) {
	const p, n, each, r = 100_000, 20_000, 100, 10
	rng := rand.New(rand.NewPCG(75, 1))
	x := SparseRows[float64]{Start: []int{0}}
	for range p {
		for range each {
			x.Index, x.V = append(x.Index, int32(rng.IntN(n))), append(x.V, rng.NormFloat64())
		}
		x.Start = append(x.Start, len(x.V))
	}
	at, yt := make([]float64, InterleavedLen(n, r)), make([]float64, InterleavedLen(n, r))
	z := make([]float64, SparseScratch(len(x.Start), n, r))
	for _, k := range append(assembly(), generic) {
		b.Run(k.String(), func(b *testing.B) {
			use(b, k)
			b.ReportAllocs()
			for b.Loop() {
				SparseTTSV(yt, SparseOperands[float64]{V: x, A: at, N: n, R: r, K: 2}, nil, z)
			}
			b.ReportMetric(4*p*each*r*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}

// However many rows are multiplied before they are used again, the bits are the same:
// where the second-level cache holds columns or sums alone, and where it does not.
func TestSparseSteps(t *testing.T) {
	const rows, n = 20_000, 30
	rng := rand.New(rand.NewPCG(76, 1))
	x, _ := sparseOf[float64](rng, rows, n, .1)
	before := secondLevel
	t.Cleanup(func() { secondLevel = before })
	for _, r := range []int{1, 10, 33} {
		at := make([]float64, InterleavedLen(n, r))
		for i := range at {
			at[i] = rng.NormFloat64()
		}
		columns := 8 * n * min(sparseColumns, interleavedStride(r))
		var want, sums []float64
		for _, bytes := range []int{columns - 1, columns, 100 * columns} {
			secondLevel = func() int { return bytes }
			if most, _ := sparseLimits(n, r); (most > 256) != (bytes == columns) {
				t.Fatalf("r=%d, %d bytes of cache: %d rows", r, bytes, most)
			}
			h := Hermite{D: 3, S: make([]float64, r), Sums: make([]float64, r)}
			yt := make([]float64, InterleavedLen(n, r))
			z := make([]float64, SparseScratch(rows, n, r))
			SparseTTSV(yt, SparseOperands[float64]{V: x, A: at, N: n, R: r, Hermite: h}, nil, z)
			SparseTTSV(yt, SparseOperands[float64]{V: x, A: at, N: n, R: r, K: 2}, nil, z)
			if want == nil {
				want, sums = yt, h.Sums
			} else if !slices.Equal(yt, want) || !slices.Equal(h.Sums, sums) {
				t.Errorf("r=%d, %d bytes of cache: other bits", r, bytes)
			}
		}
	}
}
