package support

import (
	"bytes"
	"errors"
	"runtime"
	"slices"

	"symmom/repl/internal/boxed"
	"symmom/symmom"
)

// deferral is a function of a cell that defers calls, while it ends.
type deferral struct {
	later     []deferred
	panicking bool
	value     any
	exiting   bool // by runtime.Goexit
	calling   bool // a deferred function that may recover, and has not begun
	around    *deferral
}

// deferred is what a defer statement keeps. recovers says that the function
// that it calls may call recover itself.
type deferred struct {
	call     func()
	recovers bool
}

// deferring runs the body of a function of a cell, and what it has deferred.
func (r *Runtime) deferring(body func(later func(call func(), recovers bool))) {
	d := &deferral{}
	// One frame for all: what is deferred runs when body has ended in any way.
	defer func() {
		if d.panicking && !d.exiting {
			panic(d.value)
		}
	}()
	defer d.runAll(r)
	d.attempt(func() { body(func(f func(), recovers bool) { d.later = append(d.later, deferred{f, recovers}) }) })
}

// attempt calls f and takes note of its panic.
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

// runAll calls what was deferred, the last first.
func (d *deferral) runAll(r *Runtime) {
	if slices.ContainsFunc(d.later, func(f deferred) bool { return f.recovers }) { // it looks for d
		id := goroutineID() // takes the longer the deeper the calls are
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

// setDeferral says which deferral ends in a goroutine, and returns the one
// that it takes the place of.
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

// recoverable is called where a function begins that calls recover. It returns
// what that function ends the panic of, if it was called by the end of another
// function.
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

// recover is recover. What ends a cell cannot be recovered from.
func (r *Runtime) recover(d *deferral) any {
	if d == nil || !d.panicking {
		return nil
	}
	if err, ok := d.value.(error); ok && (errors.Is(err, symmom.ErrInterrupted) || errors.As(err, &ExitRequest{})) {
		return nil
	}
	d.panicking = false
	r.session.ResetTrace()
	return boxed.PanicValue(d.value)
}

// recoverLate is recover that a function defers, which ends in the ordinary way
// or by a panic of its own.
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

// goroutineID is the number that Go prints of the running goroutine.
func goroutineID() string {
	b := make([]byte, 32)
	b = b[:runtime.Stack(b, false)]
	id, _, _ := bytes.Cut(bytes.TrimPrefix(b, []byte("goroutine ")), []byte(" "))
	return string(id)
}
