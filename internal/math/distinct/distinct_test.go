package distinct_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/math/distinct"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
)

// mask sets the entries of a tensor with an index that occurs twice to 0.
func mask(x []float64, d, n int) []float64 {
	for at := range x {
		seen := make([]bool, n)
		for k, rest := 0, at; k < d; k, rest = k+1, rest/n {
			if seen[rest%n] {
				x[at] = 0
			}
			seen[rest%n] = true
		}
	}
	return x
}

// times multiplies a tensor by a in all modes but the first.
func times(x, a []float64, d int) []float64 {
	n := len(a)
	for range d - 1 {
		y := make([]float64, len(x)/n)
		for i := range y {
			y[i] = linalg.Dot(x[i*n:(i+1)*n], a)
		}
		x = y
	}
	return x
}

func normal(rng *rand.Rand, count int) []float64 {
	v := make([]float64, count)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

// near compares numbers, up to what rounding leaves of powers of a sum, gross, that cancel.
func near(t *testing.T, what string, got, want []float64, gross float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-14*gross) {
			t.Fatalf("%s: %d is %.17g, want %.17g", what, i, got[i], want[i])
		}
	}
}

// sum is sum |v_i a_i|.
func sum(v, a []float64) (s float64) {
	for i, x := range v {
		s += math.Abs(x * a[i])
	}
	return s
}

// The inner products and products of rank-one terms are those of the tensors without the
// entries whose indices occur twice. The tolerance is that of sums of n^d terms of both signs.
func TestDistinctIsMaskedTensor(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 1))
	for d := 1; d <= 5; d++ {
		n, r := 5+rng.IntN(3), 4
		k := ktensor.New(d, n, r)
		copy(k.A, normal(rng, r*n))
		copy(k.Lambda, normal(rng, r))
		x := mask(k.Full(), d, n)
		s := distinct.NewTerms(d, n, r)
		s.Set(k.A)
		y := make([]float64, r*n)
		s.Slopes(y, k.Lambda)
		linalg.Scale(1/float64(d), y)
		for j := range r {
			gross := 0.
			for i, l := range k.Lambda {
				gross += math.Abs(l) * linalg.NormInf(k.Column(i)) * linalg.Powi(sum(k.Column(i), k.Column(j)), d-1)
			}
			near(t, "product", y[j*n:(j+1)*n], times(x, k.Column(j), d), float64(d)*gross)
			single := ktensor.New(d, n, 1)
			single.Lambda[0] = 1
			copy(single.A, k.Column(j))
			full := mask(single.Full(), d, n)
			for i := range r {
				f := linalg.Dot(times(full, k.Column(i), d), k.Column(i))
				near(t, "inner product", []float64{s.Gram()[j*r+i], distinct.Inner(k.Column(j), k.Column(i), d)}, []float64{f, f}, linalg.Powi(sum(k.Column(j), k.Column(i)), d))
			}
		}
	}
	if s := distinct.NewTerms(3, 2, 1); true { // no three indices
		s.Set([]float64{.5, -2})
		if s.Gram()[0] != 0 && math.Abs(s.Gram()[0]) > 1e-13 || distinct.Inner([]float64{1, 2}, []float64{3, 4}, 3) != 0 {
			t.Errorf("two variables have entries of three distinct indices: %g", s.Gram()[0])
		}
	}
}
