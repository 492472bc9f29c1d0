package support

import (
	"fmt"
	"regexp"
	"sync"
	"time"

	"symmom/internal/store/interruptible"
	"symmom/repl/internal/boxed"
)

// sleep is time.Sleep, except that an interrupt ends it, and the cell with it.
func (r *Runtime) sleep(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.session.Interrupts():
		panic(r.raise(interruptible.Err))
	}
}

// poll calls try until it succeeds, at growing intervals, or until an interrupt.
func (r *Runtime) poll(try func() bool) {
	if try() {
		return
	}
	interrupted := r.session.Interrupts()
	for pause := 10 * time.Microsecond; !try(); pause = min(2*pause, 5*time.Millisecond) {
		select {
		case <-interrupted:
			panic(r.raise(interruptible.Err))
		case <-time.After(pause):
		}
	}
}

// lock acts like the method Lock in package sync, except that an interrupt ends it.
func (r *Runtime) lock(m interface {
	sync.Locker
	TryLock() bool
}) {
	r.poll(m.TryLock)
}

func (r *Runtime) readLock(m *sync.RWMutex) { r.poll(m.TryRLock) }

// wait acts like the method Wait of sync.WaitGroup, except that an interrupt ends it.
// It leaves nothing running when interrupted: it polls the counter instead of waiting
// in a goroutine that might never end.
func (r *Runtime) wait(wg *sync.WaitGroup) {
	r.poll(func() bool { return waitCount(wg) == 0 })
	wg.Wait() // for the race detector
}

var placeInCell = regexp.MustCompile(`^(\d+)/_\.go:(\d+):\d+$`)

// panicked reports a panic in a goroutine that a cell started at position where.
func (r *Runtime) panicked(where string, v any) {
	v = boxed.PanicValue(v)
	if v == any(interruptible.Err) {
		return
	}
	if m := placeInCell.FindStringSubmatch(where); m != nil {
		where = r.session.Where(m[1], m[2])
	}
	r.panickedIn("the goroutine started at "+where, v)
}

// panickedIn reports a panic outside the cell's goroutine. A call of os.Exit there
// ends the running cell. It returns the text of the panic.
func (r *Runtime) panickedIn(place string, v any) string {
	v = boxed.PanicValue(v)
	if v == any(interruptible.Err) {
		return interruptible.Err.Error()
	}
	if e, ok := v.(ExitRequest); ok {
		if r.session.Exit(e.Code) {
			return e.Error()
		}
		v = fmt.Sprintf("%v: no cell runs that it could end", e)
	}
	text := boxed.Text(v)
	fmt.Fprintf(r.session.Stderr, "panic in %s: %s\n", place, text)
	return text
}

// goCall calls a function in a goroutine of its own.
func (r *Runtime) goCall(where string, f func()) {
	r.goroutines.Add(1)
	go func() {
		defer r.goroutines.Add(-1)
		defer func() {
			if v := recover(); v != nil {
				r.panicked(where, v)
			}
		}()
		f()
	}()
}
