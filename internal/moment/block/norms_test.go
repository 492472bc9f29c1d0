package block

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/test/torture"
)

// TestNormsOfMapped compares norms of shifted and scaled sparse observations with those of
// the same observations with their zeros: also where all but a millionth of what zeros
// become is in a variable that is never zero. Sums of at most n+1 squares, all positive,
// each have a relative error of (n+1) 2^-53.
func TestNormsOfMapped(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 7, 64, 333} {
		for _, single := range []bool{false, true} {
			x, scale, shift := &Sparse{Start: []int{0}}, make([]float64, n), make([]float64, n)
			for i := range n {
				scale[i], shift[i] = rng.NormFloat64(), rng.NormFloat64()*1e-3
			}
			shift[n/2] = 1e9
			for l := range 50 {
				for i := range n {
					if v := rng.NormFloat64(); i == n/2 {
						x.V, x.Index = append(x.V, 1e9+64*v), append(x.Index, int32(i))
					} else if l%5 > 0 && rng.IntN(6) == 0 {
						x.V, x.Index = append(x.V, v), append(x.Index, int32(i))
					}
				}
				x.Start = append(x.Start, len(x.Index))
			}
			if single {
				for _, v := range x.V {
					x.V32 = append(x.V32, float32(v))
				}
				x.V = nil
			}
			var norms Norms // one for all: what it holds must not outlive Scale and Shift
			for _, by := range [][2][]float64{{nil, nil}, {scale, nil}, {nil, shift}, {scale, shift}, {shift, scale}} {
				x := *x
				x.Scale, x.Shift = by[0], by[1]
				b := Block{Rows: 50, Sparse: &x}.Part(3, 50, n)
				row := make([]float64, n)
				for l := range b.Rows {
					x.dense(row, l+3, l+4, n)
					got, want := norms.Of(b, l, n), linalg.Norm2(row)
					if !(math.Abs(got-want) <= float64(n+1)*0x1p-52*want) {
						t.Errorf("n = %d, single %v, row %d: got %.17g, want %.17g", n, single, l, got, want)
					}
				}
			}
		}
	}
	// Squares out of range.
	for _, v := range []float64{1e-200, 1e200} {
		x := &Sparse{Start: []int{0, 1}, Index: []int32{1}, V: []float64{5 * v}, Shift: []float64{3 * v, v, 0}}
		if got := new(Norms).Of(Block{Rows: 1, Sparse: x}, 0, 3); !(math.Abs(got-5*v) <= 1e-15*5*v) {
			t.Errorf("got %g, want %g", got, 5*v)
		}
	}
}

func TestMomentsAreInterrupted(t *testing.T) {
	const p = 1 << 16
	x := &SparseRows{P: p, N: 1, Values: &Sparse{Start: make([]int, p+1)}}
	for left := range 5 {
		ctx := &torture.Ending{Context: t.Context(), Left: left}
		if _, _, err := x.Moments(ctx); err != context.Canceled || ctx.Asked > left+4 {
			t.Errorf("%v, asked %d times after %d", err, ctx.Asked, left)
		}
	}
}
