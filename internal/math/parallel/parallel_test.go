package parallel

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// counting makes a pool that counts how often each of n jobs is done, and whether a
// worker does two at once.
func counting(t *testing.T, threads, n int, parts bool) (*Pool, []atomic.Int32) {
	done, busy := make([]atomic.Int32, n), make([]atomic.Bool, threads)
	return &Pool{Threads: threads, Repeats: parts, Job: func(worker, i int) {
		if !busy[worker].CompareAndSwap(false, true) {
			t.Errorf("worker %d does two jobs at once", worker)
		}
		done[i].Add(1)
		busy[worker].Store(false)
	}}, done
}

// Every job is done once, for any number of threads and cores, with several calls at a
// time, and where helpers come late, are idle or have left.
func TestRun(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(cores)
		for threads := 1; threads <= 8; threads++ {
			for _, parts := range []bool{false, true} {
				var calls sync.WaitGroup
				for _, n := range []int{0, 1, 2, 7, 50} {
					calls.Go(func() {
						pool, done := counting(t, threads, n, parts)
						const times = 300
						for k := range times {
							if !pool.Run(t.Context(), n) {
								t.Error("a call was cancelled")
							}
							if k%100 == 99 {
								time.Sleep(2 * spinTime)
							}
						}
						for i := range done {
							if got := done[i].Load(); got != times {
								t.Errorf("%d cores, %d threads, parts %v: job %d of %d was done %d times, want %d", cores, threads, parts, i, n, got, times)
							}
						}
					})
				}
				calls.Wait()
			}
		}
	}
}

// A worker goes from its first job to the next one, and in calls that repeat from its last
// job to the first again.
func TestNext(t *testing.T) {
	for _, repeats := range []bool{false, true} {
		var order []int
		p := &Pool{Threads: 1, Repeats: repeats, Job: func(_, i int) { order = append(order, i) }}
		const n = 5
		p.Run(t.Context(), n)
		p.Run(t.Context(), n)
		for k, i := range order[:n] {
			want := order[k+1]
			if i == n-1 && !repeats {
				want = -1
			}
			if got := p.Next(0, i); got != want {
				t.Errorf("repeats %v: after %d comes %d, want %d", repeats, i, got, want)
			}
		}
	}
	for threads := 2; threads <= 4; threads++ {
		for n := 1; n <= 9; n++ {
			p := &Pool{Threads: threads, Repeats: true, Job: func(int, int) {}}
			p.Run(t.Context(), n)
			seen := make([]bool, n)
			for w := range min(threads, n) {
				for i := w * n / min(threads, n); !seen[i]; i = p.Next(w, i) {
					seen[i] = true
				}
			}
			if slices.Contains(seen, false) || p.Next(threads, 0) != -1 || threads <= n && p.Next(0, n-1) != -1 {
				t.Errorf("%d threads, %d jobs: %v", threads, n, seen)
			}
		}
	}
}

// A job may run jobs of another pool.
func TestRunInside(t *testing.T) {
	var total atomic.Int64
	outer := &Pool{Threads: 3, Job: func(_, i int) {
		inner := &Pool{Threads: 3, Job: func(_, j int) { total.Add(int64(j)) }}
		for range 20 {
			inner.Run(t.Context(), 10)
		}
	}}
	for range 20 {
		outer.Run(t.Context(), 6)
	}
	if want := int64(20 * 6 * 20 * 45); total.Load() != want {
		t.Errorf("%d, want %d", total.Load(), want)
	}
}

// A call that is cancelled says so, and begins no more jobs.
func TestRunCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var begun atomic.Int32
	pool := &Pool{Threads: 2, Repeats: true, Job: func(_, _ int) {
		if begun.Add(1) == 3 {
			cancel()
		}
		<-ctx.Done()
	}}
	go func() {
		time.Sleep(10 * time.Millisecond)
		cancel()
	}()
	if pool.Run(ctx, 1000) {
		t.Error("the call says that it is complete")
	}
	if n := begun.Load(); n > 4 {
		t.Errorf("%d jobs begun", n)
	}
}

// Calls that differ say nothing of busy cores: after a short one, long ones are shared,
// also while calls that repeat are not.
func TestDifferentCalls(t *testing.T) {
	before := shared.alone.Load()
	t.Cleanup(func() { shared.alone.Store(before) })
	var work time.Duration
	pool := &Pool{Threads: 2, Job: func(_, _ int) { time.Sleep(work) }}
	pool.Run(t.Context(), 2)
	work = 5 * time.Millisecond
	pool.Run(t.Context(), 2)
	if shared.alone.Load() != before {
		t.Error("a longer call counts as one that lost time")
	}
	shared.alone.Store(int64(time.Since(epoch) + time.Hour))
	var workers [2]atomic.Bool
	pool.Job = func(worker, _ int) {
		workers[worker].Store(true)
		for begin := time.Now(); !workers[1].Load() && time.Since(begin) < time.Minute; {
			runtime.Gosched()
		}
	}
	if pool.Run(t.Context(), 2); !workers[1].Load() {
		t.Error("a call that does not repeat was not shared")
	}
}

// Helpers that are not needed leave.
func TestHelpersLeave(t *testing.T) {
	time.Sleep(10 * spinTime) // those of other tests
	before := runtime.NumGoroutine()
	pool := &Pool{Threads: 4, Job: func(_, _ int) { time.Sleep(time.Millisecond) }}
	pool.Run(t.Context(), 16)
	deadline := time.Now().Add(time.Minute)
	for runtime.NumGoroutine() > before {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
}

// What else the program does need not wait until a call has ended, nor until the scheduler ends a
// goroutine's turn.
func TestCallsYieldBetweenJobs(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var answered atomic.Bool
	seen := false
	pool := Pool{Threads: 1, Job: func(_, i int) {
		switch i {
		case 0:
			go answered.Store(true)
		case 2:
			seen = answered.Load()
		}
	}}
	pool.Run(t.Context(), 3)
	if !seen {
		t.Error("a goroutine waits for the end of the call")
	}
}
