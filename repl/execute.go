package repl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strings"
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

// execute runs a cell: run, which returns a panic as an interp.Panic. Meanwhile others may
// take the stage.
func (s *Session) execute(x *execution, run func() error) error {
	s.stage.Unlock()
	defer s.stage.Lock()
	defer close(x.over)
	go func() {
		// The error errGoexit remains if the code calls runtime.Goexit.
		defer close(x.done)
		x.err = spoken(run())
	}()
	overflow := make(chan struct{})
	full := make(chan string, 1)
	go yaegi.WatchStack(x.done, overflow, func() { go watchMemory(x.done, full) })
	select {
	case <-x.done:
		if code, exits := s.awaitExit(x); exits {
			return &ExitError{Code: code}
		}
		return s.outcome(x)
	case <-overflow:
		s.stop(x, longest)
		debug.FreeOSMemory()
		return x.cell.ErrorAt(x.statement(), "panic", "stack overflow: a function calls itself without end, or too deep (some 100,000 calls)")
	case text := <-full:
		s.stop(x, longest)
		debug.FreeOSMemory()
		return x.cell.ErrorAt(x.statement(), "panic", text)
	case code := <-x.exits:
		s.stop(x, longest)
		return &ExitError{Code: code}
	case <-x.ctx.Done():
	}
	returned := s.awaitCalls(x)
	s.stop(x, patience)
	if returned {
		return s.outcome(x)
	}
	return x.cell.Interrupted()
}

// stop ends x and all other code of cells: what waits at once, and the rest when no execution
// needs more time to end by itself. What has not ended after the given time is abandoned.
func (s *Session) stop(x *execution, patience time.Duration) {
	for _, y := range s.executions() {
		y.cancel()
	}
	close(x.yields)
	s.stage.Lock()
	defer s.stage.Unlock()
	if x.stopped {
		return // as another one was interrupted, too
	}
	all := s.executions()
	for _, y := range all {
		select {
		case <-y.done:
		case <-y.yields:
		}
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for _, y := range all {
			<-y.done
		}
	}()
	if s.control.Stop(ended, patience) {
		s.awaitGoroutines()
		s.control.Resume()
	}
	for _, y := range all {
		y.stopped = true
		if !y.ended() {
			s.pending = append(s.pending, y)
		}
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

// exit ends the running cell when a goroutine started by it or by an earlier cell
// calls os.Exit. It reports whether a cell was running.
func (s *Session) exit(code int) bool {
	x := s.mine()
	if x == idle {
		return false
	}
	select {
	case x.exits <- code:
		return true
	case <-x.over:
		return false
	}
}

// awaitExit waits for the other goroutines, as a program does, after runtime.Goexit
// in the goroutine of the cell. It reports whether one of them calls os.Exit.
func (s *Session) awaitExit(x *execution) (code int, exits bool) {
	for errors.Is(x.err, errGoexit) && s.support.Goroutines() > 0 {
		select {
		case code := <-x.exits:
			return code, true
		case <-x.ctx.Done():
			return 0, false
		case <-time.After(poll):
		}
	}
	return 0, false
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
	calls := x.longCalls.Load()
	select {
	case <-x.done:
		return true
	case <-time.After(grace):
	}
	reported := false
	// A second new call since the interrupt means that the call that was running has
	// returned and that the code continues regardless.
	for begin := time.Now(); time.Since(begin) < longest && x.longCalls.Load() < calls+2; {
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

// withinLibrary reports whether an execution is in a call of compiled code that
// observes the context. It is only used for interrupts.
func (s *Session) withinLibrary(x *execution) bool {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return false
	}
	for block := range strings.SplitSeq(b.String(), "\n\n") {
		if strings.Contains(block, x.label) && strings.Contains(block, "repl.recovered") &&
			slices.ContainsFunc(s.bound, func(p string) bool { return strings.Contains(block, "\t"+p+".") }) {
			return true
		}
	}
	return false
}

// awaitPending waits for interrupted cells that are still running. Nothing else may
// run before they have ended: the interpreter would resume them.
func (s *Session) awaitPending(ctx context.Context) error {
	notice := time.After(200 * time.Millisecond)
	for len(s.pending) > 0 {
		x := s.pending[0]
		s.stage.Unlock() // for what has ended
		var err error
		select {
		case <-x.done:
		case <-notice:
			fmt.Fprintln(s.config.Stderr, "waiting for a compiled call of the interrupted cell to return")
		case <-ctx.Done():
			err = fmt.Errorf("%w: a compiled call of an earlier cell is still under way and cannot be stopped; wait for it, or begin a new session", ErrInterrupted)
		}
		s.stage.Lock()
		before := len(s.pending)
		s.pending = slices.DeleteFunc(s.pending, (*execution).ended)
		if before > 0 && len(s.pending) == 0 {
			s.awaitGoroutines()
			s.control.Resume()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// outcome converts the error that the interpreter returned to the error of the cell.
func (s *Session) outcome(x *execution) error {
	var p spokenPanic
	c, err := x.cell, x.err
	switch {
	case err == nil && x.interrupted():
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
			e := c.ErrorAt(x.statement(), "failed", f.text)
			e.Err = f.err
			return e
		}
		return x.panicError(p)
	}
	return c.ErrorAt(x.statement(), "run", gofront.Clean(err.Error()))
}

// statement returns the start position of the statement in which the cell ended.
func (x *execution) statement() int {
	if x.passed < len(x.units) {
		return x.units[x.passed].Start
	}
	return 0
}

// runBody calls the body of a cell, or a part of it.
func (s *Session) runBody(x *execution, body func()) {
	if x.ctx.Err() != nil {
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
	x := s.mine()
	if i < len(x.units) {
		s.commit(x.cell, x.units[i])
		x.reach(s, i+1)
	}
	breath.Take()
	if x.ctx.Err() != nil {
		panic(ErrInterrupted)
	}
}

// place is an offset in a cell and its line.
type place struct{ offset, line int }

// reach records that i units of the cell have run.
func (x *execution) reach(s *Session, i int) {
	x.passed = i
	if s.config.Reached == nil || i >= len(x.units) {
		return
	}
	to := min(x.units[i].Start, len(x.cell.Source))
	if to < x.lines.offset {
		x.lines = place{line: 1}
	}
	x.lines = place{to, x.lines.line + strings.Count(x.cell.Source[x.lines.offset:to], "\n")}
	s.config.Reached(x.lines.line)
}

// show receives the values of the expression at the end of a cell.
func (s *Session) show(values ...any) {
	x := s.mine()
	if len(values) == 1 && values[0] == nil && x.passed < len(x.units) && x.units[x.passed].Acts() {
		return
	}
	if x.shown != nil {
		x.shown(values)
	}
}
