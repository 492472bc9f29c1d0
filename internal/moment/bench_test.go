package moment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// The problems of table 1 of the paper and the mixtures with n=500.
var benchmarks = []struct{ d, n, p, r int }{
	{3, 75, 750, 5}, {3, 75, 750, 25}, {3, 75, 3750, 5}, {3, 75, 3750, 25}, {3, 375, 3750, 5}, {4, 75, 3750, 5},
	{3, 500, 1250, 5}, {3, 500, 2500, 10},
}

// One function and gradient in the implicit form, on one thread.
func BenchmarkEvaluate(b *testing.B) {
	for _, c := range benchmarks {
		b.Run(fmt.Sprintf("d=%d/n=%d/p=%d/r=%d", c.d, c.n, c.p, c.r), func(b *testing.B) { benchmarkEvaluate(b, c.d, c.n, c.p, c.r, 1, false) })
	}
}

// One function and gradient on one thread and on two, beside which nothing should run;
// or another program, to see what that costs.
func BenchmarkThreads(b *testing.B) {
	for _, c := range benchmarks {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("d=%d/n=%d/p=%d/r=%d/threads=%d", c.d, c.n, c.p, c.r, threads), func(b *testing.B) { benchmarkEvaluate(b, c.d, c.n, c.p, c.r, threads, false) })
		}
	}
}

// The massive problem of the paper, 2 GB of observations, or 1 GB as float32;
// and a fifth of it.
func BenchmarkEvaluateMassive(b *testing.B) {
	for _, p := range []int{100000, 500000} {
		b.Run(fmt.Sprintf("p=%d/float64", p), func(b *testing.B) { benchmarkEvaluate(b, 3, 500, p, 10, 1, false) })
		b.Run(fmt.Sprintf("p=%d/float32", p), func(b *testing.B) { benchmarkEvaluate(b, 3, 500, p, 10, 1, true) })
	}
}

func benchmarkEvaluate(b *testing.B, d, n, p, r, threads int, single bool) {
	rng := rand.New(rand.NewPCG(1, 1))
	data := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
	linalg.LargePages(data.V)
	part := min(len(data.V), 5000*n)
	for i := range data.V[:part] {
		data.V[i] = rng.Float64()
	}
	for at := part; at < len(data.V); at += part {
		copy(data.V[at:], data.V[:part])
	}
	if single {
		data.V32 = make([]float32, p*n)
		linalg.LargePages(data.V32)
		linalg.Narrow(data.V32, data.V)
		data.V = nil
	}
	o := NewObjective(&Implicit{Data: data, D: d}, r, 1, threads)
	x, g := make([]float64, o.Size()), make([]float64, o.Size())
	Gaussian(x[r:], n, rng)
	for j := range r {
		x[j] = 1
	}
	ctx := context.Background()
	for range block.PaddingCalls + 1 { // with the copy of the rows made
		o.Evaluate(ctx, x, g)
	}
	b.ReportAllocs()
	for b.Loop() {
		o.Evaluate(ctx, x, g)
	}
	b.ReportMetric(4*float64(p)*float64(n*r)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}

// inBasis returns p observations of 500 variables and a basis of k vectors.
func inBasis(p, k int) (*block.Dense, *Basis) {
	const n = 500
	x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
	linalg.LargePages(x.V)
	for i := range x.V {
		x.V[i] = float64(i % 17)
	}
	basis := &Basis{N: n, K: k, Q: make([]float64, k*n)}
	for j := range k {
		basis.Q[j*n+j] = 1
	}
	return x, basis
}

// The moment in the coordinates of a basis of 20 vectors, from memory.
func BenchmarkProjection(b *testing.B) {
	x, basis := inBasis(60000, 20)
	b.SetBytes(int64(8 * len(x.V)))
	for b.Loop() {
		if _, err := NewMoments(b.Context(), x, basis, []int{2, 3}, 1, 1); err != nil {
			b.Fatal(err)
		}
	}
}

// The coordinates themselves, of a basis of 30 vectors, from memory.
func BenchmarkProject(b *testing.B) {
	x, basis := inBasis(200000, 30)
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			b.SetBytes(int64(8 * len(x.V)))
			for b.Loop() {
				if _, err := basis.Project(b.Context(), x, threads); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The plain moment and the one over distinct indices, of the mixtures that the latter is for.
func BenchmarkDistinct(b *testing.B) {
	for _, c := range []struct{ d, n, p, r int }{{3, 30, 20000, 18}, {3, 200, 100000, 20}, {4, 30, 20000, 18}} {
		for _, distinct := range []bool{false, true} {
			b.Run(fmt.Sprintf("d=%d/n=%d/p=%d/r=%d/distinct=%v", c.d, c.n, c.p, c.r, distinct), func(b *testing.B) {
				data := &block.Dense{P: c.p, N: c.n, V: make([]float64, c.p*c.n)}
				Gaussian(data.V, c.n, rand.New(rand.NewPCG(1, 1)))
				y, a := make([]float64, c.r*c.n), make([]float64, c.r*c.n)
				Gaussian(a, c.n, rand.New(rand.NewPCG(1, 2)))
				w := (&Implicit{Data: data, D: c.d, Distinct: distinct}).Worker(c.r, 1)
				for range block.PaddingCalls + 1 {
					w.TTSV(b.Context(), y, a)
				}
				for b.Loop() {
					w.TTSV(b.Context(), y, a)
				}
			})
		}
	}
}
