// Package moment evaluates the objective of the symmetric decomposition of a
// moment tensor,
//
//	f(lambda, A) = || X - sum_j lambda_j a_j^(x d) ||^2,   X = sum_l nu_l v_l^(x d),
//
// and its gradient, from the observations (Implicit, algorithm 2 of Sherman &
// Kolda) or from the dense tensor (Explicit, algorithm 1). The two differ in
// the tensor-times-same-vector products Y alone; everything else is Objective.
package moment

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Tensor is a moment held in some form.
type Tensor interface {
	Name() string  // of the form
	Order() int    // d
	N() int        // dimension
	Unit() float64 // the tensor held is that of the observations divided by this
	Worker(r, threads int) Worker
}

// Worker computes products with a tensor for one start at a time; it owns the
// scratch, so that an evaluation allocates nothing.
type Worker interface {
	// TTSV writes y_j = X a_j^(d-1) for every column; y and a are r x n, one
	// column of the paper a row here. It returns false, with y void, when ctx
	// is cancelled.
	TTSV(ctx context.Context, y, a []float64) bool
}

// pool runs the jobs 0..n-1 of one call on a fixed number of goroutines.
// Which goroutine runs which job must not matter to the result. It is made
// once, so that a call on one thread allocates nothing.
type pool struct {
	threads int
	job     func(worker, i int)

	ctx  context.Context
	n    int
	next atomic.Int64
	wg   sync.WaitGroup
}

// run does jobs 0..n-1; it returns false, the work void, when ctx is cancelled.
func (t *pool) run(ctx context.Context, n int) bool {
	t.ctx, t.n = ctx, n
	t.next.Store(0)
	for w := 1; w < min(t.threads, n); w++ {
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

func (t *pool) work(worker int) {
	for {
		i := int(t.next.Add(1)) - 1
		if i >= t.n || t.ctx.Err() != nil {
			return
		}
		t.job(worker, i)
	}
}

// Threads returns t, or the number of usable cores when t is below 1.
func Threads(t int) int {
	if t < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return t
}
