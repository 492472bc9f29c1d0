package moment

import (
	"context"
	"slices"
	"sync"

	"symmom/internal/math/parallel"
	"symmom/internal/moment/block"
)

// SharedPass is an implicit moment whose workers share passes over the data: a product
// waits until all members that have not left ask for one, then one pass serves them all,
// with their columns side by side. Several dozen columns are multiplied faster than few, and
// what comes from memory or from disk comes once. How many take part depends on the runs
// alone, not on threads or time, and so do the bits of the products.
type SharedPass struct {
	*Implicit
	r, threads int
	turns      chan struct{} // of the members that compute between products

	mu      sync.Mutex
	done    *sync.Cond
	members int
	joined  int
	waiting []*sharedWorker
	served  []*sharedWorker // by the last pass
	width   int             // members that the parts are for
	parts   []passWorker    // of the columns of all
	widths  []int           // their columns
	a, y    []float64
}

// togetherBytes bounds A and Y of columns side by side: beyond what a second-level cache
// holds of them they would be read from further away for each block of observations.
// More than togetherColumns are no faster, from 20 to 400 variables (measured), and the
// first product would be longer in coming; but a few members gain from one reading.
const (
	togetherBytes   = 1 << 20
	togetherColumns = 160
	fewMembers      = 4
)

// Together returns how many members with r columns each are multiplied side by side.
func Together(n, r int) int {
	return max(1, min(togetherBytes/(16*n*r), max(fewMembers, togetherColumns/r)))
}

// NewSharedPass prepares for members members that ask for products of t with r columns
// each. No more of them than threads compute at a time, and a pass has that many threads.
// Each member must join, use a worker of its own, and then leave.
// Memory: up to 18 members n r numbers.
func NewSharedPass(t *Implicit, r, members, threads int) *SharedPass {
	size := members * r * t.N()
	c := &SharedPass{Implicit: t, r: r, threads: threads, members: members, turns: make(chan struct{}, parallel.Threads(threads)),
		a: make([]float64, 0, size), y: make([]float64, size)}
	c.done = sync.NewCond(&c.mu)
	return c
}

// Worker returns the worker of one member; r and threads are those of the
// shared pass.
func (c *SharedPass) Worker(int, int) Worker {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.joined++
	return &sharedWorker{pass: c, index: c.joined}
}

// Join waits until a member may compute.
func (c *SharedPass) Join() { c.turns <- struct{}{} }

// Leave says that one member will ask for no more products.
func (c *SharedPass) Leave() {
	defer func() { <-c.turns }() // also if a pass panics
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
	slices.SortFunc(c.waiting, func(v, w *sharedWorker) int { return v.index - w.index }) // whoever came first
	c.served, c.waiting = c.waiting, c.served[:0]
	ok := false
	defer func() { // also if the pass panics, which must not leave the others waiting
		for _, w := range c.served {
			w.done, w.ok = true, ok
		}
		c.done.Broadcast()
	}()
	c.a = c.a[:0]
	for _, w := range c.served {
		c.a = append(c.a, w.a...)
	}
	if ok = c.multiply(c.served[0].ctx, len(c.served)); ok {
		y := c.y
		for _, w := range c.served {
			y = y[copy(w.y, y):]
		}
	}
}

// multiply writes the products of all columns a, of so many members, to y, in one pass.
func (c *SharedPass) multiply(ctx context.Context, members int) bool {
	size := c.r * c.N()
	if x, far := c.Data.(block.Far); far {
		return farWorker{c.Implicit, x}.each(ctx, c.y, slices.Collect(slices.Chunk(c.a, size))...)
	}
	if c.width != members {
		c.width, c.parts, c.widths = members, nil, nil
		for left, together := members, Together(c.N(), c.r); left > 0; left -= together {
			c.widths = append(c.widths, c.r*min(left, together))
			c.parts = append(c.parts, c.worker(c.r*min(left, together), c.threads))
		}
	}
	at := 0
	for i, w := range c.parts {
		to := at + c.widths[i]*c.N()
		w.begin(ctx, c.y[at:to], c.a[at:to])
		at = to
	}
	return passOf(ctx, c.Data, c.parts)
}

type sharedWorker struct {
	pass  *SharedPass
	index int
	ctx   context.Context
	y, a  []float64
	done  bool
	ok    bool
}

// TTSV computes Y = V D_nu [V'A]^(d-1) together with all other members. All must come with
// the same ctx. If that is cancelled, those that wait for their turn to go on get nothing, and
// need not.
func (w *sharedWorker) TTSV(ctx context.Context, y, a []float64) bool {
	w.ctx, w.y, w.a, w.done = ctx, y, a, false
	if w.ask() {
		return w.ok
	}
	w.pass.turns <- struct{}{}
	return w.ok && ctx.Err() == nil
}

// ask returns when there is a product. It reports whether the member made the pass itself,
// and so has kept its turn.
func (w *sharedWorker) ask() bool {
	c := w.pass
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = append(c.waiting, w)
	c.goIfComplete()
	if w.done {
		return true
	}
	<-c.turns // others may compute
	for !w.done {
		c.done.Wait()
	}
	return false
}
