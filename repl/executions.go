package repl

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/traefik/yaegi/interp"

	"symmom/internal/store/files"
	"symmom/internal/system/origin"
	"symmom/repl/internal/breath"
	"symmom/repl/internal/display"
	"symmom/repl/internal/gofront"
	"symmom/repl/internal/yaegi"
)

// Cells side by side. A cell is on stage, alone, while it is checked, lowered, compiled and
// opened, which makes functions of the interpreter of it, and again when it has ended. In
// between it runs as goroutines of earlier cells do, and others may take the stage. What it
// declares is added statement by statement, when no other cell is being checked.
//
// The interpreter is stopped as a whole. So an interrupt ends everything that runs, and what
// ends a cell in another way, such as a stack overflow, interrupts those beside it.

type besideKey struct{}

// Beside returns a context for cells and calls that do not wait for their turn: they run
// beside the cell whose turn it is, with the same variables, as if in a goroutine of it. Cells
// that use a variable at the same time need a mutex or a channel as goroutines do.
func Beside(ctx context.Context) context.Context { return context.WithValue(ctx, besideKey{}, true) }

// enter waits for the turn of a cell, and for the stage.
func (s *Session) enter(ctx context.Context) (leave func()) {
	beside := ctx.Value(besideKey{}) != nil
	if !beside {
		s.evaluating.Lock()
		s.turn.Store(evaluationOf(s))
	}
	s.stage.Lock()
	return func() {
		s.stage.Unlock()
		if !beside {
			s.evaluating.Unlock()
		}
	}
}

// evaluation is a call of Eval or Call, with one execution after another.
type evaluation struct {
	session *Session
	now     atomic.Pointer[execution]

	capture  atomic.Pointer[capture]          // takes what it prints and shows, unless nil
	captured atomic.Pointer[display.Captured] // what that took

	mu    sync.Mutex
	wrote []written // files since the last report
}

type evaluationKey struct{}

// within calls f for an evaluation, which its goroutines know by their origin.
func (s *Session) within(ctx context.Context, f func(context.Context) error) (err error) {
	e := &evaluation{session: s}
	origin.With(files.Telling(context.WithValue(ctx, evaluationKey{}, e), e.tell), func() { err = f(ctx) })
	return err
}

// evaluationOf returns the evaluation of the running goroutine, or nil.
func evaluationOf(s *Session) *evaluation {
	if e, _ := origin.Context().Value(evaluationKey{}).(*evaluation); e != nil && e.session == s {
		return e
	}
	return nil
}

// execution is a running cell, or function of one.
type execution struct {
	ctx    context.Context // cancelled when it is to end
	host   context.Context // as the host gave it
	cancel func()          // cancels ctx, and what waits in the system
	leave  func() bool     // disconnects ctx from the host's

	cell   *gofront.Cell
	units  []*gofront.Checked
	passed int   // number of these that have run
	lines  place // of the one that runs
	shown  func(values []any)
	frames yaegi.Frames // of its panic

	label     string        // of its goroutines, in the profile
	longCalls atomic.Int64  // that asked for a context
	exits     chan int      // codes of os.Exit in goroutines
	done      chan struct{} // closed when the code has ended
	err       error         // with which the code ended
	yields    chan struct{} // closed when the rest of the code may be stopped
	over      chan struct{} // closed when nothing can end the cell any more
	stopped   bool          // with the interpreter; guarded by the stage
}

// idle stands for the execution of goroutines that have none.
var idle = &execution{ctx: context.Background()}

// mine returns the execution that the running goroutine belongs to. A goroutine of an earlier
// cell, or of a package, belongs to the cell whose turn it is.
func (s *Session) mine() *execution {
	e := evaluationOf(s)
	if e == nil {
		e = s.turn.Load()
	}
	if e != nil {
		if x := e.now.Load(); x != nil {
			return x
		}
	}
	return idle
}

// open makes functions of the interpreter of the parts of a cell.
func (s *Session) open(programs []*interp.Program) ([]func(), error) {
	yaegi.MakeGlobals(s.interp, s.alone())
	s.begun = nil
	for _, p := range programs {
		if _, err := s.interp.Execute(p); err != nil {
			return nil, err
		}
	}
	return s.begun, nil
}

// begin prepares the session for running a cell; finish undoes that. An interrupt
// wakes up the cell if it is waiting, but releasing ctx after the cell does not:
// remaining goroutines may continue to sleep.
func (s *Session) begin(ctx context.Context, c *gofront.Cell, units []*gofront.Checked, shown func([]any)) *execution {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	x := &execution{ctx: breath.Context(own), host: ctx, cell: c, units: units, lines: place{line: 1}, shown: shown,
		cancel: sync.OnceFunc(func() { cancel(); s.allowReads(false) }),
		label:  origin.Label(), err: errGoexit,
		exits: make(chan int), done: make(chan struct{}), yields: make(chan struct{}), over: make(chan struct{})}
	x.leave = context.AfterFunc(ctx, x.cancel)
	s.allowReads(true)
	if e := evaluationOf(s); e != nil {
		e.now.Store(x)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = append(s.running, x)
	return x
}

func (s *Session) finish(x *execution) {
	yaegi.Forget(s.interp)
	// Goroutines that the cell left running may still make long calls.
	if !x.leave() {
		x.cancel() // waits for the one that has begun
	}
	s.allowReads(false)
	if e := evaluationOf(s); e != nil {
		e.now.Store(nil)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = slices.DeleteFunc(s.running, func(y *execution) bool { return x == y })
}

// executions returns those that have begun and not finished.
func (s *Session) executions() []*execution {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.running)
}

// busy reports whether something runs, or may still run. The stage must be held.
func (s *Session) busy() bool { return len(s.pending) > 0 || len(s.executions()) > 0 }

// alone reports whether no code of cells runs. The stage must be held.
func (s *Session) alone() bool { return !s.busy() && s.support.Goroutines() == 0 }

// ended reports whether the code has ended.
func (x *execution) ended() bool {
	select {
	case <-x.done:
		return true
	default:
		return false
	}
}

// interrupted reports whether the execution is to end before its code does.
func (x *execution) interrupted() bool { return x.host.Err() != nil || x.ctx.Err() != nil }
