package moment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"symmom/internal/linalg"
)

// The problems of table 1 of the paper and the mixtures with n=500.
var benchmarks = []struct{ d, n, p, r int }{
	{3, 75, 750, 5}, {3, 75, 750, 25}, {3, 75, 3750, 5}, {3, 75, 3750, 25}, {3, 375, 3750, 5}, {4, 75, 3750, 5},
	{3, 500, 1250, 5}, {3, 500, 2500, 10},
}

// One function and gradient in the implicit form, on one thread.
func BenchmarkEvaluate(b *testing.B) {
	for _, c := range benchmarks {
		b.Run(fmt.Sprintf("d=%d/n=%d/p=%d/r=%d", c.d, c.n, c.p, c.r), func(b *testing.B) { benchmarkEvaluate(b, c.d, c.n, c.p, c.r) })
	}
}

// The massive problem of the paper, 2 GB of observations.
func BenchmarkEvaluateMassive(b *testing.B) { benchmarkEvaluate(b, 3, 500, 500000, 10) }

func benchmarkEvaluate(b *testing.B, d, n, p, r int) {
	rng := rand.New(rand.NewPCG(1, 1))
	data := &Data{P: p, N: n, V: make([]float64, p*n)}
	linalg.LargePages(data.V)
	part := min(len(data.V), 5000*n)
	for i := range data.V[:part] {
		data.V[i] = rng.Float64()
	}
	for at := part; at < len(data.V); at += part {
		copy(data.V[at:], data.V[:part])
	}
	o := NewObjective(&Implicit{Data: data, D: d}, r, 1, 1)
	x, g := make([]float64, o.Size()), make([]float64, o.Size())
	Gaussian(x[r:], n, rng)
	for j := range r {
		x[j] = 1
	}
	ctx := context.Background()
	o.Evaluate(ctx, x, g)
	b.ReportAllocs()
	for b.Loop() {
		o.Evaluate(ctx, x, g)
	}
	b.ReportMetric(4*float64(p)*float64(n*r)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
