package moment

import (
	"context"
	"sync"

	"symmom/internal/linalg"
	"symmom/internal/obs"
	"symmom/internal/parallel"
)

// SharedPass is an implicit moment whose workers share passes over the data: a
// product waits until all workers that have not left ask for one, then one pass
// serves them all. The products are the same bits as those of a worker alone.
// It is made for data that are slow to read.
type SharedPass struct {
	*Implicit
	r, threads int
	groups     int
	z          [][]float64
	pool       parallel.Pool

	mu      sync.Mutex
	turn    *sync.Cond
	members int
	waiting []*sharedWorker

	ctx context.Context // of the current pass
	now obs.Block
}

// NewSharedPass prepares members workers for products of t with r columns each, on the
// given number of threads together. Each must be used, and then leave.
// Memory: up to 16 members n r numbers.
func NewSharedPass(t *Implicit, r, members, threads int) *SharedPass {
	x, d := t.Data, t.D
	_, n := x.Shape()
	c := &SharedPass{Implicit: t, r: r, members: members, groups: obs.Groups(x, n*r*members)}
	c.turn = sync.NewCond(&c.mu)
	c.threads = min(parallel.Threads(threads), c.groups*members)
	c.z = make([][]float64, c.threads)
	for i := range c.z {
		c.z[i] = make([]float64, linalg.TTSVScratch(n, r))
	}
	reach := reach(x)
	c.pool = parallel.Pool{Threads: c.threads, Job: func(worker, i int) {
		// One group for all members while it is in cache, then the next.
		w, g := c.waiting[i%len(c.waiting)], i/len(c.waiting)
		size := r * n
		lo, hi := obs.GroupStart(g, c.groups, c.now.Rows), obs.GroupStart(g+1, c.groups, c.now.Rows)
		addTTSV(c.ctx, w.partial[g*size:(g+1)*size], c.now.Part(lo, hi, n), n, n, w.a, r, d-1, w.hermite.of(g), c.z[worker], reach)
	}}
	return c
}

// Worker returns the worker of one member; r and threads are those of the
// shared pass.
func (c *SharedPass) Worker(int, int) Worker {
	w := &sharedWorker{pass: c, partial: make([]float64, c.groups*c.r*c.N())}
	if c.Noise != nil && c.D > 1 {
		w.hermite = newHermiteSums(c.Noise, c.D, c.r, c.groups)
	}
	return w
}

// Leave says that one worker will ask for no more products.
func (c *SharedPass) Leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.members--
	c.goIfComplete()
}

// goIfComplete makes a pass if all members wait for one. c.mu must be held; the others
// wait for it.
func (c *SharedPass) goIfComplete() {
	if len(c.waiting) == 0 || len(c.waiting) < c.members {
		return
	}
	c.ctx = c.waiting[0].ctx
	for _, w := range c.waiting {
		clear(w.partial)
		w.hermite.begin(w.a)
	}
	var ok bool
	if x, far := c.Data.(obs.Far); far {
		ok = c.sum(x)
	} else {
		ok = c.Data.Pass(c.ctx, func(b obs.Block) {
			c.now = b
			c.pool.Run(c.ctx, c.groups*len(c.waiting))
		})
	}
	for _, w := range c.waiting {
		w.done, w.ok = true, ok
	}
	c.waiting = c.waiting[:0]
	c.turn.Broadcast()
}

// sum is the pass over observations that are far: its sums are those of a first group.
func (c *SharedPass) sum(x obs.Far) bool {
	as := make([][]float64, len(c.waiting))
	for i, w := range c.waiting {
		as[i] = w.a
	}
	sum, ok := c.products(c.ctx, x, as...)
	for i, w := range c.waiting {
		if ok {
			copy(w.partial, sum[i*len(w.a):(i+1)*len(w.a)])
		}
	}
	return ok
}

type sharedWorker struct {
	pass    *SharedPass
	partial []float64 // groups x r x n
	hermite *hermiteSums
	ctx     context.Context
	a       []float64
	done    bool
	ok      bool
}

// TTSV computes Y = V D_nu [V'A]^(d-1) together with all other members. All
// must come with the same ctx.
func (w *sharedWorker) TTSV(ctx context.Context, y, a []float64) bool {
	c := w.pass
	c.mu.Lock()
	w.ctx, w.a, w.done = ctx, a, false
	c.waiting = append(c.waiting, w)
	c.goIfComplete()
	for !w.done {
		c.turn.Wait()
	}
	c.mu.Unlock()
	if w.ok {
		sumGroups(y, w.partial, c.groups, c.Data.Share())
		w.hermite.finish(y, c.Data.Share())
	}
	return w.ok
}
