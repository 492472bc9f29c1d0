package gmm

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/test/slow"
)

// Of three observations every twentieth draw is empty, and drawn again. The others are
// drawn here with independent code: the standard error of their mean is that of all
// numbers of repetitions by their probabilities, which are enumerated.
func TestEmptyDraws(t *testing.T) {
	slow.Test(t)
	const draws, most = 4000, 8 // more repetitions have a probability of 1e-6
	v := []float64{-1, .5, 2.5}
	set := func(weights []float64) *tables.Table {
		return tables.New(&load.Set{Info: load.Info{P: len(v), N: 1}, Values: v, Weights: weights})
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
			b := NewBootstrap(set(weights), r.Mixture, nil, 1, 1)
			for k := range uint64(draws) {
				if err := b.Draw(t.Context(), k); err != nil {
					t.Fatal(err)
				}
			}
			// The relative error of a standard deviation is 1/sqrt(2 draws), 1.1%; four of that.
			if got := b.Errors()[1]; !(math.Abs(got/want-1) <= .045) {
				t.Errorf("weights %v, shape %d: the standard error of the mean is %g of %d draws, want %g", weights, shape, got, b.Done, want)
			}
		}
	}
}

// Errors are the standard deviations of the draws, each of which is made alone here.
func TestErrorsAreDeviations(t *testing.T) {
	const n, r, p, draws = 3, 2, 90, 7
	rng := rand.New(rand.NewPCG(33, 4))
	x := clusters(p, n, 0, rng)
	table := tables.New(&load.Set{Info: load.Info{P: p, N: n}, Values: x.V})
	for _, shape := range []Shape{Spherical, Tied, Diagonal, Full} {
		f, err := Fit(t.Context(), table, r, &Options{Shape: shape, Starts: 2, Seed: 1, Tolerance: DefaultTolerance, MaxIterations: DefaultIterations, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		// A mixture beside the best one: the draws have another mean than it.
		f.Mixture.Means[0] += .3
		all := NewBootstrap(table, f.Mixture, f.Least, 5, 1)
		var each [][]float64
		for k := range uint64(draws) {
			one := NewBootstrap(table, f.Mixture, f.Least, 5, 1)
			if err := errors.Join(all.Draw(t.Context(), k), one.Draw(t.Context(), k)); err != nil {
				t.Fatal(err)
			}
			for i, e := range one.exponent {
				one.sum[i] = math.Ldexp(one.sum[i], e)
			}
			each = append(each, one.sum)
		}
		for i, got := range all.Errors() {
			var mean, square float64
			for _, v := range each {
				mean += v[i] / draws
			}
			for _, v := range each {
				square += (v[i] - mean) * (v[i] - mean)
			}
			// Squares of seven differences of up to .3, each right to 1e-16.
			if want := math.Sqrt(square / (draws - 1)); !(math.Abs(got*got-want*want) <= 1e-15) {
				t.Errorf("shape %d, parameter %d: standard error %g, want %g", shape, i, got, want)
			}
		}
	}
}

// Errors have the unit of the data: where squares of covariances are out of range as elsewhere.
func TestErrorsInAnyUnit(t *testing.T) {
	const n, r, p, draws = 3, 2, 90, 3
	x := clusters(p, n, 0, rand.New(rand.NewPCG(38, 5)))
	for _, shape := range []Shape{Spherical, Full} {
		var want []float64
		for _, exponent := range []int{0, 332, -332} { // 1e100 and 1e-100
			values := make([]float64, len(x.V))
			for i, v := range x.V {
				values[i] = math.Ldexp(v, exponent)
			}
			table := tables.New(&load.Set{Info: load.Info{P: p, N: n}, Values: values})
			f, err := Fit(t.Context(), table, r, &Options{Shape: shape, Starts: 2, Seed: 1, Tolerance: DefaultTolerance, MaxIterations: DefaultIterations, Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			b := NewBootstrap(table, f.Mixture, f.Least, 5, 1)
			for k := range uint64(draws) {
				if err := b.Draw(t.Context(), k); err != nil {
					t.Fatal(err)
				}
			}
			got := b.Errors()
			if exponent == 0 {
				want = got
			}
			for i, g := range got {
				unit := exponent // of means and sigma
				switch {
				case i < r:
					unit = 0
				case i >= r+r*n && i < len(got)-1:
					unit = 2 * exponent
				}
				if !(math.Abs(math.Ldexp(g, -unit)-want[i]) <= 1e-6*want[i]) {
					t.Errorf("shape %d, data times 2^%d: error %d is %g, want %g", shape, exponent, i, g, math.Ldexp(want[i], unit))
				}
			}
		}
	}
}
