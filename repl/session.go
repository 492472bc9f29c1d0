package repl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/traefik/yaegi/interp"

	"symmom/internal/store/interruptible"
	"symmom/repl/internal/assist"
	"symmom/repl/internal/boxed"
	"symmom/repl/internal/compiled"
	"symmom/repl/internal/gofront"
	"symmom/repl/internal/lower"
	"symmom/repl/internal/repr"
	"symmom/repl/internal/support"
	"symmom/repl/internal/syntax"
	"symmom/repl/internal/yaegi"
)

// Config configures a session. Its zero value describes a session on the process's
// own streams, with the standard library but for four packages (see Unrestricted),
// gonum and package widgets.
//
// Cells can use a stream as a file if it is an *os.File, or a writer with a method
// File() *os.File.
type Config struct {
	Stdin          io.Reader // default os.Stdin
	Stdout, Stderr io.Writer // default os.Stdout, os.Stderr

	// Unrestricted permits os/exec, net/http/cgi, syscall and unsafe in
	// cells, and lets cells change the process's environment instead of a copy of it.
	// A session without it is not a sandbox either: cells have the user's permissions
	// for files, the network and processes by other ways.
	Unrestricted bool

	// Library has packages of the program that cells can import; nil if there are none.
	Library *Library

	// Args is the value of os.Args in cells, the program's name first; default: the name
	// in Library.
	Args []string

	// Progress is called with the progress of long calls of the library, by one
	// goroutine at a time. If nil, progress is not reported.
	Progress func(Progress)

	// Controls means that the host shows controls, and runs the function of
	// widgets.Interact for the first time when it does.
	Controls bool

	// Reached is called before each statement at the top level of a cell, with its line. If
	// nil, nothing is.
	Reached func(line int)

	// Edit lets a person edit text, for %edit. If nil, that is refused.
	Edit func(ctx context.Context, text string) (string, error)

	// Display is called with what cells display while they run. If nil, the text is
	// written to Stdout.
	Display func(Display)
}

// Session is a Go session: the declarations of one cell are available to the next.
// Its methods may be called by several goroutines; cells run one after another, unless
// their contexts are of Beside.
type Session struct {
	config    Config
	interp    *interp.Interpreter
	front     *gofront.Front // checks cells
	lowerer   *lower.Lowerer // lowers them
	lowered   *repr.State    // their representation in the interpreter
	types     *boxed.Types   // declared by cells; after a reset, earlier types keep their IDs
	bound     []string       // packages of the library whose calls know the session
	support   *support.Runtime
	trace     *yaegi.PanicTrace
	control   *yaegi.Control
	assistant *assist.Assistant
	journal   *journal

	inputs  atomic.Int64 // number of the last one; a host may have its own, see EvalCell
	scripts sync.Map     // cell number -> name of the file, for scripts
	numbers sync.Map     // cell number -> number of the input, if different
	sources sync.Map     // cell number -> source, for the traces of panics

	evaluating sync.Mutex                 // held by the cell whose turn it is
	turn       atomic.Pointer[evaluation] // that cell, or the last one

	turnTime time.Duration // of %timeit

	stage   sync.Mutex     // see executions.go; guards the following fields, and the interpreter
	cells   int            // counts what was evaluated: an input may have several parts
	named   map[int]string // variables for the outputs, by cell
	begun   []func()       // bodies that the interpreter has made of the cell that begins
	pending []*execution   // abandoned after an interrupt, may still be running

	files [2]*os.File // os.Stdout and os.Stderr in cells

	declaring sync.Mutex // guards front: what is declared

	mu       sync.Mutex // guards the following fields
	running  []*execution
	outputs  []output                     // values of earlier cells, latest last
	compiled []any                        // functions, see compiled.go
	programs map[string]*compiled.Program // that have them now, by name
}

// Result is the result of a cell.
type Result struct {
	Cell   int   // number of the cell, from 1; 0 if it has none
	Values []any // values of the expression at its end: several if a call returns several, none for a statement

	took     time.Duration // running time, without compilation
	portable *portable     // nil after an error
	stopped  func() bool   // reports whether the cell, which is running, is being stopped
}

