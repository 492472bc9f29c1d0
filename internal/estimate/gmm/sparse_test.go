package gmm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/moment/block"
)

// thinRows returns sparse observations, a tenth of whose values are not zero, but for a variable of large values
// that is zero in none.
func thinRows(p, n int, single, mapped bool, rng *rand.Rand) *block.SparseRows {
	x := &block.Sparse{Start: []int{0}}
	for l := range p {
		for i := range n {
			v := math.Round(8*(rng.NormFloat64()+float64(l%3))) / 8
			switch {
			case i == 2:
				v += 1e4
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
