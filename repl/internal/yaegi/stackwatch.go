package yaegi

import (
	"bytes"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"strings"
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
	stackLong   = 5   // periods after which a cell is no short one
	stackDeep   = 100 // functions, of the 128 that a profile shows at most
)

const stackMetric = "/memory/classes/heap/stacks:bytes"

// stackBytes returns the size of all stacks.
func stackBytes() uint64 {
	sample := []metrics.Sample{{Name: stackMetric}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// deep reports whether a goroutine calls deeply: otherwise there are only many.
func deep() bool {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return true
	}
	for line := range strings.Lines(b.String()) { // of equal goroutines: number @ addresses
		if _, calls, is := strings.Cut(line, " @ "); is && strings.Count(calls, " ") >= stackDeep {
			return true
		}
	}
	return false
}

// WatchStack closes overflow if the stacks grow too large before done is closed. A
// short cell ends before the first check. If a cell takes longer, longer is called once.
func WatchStack(done <-chan struct{}, overflow chan<- struct{}, longer func()) {
	// A full stack is copied to one of twice its size, which must be below Go's own
	// limit.
	debug.SetMaxStack(int(min(8*stackLimit, math.MaxInt)))
	ticker := time.NewTicker(stackPeriod)
	defer ticker.Stop()
	limit, most := uint64(stackLimit), stackBytes()+stackMost // earlier cells may have left stacks
	many := func() bool {                                     // if so, they may have more than they have now
		if deep() {
			return false
		}
		size := stackBytes()
		limit, most = size+stackLimit, size+stackMost
		return true
	}
	var collected chan struct{} // nil unless under way
	ticks := 0
	for {
		select {
		case <-done:
			return
		case <-collected:
			collected = nil
			if stackBytes() > limit && !many() {
				close(overflow)
				return
			}
		case <-ticker.C:
			if ticks++; ticks == stackLong {
				longer()
			}
			switch size := stackBytes(); {
			case size > most && !many():
				close(overflow)
				return
			case size > limit && collected == nil:
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