// ErrInterrupted is wrapped by the error that Eval returns when its context was
// cancelled.
var ErrInterrupted = interruptible.Err

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
	if config.Library == nil {
		config.Library = &Library{}
	}
	if len(config.Args) == 0 {
		config.Args = []string{cmp.Or(config.Library.Name, "go")}
	}
	s := &Session{config: config, types: &boxed.Types{}, journal: &journal{}, turnTime: turnTime}
	s.config.Stdout, s.config.Stderr = &stream{s, "stdout", config.Stdout}, &stream{s, "stderr", config.Stderr}
	config = s.config
	s.types.Stopped = func() bool { return s.control.Stopped() }
	s.trace = &yaegi.PanicTrace{Next: config.Stderr, Where: s.whereWithSource, Name: functionNamed,
		Of: func() *yaegi.Frames { return &s.mine().frames }}
	s.support = support.New(support.Session{
		Args: config.Args, Stdout: config.Stdout, Stderr: config.Stderr, Types: s.types,
		Run: func(body func()) { s.begun = append(s.begun, body) }, Next: s.next, Show: s.show, Failed: s.failed, Exit: s.exit, Where: s.where,
		Interrupts: s.interrupts, Stopped: func() <-chan struct{} { return s.control.Done }, ResetTrace: func() { s.mine().frames.Reset() },
		Stops: func() uint64 { return s.control.Stops() },
	})
	s.trace.Unwinds = s.support.Unwinds
	return s, s.start()
}

// start gives the session a new interpreter without declarations.
func (s *Session) start() error {
	s.mu.Lock()
	s.outputs = nil
	s.mu.Unlock()
	s.named, s.bound = nil, nil
	s.interp = interp.New(interp.Options{
		Stdin: s.config.Stdin, Stdout: s.config.Stdout, Stderr: s.trace,
		Args: s.config.Args, Env: os.Environ(), Unrestricted: s.config.Unrestricted,
		SourcecodeFilesystem: yaegi.NoFiles{},
	})
	library, err := newLibrary(s.interp, s.config.Unrestricted, s.config.Library)
	if err != nil {
		return err
	}
	s.lowered = repr.NewState(s.types)
	s.front = gofront.New(s.interp.FileSet(), library, s.lowered)
	s.lowerer = lower.New(s.front, s.lowered)
	s.lowerer.Room = s.support.Room
	s.assistant = assist.New(library, assist.CommandHelp{Complete: s.completeCommand, Inspect: inspectCommand}, assist.Values{Text: s.valueText, Names: s.names})
	library.Add("display", s.displaySymbols())
	if err := s.interp.Use(s.overrides()); err != nil {
		return err
	}
	if s.control, err = yaegi.NewControl(s.interp, syntax.SupportName+"First", syntax.TickName); err != nil {
		return err
	}
	if !gofront.ScopeFieldsKnown() {
		return errors.New("session: go/types has another form than the session expects; build it with another version of Go")
	}
	return s.prelude()
}

// Declared reports whether cells have declared name at the top level or imported a
// package under it.
func (s *Session) Declared(name string) bool {
	s.declaring.Lock()
	defer s.declaring.Unlock()
	return s.front.Names.Kinds[name] != ""
}

// Unrestricted reports whether cells can import all packages; see Config.
func (s *Session) Unrestricted() bool { return s.config.Unrestricted }

// Segments splits a cell into session commands and Go.
func (s *Session) Segments(source string) []assist.Segment { return s.assistant.Segments(source) }

// Complete returns proposals for completing the text at the cursor, a byte offset in
// source. It evaluates nothing and never waits for a running cell.
func (s *Session) Complete(source string, cursor int) assist.Completions {
	return s.assistant.Complete(source, cursor)
}

// Inspect returns documentation for the cursor, a byte offset in source: for the name
// there, or for the function whose arguments contain the cursor. If detail is 1 or
// more, it includes the source. It reports whether any documentation was found.
func (s *Session) Inspect(source string, cursor, detail int) (assist.Inspection, bool) {
	return s.assistant.Inspect(source, cursor, detail)
}

// Completeness reports whether source is Complete, Incomplete (with the indentation
// of the next line) or Invalid. Source is Incomplete if a bracket, a string or a
// comment is open, or an operator lacks its operand.
func (s *Session) Completeness(source string) (status assist.Status, indent string) {
	return s.assistant.Completeness(source)
}

// Eval runs a cell. It returns when the cell has ended, or soon after ctx is
// cancelled; the error then wraps ErrInterrupted. An error in the cell is returned as
// an *Error, a call of os.Exit as an *ExitError. The effects of what ran before an
// error are not undone.
func (s *Session) Eval(ctx context.Context, source string) (Result, error) {
	return s.eval(ctx, "", source, nil)
}

// EvalScript is like Eval for a script called name. If each is not nil, it is called
// with the value of every top-level expression as it is computed; the Result then
// contains no values.
func (s *Session) EvalScript(ctx context.Context, name, source string, each func(Result)) (Result, error) {
	if each == nil {
		return s.eval(ctx, name, source, nil)
	}
	return s.eval(ctx, name, source, func(values []any) { each(Result{Values: values, stopped: s.control.Stopped}) })
}

