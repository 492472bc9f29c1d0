package repl

import (
	"bytes"
	"errors"
	"runtime"
	"slices"

	"symmom/repl/internal/boxed"
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
func (s *Session) deferring(body func(later func(call func(), recovers bool))) {
	d := &deferral{}
	// One frame for all: what is deferred runs when body has ended in any way.
	defer func() {
		if d.panicking && !d.exiting {
			panic(d.value)
		}
	}()
	defer d.runAll(s)
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
func (d *deferral) runAll(s *Session) {
	if slices.ContainsFunc(d.later, func(f deferred) bool { return f.recovers }) { // it looks for d
		id := goroutineID() // takes the longer the deeper the calls are
		d.around = s.setDeferral(id, d)
		defer s.setDeferral(id, d.around)
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
func (s *Session) setDeferral(id string, d *deferral) *deferral {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.deferrals[id]
	if d == nil {
		delete(s.deferrals, id)
	} else {
		s.deferrals[id] = d
	}
	return before
}

// recoverable is called where a function begins that calls recover. It returns
// what that function ends the panic of, if it was called by the end of another
// function.
func (s *Session) recoverable() *deferral {
	s.mu.Lock()
	d := s.deferrals[goroutineID()]
	s.mu.Unlock()
	if d == nil || !d.calling {
		return nil
	}
	d.calling = false
	return d
}

// recover is recover. What ends a cell cannot be recovered from.
func (s *Session) recover(d *deferral) any {
	if d == nil || !d.panicking {
		return nil
	}
	if err, ok := d.value.(error); ok && (errors.Is(err, ErrInterrupted) || errors.As(err, &exitRequest{})) {
		return nil
	}
	d.panicking = false
	s.trace.Reset()
	return boxed.PanicValue(d.value)
}

// recoverLate is recover that a function defers, which ends in the ordinary way
// or by a panic of its own.
func (s *Session) recoverLate(d *deferral) {
	s.mu.Lock()
	own := s.deferrals[goroutineID()]
	s.mu.Unlock()
	if own != nil {
		own.calling = false
		if !own.panicking {
			s.recover(d)
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
