package moment

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

func TestLargestEigenvalue(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 1))
	for _, n := range []int{1, 2, 7, 60} {
		for _, weighted := range []bool{false, true} {
			x := randomData(200, n, weighted, rng)
			all, err := eigenvalues(x)
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := LargestEigenvalue(ctx, x, 3, 2)
			if err != nil {
				t.Fatal(err)
			}
			// Stops at a relative change of 1e-8 or after 50 of n <= 60 steps.
			if !(math.Abs(got-all[0]) <= 1e-6*all[0]) {
				t.Errorf("n=%d: %g, the spectrum says %g", n, got, all[0])
			}
			trace := 0.0
			for l := range x.P {
				v := x.V[l*x.N : (l+1)*x.N]
				w := x.Share()
				if x.Nu != nil {
					w = x.Nu[l]
				}
				trace += w * linalg.Dot(v, v)
			}
			var sum float64
			for _, e := range all {
				sum += e
			}
			if !(math.Abs(sum-trace) <= 1e-12*trace) {
				t.Errorf("n=%d: eigenvalues sum to %g, the trace is %g", n, sum, trace)
			}
		}
	}
	for _, c := range []float64{0x1p-300, 0x1p300} {
		x := randomData(50, 4, false, rand.New(rand.NewPCG(11, 1)))
		want, _, _ := LargestEigenvalue(ctx, x, 1, 1)
		linalg.Scale(c, x.V)
		got, _, err := LargestEigenvalue(ctx, x, c, 1)
		if err != nil || got/c/c != want {
			t.Errorf("data times %g: %g, %v; want %g", c, got/c/c, err, want)
		}
	}
	if v, _, err := LargestEigenvalue(ctx, &block.Dense{P: 2, N: 2, V: make([]float64, 4)}, 1, 1); v != 0 || err != nil {
		t.Errorf("zero data: %g, %v", v, err)
	}
}

func TestRangeFinder(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	// Observations in a plane give starts in that plane.
	const n, r = 6, 4
	x := &block.Dense{P: 500, N: n, V: make([]float64, 500*n)}
	for l := range x.P {
		x.V[l*n], x.V[l*n+1] = rng.NormFloat64(), rng.NormFloat64()
	}
	a := make([]float64, r*n)
	if !RangeFinder(ctx, x, a, r, rng) {
		t.Fatal("interrupted")
	}
	for j := range r {
		col := a[j*n : (j+1)*n]
		if d := math.Abs(linalg.Norm2(col) - 1); !(d <= 1e-14) {
			t.Errorf("column %d has norm 1 + %g", j, d)
		}
		if out := linalg.NormInf(col[2:]); out != 0 {
			t.Errorf("column %d leaves the range of the data by %g", j, out)
		}
	}
}

// A weight of 3/p is an observation that is there three times: the range
// finder's covariance is V D_nu V' either way.
func TestRangeFinderWeights(t *testing.T) {
	x := &block.Dense{P: 2, N: 2, V: []float64{1, 0, 0, 1}, Nu: []float64{.75, .25}}
	rng := rand.New(rand.NewPCG(13, 1))
	var s0, s1 float64
	const draws = 20000
	for range draws {
		a := make([]float64, 2)
		RangeFinder(ctx, x, a, 1, rng)
		// Before normalization a = (sqrt(.75) g0, sqrt(.25) g1), so the angle's
		// tangent squared has median .25/.75.
		if a[1]*a[1]*3 < a[0]*a[0] {
			s0++
		} else {
			s1++
		}
	}
	// Binomial with probability 1/2: four deviations are 4*sqrt(.25/20000) = .014.
	if share := s0 / draws; !(math.Abs(share-.5) <= .014) {
		t.Errorf("share of draws below the median angle: %g", share)
	}
}

func TestAlign(t *testing.T) {
	x := randomData(100, 5, false, rand.New(rand.NewPCG(14, 1)))
	for i := range x.V {
		x.V[i] += .4
	}
	for d := 1; d <= 4; d++ {
		o := NewObjective(&Implicit{Data: x, D: d}, 8, 1, 1)
		a := make([]float64, 8*5)
		Gaussian(a, 5, rand.New(rand.NewPCG(15, 1)))
		before := append([]float64{}, a...)
		largest, ok := Align(ctx, o, a)
		_, w, _ := o.TTSV(ctx, a)
		if !ok || d%2 == 1 && largest != slices.Max(w) || d%2 == 0 && !math.IsInf(largest, 1) {
			t.Errorf("d=%d: %v, largest %g of %g", d, ok, largest, w)
		}
		flipped := 0
		for j := range 8 {
			if d%2 == 1 && w[j] < 0 {
				t.Errorf("d=%d: X a_%d^d = %g after alignment", d, j, w[j])
			}
			if a[j*5] != before[j*5] {
				flipped++
			}
		}
		if d%2 == 0 && flipped != 0 || d%2 == 1 && flipped == 0 {
			t.Errorf("d=%d: %d of 8 columns turned", d, flipped)
		}
	}
}
