package gmm

import (
	"math"
	"testing"

	"symmom/internal/observations"
	"symmom/internal/storage"
)

// Of three observations every twentieth draw is empty, and drawn again. The others are
// drawn here with independent code: the standard error of their mean is that of all
// numbers of repetitions by their probabilities, which are enumerated.
func TestEmptyDraws(t *testing.T) {
	const draws, most = 4000, 8 // more repetitions have a probability of 1e-6
	v := []float64{-1, .5, 2.5}
	set := func(weights []float64) *storage.Table {
		return storage.New(&observations.Set{Info: observations.Info{P: len(v), N: 1}, Values: v, Weights: weights})
	}
	for _, weights := range [][]float64{nil, {.2, .5, .3}} {
		var probability, sum, square float64
		factorial := []float64{1}
		for k := 1; k <= most; k++ {
			factorial = append(factorial, factorial[k-1]*float64(k))
		}
		for k := 1; k < (most+1)*(most+1)*(most+1); k++ {
			count := []int{k % (most + 1), k / (most + 1) % (most + 1), k / (most + 1) / (most + 1)}
			p, total, mean := math.Exp(-3), 0., 0.
			for l, c := range count {
				p /= factorial[c]
				w := float64(c)
				if weights != nil {
					w *= weights[l]
				}
				total += w
				mean += w * v[l]
			}
			mean /= total
			probability += p
			sum += p * mean
			square += p * mean * mean
		}
		sum /= probability
		want := math.Sqrt(square/probability - sum*sum)
		for _, shape := range []Shape{Spherical, Tied, Diagonal, Full} {
			r, err := Fit(t.Context(), set(weights), 1, &Options{Shape: shape, Tolerance: DefaultTolerance, MaxIterations: DefaultIterations, Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			b := NewBootstrap(set(weights), r.Mixture, 1, 1)
			for k := range uint64(draws) {
				if err := b.Draw(t.Context(), k); err != nil {
					t.Fatal(err)
				}
			}
			// The relative error of a standard deviation is 1/sqrt(2 draws), 1.1%; four of that.
			if got := b.Errors()[1]; math.Abs(got/want-1) > .045 {
				t.Errorf("weights %v, shape %d: the standard error of the mean is %g of %d draws, want %g", weights, shape, got, b.Done, want)
			}
		}
	}
}
