// Package parallel distributes work over goroutines so that results do not depend
// on their number.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Pool runs the jobs 0..n-1 of one call on a fixed number of goroutines.
// Which goroutine runs which job must not matter to the result. It is made
// once, so that a call allocates nothing.
type Pool struct {
	Threads int
	Job     func(worker, i int) // worker counts from 0 to Threads-1
	// Repeats says that all calls are the same work on the same data. Each worker then
	// begins with its own part of the jobs, so that what these read stays in the cache of
	// its core, and what helpers save or lose tells of busy cores.
	Repeats bool

	ctx     context.Context
	n       int
	yields  bool   // between jobs
	parts   []part // one, or one of each worker
	asked   []*helper
	working atomic.Int32   // helpers that have not finished
	end     sync.WaitGroup // of them
	pace    pace           // where calls repeat
}

// Run does jobs 0..n-1; it returns false, the work void, when ctx is cancelled.
func (t *Pool) Run(ctx context.Context, n int) bool {
	t.ctx, t.n, t.yields = ctx, n, !(t.Repeats && t.pace.short())
	t.divide()
	if helpers := min(t.Threads, n) - 1; helpers > 0 {
		t.share(helpers)
	} else {
		t.work(0)
	}
	t.ctx = nil
	return ctx.Err() == nil
}

// part are jobs that nobody has begun, from the lower 32 bits to below the upper ones.
type part struct {
	jobs atomic.Uint64
	_    [56]byte // the parts of two cores share no line of the cache
}

func (p *part) set(lo, hi int) { p.jobs.Store(uint64(hi)<<32 | uint64(lo)) }

// take takes the first job of a part, or the last one, or reports that there is none.
func (p *part) take(first bool) (int, bool) {
	for {
		now := p.jobs.Load()
		lo, hi := int(uint32(now)), int(now>>32)
		if lo >= hi {
			return 0, false
		}
		i, next := lo, uint64(hi)<<32|uint64(lo+1)
		if !first {
			i, next = hi-1, uint64(hi-1)<<32|uint64(lo)
		}
		if p.jobs.CompareAndSwap(now, next) {
			return i, true
		}
	}
}

// divide makes parts of the jobs of a call.
func (t *Pool) divide() {
	parts := 1
	if t.Repeats {
		parts = max(1, min(t.Threads, t.n))
	}
	if len(t.parts) != parts {
		t.parts = make([]part, parts)
	}
	for w := range t.parts {
		t.parts[w].set(w*t.n/parts, (w+1)*t.n/parts)
	}
}

// Next returns the job that a worker does after its job i unless others take it: of this
// call or, where calls repeat, the first of the next one. It returns -1 where that is not
// known.
func (t *Pool) Next(worker, i int) int {
	if parts := len(t.parts); worker < parts && (t.Repeats || t.Threads == 1) {
		first, end := worker*t.n/parts, (worker+1)*t.n/parts
		switch {
		case first <= i && i+1 < end:
			return i + 1
		case i+1 == end && t.Repeats:
			return first
		}
	}
	return -1
}

// work does jobs until there are none: those of the worker's own part first, and then
// those that others have left. It returns how many.
func (t *Pool) work(worker int) (jobs int) {
	for w := range t.parts {
		own := (worker + w) % len(t.parts)
		for t.ctx.Err() == nil {
			i, ok := t.parts[own].take(w == 0 || len(t.parts) == 1)
			if !ok {
				break
			}
			t.Job(worker, i)
			jobs++
			if t.yields { // or what else the program does, such as answering a person, waits 10 ms at each step
				runtime.Gosched()
			}
		}
	}
	return jobs
}

// share does the jobs with helpers.
func (t *Pool) share(helpers int) {
	begin := time.Since(epoch)
	if t.Repeats && t.pace.short() && shared.closed(begin) {
		t.work(0)
		t.pace.tookAlone(time.Since(epoch) - begin)
		return
	}
	t.working.Store(int32(helpers))
	t.end.Add(helpers)
	for w := 1; w <= helpers; w++ {
		t.asked = append(t.asked, ask(t, w))
	}
	own := t.work(0)
	worked := time.Since(epoch) - begin
	for _, h := range t.asked {
		if h.spared(t) {
			t.done()
		}
	}
	t.asked = t.asked[:0]
	if !spin(func() bool { return t.working.Load() == 0 }) {
		t.end.Wait()
		for t.working.Load() != 0 { // a helper is about to say so, and touches t no more
			runtime.Gosched()
		}
	}
	if !t.Repeats || own == 0 || t.ctx.Err() != nil {
		return
	}
	end := time.Since(epoch)
	if saved, short := t.pace.saved(end-begin, worked/time.Duration(own), t.n); short {
		shared.book(end, saved)
	}
}

// done says that a helper has finished.
func (t *Pool) done() {
	t.end.Done()
	t.working.Add(-1)
}

// Threads returns t, or the number of usable cores when t is below 1.
func Threads(t int) int {
	if t < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return t
}
