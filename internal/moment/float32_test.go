package moment

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// bothStored returns the same observations, which a float32 holds exactly,
// stored in both ways.
func bothStored(p, n int, weighted bool, rng *rand.Rand) (wide, narrow *block.Dense) {
	wide = randomData(p, n, weighted, rng)
	narrow = &block.Dense{P: p, N: n, V32: make([]float32, p*n), Nu: wide.Nu}
	linalg.Narrow(narrow.V32, wide.V)
	linalg.Widen(wide.V, narrow.V32)
	return wide, narrow
}

// Computations on observations stored as float32 give the same bits as from the
// same numbers stored as float64.
func TestFloat32Readers(t *testing.T) {
	rng := rand.New(rand.NewPCG(50, 1))
	const p, n, r, d = 2100, 13, 4, 3
	for _, weighted := range []bool{false, true} {
		wide, narrow := bothStored(p, n, weighted, rng)
		ctx := t.Context()
		results := func(x *block.Dense, threads int) map[string]any {
			got := map[string]any{}
			keep := func(what string, v any, err error) {
				if err != nil {
					t.Fatal(what, err)
				}
				got[what] = v
			}
			span, err := Span(ctx, x)
			keep("span", span, err)
			starts := [][]float64{make([]float64, r*n), make([]float64, r*n)}
			rngs := []*rand.Rand{rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(1, 2))}
			if !RangeFinders(ctx, x, starts, r, rngs, threads) {
				t.Fatal("range finder")
			}
			keep("starts", starts, nil)
			sample := NewSample(100, n, 4)
			x.Pass(ctx, sample.Add)
			keep("sample", sample.v, nil)
			spectrum, err := eigenvalues(x)
			keep("spectrum", spectrum, err)
			dense, err := NewExplicit(ctx, x, d, span, 1<<30, threads)
			keep("dense", dense.x, err)
			// A basis of its own would come from products, whose order of sums
			// depends on the storage.
			b := &Basis{N: n, K: 3, Q: make([]float64, 3*n), Values: []float64{1, 1, 1}}
			gaussian(b.Q, rand.New(rand.NewPCG(5, 5)))
			projected, err := b.Project(ctx, x, threads)
			keep("projected", projected, err)
			packed, err := NewPacked(ctx, x, b, d, span, threads)
			keep("packed", packed.x, err)
			draws := NewSampled(x, d, 300)
			keep("drawn", draws.Draw(200, rand.New(rand.NewPCG(6, 6))), nil)
			y, a := make([]float64, r*n), make([]float64, r*n)
			gaussian(a, rand.New(rand.NewPCG(7, 7)))
			if !draws.Stream(rand.New(rand.NewPCG(8, 8))).Worker(r, threads).TTSV(ctx, y, a) {
				t.Fatal("sampled product")
			}
			keep("sampled", y, nil)
			return got
		}
		want := results(wide, 1)
		for _, threads := range []int{1, 3} {
			for what, v := range results(narrow, threads) {
				if !reflect.DeepEqual(v, want[what]) {
					t.Errorf("weighted %v, %d threads: %s differs: %v, want %v", weighted, threads, what, v, want[what])
				}
			}
		}
	}
}

// Products with observations stored as float32 are those with the same numbers
// stored as float64 except for the order of sums of p terms, and the same bits for
// any threads, alone or in a shared pass.
func TestFloat32Products(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 1))
	const p, n, r = 3001, 13, 4
	for _, weighted := range []bool{false, true} {
		wide, narrow := bothStored(p, n, weighted, rng)
		a := make([]float64, r*n)
		gaussian(a, rng)
		product := func(tensor Tensor, threads int) []float64 {
			y := make([]float64, r*n)
			if !tensor.Worker(r, threads).TTSV(t.Context(), y, a) {
				t.Fatal("no product")
			}
			return y
		}
		for _, d := range []int{2, 3, 4} {
			want := product(&Implicit{Data: wide, D: d}, 1)
			got := product(&Implicit{Data: narrow, D: d}, 1)
			near(t, "float32", got, want, 1e-12) // 3,001 terms of rounding 1e-16, with room for cancellation
			for _, threads := range []int{2, 5} {
				if !reflect.DeepEqual(product(&Implicit{Data: narrow, D: d}, threads), got) {
					t.Errorf("d=%d: other bits on %d threads", d, threads)
				}
			}
			shared := NewSharedPass(&Implicit{Data: narrow, D: d}, r, 1, 2)
			if !reflect.DeepEqual(product(shared, 0), got) {
				t.Errorf("d=%d: other bits in a shared pass", d)
			}
		}
		halves := &block.Chain{Links: []block.Source{
			&block.Dense{P: 1000, N: n, V32: narrow.V32[:1000*n]},
			&block.Dense{P: 2001, N: n, V32: narrow.V32[1000*n:]},
		}}
		all, err := block.Gather(t.Context(), halves)
		if err != nil || all.V != nil || !reflect.DeepEqual(all.V32, narrow.V32) {
			t.Errorf("gathered %d and %d numbers, %v", len(all.V), len(all.V32), err)
		}
	}
}

// An evaluation of data stored as float32 allocates nothing, as any.
func TestFloat32Allocations(t *testing.T) {
	_, x := bothStored(1200, 30, true, rand.New(rand.NewPCG(52, 1)))
	o := NewObjective(&Implicit{Data: x, D: 3}, 4, 1, 1)
	point, g := make([]float64, o.Size()), make([]float64, o.Size())
	Gaussian(point[4:], 30, rand.New(rand.NewPCG(52, 2)))
	if allocs := testing.AllocsPerRun(5, func() { o.Evaluate(t.Context(), point, g) }); allocs != 0 {
		t.Errorf("%g allocations", allocs)
	}
}
