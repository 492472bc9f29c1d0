package moment

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// masked is the full tensor of a source, without the entries that have an index twice.
func masked(t *testing.T, x block.Source, d int) []float64 {
	t.Helper()
	all, n := gather(t, x), 0
	_, n = x.Shape()
	var full []float64
	for l := range all.P {
		one := ktensor.New(d, n, 1)
		one.Lambda[0] = x.Share()
		if all.Nu != nil {
			one.Lambda[0] = all.Nu[l]
		}
		copy(one.A, all.V[l*n:(l+1)*n])
		if full == nil {
			full = make([]float64, len(one.Full()))
		}
		linalg.Axpy(1, one.Full(), full)
	}
	return mask(full, d, n)
}

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

// Value and gradient are those of the tensors, and the gradient is the slope of f. Sums of n^d
// terms leave 1e-11, differences 1e-6.
func TestDistinctObjective(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 2))
	for d := 2; d <= 5; d++ {
		for _, weighted := range []bool{false, true} {
			n, r, p := 6, 3, 40
			x := randomData(p, n, weighted, rng)
			full := masked(t, x, d)
			explicit, second, err := NewExplicitWith(ctx, x, d, nil, true, 4, 1e9, 2)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "||X||^2", []float64{explicit.NormSquared() * math.Pow(4, 2*float64(d))}, []float64{linalg.Dot(full, full)}, 1e-11)
			plain, err := NewPacked(ctx, x, nil, 2, 4, 1)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "second moment", second.x, plain.x, 1e-12)
			at := make([]float64, r+r*n)
			for i := range at {
				at[i] = rng.NormFloat64()
			}
			for name, tensor := range map[string]Tensor{"implicit": &Implicit{Data: x, D: d, Distinct: true}, "explicit": explicit} {
				o := NewObjective(tensor, r, 1, 1)
				o.Ridge = float64(d%2) * .3
				value := func(at []float64) float64 { // by the tensors
					m := &ktensor.Kruskal{D: d, N: n, R: r, Lambda: at[:r], A: at[r:]}
					rest := mask(m.Full(), d, n)
					linalg.Axpy(-1, full, rest)
					apart := 0.
					for j := range r {
						one := &ktensor.Kruskal{D: d, N: n, R: 1, Lambda: at[j : j+1], A: at[r+j*n : r+(j+1)*n]}
						apart += one.NormSquared()
					}
					return linalg.Dot(rest, rest) - linalg.Dot(full, full) + o.Ridge*apart
				}
				g := make([]float64, len(at))
				f, ok := o.Evaluate(ctx, at, g)
				if !ok {
					t.Fatal("interrupted")
				}
				what := fmt.Sprintf("d=%d weighted=%v %s", d, weighted, name)
				near(t, what+" f", []float64{f}, []float64{value(at)}, 1e-11)
				slopes := make([]float64, len(at))
				for i := range at {
					const h = 1e-5
					up, down := slices.Clone(at), slices.Clone(at)
					up[i] += h
					down[i] -= h
					slopes[i] = (value(up) - value(down)) / (2 * h)
				}
				near(t, what+" gradient", g, slopes, 1e-6)
				if a := testing.AllocsPerRun(5, func() { o.Evaluate(ctx, at, g) }); a > 3 {
					t.Errorf("%s: %g allocations an evaluation", what, a)
				}
			}
		}
	}
}

// Products are the same in blocks and in memory, for sparse and for dense observations, of
// float32 and float64, and bit by bit for any number of threads.
func TestDistinctSources(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 3))
	for trial := range 60 {
		p, n, r, d := 1+rng.IntN(3000), 2+rng.IntN(30), 1+rng.IntN(20), 2+rng.IntN(4)
		a := make([]float64, r*n)
		Gaussian(a, n, rng)
		product := func(x block.Source, threads int) []float64 {
			y := make([]float64, r*n)
			w := (&Implicit{Data: x, D: d, Distinct: true}).Worker(r, threads)
			for range 2 {
				if !w.TTSV(ctx, y, a) {
					t.Fatal("no product")
				}
			}
			return y
		}
		what := fmt.Sprintf("trial %d, p=%d n=%d r=%d d=%d", trial, p, n, r, d)
		x := randomData(p, n, trial%2 == 0, rng)
		want := product(x, 1)
		if got := product(x, 3); !slices.Equal(got, want) {
			t.Fatalf("%s: other bits on three threads", what)
		}
		rounded(t, what+" in blocks", product(&blocks{Dense: x, rows: 1 + rng.IntN(500)}, 2), want, 1e-12*gross(t, x, d, r, a))
		single := &block.Dense{P: p, N: n, V32: make([]float32, p*n), Nu: x.Nu}
		linalg.Narrow(single.V32, x.V)
		wide := &block.Dense{P: p, N: n, V: make([]float64, p*n), Nu: x.Nu}
		linalg.Widen(wide.V, single.V32)
		if !slices.Equal(product(single, 2), product(wide, 1)) {
			t.Fatalf("%s: float32 gives other bits than the same numbers", what)
		}

		var s block.Source = drawSparse(rng, p, n)
		if trial%5 == 0 {
			s = &block.Chain{Links: []block.Source{s, gather(t, drawSparse(rng, 1+rng.IntN(50), n)), drawSparse(rng, 1+rng.IntN(50), n)}}
		}
		got := product(s, 1)
		if !slices.Equal(got, product(s, 3)) {
			t.Fatalf("%s: sparse: other bits on three threads", what)
		}
		want = product(gather(t, s), 1)
		rounded(t, what+" sparse", got, want, 1e-12*gross(t, s, d, r, a))
		passed, err := Sum(ctx, unshared{x}, block.Pass{Kind: DistinctProducts, Orders: []int{d}, Unit: 1, Data: [][]float64{nil, a}}, 2)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Sum(ctx, unshared{x}, block.Pass{Kind: DistinctProducts, Orders: []int{d}, Unit: 1, Data: [][]float64{{1}, a}}, 2); err == nil {
			t.Fatal("a pass with noise")
		}
		linalg.Scale(x.Share(), passed)
		rounded(t, what+" as a pass", passed, product(x, 1), 1e-12*gross(t, x, d, r, a))
	}
}

// unshared is a source as a part of another.
type unshared struct{ *block.Dense }

func (unshared) Share() float64 { return 1 }

// gross is the largest entry of the product of the sizes of all numbers: power sums of it are
// what Newton's identities add up and take off again, to 0 where d variables are not there.
func gross(t *testing.T, x block.Source, d, r int, a []float64) float64 {
	t.Helper()
	all := gather(t, x)
	sizes := func(v []float64) []float64 {
		v = slices.Clone(v)
		for i := range v {
			v[i] = math.Abs(v[i])
		}
		return v
	}
	all.V = sizes(all.V)
	y := make([]float64, len(a))
	if !(&Implicit{Data: all, D: d}).Worker(r, 1).TTSV(ctx, y, sizes(a)) {
		t.Fatal("no product")
	}
	return linalg.NormInf(y)
}

func rounded(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol) {
			t.Fatalf("%s: %d is %g, want %g to %g", what, i, got[i], want[i], tol)
		}
	}
}
