package repl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/traefik/yaegi/interp"

	"symmom/repl/internal/boxed"
	"symmom/repl/internal/breath"
	"symmom/repl/internal/gofront"
	"symmom/repl/internal/support"
	"symmom/repl/internal/yaegi"
)

// How an interrupt works: when the cell's context is cancelled, compiled code of the
// library notices and returns its best result, which the interpreted statement then
// stores. It has the time grace to do so, and more while it is still within such a
// call. Any other code is stopped by the interpreter, between two steps. A compiled
// call of another package cannot be stopped: the cell is abandoned after patience,
// and the rest of it ends when the call returns.
const (
	grace    = 50 * time.Millisecond
	patience = 400 * time.Millisecond
	poll     = 10 * time.Millisecond
	longest  = 10 * time.Second // for a call of the library to return
)

// execution is a running cell.
type execution struct {
	label string        // of its goroutines, in the profile
	done  chan struct{} // closed when the code has ended
	err   error         // with which the code ended
	over  chan struct{} // closed when nothing can end the cell any more
}

const profileKey = "symmom cell"

var executions atomic.Int64

// execute runs a cell: run, which returns a panic as an interp.Panic.
func (s *Session) execute(ctx context.Context, c *gofront.Cell, run func() error) error {
	s.trace.Reset()
	yaegi.MakeGlobals(s.interp)
	x := &execution{label: strconv.FormatInt(executions.Add(1), 10), done: make(chan struct{}), err: errGoexit, over: make(chan struct{})}
	s.runs(x)
	defer close(x.over)
	go func() {
		pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels(profileKey, x.label)))
		// This error remains if the code calls runtime.Goexit.
		defer close(x.done)
		x.err = spoken(run())
	}()
	overflow := make(chan struct{})
	full := make(chan string, 1)
	go yaegi.WatchStack(x.done, overflow, func() { go watchMemory(x.done, full) })
	select {
	case <-x.done:
		if code, exits := s.awaitExit(ctx, x.err); exits {
			return &ExitError{Code: code}
		}
		return s.outcome(ctx, c, x.err)
	case <-overflow:
		s.end(x)
		debug.FreeOSMemory()
		return c.ErrorAt(s.statement(), "panic", "stack overflow: a function calls itself without end, or too deep (some 100,000 calls)")
	case text := <-full:
		s.end(x)
		debug.FreeOSMemory()
		return c.ErrorAt(s.statement(), "panic", text)
	case code := <-s.exits:
		s.end(x)
		return &ExitError{Code: code}
	case <-ctx.Done():
	}
	if s.awaitCalls(x) {
		s.stopGoroutines()
		return s.outcome(ctx, c, x.err)
	}
	if !s.control.Stop(x.done, patience) {
		s.pending = x
		return c.Interrupted()
	}
	s.awaitGoroutines()
	s.control.Resume()
	return c.Interrupted()
}

// end ends a cell that is not interrupted.
func (s *Session) end(x *execution) {
	s.mu.Lock()
	s.cancel() // what waits in it
	s.mu.Unlock()
	if s.control.Stop(x.done, longest) {
		s.awaitGoroutines()
		s.control.Resume()
	} else {
		s.pending = x
	}
}

// spokenPanic is a panic with its text.
type spokenPanic struct {
	interp.Panic
	text string
}

// spoken gives a panic its text while the code is still guarded: its value may have a
// method of the cell that formats it.
func spoken(err error) error {
	var p interp.Panic
	if !errors.As(err, &p) {
		return err
	}
	p.Value = boxed.PanicValue(p.Value)
	return spokenPanic{p, boxed.Text(p.Value)}
}

// runs makes x the execution that a call of os.Exit in a goroutine ends.
func (s *Session) runs(x *execution) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = x
}

// exit ends the running cell when a goroutine started by it or by an earlier cell
// calls os.Exit. It reports whether a cell was running.
func (s *Session) exit(code int) bool {
	s.mu.Lock()
	x := s.current
	s.mu.Unlock()
	if x == nil {
		return false
	}
	select {
	case s.exits <- code:
		return true
	case <-x.over:
		return false
	}
}

// awaitExit waits for the other goroutines, as a program does, after runtime.Goexit
// in the goroutine of the cell. It reports whether one of them calls os.Exit.
func (s *Session) awaitExit(ctx context.Context, err error) (code int, exits bool) {
	for errors.Is(err, errGoexit) && s.support.Goroutines() > 0 {
		select {
		case code := <-s.exits:
			return code, true
		case <-ctx.Done():
			return 0, false
		case <-time.After(poll):
		}
	}
	return 0, false
}

// stopGoroutines ends the goroutines that cells have started.
func (s *Session) stopGoroutines() {
	ended := make(chan struct{})
	close(ended)
	s.control.Stop(ended, patience)
	s.awaitGoroutines()
	s.control.Resume()
}

// awaitGoroutines waits for the goroutines of cells to end after they have been
// stopped. A goroutine within a compiled call continues until that call returns.
func (s *Session) awaitGoroutines() {
	limit := time.After(patience)
	for s.support.Goroutines() > 0 {
		select {
		case s.control.Done <- struct{}{}:
		case <-time.After(time.Millisecond):
		case <-limit:
			return
		}
	}
}

