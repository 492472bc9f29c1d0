package norm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// ||X||^2 over distinct indices is that of the tensor, and the same bits on any number of threads.
func TestSquaredDistinct(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 5))
	for d := 2; d <= 5; d++ {
		for _, weighted := range []bool{false, true} {
			x := randomData(150, 6, weighted, rng)
			full, err := moment.NewPacked(ctx, x, nil, d, 2, 1)
			if err != nil {
				t.Fatal(err)
			}
			want := full.Distinct(nil).NormSquared()
			got, err := SquaredDistinct(ctx, x, d, 2, 1)
			again, _ := SquaredDistinct(ctx, x, d, 2, 3)
			// Terms of pairs cancel, down to a thousandth here.
			if err != nil || !(math.Abs(got-want) <= 1e-11*want) || got != again {
				t.Errorf("d=%d weighted %v: %.15g and %.15g, want %.15g (%v)", d, weighted, got, again, want, err)
			}
		}
	}
}

// far is a source that others sum over.
type far struct{ *block.Dense }

func (x far) Sum(ctx context.Context, p block.Pass, _ func(float64)) ([]float64, bool) {
	sum, err := Sum(ctx, unshared(x), p, 1)
	return sum, err == nil
}

// unshared is a source as a part of another.
type unshared struct{ *block.Dense }

func (unshared) Share() float64 { return 1 }

// The estimate is right in the mean over many draws, and its standard error is theirs.
func TestEstimateDistinct(t *testing.T) {
	const p, n, draws = 40, 6, 150
	rng := rand.New(rand.NewPCG(57, 6))
	for d := 2; d <= 4; d++ {
		for _, weighted := range []bool{false, true} {
			x := randomData(p, n, weighted, rng)
			for l := range p {
				for i := range n {
					x.V[l*n+i] += 1
				}
			}
			squares := 0.
			for l := range p {
				nu := x.Weight(l) * x.Share()
				squares += nu * nu
			}
			exact, err := SquaredDistinct(ctx, x, d, 1.5, 1)
			if err != nil {
				t.Fatal(err)
			}
			for name, x := range map[string]block.Source{"near": x, "far": far{x}} {
				var sum, variance, own float64
				for seed := range uint64(draws) {
					sample := moment.NewSample(96, n, seed+1)
					x.Pass(ctx, sample.Add)
					e, err := EstimateDistinct(ctx, x, sample, d, 1.5, squares, 1)
					if err != nil {
						t.Fatal(err)
					}
					if e.Least > exact*(1+1e-12) {
						t.Fatalf("the least, %g, is above %g", e.Least, exact)
					}
					sum += e.Value
					variance += e.Value * e.Value
					own += e.StdErr
				}
				mean := sum / draws
				spread := math.Sqrt(variance/draws - mean*mean)
				// Beyond 5 standard errors is one of two million means; the errors that each states
				// are known to a tenth or two.
				if !(math.Abs(mean-exact) <= 5*spread/math.Sqrt(draws)) || !(own/draws > .6*spread && own/draws < 1.7*spread) {
					t.Errorf("d=%d weighted %v %s: mean %g, exact %g, spread %g, stated %g", d, weighted, name, mean, exact, spread, own/draws)
				}
			}
		}
	}
}
