package support

import (
	"bytes"
	"errors"
	"runtime"
	"slices"

	"symmom/internal/store/interruptible"
	"symmom/repl/internal/boxed"
)

// deferral is the state of a cell's function with deferred calls while it ends.
type deferral struct {
	later     []deferred
	panicking bool
	value     any
	exiting   bool // by runtime.Goexit
	calling   bool // a deferred function that may recover was called but has not begun
	around    *deferral
}

// deferred is a deferred call. recovers reports whether the function may call recover
// itself.
type deferred struct {
	call     func()
	recovers bool
}

// deferring runs the body of a function of a cell, and its deferred calls.
func (r *Runtime) deferring(body func(later func(call func(), recovers bool))) {
	d := &deferral{}
	// One frame serves all deferred calls: they run however body ends.
	defer func() {
		if d.panicking && !d.exiting {
			r.endsHere("a function of a cell", d.value)
			panic(d.value)
		}
	}()
	defer d.runAll(r)
	d.attempt(func() { body(func(f func(), recovers bool) { d.later = append(d.later, deferred{f, recovers}) }) })
}

// attempt calls f and records its panic.
func (d *deferral) attempt(f func()) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if r := recover(); r != nil {
			d.panicking, d.value = true, r
			return
		}
		d.exiting = true
	}()
	f()
	returned = true
}

// runAll runs the deferred calls, last first.
func (d *deferral) runAll(r *Runtime) {
	if slices.ContainsFunc(d.later, func(f deferred) bool { return f.recovers }) { // it looks for d
		id := goroutineID() // slower with deeper stacks
		d.around = r.setDeferral(id, d)
		defer r.setDeferral(id, d.around)
	}
	for len(d.later) > 0 {
		last := len(d.later) - 1
		f := d.later[last]
		d.later = d.later[:last]
		d.calling = f.recovers
		d.attempt(f.call)
		d.calling = false
	}
}

// setDeferral sets the running deferral of a goroutine and returns the previous one.
func (r *Runtime) setDeferral(id string, d *deferral) *deferral {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.deferrals[id]
	if d == nil {
		delete(r.deferrals, id)
	} else {
		r.deferrals[id] = d
	}
	return before
}

// recoverable is called at the beginning of a function that calls recover. It returns
// the deferral whose panic that function can recover from, or nil if it was not
// called as a deferred function.
func (r *Runtime) recoverable() *deferral {
	r.mu.Lock()
	d := r.deferrals[goroutineID()]
	r.mu.Unlock()
	if d == nil || !d.calling {
		return nil
	}
	d.calling = false
	return d
}

// recover implements the builtin recover. A cell cannot recover from what ends it.
func (r *Runtime) recover(d *deferral) any {
	if d == nil || !d.panicking {
		return nil
	}
	if err, ok := d.value.(error); ok && (errors.Is(err, interruptible.Err) || errors.As(err, &ExitRequest{})) {
		return nil
	}
	d.panicking = false
	r.session.ResetTrace()
	return boxed.PanicValue(d.value)
}

// recoverLate implements a deferred call of recover itself, in a function that
// returns or panics.
func (r *Runtime) recoverLate(d *deferral) {
	r.mu.Lock()
	own := r.deferrals[goroutineID()]
	r.mu.Unlock()
	if own != nil {
		own.calling = false
		if !own.panicking {
			r.recover(d)
		}
	}
}

// goroutineID returns the number of the running goroutine, as Go prints it.
func goroutineID() string {
	b := make([]byte, 32)
	b = b[:runtime.Stack(b, false)]
	id, _, _ := bytes.Cut(bytes.TrimPrefix(b, []byte("goroutine ")), []byte(" "))
	return string(id)
}
