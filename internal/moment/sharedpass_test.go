package moment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"symmom/internal/moment/block"
)

// The members of a shared pass get what a worker alone gets, within the rounding of 600
// terms, and the same bits on any number of threads. They share passes whether they ask as
// often as each other or not, side by side or in parts.
func TestSharedPass(t *testing.T) {
	for _, n := range []int{11, 6000} {
		shared(t, n)
	}
}

func shared(t *testing.T, n int) {
	const r, members = 3, 5
	if parts := Together(n, r) < members; parts != (n == 6000) {
		t.Fatalf("n=%d: %d members side by side", n, Together(n, r))
	}
	rng := rand.New(rand.NewPCG(33, 1))
	data := randomData(600, n, true, rng)
	var mu sync.Mutex
	bits := map[[2]int]string{} // of product i of member k
	for _, threads := range []int{1, 3, 64} {
		x := &blocks{Dense: data, rows: 160}
		c := NewSharedPass(&Implicit{Data: x, D: 3}, r, members, threads)
		var wg sync.WaitGroup
		for k := range members {
			o := NewObjective(c, r, 2, 1)
			a := make([]float64, r*n)
			Gaussian(a, n, rand.New(rand.NewPCG(uint64(k), 1)))
			wg.Add(1)
			go func() {
				defer wg.Done()
				c.Join()
				defer c.Leave()
				want, _, _ := NewObjective(&Implicit{Data: &blocks{Dense: data, rows: 160}, D: 3}, r, 2, 1).TTSV(ctx, a)
				for i := range k { // member k asks k times
					y, _, ok := o.TTSV(ctx, a)
					if !ok {
						t.Error("no product")
					}
					near(t, "a product", y, want, 1e-11)
					mu.Lock()
					got := fmt.Sprintf("%x", y)
					if was, done := bits[[2]int{k, i}]; done && was != got {
						t.Errorf("n=%d, member %d: other bits on %d threads", n, k, threads)
					}
					bits[[2]int{k, i}] = got
					mu.Unlock()
				}
			}()
		}
		wg.Wait()
		if x.passes != members-1 {
			t.Errorf("%d threads: %d passes over the data; the busiest member asked %d times", threads, x.passes, members-1)
		}
	}
}

// panicking is a source whose second pass panics, as a progress function can.
type panicking struct {
	*block.Dense
	passes int
}

func (x *panicking) Pass(ctx context.Context, do func(block.Block)) bool {
	if x.passes++; x.passes == 2 {
		panic("in a pass")
	}
	return x.Dense.Pass(ctx, do)
}

// A panic in a shared pass surfaces where the pass was made, in a product or where a member
// leaves, and nobody waits for ever.
func TestSharedPassPanics(t *testing.T) {
	const n = 7
	for range 20 { // which of the members is last differs
		for _, asks := range [][]int{{2, 2, 2}, {1, 2}, {1, 2, 1, 2}} {
			for threads := 1; threads <= 2; threads++ {
				x := &panicking{Dense: randomData(100, n, false, rand.New(rand.NewPCG(35, 1)))}
				c := NewSharedPass(&Implicit{Data: x, D: 3}, 1, len(asks), threads)
				var panics, without, second atomic.Int32
				var wg sync.WaitGroup
				for _, products := range asks {
					o := NewObjective(c, 1, 1, 1)
					wg.Go(func() {
						defer func() {
							if recover() != nil {
								panics.Add(1)
							}
						}()
						c.Join()
						defer c.Leave()
						for i := range products {
							if i == 1 {
								second.Add(1)
							}
							if _, _, ok := o.TTSV(t.Context(), make([]float64, n)); !ok && i == 1 {
								without.Add(1)
							}
						}
					})
				}
				wg.Wait()
				if left := second.Load() - without.Load(); panics.Load() != 1 || left < 0 || left > 1 {
					t.Fatalf("%v, %d threads: %d members panicked and %d of %d got nothing", asks, threads, panics.Load(), without.Load(), second.Load())
				}
			}
		}
	}
}
