package support

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// counter is the field in which a sync.WaitGroup keeps its count: the upper half of
// an atomic.Uint64 called state. A test checks this for the version of Go in use.
var counter, counterKnown = reflect.TypeFor[sync.WaitGroup]().FieldByName("state")

// waitCount returns the count of wg.
func waitCount(wg *sync.WaitGroup) int32 {
	if !counterKnown || counter.Type != reflect.TypeFor[atomic.Uint64]() {
		wg.Wait()
		return 0
	}
	state := (*atomic.Uint64)(unsafe.Add(unsafe.Pointer(wg), counter.Offset))
	return int32(state.Load() >> 32)
}
