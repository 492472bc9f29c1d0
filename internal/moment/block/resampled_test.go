package block

import (
	"context"
	"math"
	"testing"
)

// Weights are Poisson(1), times the observations' own; they are the same in every
// pass and differ between draws.
func TestResampled(t *testing.T) {
	const p = 100_000
	x := &Dense{P: p, N: 1, V: make([]float64, p), Nu: make([]float64, p)}
	for l := range p {
		x.Nu[l] = 2
	}
	draw := func(draw uint64) (all []float64) {
		s := &Resampled{Source: x, Seed: 1, Draw: draw}
		for range 2 {
			var now []float64
			if !s.Pass(context.Background(), func(b Block) { now = append(now, b.Nu...) }) {
				t.Fatal("stopped")
			}
			for l, v := range all {
				if now[l] != v {
					t.Fatalf("weight %d is %g, then %g", l, v, now[l])
				}
			}
			all = now
		}
		return all
	}
	a, b := draw(1), draw(2)
	counts, same := map[float64]float64{}, 0.
	for l, v := range a {
		counts[v/2]++
		if v == b[l] {
			same++
		}
	}
	probability, sum := math.Exp(-1), 0.
	for k := range 6 {
		if k > 0 {
			probability /= float64(k)
		}
		// Five standard deviations of a count.
		if got, want := counts[float64(k)], p*probability; !(math.Abs(got-want) <= 5*math.Sqrt(want)) {
			t.Errorf("%g weights are 2 x %d, want %g", got, k, want)
		}
		sum += probability * probability
	}
	if !(math.Abs(same-p*sum) <= 5*math.Sqrt(p*sum)) {
		t.Errorf("%g weights of two draws agree, want %g of independent ones", same, p*sum)
	}
}
