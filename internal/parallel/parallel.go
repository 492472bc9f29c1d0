// Package parallel shares work out to goroutines so that how many there are does
// not show in a result.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Pool runs the jobs 0..n-1 of one call on a fixed number of goroutines.
// Which goroutine runs which job must not matter to the result. It is made
// once, so that a call on one thread allocates nothing.
type Pool struct {
	Threads int
	Job     func(worker, i int) // worker counts from 0 to Threads-1

	ctx  context.Context
	n    int
	next atomic.Int64
	wg   sync.WaitGroup
}

// Run does jobs 0..n-1; it returns false, the work void, when ctx is cancelled.
func (t *Pool) Run(ctx context.Context, n int) bool {
	t.ctx, t.n = ctx, n
	t.next.Store(0)
	for w := 1; w < min(t.Threads, n); w++ {
		t.wg.Add(1)
		go func() {
			defer t.wg.Done()
			t.work(w)
		}()
	}
	t.work(0)
	t.wg.Wait()
	t.ctx = nil
	return ctx.Err() == nil
}

func (t *Pool) work(worker int) {
	for {
		i := int(t.next.Add(1)) - 1
		if i >= t.n || t.ctx.Err() != nil {
			return
		}
		t.Job(worker, i)
	}
}

// Threads returns t, or the number of usable cores when t is below 1.
func Threads(t int) int {
	if t < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return t
}
