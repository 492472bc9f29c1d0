package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/traefik/yaegi/interp"

	"symmom/repl/internal/assist"
	"symmom/repl/internal/boxed"
	"symmom/repl/internal/gofront"
	"symmom/repl/internal/lower"
	"symmom/repl/internal/repr"
	"symmom/repl/internal/support"
	"symmom/repl/internal/syntax"
	"symmom/repl/internal/yaegi"
	"symmom/symmom"
)

// Config describes the surroundings of a session. Its zero value is a session on
// the process's own streams with a guard against accidents, see Unrestricted.
//
// Cells can use a stream as a file if it is an *os.File, or a writer with a method
// File() *os.File.
type Config struct {
	Stdin          io.Reader // default os.Stdin
	Stdout, Stderr io.Writer // default os.Stdout, os.Stderr

	// Unrestricted permits os/exec, net/http/cgi, syscall, unsafe and the like in
	// cells, and lets them change the process's environment, of which they have a
	// copy otherwise. A session without it is no sandbox either: cells can do to
	// files, the network and the process whatever the user can.
	Unrestricted bool

	// Args is os.Args of the cells, the program's name first.
	Args []string

	// Progress is called with the progress of running decompositions, by one
	// goroutine at a time. Default: nothing is called.
	Progress func(Progress)

	// Display is called with what cells show while they run. Default: the text is
	// written to Stdout.
	Display func(Display)
}

// Progress is the progress of a running decomposition.
type Progress = symmom.Progress

// Session is a Go session: what one cell declares, the next can use. Its methods
// may be called by several goroutines; cells run one after the other.
type Session struct {
	config    Config
	interp    *interp.Interpreter
	front     *gofront.Front // checks cells
	lowerer   *lower.Lowerer // lowers them
	lowered   *repr.State    // what the interpreter knows of them
	types     *boxed.Types   // declared by cells; after a reset those of before keep their IDs
	env       *symmom.Environment
	support   *support.Runtime
	trace     *yaegi.PanicTrace
	control   *yaegi.Control
	assistant *assist.Assistant
	journal   *journal

	evaluating sync.Mutex         // held by the running cell
	cells      int                // number of the last one
	scripts    sync.Map           // number -> name of its file, for scripts
	numbers    sync.Map           // number -> its number in the notebook, if different
	cell       *gofront.Cell      // that runs,
	running    []*gofront.Checked // its units,
	reached    int                // and how many of them have run
	outputs    []output           // values that cells have ended with, the last at the end
	named      map[int]string     // variables for them, by cell
	sources    sync.Map           // number -> source, for the traces of panics
	exits      chan int           // codes of os.Exit in goroutines
	pending    *execution         // given up by an interrupt, may still be running

	mu        sync.Mutex // guards the following fields
	ctx       context.Context
	current   *execution  // the last one
	leave     func() bool // disconnects ctx from the host's
	longCalls int         // that asked for a context since the cell began
	shown     func(values []any)
}

// Result is the result of a cell.
type Result struct {
	Cell   int   // number of the cell, from 1
	Values []any // of the expression at its end: several if a call returns several, none for a statement

	took time.Duration // running time, without compilation
}

// ErrInterrupted is returned (wrapped) by Eval when its context was cancelled.
var ErrInterrupted = symmom.ErrInterrupted

// New returns a new session. It takes a few milliseconds.
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
	s := &Session{config: config, types: &boxed.Types{}, journal: &journal{}, exits: make(chan int), ctx: context.Background()}
	s.trace = &yaegi.PanicTrace{Next: config.Stderr, Where: s.whereWithSource, Name: functionNamed}
	s.support = support.New(support.Session{
		Args: config.Args, Stdout: config.Stdout, Stderr: config.Stderr, Types: s.types,
		Run: s.runBody, Next: s.next, Show: s.show, Exit: s.exit, Where: s.where,
		Interrupts: s.interrupts, Stopped: func() <-chan struct{} { return s.control.Done }, ResetTrace: s.trace.Reset,
	})
	s.env = &symmom.Environment{Context: s.longCallContext, Progress: s.config.Progress}
	return s, s.start()
}

