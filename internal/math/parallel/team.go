package parallel

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// spinTime is how long a goroutine looks for work, or for the end of others' work,
// before it gives up its core. A goroutine that starts on an idle core takes 70
// microseconds to get there (measured), one that looks for work a fraction of one.
const spinTime = 200 * time.Microsecond

// spin reports whether done came true within spinTime.
func spin(done func() bool) bool {
	for begin := time.Now(); ; runtime.Gosched() {
		for range 64 {
			if done() {
				return true
			}
		}
		if time.Since(begin) > spinTime {
			return false
		}
	}
}

// helper is a goroutine that takes part in calls, one after the other, and ends when
// there was none for spinTime.
type helper struct {
	worker int
	asked  atomic.Pointer[Pool] // cleared by the helper, which then takes part, or by who asked
}

// idle are the helpers that may be asked.
var idle struct {
	sync.Mutex
	helpers []*helper
}

// ask asks a helper to do a worker's part of a call.
func ask(t *Pool, worker int) *helper {
	idle.Lock()
	var h *helper
	if last := len(idle.helpers) - 1; last >= 0 {
		h = idle.helpers[last]
		idle.helpers = idle.helpers[:last]
	}
	idle.Unlock()
	running := h != nil
	if !running {
		h = &helper{}
	}
	h.worker = worker
	h.asked.Store(t)
	if !running {
		go h.run()
	}
	return h
}

// spared reports whether a helper that was asked by t has not begun, and now will not:
// its core may be another program's for milliseconds.
func (h *helper) spared(t *Pool) bool {
	if !h.asked.CompareAndSwap(t, nil) {
		return false
	}
	h.rest()
	return true
}

// rest makes the helper one that may be asked.
func (h *helper) rest() {
	idle.Lock()
	idle.helpers = append(idle.helpers, h)
	idle.Unlock()
}

// leave reports whether the helper was not asked meanwhile, and now will not be.
func (h *helper) leave() bool {
	idle.Lock()
	defer idle.Unlock()
	at := slices.Index(idle.helpers, h)
	if at < 0 {
		return false
	}
	idle.helpers = slices.Delete(idle.helpers, at, at+1)
	return true
}

func (h *helper) run() {
	for {
		var t *Pool
		if !spin(func() bool { t = h.asked.Load(); return t != nil && h.asked.CompareAndSwap(t, nil) }) {
			if h.leave() {
				return
			}
			continue
		}
		t.work(h.worker)
		h.rest()
		t.done() // which may end the call: the next one finds this helper
	}
}
