package symmom

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// adjustedRandOfPairs is the index by its definition: over all pairs of observations.
func adjustedRandOfPairs(a, b []int) float64 {
	var both, first, second, n float64
	for i := range a {
		for k := range i {
			n++
			x, y := a[i] == a[k], b[i] == b[k]
			if x {
				first++
			}
			if y {
				second++
			}
			if x && y {
				both++
			}
		}
	}
	expected := first * second / n
	if most := (first + second) / 2; most != expected {
		return (both - expected) / (most - expected)
	}
	return 1
}

func TestAdjustedRand(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		p, r, s := 2+rng.IntN(60), 1+rng.IntN(6), 1+rng.IntN(6)
		a, b := make([]int, p), make([]int, p)
		for l := range p {
			a[l], b[l] = rng.IntN(r), rng.IntN(s)
			if rng.IntN(2) == 0 {
				b[l] = a[l] % s
			}
		}
		got, want := adjustedRand(crossTable(a, b, r, s)), adjustedRandOfPairs(a, b)
		if !(math.Abs(got-want) <= 1e-13) { // rounding of a few operations
			t.Errorf("%v %v: %v, want %v", a, b, got, want)
		}
	}
}

func TestCrossTableLeavesOut(t *testing.T) {
	got := crossTable([]int{0, 1, -1, 1}, []int{1, 0, 1, -1}, 2, 2)
	if !slices.Equal(got[0], []int{0, 1}) || !slices.Equal(got[1], []int{1, 0}) {
		t.Error(got)
	}
}