// start gives the session a new interpreter, in which nothing is declared.
func (s *Session) start() error {
	s.outputs, s.named = nil, nil
	s.interp = interp.New(interp.Options{
		Stdin: s.config.Stdin, Stdout: s.config.Stdout, Stderr: s.trace,
		Args: s.config.Args, Env: os.Environ(), Unrestricted: s.config.Unrestricted,
		SourcecodeFilesystem: yaegi.NoFiles{},
	})
	library, err := newLibrary(s.interp, s.config.Unrestricted)
	if err != nil {
		return err
	}
	s.lowered = repr.NewState(s.types)
	s.front = gofront.New(s.interp.FileSet(), library, s.lowered)
	s.lowerer = lower.New(s.front, s.lowered)
	s.assistant = assist.New(library, assist.CommandHelp{Complete: s.completeCommand, Inspect: inspectCommand}, s.valueText)
	library.Add("display", s.displaySymbols())
	if err := s.interp.Use(s.overrides()); err != nil {
		return err
	}
	if s.control, err = yaegi.NewControl(s.interp, syntax.SupportName+"First"); err != nil {
		return err
	}
	if !gofront.ScopeFieldsKnown() {
		return errors.New("session: go/types has another form than the session expects; build symmom with another version of Go")
	}
	return s.prelude()
}

// Declared reports whether cells have declared a name at the top level, or imported
// a package under it.
func (s *Session) Declared(name string) bool { return s.front.Names.Kinds[name] != "" }

// Unrestricted reports whether the session lacks the guard against accidents, see
// Config.
func (s *Session) Unrestricted() bool { return s.config.Unrestricted }

// Complete proposes what can stand at the cursor, a byte offset in source. It
// evaluates nothing and never waits for a running cell.
func (s *Session) Complete(source string, cursor int) assist.Completions {
	return s.assistant.Complete(source, cursor)
}

// Inspect documents what stands at the cursor, a byte offset in source: the name
// there, or the function whose arguments the cursor is in. With detail 1 or more it
// adds the source. It reports whether anything is known.
func (s *Session) Inspect(source string, cursor, detail int) (assist.Inspection, bool) {
	return s.assistant.Inspect(source, cursor, detail)
}

// Completeness returns whether source is Complete, Incomplete (with the indentation
// of the next line) or Invalid. It is Incomplete if a bracket, a string or a
// comment is open, or an operator lacks its operand.
func (s *Session) Completeness(source string) (status assist.Status, indent string) {
	return assist.Completeness(source)
}

// Eval runs a cell. It returns when the cell has ended, or soon after ctx was
// cancelled; then the error wraps ErrInterrupted. An error in the cell is an
// *Error, a call of os.Exit an *ExitError. What ran before an error is not undone.
func (s *Session) Eval(ctx context.Context, source string) (Result, error) {
	return s.eval(ctx, "", source, nil)
}

// EvalScript is Eval for a script of that name. If each is not nil it receives the
// value of every expression at the top level of the source, as it comes; the Result
// then has none.
func (s *Session) EvalScript(ctx context.Context, name, source string, each func(Result)) (Result, error) {
	if each == nil {
		return s.eval(ctx, name, source, nil)
	}
	return s.eval(ctx, name, source, func(values []any) { each(Result{Values: values}) })
}

type numberKey struct{}

// EvalCell is Eval for a cell with its own number, as in a notebook, which
// errors refer to. 0 is none.
func (s *Session) EvalCell(ctx context.Context, number int, source string) (Result, error) {
	return s.eval(context.WithValue(ctx, numberKey{}, number), "", source, nil)
}

// evalGo evaluates Go alone, see eval.
func (s *Session) evalGo(ctx context.Context, name, source string, each func([]any)) (Result, error) {
	s.evaluating.Lock()
	defer s.evaluating.Unlock()
	return s.evalLocked(ctx, name, source, each)
}

