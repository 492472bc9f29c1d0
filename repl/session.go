package repl

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"

	"github.com/traefik/yaegi/interp"

	"symmom/symmom"
)

// Config says what surrounds a session. Its zero value is a safe session on
// the process's own streams.
type Config struct {
	Stdin          io.Reader // default os.Stdin
	Stdout, Stderr io.Writer // default os.Stdout, os.Stderr

	// Unrestricted opens os/exec, syscall and unsafe to the cells, and the
	// process's own environment.
	Unrestricted bool

	// Args is what os.Args is in the cells, the program's name first.
	Args []string

	// Progress is told how running decompositions go, by one goroutine at a
	// time. Default: a live line on Stderr where that is a terminal.
	Progress func(symmom.Progress)
}

// Session is a Go session: what one cell declares is there for the next. Its
// methods may be called by several goroutines; cells run one after the other.
type Session struct {
	config  Config
	interp  *interp.Interpreter
	library *library
	names   *names
	host    *symmom.Host
	status  *statusLine
	stdout  io.Writer // config's, with the status line out of the way
	stderr  io.Writer
	trace   *panicTrace
	control *control

	evaluating sync.Mutex // held by the cell that runs
	cells      int        // number of the last one
	scripts    sync.Map   // number -> name of those that came from files
	pending    *execution // given up by an interrupt, may still be under way

	mu        sync.Mutex // guards what follows
	ctx       context.Context
	longCalls int // that asked for a context since the cell began
	shown     func(values []any)
}

// Result is what a cell comes to.
type Result struct {
	Cell   int   // number of the cell, from 1
	Values []any // of the expression at its end: several where a call returns several, none for a statement
}

// ErrInterrupted is returned (wrapped) by Eval when its context was cancelled.
var ErrInterrupted = symmom.ErrInterrupted

// New makes a session. It takes a few milliseconds.
func New(config Config) (*Session, error) {
	if config.Stdin == nil {
		config.Stdin = os.Stdin
	}
	if config.Stdout == nil {
		config.Stdout = os.Stdout
	}
	if config.Stderr == nil {
		config.Stderr = os.Stderr
	}
	if len(config.Args) == 0 {
		config.Args = []string{"symmom"}
	}
	s := &Session{config: config, names: newNames(), control: newControl(), ctx: context.Background()}
	s.status = newStatusLine(config.Stderr)
	s.stdout = s.status.beside(config.Stdout)
	s.stderr = s.status.beside(config.Stderr)
	s.trace = &panicTrace{next: s.stderr, where: s.where}
	if s.config.Progress == nil && s.status != nil {
		s.config.Progress = s.status.progress
	}
	s.host = &symmom.Host{Context: s.longCallContext, Progress: s.config.Progress}
	s.interp = interp.New(interp.Options{
		Stdin: config.Stdin, Stdout: s.stdout, Stderr: s.trace,
		Args: config.Args, Env: os.Environ(), Unrestricted: config.Unrestricted,
		SourcecodeFilesystem: s.control,
	})
	var err error
	if s.library, err = newLibrary(s.interp, config.Unrestricted); err != nil {
		return nil, err
	}
	if err := s.interp.Use(s.overrides()); err != nil {
		return nil, err
	}
	return s, s.prelude()
}

// Unrestricted reports whether cells may do anything to the machine.
func (s *Session) Unrestricted() bool { return s.config.Unrestricted }

// Eval runs a cell. It returns when the cell has ended, or soon after ctx was
// cancelled; then the error wraps ErrInterrupted. An error in the cell is an
// *Error, a call of os.Exit an *ExitError; what ran before it has happened.
func (s *Session) Eval(ctx context.Context, source string) (Result, error) {
	return s.eval(ctx, "", source, nil)
}

// eval is Eval for a script of that name. Where each is given it receives the
// values of every expression at the top of the source, as they come.
func (s *Session) eval(ctx context.Context, name, source string, each func([]any)) (Result, error) {
	s.evaluating.Lock()
	defer s.evaluating.Unlock()
	if err := s.awaitPending(ctx); err != nil {
		return Result{}, err
	}
	s.cells++
	if name != "" {
		s.scripts.Store(strconv.Itoa(s.cells), name)
	}
	c, err := newCell(s.cells, name, source)
	r := Result{Cell: c.number}
	if err != nil {
		return r, err
	}
	units, err := c.parse(s.interp.FileSet())
	if err != nil {
		return r, err
	}
	if len(c.items) > 0 && c.items[0].kind == packageItem {
		units = callMain(units)
	}
	shown := each
	if each == nil {
		shown = func(values []any) { r.Values = values }
	}
	s.begin(ctx, shown)
	defer s.finish()
	for i, u := range units {
		if ctx.Err() != nil {
			return r, c.interrupted()
		}
		visible := !u.silenced && (each != nil || i == len(units)-1)
		if err := s.evalUnit(ctx, c, u, visible); err != nil {
			return r, err
		}
	}
	return r, nil
}

// evalUnit takes one unit through all steps.
func (s *Session) evalUnit(ctx context.Context, c *cell, u *unit, visible bool) error {
	fresh := map[string]string{}
	if u.kind == importItem {
		var err error
		if fresh, err = s.imports(c, u); err != nil {
			return err
		}
		if len(fresh) == 0 {
			return nil
		}
	}
	undo := s.names.renew(u)
	s.rename(u)
	err := s.check(c, u)
	if err != nil {
		undo()
		return err
	}
	s.guardGoroutines(u)
	p, err := s.compile(c, u, visible)
	s.names.declare(u, err)
	if err != nil {
		undo()
		return err
	}
	for name, path := range fresh {
		s.names.imports[name], s.names.kinds[name] = path, packageName
	}
	return s.execute(ctx, c, u, p)
}

// begin and finish bracket a cell.
func (s *Session) begin(ctx context.Context, shown func([]any)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ctx, s.shown, s.longCalls = ctx, shown, 0
}

func (s *Session) finish() {
	s.status.clear()
	s.mu.Lock()
	defer s.mu.Unlock()
	// Goroutines that the cell left running may still make long calls.
	s.ctx, s.shown = context.Background(), nil
}

func (s *Session) cellContext() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ctx
}

// longCallContext is asked by symmom at the beginning of each long call.
func (s *Session) longCallContext() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.longCalls++
	return s.ctx
}

// where names a place in an earlier cell or a script.
func (s *Session) where(cell, line string) string {
	if name, ok := s.scripts.Load(cell); ok {
		return fmt.Sprintf("%s:%s", name, line)
	}
	return "cell " + cell + ", line " + line
}

// ExitError says how the process should end, when everything that had to be
// said has been said: a cell called os.Exit, or Run has reported an error.
type ExitError struct {
	Code int
	Err  error // that was reported, or nil
}

func (e *ExitError) Error() string {
	if e.Err != nil {
		return e.Err.Error()
	}
	return exitRequest{e.Code}.Error()
}

// Unwrap returns the error that was reported.
func (e *ExitError) Unwrap() error { return e.Err }
