package moment

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// One function and gradient in the explicit form, on one thread.
func BenchmarkEvaluateExplicit(b *testing.B) {
	for _, c := range benchmarks {
		b.Run(fmt.Sprintf("d=%d/n=%d/r=%d/p=%d", c.d, c.n, c.r, c.p), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			e, err := NewExplicit(ctx, randomData(20, c.n, false, rng), c.d, 1, math.Inf(1), 1)
			if err != nil {
				b.Fatal(err)
			}
			o := NewObjective(e, c.r, 1, 1)
			x, g := make([]float64, o.Size()), make([]float64, o.Size())
			Gaussian(x[c.r:], c.n, rng)
			o.Evaluate(ctx, x, g)
			b.ReportAllocs()
			for b.Loop() {
				o.Evaluate(ctx, x, g)
			}
		})
	}
}