type numberKey struct{}

// EvalCell is like Eval for a cell with a number of its own, as in a notebook, which
// error messages use. The number 0 means none.
func (s *Session) EvalCell(ctx context.Context, number int, source string) (Result, error) {
	return s.eval(context.WithValue(ctx, numberKey{}, number), "", source, nil)
}

// evalGo evaluates source without session commands; see eval.
func (s *Session) evalGo(ctx context.Context, name, source string, each func([]any)) (Result, error) {
	defer s.enter(ctx)()
	if name == "" { // a script prints what it prints
		defer s.sayWritten()
	}
	return s.evalLocked(ctx, name, source, each)
}

// evalLocked is evalGo for callers that have entered.
func (s *Session) evalLocked(ctx context.Context, name, source string, each func([]any)) (Result, error) {
	if err := s.awaitPending(ctx); err != nil {
		return Result{}, err
	}
	s.cells++
	s.sources.Store(strconv.Itoa(s.cells), source)
	if name != "" {
		s.scripts.Store(strconv.Itoa(s.cells), name)
	}
	number, _ := ctx.Value(numberKey{}).(int)
	if number != s.cells {
		s.numbers.Store(strconv.Itoa(s.cells), number)
	}
	c, err := gofront.NewCell(s.cells, name, source)
	r := Result{Cell: number}
	if err != nil {
		return r, err
	}
	units, err := c.Parse(ctx, s.interp.FileSet())
	if err != nil {
		return r, err
	}
	if len(c.Items) > 0 && c.Items[0].Kind == gofront.PackageItem {
		units = callMain(units)
	}
	uses, err := s.useOutputs(ctx, c, units)
	if err != nil {
		return r, err
	}
	shown := each
	if each == nil {
		shown = func(values []any) { r.Values = values }
	}
	programs, checked, err := s.prepare(ctx, c, units, each != nil)
	if err != nil {
		return r, err
	}
	if ctx.Err() != nil {
		return r, c.Interrupted()
	}
	bodies, err := s.open(programs)
	if err != nil {
		return r, s.compileError(c, err)
	}
	x := s.begin(ctx, c, checked, shown)
	defer s.finish(x)
	x.reach(s, 0)
	begin := time.Now()
	err = s.execute(x, func() error {
		return recovered(func() {
			for _, body := range bodies {
				s.runBody(x, body)
			}
		})
	})
	r.took = time.Since(begin)
	if err != nil {
		return r, err
	}
	var last *gofront.Checked
	if number > 0 {
		last = s.keepOutput(number, checked, r.Values)
	}
	r.portable = newPortable(c, uses, last, number)
	return r, nil
}

// prepare checks, lowers and compiles a cell. If all is set, the values of all
// expressions are shown, not only of the last one.
func (s *Session) prepare(ctx context.Context, c *gofront.Cell, units []*gofront.Unit, all bool) ([]*interp.Program, []*gofront.Checked, error) {
	checked, sc, l, err := s.lower(ctx, c, units, all)
	if err != nil {
		return nil, nil, err
	}
	programs, err := s.compile(ctx, c, l)
	if err != nil {
		return nil, nil, err
	}
	s.commitImports(sc)
	l.Commit()
	return programs, checked, nil
}

// lower checks and lowers a cell, while no other one declares anything.
func (s *Session) lower(ctx context.Context, c *gofront.Cell, units []*gofront.Unit, all bool) ([]*gofront.Checked, *gofront.Scope, *lower.Lowering, error) {
	s.declaring.Lock()
	defer s.declaring.Unlock()
	checked, sc, err := s.front.Check(ctx, c, units)
	defer s.front.KeepOrphans(sc)
	if err != nil {
		return nil, nil, nil, err
	}
	l, err := s.lowerer.Lower(ctx, c, checked, sc, func(i int) bool {
		return !checked[i].Silenced && (all || i == len(checked)-1)
	})
	return checked, sc, l, err
}

// interrupts returns a channel that is closed when the running cell is interrupted.
func (s *Session) interrupts() <-chan struct{} { return s.mine().ctx.Done() }

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

// whereWithSource is like where, followed by the source line.
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

// ExitError requests that the process exit, after everything has been reported: a
// cell called os.Exit, or a script ended with an error.
type ExitError struct {
	Code int
	Err  error // already reported, or nil
}

func (e *ExitError) Error() string {
	if e.Err != nil {
		return e.Err.Error()
	}
	return support.ExitRequest{Code: e.Code}.Error()
}

// Unwrap returns the error that was reported.
func (e *ExitError) Unwrap() error { return e.Err }
