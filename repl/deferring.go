package repl

import (
	"bytes"
	"errors"
	"runtime"
)

// deferral is a function of a cell that defers calls, while it ends.
type deferral struct {
	later     []func()
	panicking bool
	value     any
	exiting   bool // by runtime.Goexit
	around    *deferral
}

// deferring runs the body of a function of a cell, and what it has deferred.
func (s *Session) deferring(body func(later func(func()))) {
	d := &deferral{}
	// One frame for all: what is deferred runs when body has ended in any way.
	defer func() {
		if d.panicking && !d.exiting {
			panic(d.value)
		}
	}()
	defer d.runAll(s)
	d.attempt(func() { body(func(f func()) { d.later = append(d.later, f) }) })
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
	if len(d.later) == 0 {
		return
	}
	id := goroutineID()
	d.around = s.setDeferral(id, d)
	defer s.setDeferral(id, d.around)
	for len(d.later) > 0 {
		last := len(d.later) - 1
		f := d.later[last]
		d.later = d.later[:last]
		d.attempt(f)
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

// recover is recover. What ends a cell cannot be recovered from.
func (s *Session) recover() any {
	s.mu.Lock()
	d := s.deferrals[goroutineID()]
	s.mu.Unlock()
	if d == nil || !d.panicking {
		return nil
	}
	if err, ok := d.value.(error); ok && (errors.Is(err, ErrInterrupted) || errors.As(err, &exitRequest{})) {
		return nil
	}
	d.panicking = false
	s.trace.reset()
	return panicValue(d.value)
}

// goroutineID is the number that Go prints of the running goroutine.
func goroutineID() string {
	b := make([]byte, 32)
	b = b[:runtime.Stack(b, false)]
	id, _, _ := bytes.Cut(bytes.TrimPrefix(b, []byte("goroutine ")), []byte(" "))
	return string(id)
}
