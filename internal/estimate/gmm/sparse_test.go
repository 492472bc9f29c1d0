package gmm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/moment/block"
)

// partRows is how many of the observations come first in thinRows, and in a block of inParts.
const partRows = 400

// inParts are sparse observations in several blocks.
type inParts struct{ *block.SparseRows }

func (x inParts) Pass(ctx context.Context, do func(block.Block)) bool {
	return x.SparseRows.Pass(ctx, func(b block.Block) {
		for lo := 0; lo < b.Rows; lo += partRows {
			do(b.Part(lo, min(lo+partRows, b.Rows), x.N))
		}
	})
}

// thinRows returns sparse observations, a tenth of whose values are not zero, but for a variable of large values
// that is zero in none, and one that is zero in none of the first.
func thinRows(p, n int, single, mapped bool, rng *rand.Rand) *block.SparseRows {
	x := &block.Sparse{Start: []int{0}}
	for l := range p {
		for i := range n {
			v := math.Round(8*(rng.NormFloat64()+float64(l%3))) / 8
			switch {
			case i == 2:
				v += 1e4
			case i == 5 && l < partRows:
				v++
			case rng.IntN(10) > 0 || v == 0:
				continue
			}
			x.Index = append(x.Index, int32(i))
			if single {
				x.V32 = append(x.V32, float32(v))
			} else {
				x.V = append(x.V, v)
			}
		}
		x.Start = append(x.Start, len(x.Index))
	}
	if mapped {
		for range n {
			x.Scale, x.Shift = append(x.Scale, .5+rng.Float64()), append(x.Shift, rng.NormFloat64())
		}
	}
	y := &block.SparseRows{P: p, N: n, Values: x}
	if mapped {
		for range p {
			y.Nu = append(y.Nu, (.5+rng.Float64())/float64(p))
		}
	}
	return y
}

// Steps with the stored values alone are those with all.
func TestSparseSteps(t *testing.T) {
	const p, n, r = 1500, 40, 3
	for _, from := range []Shape{Spherical, Tied, Diagonal} {
		for _, shape := range []Shape{Spherical, Tied, Diagonal} {
			for _, mapped := range []bool{false, true} {
				t.Run(fmt.Sprint(from, shape, mapped), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(uint64(shape), 7))
					x := thinRows(p, n, !mapped, mapped, rng)
					dense, err := block.Gather(t.Context(), x)
					if err != nil {
						t.Fatal(err)
					}
					center := make([]float64, n)
					for l := range p {
						for i := range n {
							v := 0.
							if dense.V != nil {
								v = dense.V[l*n+i]
							} else {
								v = float64(dense.V32[l*n+i])
							}
							center[i] += v / p
						}
					}
					g := someMixture(n, r, from, rng)
					step := func(x block.Source, threads int) (*Mixture, []float64, *EM) {
						e, h := NewEM(x, center, 2, r, shape, threads), g.Clone()
						e.SetFloor(1e-6)
						alone, ok := e.LogLikelihood(t.Context(), h)
						now, more := e.Step(t.Context(), h)
						if !ok || !more {
							t.Fatal("no step")
						}
						return h, slices.Concat([]float64{alone, now, e.overlap()}, h.Weights, h.Means, h.Cov, e.members(h)), e
					}
					want, numbers, _ := step(dense, 1)
					_, got, e := step(x, 1)
					if !e.sparse {
						t.Error("all values are computed with")
					}
					for i, v := range numbers {
						if !(math.Abs(got[i]-v) <= 1e-10*math.Max(1, math.Abs(v))) {
							t.Fatalf("number %d is %.15g, want %.15g", i, got[i], v)
						}
					}
					if _, parts, _ := step(inParts{x}, 1); !slices.EqualFunc(parts, numbers, func(a, b float64) bool { return math.Abs(a-b) <= 1e-10*math.Max(1, math.Abs(b)) }) {
						t.Errorf("in parts: %v, want %v", parts, numbers)
					}
					if _, again, _ := step(x, 4); !slices.Equal(got, again) {
						t.Error("other bits for other threads")
					}
					var z [2][]float64
					for i, x := range []block.Source{dense, x} {
						if !NewEM(x, center, 2, r, shape, 1).Responsibilities(t.Context(), want, func(_ int, of []float64, density float64) {
							z[i] = append(append(z[i], of...), density)
						}) {
							t.Fatal("no responsibilities")
						}
					}
					for i, v := range z[0] {
						if !(math.Abs(z[1][i]-v) <= 1e-10*math.Max(1, math.Abs(v))) {
							t.Fatalf("responsibility %d is %.15g, want %.15g", i, z[1][i], v)
						}
					}
				})
			}
		}
	}
}

