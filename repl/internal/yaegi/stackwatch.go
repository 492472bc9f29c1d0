package yaegi

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Go ends the process when a goroutine's stack passes a limit, and nothing can
// recover that. A function of a cell that calls itself for ever must not end
// the session, so the stacks of all goroutines are looked at now and then while
// cells run, and the code is stopped long before. The interpreter takes some
// 2 kB of stack a call: the limit is some 100,000 calls deep.
const (
	stackLimit  = 256 << 20 // bytes
	stackPeriod = 5 * time.Millisecond
)

const stackMetric = "/memory/classes/heap/stacks:bytes"

func stackBytes() uint64 {
	sample := []metrics.Sample{{Name: stackMetric}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// WatchStack closes overflow when the stacks grow too large before done is
// closed. A short cell ends before the first look.
func WatchStack(done <-chan struct{}, overflow chan<- struct{}) {
	// A stack is copied to twice its size when it is full: there must be room
	// between the limit here and the one of Go.
	debug.SetMaxStack(8 * stackLimit)
	ticker := time.NewTicker(stackPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
			if stackBytes() <= stackLimit {
				continue
			}
			runtime.GC() // stacks that have moved or ended count until then
			if stackBytes() > stackLimit {
				close(overflow)
				return
			}
		}
	}
}