var errGoexit = errors.New("the goroutine of the session was ended by runtime.Goexit")

// awaitCalls gives an interrupted execution time to end by itself and reports whether
// it did.
func (s *Session) awaitCalls(x *execution) bool {
	calls := s.calls()
	select {
	case <-x.done:
		return true
	case <-time.After(grace):
	}
	reported := false
	// A second new call since the interrupt means that the call that was running has
	// returned and that the code continues regardless.
	for begin := time.Now(); time.Since(begin) < longest && s.calls() < calls+2; {
		if !s.withinLibrary(x) {
			break
		}
		if !reported && time.Since(begin) > time.Second {
			reported = true
			fmt.Fprintln(s.config.Stderr, "interrupted; waiting for the current evaluation to finish")
		}
		select {
		case <-x.done:
			return true
		case <-time.After(poll):
		}
	}
	// The call may have returned just before its stack was read, and a busy machine
	// may delay the rest of the cell.
	select {
	case <-x.done:
		return true
	case <-time.After(grace):
	}
	return false
}

func (s *Session) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.longCalls
}

// withinLibrary reports whether an execution is in a call of compiled code that
// observes the context. It is only used for interrupts.
func (s *Session) withinLibrary(x *execution) bool {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return false
	}
	label := fmt.Sprintf("%q:%q", profileKey, x.label)
	for block := range strings.SplitSeq(b.String(), "\n\n") {
		if strings.Contains(block, label) && (strings.Contains(block, "interp.(*Interpreter).Execute") || strings.Contains(block, "repl.recovered")) &&
			slices.ContainsFunc(s.bound, func(p string) bool { return strings.Contains(block, "\t"+p+".") }) {
			return true
		}
	}
	return false
}

// awaitPending waits for an interrupted cell that is still running. Nothing else may
// run before it has ended: the interpreter would resume it.
func (s *Session) awaitPending(ctx context.Context) error {
	if s.pending == nil {
		return nil
	}
	notice := time.After(200 * time.Millisecond)
	for {
		select {
		case <-s.pending.done:
			s.pending = nil
			s.awaitGoroutines()
			s.control.Resume()
			return nil
		case <-notice:
			fmt.Fprintln(s.config.Stderr, "waiting for a compiled call of the interrupted cell to return")
		case <-ctx.Done():
			return fmt.Errorf("%w: a compiled call of an earlier cell is still under way and cannot be stopped; wait for it, or begin a new session", ErrInterrupted)
		}
	}
}

// outcome converts the error that the interpreter returned to the error of the cell.
func (s *Session) outcome(ctx context.Context, c *gofront.Cell, err error) error {
	var p spokenPanic
	switch {
	case err == nil && ctx.Err() != nil:
		return c.Interrupted()
	case err == nil:
		return nil
	case errors.As(err, &p):
		if e, ok := p.Value.(support.ExitRequest); ok {
			return &ExitError{Code: e.Code}
		}
		if p.Value == any(ErrInterrupted) {
			return c.Interrupted()
		}
		if f, ok := p.Value.(failure); ok {
			if s.reached < len(s.running) {
				s.commit(s.running[s.reached]) // the variable that holds it
			}
			e := c.ErrorAt(s.statement(), "failed", f.text)
			e.Err = f.err
			return e
		}
		return s.panicError(c, p)
	}
	return c.ErrorAt(s.statement(), "run", gofront.Clean(err.Error()))
}

// statement returns the start position of the statement in which the cell ended.
func (s *Session) statement() int {
	if s.reached < len(s.running) {
		return s.running[s.reached].Start
	}
	return 0
}

// runBody calls the body of a cell, or a part of it.
func (s *Session) runBody(body func()) {
	if s.cellContext().Err() != nil {
		panic(ErrInterrupted) // also if the interpreter was stopped before it began
	}
	returned := false
	defer func() {
		if !returned {
			yaegi.Release(s.interp, body)
		}
	}()
	body()
	returned = true
}

// next is called when a unit of the cell has run. An interrupt ends the cell here at
// the latest.
func (s *Session) next(i int) {
	if i < len(s.running) {
		s.commit(s.running[i])
		s.reach(i + 1)
	}
	breath.Take()
	if s.cellContext().Err() != nil {
		panic(ErrInterrupted)
	}
}

// place is an offset in a cell and its line.
type place struct{ offset, line int }

// reach records that i units of the cell have run.
func (s *Session) reach(i int) {
	s.reached = i
	if s.config.Reached == nil || i >= len(s.running) {
		return
	}
	to := min(s.running[i].Start, len(s.cell.Source))
	if to < s.lines.offset {
		s.lines = place{line: 1}
	}
	s.lines = place{to, s.lines.line + strings.Count(s.cell.Source[s.lines.offset:to], "\n")}
	s.config.Reached(s.lines.line)
}

// show receives the values of the expression at the end of a cell.
func (s *Session) show(values ...any) {
	if len(values) == 1 && values[0] == nil && s.reached < len(s.running) && s.running[s.reached].Acts() {
		return
	}
	s.mu.Lock()
	shown := s.shown
	s.mu.Unlock()
	if shown != nil {
		shown(values)
	}
}
