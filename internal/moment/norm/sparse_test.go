package norm

import (
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/moment/block"
)

// Without its zeros ||X||^2 is that of all numbers, weighted, scaled and shifted, float32 too, and
// the same bits on any number of threads.
func TestSquaredSparse(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for trial := range 60 {
		p, n, d := 1+rng.IntN(200), 1+rng.IntN(12), 1+rng.IntN(5)
		x := &block.SparseRows{P: p, N: n, Values: &block.Sparse{Start: []int{0}}}
		s := x.Values
		if trial%3 == 0 {
			s.V32 = []float32{}
		}
		for range p {
			for i := range n {
				if rng.IntN(4) > 0 {
					continue
				}
				v := float64(rng.IntN(5) - 2) // so that some products cancel
				s.Index = append(s.Index, int32(i))
				if s.V32 != nil {
					s.V32 = append(s.V32, float32(v))
				} else {
					s.V = append(s.V, v)
				}
			}
			s.Start = append(s.Start, len(s.Index))
		}
		if trial%4 == 1 {
			s.Shift = make([]float64, n)
			for i := range s.Shift {
				s.Shift[i] = rng.NormFloat64()
			}
		}
		if trial%5 == 1 {
			s.Scale = make([]float64, n)
			for i := range s.Scale {
				s.Scale[i] = rng.Float64() + .1
			}
		}
		if trial%2 == 1 {
			x.Nu = make([]float64, p)
			for l := range x.Nu {
				x.Nu[l] = 1 / float64(p)
			}
		}
		all, err := block.Gather(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Squared(t.Context(), all, d, 2.5, 1)
		if err != nil {
			t.Fatal(err)
		}
		got, err := SquaredSparse(t.Context(), x, d, 2.5, 1)
		if err != nil || !(math.Abs(got-want) <= 1e-12*math.Max(want, 1e-3)) {
			t.Errorf("trial %d, %d x %d, order %d: %.17g, want %.17g (%v)", trial, p, n, d, got, want, err)
		}
		if more, _ := SquaredSparse(t.Context(), x, d, 2.5, 3); more != got {
			t.Errorf("trial %d: %.17g on three threads, %.17g on one", trial, more, got)
		}
		if s.Shift == nil && s.Scale == nil {
			if a, b := SparseOps(x), WithoutZerosOps(all); a < b {
				t.Errorf("trial %d: %g operations, %g without the stored zeros", trial, a, b)
			}
		}
	}
}
