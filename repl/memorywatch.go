package repl

import (
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"symmom/internal/system/memory"
	"symmom/repl/internal/syntax"
)

// If memory runs out, the system ends the process, or Go does, and nothing can recover from
// that. So while a cell runs, the memory that its values take is looked at, and the cell is
// stopped when little is left. One piece that is larger than what is left is refused before,
// see package support.
const (
	memoryPeriod = 50 * time.Millisecond
	memoryLeft   = 256 << 20 // bytes: what may be taken until the next look
	memoryEach   = time.Second / 2
)

// metric returns a figure of the runtime, in bytes.
func metric(name string) float64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return float64(sample[0].Value.Uint64())
}

func heapBytes() float64 { return metric("/memory/classes/heap/objects:bytes") }

// low returns the memory that is free if little is: of the machine, of the container, or of
// what GOMEMLIMIT allows, which the collector keeps to as long as it can.
func low() (free float64, is bool) {
	free = memory.Free()
	is = free <= memoryLeft
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		own := float64(limit) - metric("/memory/classes/total:bytes") + metric("/memory/classes/heap/released:bytes")
		free, is = max(0, min(free, own)), is || own < .05*float64(limit)
	}
	return free, is
}

// watchMemory sends a message if memory runs out before done is closed, while the cell takes
// more and more. A short cell ends before the first look.
func watchMemory(done <-chan struct{}, full chan<- string) {
	ticker := time.NewTicker(memoryPeriod)
	defer ticker.Stop()
	begin := -1.
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
		}
		size := heapBytes()
		if begin < 0 {
			begin = size
		}
		// Memory kept by earlier cells is not the fault of this one, which may be about to
		// release it.
		begin = min(begin, size)
		if size < begin+syntax.LargeAllocation {
			continue
		}
		if _, is := low(); !is {
			continue
		}
		collected := time.Now()
		debug.FreeOSMemory() // what nobody needs counts until then
		size = heapBytes()
		if free, is := low(); is && size >= begin+syntax.LargeAllocation {
			full <- fmt.Sprintf("out of memory: values take %.1f GB, and %.1f GB are free", size/1e9, free/1e9)
			return
		}
		select { // a cell that makes much and keeps little goes on, though slower
		case <-done:
			return
		case <-time.After(min(memoryEach, 4*time.Since(collected))):
		}
	}
}
