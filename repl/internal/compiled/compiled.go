// Package compiled compiles the functions of a cell with the go command, and calls them. They
// run in a process of their own: as fast as any Go, with all of the standard library, and a
// panic, os.Exit or a crash ends at most that process. An interrupt ends it, and the next call
// starts it again. Arguments and results go through pipes in the language of package wire; at their
// other end is package run.
//
// A plugin would share the session's memory, but needs C and the compiler that has built the
// session. WebAssembly would need another module to run it, and has neither threads nor all
// instructions of the processor.
package compiled

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"
	"sync/atomic"

	"symmom/internal/store/interruptible"
	"symmom/repl/internal/compiled/wire"
)

// Program is a compiled cell. Its methods may be called by several goroutines; calls of its
// functions take turns.
type Program struct {
	source  string   // of the cell
	names   []string // of the functions that can be called
	session Session

	mu      sync.Mutex              // held by a call
	running atomic.Pointer[process] // nil if it has to be started
}

// Session is the session that calls.
type Session struct {
	Context func() context.Context // of the running cell
	Stdout  io.Writer              // for what the program prints
	Room    func(bytes float64)    // panics if there is no memory for a result
	Where   func(line int) string  // describes a line of the cell
}

// New compiles a cell, a file of package main without its package clause but with an empty first
// line, and starts it. The named functions can be called; their parameters and results have types
// that a wire.Stream sends. An error of the compiler is an *Error.
func New(ctx context.Context, source string, names []string, s Session) (*Program, error) {
	p := &Program{source: source, names: names, session: s}
	return p, p.start(ctx)
}

// Func returns a function of type t that calls function i. It panics with an error if that
// panics, or if the program ends.
func (p *Program) Func(i int, t reflect.Type) reflect.Value {
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		results, err := p.call(i, t, args)
		if err != nil {
			panic(err)
		}
		return results
	})
}

// Running reports whether there is a process.
func (p *Program) Running() bool { return p.running.Load() != nil }

// Stop ends the process, also in a call. The next one starts another.
func (p *Program) Stop() {
	if x := p.running.Swap(nil); x != nil {
		x.end()
	}
}

// start compiles the cell and starts it, unless it runs.
func (p *Program) start(ctx context.Context) error {
	if x := p.running.Load(); x != nil {
		select {
		case <-x.ended: // by itself, since the last call
			x.forward(p.session.Stdout)
			p.Stop()
		default:
			return nil
		}
	}
	x, err := start(ctx, p.source, p.names)
	if err != nil {
		return err
	}
	p.running.Store(x)
	return p.exchange(ctx, "before its functions could be called", func(x *process) bool {
		x.PutBytes(x.mark[:])
		return x.Flush() == nil && x.forward(p.session.Stdout)
	})
}

// exchange calls f, which talks to the process and reports whether that answers. When is when
// it does not. Cancelling ctx ends the process.
func (p *Program) exchange(ctx context.Context, when string, f func(x *process) bool) error {
	x, answers := p.running.Load(), false
	if x == nil {
		return errors.New("the session has ended")
	}
	leave := context.AfterFunc(ctx, x.kill)
	defer func() {
		if !leave() || !answers {
			x.end()
			p.running.CompareAndSwap(x, nil)
		}
	}()
	answers = f(x)
	switch {
	case answers:
		return nil
	case ctx.Err() != nil:
		return interruptible.Err
	}
	x.end()
	return fmt.Errorf("the compiled program has ended (%v) %s; the next call starts it again", x.cmd.ProcessState, when)
}

// call calls function i.
func (p *Program) call(i int, t reflect.Type, args []reflect.Value) (results []reflect.Value, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ctx := p.session.Context()
	if ctx.Err() != nil {
		return nil, interruptible.Err
	}
	if err := p.start(ctx); err != nil {
		return nil, err
	}
	var failed string
	var line int
	err = p.exchange(ctx, "in a call of "+p.names[i], func(x *process) bool {
		x.Room = p.session.Room
		x.PutLen(i)
		for _, v := range args {
			x.Put(v)
		}
		var mark wire.Mark
		if x.Flush() == nil && x.forward(p.session.Stdout) {
			x.Bytes(mark[:])
		}
		if mark != x.mark {
			return false
		}
		failed, line = x.Get(reflect.TypeFor[string]()).String(), x.Len()
		for i := range t.NumOut() {
			if failed == "" {
				results = append(results, x.Get(t.Out(i)))
			}
		}
		for _, v := range args {
			if v.Kind() == reflect.Slice {
				x.GetChanges(v)
			}
		}
		return x.Err() == nil
	})
	if line > 0 {
		failed += ", in " + p.session.Where(line)
	}
	if err == nil && failed != "" {
		err = errors.New(failed)
	}
	return results, err
}
