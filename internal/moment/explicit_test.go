package moment

import (
	"math"
	"math/rand/v2"
	"testing"

	"symmom/internal/moment/block"
)

// checkForms holds the products of the explicit and of the packed form against
// those of the observations.
func checkForms(t *testing.T, seed uint64, d, n, r, p, threads int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 9))
	x := randomData(p, n, seed%2 == 0, rng)
	a, y, want, size := make([]float64, r*n), make([]float64, r*n), make([]float64, r*n), make([]float64, r*n)
	Gaussian(a, n, rng)
	(&Implicit{Data: x, D: d}).Worker(r, 1).TTSV(ctx, want, a)
	// The sums of the absolute values of all terms: what rounding scales with.
	positive := &block.Dense{P: p, N: n, V: absolute(x.V), Nu: x.Nu}
	(&Implicit{Data: positive, D: d}).Worker(r, 1).TTSV(ctx, size, absolute(a))
	packed, err := NewPacked(ctx, x, nil, d, 1, threads)
	if err != nil {
		t.Fatal(err)
	}
	explicit, err := packed.Explicit(ctx, threads)
	if err != nil {
		t.Fatal(err)
	}
	if got := ExplicitBytes(d, n); got != float64(8*len(explicit.Entries())) {
		t.Fatalf("d=%d n=%d: %d numbers, %g bytes", d, n, len(explicit.Entries()), got)
	}
	for _, tensor := range []Tensor{packed, explicit} {
		clear(y)
		if !tensor.Worker(r, threads).TTSV(ctx, y, a) {
			t.Fatal("interrupted")
		}
		for i, v := range want {
			// Sums of p terms, of d n terms for each index that is summed over,
			// and d factors a term, on both sides.
			if tol := 4 * 0x1p-53 * float64(p+d*n+2*d) * size[i]; !(y[i]-v <= tol && v-y[i] <= tol) {
				t.Fatalf("%s d=%d n=%d r=%d p=%d: y[%d] = %g, want %g within %g", tensor.Name(), d, n, r, p, i, y[i], v, tol)
			}
		}
	}
}

func absolute(x []float64) []float64 {
	y := append([]float64(nil), x...)
	for i, v := range y {
		y[i] = max(v, -v)
	}
	return y
}

// Sizes around the panels and slabs of 8, and tensors of several groups.
func TestExplicitProducts(t *testing.T) {
	seed := uint64(0)
	for d := 1; d <= 7; d++ {
		for n := 1; n <= 19 && PackedBytes(d, n) < 2e6; n++ {
			seed++
			checkForms(t, seed, d, n, 1+int(seed%7), 1+int(seed%5), 1+int(seed%3))
		}
	}
	for _, c := range []struct{ d, n, r int }{{2, 70, 9}, {3, 75, 6}, {3, 120, 11}, {4, 33, 5}, {5, 17, 4}} {
		checkForms(t, 1, c.d, c.n, c.r, 12, 2)
	}
}

func FuzzExplicitProducts(f *testing.F) {
	f.Add(uint64(1), uint8(3), uint8(40), uint8(5))
	f.Add(uint64(2), uint8(4), uint8(17), uint8(26))
	f.Fuzz(func(t *testing.T, seed uint64, d, n, r uint8) {
		if d, n := int(d%9), int(n); PackedBytes(max(d, 1), n) < 1e6 {
			checkForms(t, seed, max(d, 1), 1+n, 1+int(r%40), 1+int(seed%9), 1+int(seed%4))
		}
	})
}

// The padding is what comments here and of package symmom say.
func TestPaddingOfTheTensor(t *testing.T) {
	for n, want := range map[int]float64{500: 1.07, 100: 1.33, 30: 2} {
		if got := ExplicitBytes(3, n) / PackedBytes(3, n); math.Abs(got-want) > .05 {
			t.Errorf("n = %d: %.3f times the entries, want %.2f", n, got, want)
		}
	}
}
