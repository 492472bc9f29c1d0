package norm

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Pairs of an observation with itself, also where it was drawn twice, do not count.
func TestSamplePairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	index := []int{4, 7, 4, 9, 2, 7}
	m := len(index)
	s := newSamplePairs(m, 2)
	var squares, fourths float64
	for l := range m {
		h := make([]float64, m)
		var sum float64
		count := 0
		for k := range h {
			h[k] = rng.NormFloat64()
			if index[k] != index[l] {
				sum += h[k]
				count++
				squares += h[k] * h[k]
				fourths += math.Pow(h[k], 4)
			}
		}
		s.add(l, l%2, h[:4], index[:4], index[l])
		s.add(l, l%2, h[4:], index[4:], index[l])
		if math.Abs(s.sums[l]-sum) > 1e-14 || s.counts[l] != count {
			t.Errorf("observation %d: %g of %d pairs, want %g of %d", l, s.sums[l], s.counts[l], sum, count)
		}
	}
	if got := s.squares[0] + s.squares[1]; math.Abs(got-squares) > 1e-13 {
		t.Errorf("squares %g, want %g", got, squares)
	}
	if got := s.fourths[0] + s.fourths[1]; math.Abs(got-fourths) > 1e-12 {
		t.Errorf("fourth powers %g, want %g", got, fourths)
	}
}
