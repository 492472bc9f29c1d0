package profile

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"
)

// values draws a table with a constant column, one that becomes constant only after the
// first row, and one that is constant except for the last row.
func values(p, n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	v := make([]float64, p*n)
	for i := range v {
		v[i] = float64(float32(rng.NormFloat64()))
		switch i % n {
		case 1:
			v[i] = 3
		case 2:
			v[i] = 4
		case 3:
			v[i] = 5
		}
	}
	if n > 3 {
		v[2], v[len(v)-n+3] = 5, 6
	}
	return v
}

// TestSweep compares with plain loops: the values that are read and the constant columns exactly,
// the sums to rounding; and any number of processors and of float32 gives the same bits.
func TestSweep(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, shape := range [][2]int{{1, 1}, {1, 5}, {7, 4}, {70_000, 1}, {40_000, 50}, {3_000, 500}, {5, 300_000}, {2, 70_000}} {
		p, n := shape[0], shape[1]
		v := values(p, n, uint64(p))
		squares := make([]float64, n)
		var constant []int
		for j := range n {
			same := true
			for i := range p {
				squares[j] += v[i*n+j] * v[i*n+j]
				same = same && v[i*n+j] == v[j]
			}
			if same {
				constant = append(constant, j)
			}
		}
		single := make([]float32, len(v))
		for i, x := range v {
			single[i] = float32(x)
		}
		var want *Profile
		for _, threads := range []int{1, 2, 7} {
			runtime.GOMAXPROCS(threads)
			room, room32 := make([]float64, len(v)), make([]float32, len(v))
			for k, table := range []Values{
				{P: p, N: n, V: v},
				{P: p, N: n, V32: single},
				{P: p, N: n, V: room, Fill: func(to []float64, _ []float32, from int) error { copy(to, v[from:]); return nil }},
				{P: p, N: n, V32: room32, Fill: func(_ []float64, to []float32, from int) error { copy(to, single[from:]); return nil }},
			} {
				what := fmt.Sprintf("%d x %d, %d threads, way %d", p, n, threads, k)
				got, err := Sweep(t.Context(), table)
				if err != nil {
					t.Fatal(what, err)
				}
				if k >= 2 && !slices.Equal(table.V, v[:len(table.V)]) || !slices.Equal(table.V32, single[:len(table.V32)]) {
					t.Errorf("%s: other values", what)
				}
				if len(got.Constant)+len(constant) > 0 && !reflect.DeepEqual(got.Constant, constant) || !got.Finite {
					t.Errorf("%s: constant columns %d, want %d, finite %v", what, len(got.Constant), len(constant), got.Finite)
				}
				for j, ss := range got.Squares {
					// p additions of positive numbers in another order
					if !(math.Abs(ss-squares[j]) <= float64(p)*0x1p-52*squares[j]) {
						t.Fatalf("%s: sum %d is %g, want %g", what, j, ss, squares[j])
					}
				}
				if want == nil {
					want = got
				}
				if k%2 == 0 && !reflect.DeepEqual(got.Squares, want.Squares) {
					t.Errorf("%s: other bits", what)
				}
			}
		}
	}
}

// TestFailures: the first error in the order of the values counts, whoever is faster, and a
// context that ends is obeyed.
func TestFailures(t *testing.T) {
	const p, n = 20_000, 100
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	rng := rand.New(rand.NewPCG(3, 3))
	for range 50 {
		bad := rng.IntN(p * n)
		_, err := Sweep(t.Context(), Values{P: p, N: n, V: make([]float64, p*n), Fill: func(v []float64, _ []float32, from int) error {
			if from+len(v) > bad {
				return fmt.Errorf("at %d", from)
			}
			return nil
		}})
		rows := blockValues / n
		if want := fmt.Sprint("at ", bad/(rows*n)*rows*n); err == nil || err.Error() != want {
			t.Fatalf("got %v, want %s", err, want)
		}
		ctx, cancel := context.WithCancel(t.Context())
		_, err = Sweep(ctx, Values{P: p, N: n, V: make([]float64, p*n), Fill: func(_ []float64, _ []float32, from int) error {
			if from >= bad {
				cancel()
			}
			return nil
		}})
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if last := (p - 1) / rows * rows * n; err == nil && bad <= last-rows*n {
			t.Fatalf("no error when cancelled at %d of %d", bad, p*n)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Sweep(ctx, Values{P: 1, N: 1, V: []float64{1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	for _, x := range []float64{math.NaN(), math.Inf(-1)} {
		if found, err := Sweep(t.Context(), Values{P: 2, N: 1, V: []float64{1, x}}); err != nil || found.Finite {
			t.Errorf("%g is finite, %v", x, err)
		}
	}
}

func BenchmarkSweep(b *testing.B) {
	const p, n = 100_000, 500
	v := values(p, n, 1)
	b.SetBytes(8 * p * n)
	for b.Loop() {
		if _, err := Sweep(b.Context(), Values{P: p, N: n, V: v}); err != nil {
			b.Fatal(err)
		}
	}
}
