// Package clock measures processor time, for durations on a machine with other
// load.
package clock

import (
	"runtime"
	"sync/atomic"
	"time"
)

// tick is short beside what is watched, and long beside what a wake-up costs.
const tick = 5 * time.Millisecond

// Watch measures a stretch of time, and how much of it the machine kept this
// process waiting for a processor. Tests hold promises with it ("stops within
// a second") that a busy machine cannot keep.
type Watch struct {
	begin     time.Time
	processor time.Duration
	late      atomic.Int64 // nanoseconds by which the ticks came too late
	stop      chan struct{}
	ended     chan struct{}
}

// Start begins to measure.
func Start() *Watch {
	w := &Watch{begin: time.Now(), processor: Processor(), stop: make(chan struct{}), ended: make(chan struct{})}
	go w.beat()
	return w
}

// beat notes by how much each tick is too late.
func (w *Watch) beat() {
	defer close(w.ended)
	for {
		from := time.Now()
		select {
		case <-w.stop:
			return
		case <-time.After(tick):
			w.late.Add(int64(max(0, time.Since(from)-2*tick)))
		}
	}
}

// Took ends the measurement and returns how long it was by the clock, and
// own, which is that without the time the process was kept waiting. What the
// process itself computed counts in any case: own is not less than its
// processor time shared among the processors.
func (w *Watch) Took() (wall, own time.Duration) {
	wall = time.Since(w.begin)
	computed := (Processor() - w.processor) / time.Duration(runtime.GOMAXPROCS(0))
	close(w.stop)
	<-w.ended
	return wall, min(wall, max(wall-time.Duration(w.late.Load()), computed))
}
