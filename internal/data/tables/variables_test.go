package tables

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/data/columns"
	"symmom/internal/moment/block"
)

// Deviations are right to 13 digits however far the mean is from 0: what is described is
// what the numbers are, and their differences are exact. Twice 50 observations of a
// deviation of 1 leave 50 roundings.
func TestDescribeFarFromZero(t *testing.T) {
	const p = 50
	rng := rand.New(rand.NewPCG(3, 1))
	for _, offset := range []float64{0, 3e7, 1e9, 1.7e12, 1e15} {
		x := &block.Dense{P: p, N: 1, V: make([]float64, p)}
		for l := range x.V {
			x.V[l] = offset + rng.ExpFloat64()
		}
		var mean, square float64
		for _, v := range x.V {
			mean += (v - x.V[0]) / p
		}
		for _, v := range x.V {
			square += (v - x.V[0] - mean) * (v - x.V[0] - mean) / p
		}
		v, err := Describe(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Root[0] * v.Root[0] / v.Total; !(math.Abs(got-square) <= 1e-13*square) {
			t.Errorf("offset %g: variance %.16g, want %.16g", offset, got, square)
		}
		if want := x.V[0] + mean; !(math.Abs(v.Mean[0]-want) <= 2e-16*want) {
			t.Errorf("offset %g: mean %.17g, want %.17g", offset, v.Mean[0], want)
		}
	}
}

// Deviations are right where squares of values over- and underflow, also where the values
// differ by hundreds of orders of magnitude.
func TestDescribeRange(t *testing.T) {
	for _, values := range [][]float64{{1e300, 2e300, 4e300}, {1e-300, 2e-300, 4e-300}, {1e-310, 2e-310, 4e-310}, {-1.7e308, 1.7e308, 0},
		{0, 1e-200, 1, 2, 4}, {3, 1e300, 2e300}, {1e300, 1, 1e-300}, {7, 7, 7}, {0, 0}, {5}} {
		x := &block.Dense{P: len(values), N: 1, V: values}
		v, err := Describe(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		var mean, square big.Float
		p := new(big.Float).SetInt64(int64(len(values)))
		for _, x := range values {
			mean.Add(&mean, new(big.Float).SetPrec(2000).SetFloat64(x))
		}
		mean.Quo(&mean, p)
		for _, x := range values {
			d := new(big.Float).SetPrec(2000).Sub(new(big.Float).SetFloat64(x), &mean)
			square.Add(&square, d.Mul(d, d))
		}
		want, _ := square.Sqrt(square.Quo(&square, p)).Float64()
		about, _ := mean.Float64()
		// Some roundings of numbers as large as the largest.
		top := math.Max(math.Abs(slices.Max(values)), math.Abs(slices.Min(values)))
		if got := v.Root[0] / math.Sqrt(v.Total); !(math.Abs(got-want) <= 1e-15*want+5e-324) || !(math.Abs(v.Mean[0]-about) <= 1e-15*top) {
			t.Errorf("%v: mean %g, deviation %g; want %g, %g", values, v.Mean[0], got, about, want)
		}
	}
}

func BenchmarkDescribe(b *testing.B) {
	rng := rand.New(rand.NewPCG(40, 4))
	for _, n := range []int{5, 500} {
		x := &block.Dense{P: 1 << 20 / n, N: n, V: make([]float64, 1<<20/n*n)}
		for i := range x.V {
			x.V[i] = rng.NormFloat64()
		}
		b.Run("", func(b *testing.B) {
			b.SetBytes(int64(8 * len(x.V)))
			for b.Loop() {
				if _, err := Describe(b.Context(), x, make([]columns.Suspects, n)...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
