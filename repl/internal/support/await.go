package support

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"symmom/internal/store/interruptible"
)

// lateness is how long a call may go on after an interrupt before it is left behind. It is
// less than the session gives a cell to end by itself.
const lateness = 40 * time.Millisecond

// awaited is a call of compiled code, in a goroutine of its own.
type awaited struct {
	done      chan struct{} // closed when it has ended
	goroutine string        // its number, where functions of cells ask for it
	returned  bool
	panicked  any
	left      atomic.Bool
}

func (a *awaited) run(r *Runtime, call func()) {
	defer close(a.done)
	defer func() {
		if a.goroutine != "" {
			r.behind.Delete(a.goroutine)
		}
		if v := recover(); v != nil {
			a.panicked = v
		}
	}()
	if r.asked.Load() {
		a.goroutine = goroutineID()
		r.behind.Store(a.goroutine, a)
	}
	if a.left.Load() {
		return
	}
	call()
	a.returned = true
}

// await makes a call that may wait in the system. An interrupt during the call ends the
// cell; one before it, as in deferred functions, ends the cell only if the call does not
// return. A call that does not return is abandoned: it goes on in its goroutine, its results
// are dropped, and functions of cells that it calls return at once, see enter.
func (r *Runtime) await(what string, call func()) {
	interrupted := r.session.Interrupts()
	deferred := closed(interrupted)
	a := &awaited{done: make(chan struct{})}
	go a.run(r, call)
	select {
	case <-a.done:
	case <-interrupted:
		select {
		case <-a.done:
		case <-time.After(lateness):
			a.left.Store(true)
			r.leaves(what, interrupted)
		}
	}
	if a.left.Load() || !deferred && closed(interrupted) {
		panic(r.raise(interruptible.Err))
	}
	switch {
	case a.panicked != nil:
		panic(r.raise(a.panicked))
	case !a.returned:
		runtime.Goexit() // as the call did
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// leaves reports an abandoned call, once per interrupt.
func (r *Runtime) leaves(what string, interrupted <-chan struct{}) {
	r.mu.Lock()
	reported := r.reported == interrupted
	r.reported = interrupted
	r.mu.Unlock()
	if !reported {
		fmt.Fprintf(r.session.Stderr, "%s is abandoned: it may keep waiting, and its results are dropped\n", what)
	}
}

// mayBeForeign reports whether the methods of a value in an interface of a cell may be those
// of a package: Go's own types have them, those of cells do not, but may embed some.
func mayBeForeign(x any) bool {
	if x == nil {
		return false
	}
	t := reflect.TypeOf(x)
	known, there := foreign.Load(t)
	if !there {
		of := t
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		is := t.NumMethod() > 0
		for i := 0; of.Kind() == reflect.Struct && i < of.NumField(); i++ {
			is = is || of.Field(i).Type.NumMethod() > 0
		}
		known, _ = foreign.LoadOrStore(t, is)
	}
	return known.(bool)
}

var foreign sync.Map // reflect.Type -> bool

var errLeft = errors.New("the cell that waited for this was interrupted")

// isLeft reports whether the call that the running goroutine makes was left behind.
func (r *Runtime) isLeft() bool {
	if !r.asked.Load() {
		return false
	}
	a, in := r.behind.Load(goroutineID())
	return in && a.(*awaited).left.Load()
}

// condWait acts like the method Wait of sync.Cond, except that an interrupt ends it, with
// the lock held, as deferred calls expect.
func (r *Runtime) condWait(c *sync.Cond) {
	mustBeLocked(c.L)
	interrupted := r.session.Interrupts()
	var mu sync.Mutex // guards the following
	woken, left := false, false
	done := make(chan struct{})
	go func() {
		c.Wait()
		mu.Lock()
		defer mu.Unlock()
		if left { // another one may be waiting for what woke this
			c.L.Unlock()
			c.Signal()
			return
		}
		woken = true
		close(done)
	}()
	select {
	case <-done:
		return
	case <-interrupted:
	}
	mu.Lock()
	left = !woken
	mu.Unlock()
	if left {
		if m, ok := c.L.(interface{ TryLock() bool }); ok {
			for begin := time.Now(); !m.TryLock() && time.Since(begin) < 10*lateness; {
				time.Sleep(time.Millisecond)
			}
		}
	}
	panic(r.raise(interruptible.Err))
}

// servers returns the functions of net/http that serve for ever: an interrupt closes their
// listeners and connections, which nothing else could reach.
func (r *Runtime) servers() map[string]any {
	closing := func(s *http.Server, serve func() error) error {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		interrupted := r.session.Interrupts()
		go func() {
			select {
			case <-interrupted:
				_ = s.Close()
			case <-ctx.Done():
			}
		}()
		return serve()
	}
	return map[string]any{
		"ListenAndServe": func(addr string, h http.Handler) error {
			s := &http.Server{Addr: addr, Handler: h}
			return closing(s, s.ListenAndServe)
		},
		"ListenAndServeTLS": func(addr, cert, key string, h http.Handler) error {
			s := &http.Server{Addr: addr, Handler: h}
			return closing(s, func() error { return s.ListenAndServeTLS(cert, key) })
		},
		"Serve": func(l net.Listener, h http.Handler) error {
			s := &http.Server{Handler: h}
			return closing(s, func() error { return s.Serve(l) })
		},
		"ServeTLS": func(l net.Listener, h http.Handler, cert, key string) error {
			s := &http.Server{Handler: h}
			return closing(s, func() error { return s.ServeTLS(l, cert, key) })
		},
	}
}