// Where nearly all observations have a value far from zero, stored values alone would lose digits.
func TestNearlyFull(t *testing.T) {
	const p, n = 3000, 40
	x := thinRows(p, n, false, false, rand.New(rand.NewPCG(1, 1))).Values
	var s stored
	if !s.set(x, n, slices.Repeat([]float64{3}, n), 1) {
		t.Error("not used for a variable without zeros")
	}
	x.V[slices.Index(x.Index, 2)] = 0
	y := &block.Sparse{Start: []int{0}}
	for l := range p {
		for k := x.Start[l]; k < x.Start[l+1]; k++ {
			if x.V[k] != 0 {
				y.Index, y.V = append(y.Index, x.Index[k]), append(y.V, x.V[k])
			}
		}
		y.Start = append(y.Start, len(y.V))
	}
	if s.set(y, n, slices.Repeat([]float64{3}, n), 1) {
		t.Error("used for a variable with one zero")
	}
}

// Starts of sparse observations are made without their zeros: coordinates and k-means are those of all values.
func TestSparseStarts(t *testing.T) {
	const p, n, r = 7000, 40, 3
	x := thinRows(p, n, false, true, rand.New(rand.NewPCG(1, 2)))
	dense, err := block.Gather(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	near := func(t *testing.T, what string, got, want []float64, within float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
		}
		for i, v := range want {
			if !(math.Abs(got[i]-v) <= within*math.Max(1, math.Abs(v))) {
				t.Fatalf("%s: number %d is %.12g, want %.12g", what, i, got[i], v)
			}
		}
	}
	table := tables.New(&load.Set{Info: load.Info{P: p, N: n}, Values: dense.V, Weights: dense.Nu})
	thin := tables.New(&load.Set{Info: load.Info{P: p, N: n}, Sparse: x.Values, Weights: x.Nu})
	spread, err := table.Spread(t.Context(), r, tables.Exact, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	gather := func(table *tables.Table, shape Shape, limit uint64) *coordinates {
		c := &run{t: table, o: &Options{MemoryLimit: limit, Threads: 1}, r: r, n: n, ctx: t.Context(), shape: shape, spread: spread, unit: 2}
		in, err := c.gather()
		if err != nil || !table.Storage.Pass(t.Context(), func(b block.Block) {
			in.see(b.Part(0, 1001, n))
			in.see(b.Part(1001, b.Rows, n))
		}) {
			t.Fatal("not gathered")
		}
		return in.all()
	}
	for _, limit := range []uint64{0, 1 << 20} { // all observations, and a third of them
		want, got := gather(table, Spherical, limit), gather(thin, Spherical, limit)
		near(t, "weights", got.data.Nu, want.data.Nu, 1e-12)
		// The distance from the span is the root of a difference.
		near(t, "coordinates", got.data.V, want.data.V, 1e-9)
	}
	in := gather(thin, Diagonal, 0)
	some := in.some()
	for _, x := range []*block.Dense{in.data, some} {
		y := in.without[x]
		if y == nil || in.source(x) != block.Source(y) {
			t.Fatal("nothing is held without zeros")
		}
		all, err := block.Gather(t.Context(), y)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "values", all.V, x.V, 1e-12)
		near(t, "weights", all.Nu, x.Nu, 0)
	}
	for _, rounds := range []int{0, 10} {
		a, square := KMeans(t.Context(), some, nil, r, rounds, rand.New(rand.NewPCG(1, 1)))
		b, other := KMeans(t.Context(), some, in.without[some], r, rounds, rand.New(rand.NewPCG(1, 1)))
		near(t, "centers", b, a, 1e-9)
		near(t, "mean square", []float64{other}, []float64{square}, 1e-9)
	}
}
