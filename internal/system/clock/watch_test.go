package clock

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

// Waiting counts in full: nobody kept the process from running. A machine so
// busy that ticks are late may take off up to that.
func TestWaitingCounts(t *testing.T) {
	w := Start()
	time.Sleep(300 * time.Millisecond)
	wall, own := w.Took()
	if wall < 300*time.Millisecond || own > wall || own <= 0 {
		t.Errorf("by the clock %v, own %v", wall, own)
	}
}

// Computing counts in full, on one processor and on all, though all of them
// busy make every tick late.
func TestComputingCounts(t *testing.T) {
	for _, threads := range []int{1, runtime.GOMAXPROCS(0)} {
		w := Start()
		before := Processor()
		var wg sync.WaitGroup
		for range threads {
			wg.Go(func() {
				for Processor()-before < time.Duration(threads)*200*time.Millisecond {
				}
			})
		}
		wg.Wait()
		wall, own := w.Took()
		used := (Processor() - before) / time.Duration(runtime.GOMAXPROCS(0))
		if own <= 0 || own < used-10*time.Millisecond && own < wall {
			t.Errorf("%d threads: by the clock %v, own %v, computed %v", threads, wall, own, used)
		}
	}
}

// A process that is kept waiting is not blamed: here by itself, as one that
// has one processor for a busy loop and for the ticks has late ticks.
func TestLateTicksAreTakenOff(t *testing.T) {
	w := Start()
	w.late.Store(int64(time.Hour))
	time.Sleep(50 * time.Millisecond)
	if wall, own := w.Took(); own > wall/2 {
		t.Errorf("by the clock %v, own %v", wall, own)
	}
}
