package profile

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRunning: blocks of rows give what all values give one by one.
func TestRunning(t *testing.T) {
	rng := rand.New(rand.NewPCG(40, 1))
	some := []float64{0, math.Copysign(0, -1), 5e-324, -5e-324, 1e-310, 1, -1, 2.5, 1e150, -1e153}
	for range 200 {
		n := 1 + rng.IntN(9)
		r := NewRunning(n)
		squares, largest, nonzero := make([]float64, n), make([]float64, n), make([]int, n)
		var first []float64
		constant := New(n).Constant
		same := rng.IntN(n)
		for range 1 + rng.IntN(4) {
			v := make([]float64, n*(1+rng.IntN(12)))
			for i := range v {
				if v[i] = some[rng.IntN(len(some))]; i%n == same {
					v[i] = -3
				}
			}
			if first == nil {
				first = v[:n]
			}
			for i, x := range v {
				j := i % n
				squares[j] += x * x
				largest[j] = max(largest[j], math.Abs(x))
				if x != 0 {
					nonzero[j]++
				}
				if x != first[j] {
					constant = slices.DeleteFunc(constant, func(c int) bool { return c == j })
				}
			}
			r.Add(v)
		}
		if !slices.Equal(r.Largest, largest) || !slices.Equal(r.Nonzero, nonzero) || !slices.Equal(r.Constant, constant) {
			t.Fatalf("%d columns: largest %v, not zero %v, constant %v; want %v, %v, %v", n, r.Largest, r.Nonzero, r.Constant, largest, nonzero, constant)
		}
		for j, want := range squares {
			// Up to 48 rows: each square is rounded once, and each sum once, of no negative terms.
			if d := math.Abs(r.Squares[j] - want); d > 2*48*0x1p-52*want {
				t.Fatalf("column %d: squares %v, want %v", j, r.Squares[j], want)
			}
		}
	}
}

func BenchmarkRunning(b *testing.B) {
	rng := rand.New(rand.NewPCG(40, 2))
	for _, n := range []int{5, 500} {
		v := make([]float64, 1<<20/n*n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		r := NewRunning(n)
		b.Run("", func(b *testing.B) {
			b.SetBytes(int64(8 * len(v)))
			for b.Loop() {
				r.Add(v)
			}
		})
	}
}
