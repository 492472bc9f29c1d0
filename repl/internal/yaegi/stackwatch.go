package yaegi

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Go ends the process if a goroutine's stack exceeds a limit, and nothing can recover
// from that. Infinite recursion in a cell must not end the session, so the sizes of
// all stacks are checked periodically while cells run, and the code is stopped long
// before. The interpreter uses about 2 kB of stack per call: the limit is a depth of
// about 100,000 calls.
const (
	stackLimit  = 256 << 20      // bytes
	stackMost   = 2 * stackLimit // more than a cell may add before a collection has ended, which on one processor takes long
	stackPeriod = 5 * time.Millisecond
	stackLong   = 5        // periods after which a cell is no short one
	stackEach   = 32 << 10 // of a goroutine that is no recursion, such as one of many that wait
)

const stackMetric = "/memory/classes/heap/stacks:bytes"

// stackBytes returns the size of all stacks beyond what many goroutines need anyway.
func stackBytes() uint64 {
	sample := []metrics.Sample{{Name: stackMetric}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	own := uint64(runtime.NumGoroutine()) * stackEach
	return max(sample[0].Value.Uint64(), own) - own
}

// WatchStack closes overflow if the stacks grow too large before done is closed. A
// short cell ends before the first check. If a cell takes longer, longer is called once.
func WatchStack(done <-chan struct{}, overflow chan<- struct{}, longer func()) {
	// A full stack is copied to one of twice its size, which must be below Go's own
	// limit.
	debug.SetMaxStack(int(min(8*stackLimit, math.MaxInt)))
	ticker := time.NewTicker(stackPeriod)
	defer ticker.Stop()
	most := stackBytes() + stackMost // earlier cells may have left stacks
	var collected chan struct{}      // nil unless under way
	ticks := 0
	for {
		select {
		case <-done:
			return
		case <-collected:
			collected = nil
			if stackBytes() > stackLimit {
				close(overflow)
				return
			}
		case <-ticker.C:
			if ticks++; ticks == stackLong {
				longer()
			}
			switch size := stackBytes(); {
			case size > most:
				close(overflow)
				return
			case size > stackLimit && collected == nil:
				// Stacks that have moved or ended count until then.
				ended := make(chan struct{})
				collected = ended
				go func() {
					runtime.GC()
					close(ended)
				}()
			}
		}
	}
}
