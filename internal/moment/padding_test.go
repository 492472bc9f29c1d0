package moment

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
)

// Products with rows at the beginning of lines are the same bits as those before, with
// any number of threads and from several workers at once; short rows and small
// tables whose rows need none stay as they are.
func TestPadding(t *testing.T) {
	const p, r = 3000, 6 // several groups
	for _, n := range []int{9, 75, 128, 504, 505, 512} {
		for _, single := range []bool{false, true} {
			rng := rand.New(rand.NewPCG(91, uint64(n)))
			x := &block.Dense{P: p, N: n, V: make([]float64, p*n)}
			for i := range x.V {
				x.V[i] = rng.NormFloat64()
			}
			want := linalg.CopiedStride[float64](p, n) > 0
			if single {
				want = linalg.CopiedStride[float32](p, n) > 0
				x.V32 = make([]float32, len(x.V))
				linalg.Narrow(x.V32, x.V)
				x.V = nil
			}
			a := make([]float64, r*n)
			Gaussian(a, n, rng)
			m := &Implicit{Data: x, D: 3}
			first := make([]float64, r*n)
			m.Worker(r, 1).TTSV(t.Context(), first, a)
			var workers sync.WaitGroup
			for threads := 1; threads <= 4; threads++ {
				workers.Go(func() {
					w, y := m.Worker(r, threads), make([]float64, r*n)
					for range block.PaddingCalls {
						if w.TTSV(t.Context(), y, a); !slices.Equal(y, first) {
							t.Errorf("n=%d, single %v, %d threads: other bits", n, single, threads)
						}
					}
				})
			}
			workers.Wait()
			if got := m.padding.Made(); got != want {
				t.Errorf("n=%d, single %v: padded %v, want %v", n, single, got, want)
			}
		}
	}
}