// evalLocked is evalGo for callers that hold the lock.
func (s *Session) evalLocked(ctx context.Context, name, source string, each func([]any)) (Result, error) {
	if err := s.awaitPending(ctx); err != nil {
		return Result{}, err
	}
	s.cells++
	s.sources.Store(strconv.Itoa(s.cells), source)
	if name != "" {
		s.scripts.Store(strconv.Itoa(s.cells), name)
	}
	if n, ok := ctx.Value(numberKey{}).(int); ok && n != s.cells {
		s.numbers.Store(strconv.Itoa(s.cells), n)
	}
	c, err := gofront.NewCell(s.cells, name, source)
	r := Result{Cell: c.Number}
	if err != nil {
		return r, err
	}
	units, err := c.Parse(s.interp.FileSet())
	if err != nil {
		return r, err
	}
	if len(c.Items) > 0 && c.Items[0].Kind == gofront.PackageItem {
		units = callMain(units)
	}
	if err := s.useOutputs(ctx, c, units); err != nil {
		return r, err
	}
	shown := each
	if each == nil {
		shown = func(values []any) { r.Values = values }
	}
	programs, checked, err := s.prepare(c, units, each != nil)
	if err != nil {
		return r, err
	}
	if ctx.Err() != nil {
		return r, c.Interrupted()
	}
	s.begin(ctx, shown)
	defer s.finish()
	s.cell, s.running, s.reached = c, checked, 0
	defer func() { s.running = nil }()
	begin := time.Now()
	err = s.execute(ctx, c, programs)
	r.took = time.Since(begin)
	if number, ok := ctx.Value(numberKey{}).(int); err == nil && (!ok || number > 0) {
		if !ok {
			number = c.Number
		}
		s.keepOutput(number, checked, r.Values)
	}
	return r, err
}

// prepare turns the syntax of a cell into what the interpreter runs. all says that
// the value of every expression is wanted, not only of the last one.
func (s *Session) prepare(c *gofront.Cell, units []*gofront.Unit, all bool) ([]*interp.Program, []*gofront.Checked, error) {
	checked, sc, err := s.front.Check(c, units)
	defer s.front.KeepOrphans(sc)
	if err != nil {
		return nil, nil, err
	}
	l, err := s.lowerer.Lower(c, checked, sc, func(i int) bool {
		return !checked[i].Silenced && (all || i == len(checked)-1)
	})
	if err != nil {
		return nil, nil, err
	}
	programs, err := s.compile(c, l)
	if err != nil {
		return nil, nil, err
	}
	s.commitImports(sc)
	l.Commit()
	return programs, checked, nil
}

// begin and finish bracket a cell. An interrupt wakes what the cell waits for, but
// releasing ctx after the cell does not: remaining goroutines may sleep on.
func (s *Session) begin(ctx context.Context, shown func([]any)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.leave = context.AfterFunc(ctx, cancel)
	s.ctx, s.shown, s.longCalls = own, shown, 0
}

func (s *Session) finish() {
	yaegi.Forget(s.interp)
	s.mu.Lock()
	defer s.mu.Unlock()
	// Goroutines that the cell left running may still make long calls.
	s.leave()
	s.ctx, s.shown = context.Background(), nil
}

func (s *Session) cellContext() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ctx
}

// interrupts returns a channel that is closed when the cell that runs is
// interrupted.
func (s *Session) interrupts() <-chan struct{} { return s.cellContext().Done() }

// longCallContext is called by symmom at the beginning of each long call.
func (s *Session) longCallContext() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.longCalls++
	return s.ctx
}

// where describes a position in an earlier cell or a script.
func (s *Session) where(cell, line string) string {
	if name, ok := s.scripts.Load(cell); ok {
		return fmt.Sprintf("%s:%s", name, line)
	}
	if n, ok := s.numbers.Load(cell); ok {
		if n == 0 {
			return "a cell without a number, line " + line
		}
		return fmt.Sprintf("cell %d, line %s", n, line)
	}
	return "cell " + cell + ", line " + line
}

// whereWithSource is where, with the source line below.
func (s *Session) whereWithSource(cell, line string) string {
	place := s.where(cell, line)
	source, ok := s.sources.Load(cell)
	n, err := strconv.Atoi(line)
	if !ok || err != nil {
		return place
	}
	if lines := strings.Split(source.(string), "\n"); n >= 1 && n <= len(lines) {
		place += "\n        " + strings.TrimSpace(lines[n-1])
	}
	return place
}

// ExitError says how the process should end, after everything has been reported: a
// cell called os.Exit, or a script ended with an error.
type ExitError struct {
	Code int
	Err  error // that was reported, or nil
}

func (e *ExitError) Error() string {
	if e.Err != nil {
		return e.Err.Error()
	}
	return support.ExitRequest{Code: e.Code}.Error()
}

// Unwrap returns the error that was reported.
func (e *ExitError) Unwrap() error { return e.Err }
