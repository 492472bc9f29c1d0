package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"sync/atomic"

	"golang.org/x/term"
)

// RunOptions say what Run runs, and where.
type RunOptions struct {
	Args []string // a script, "-" for Stdin, and its arguments; none: Stdin, by prompt where it is a terminal
	Eval string   // run this instead, and print its value

	Stdin          io.Reader // default os.Stdin
	Stdout, Stderr io.Writer // default os.Stdout, os.Stderr

	Unrestricted bool // see Config
	NoBrowser    bool // charts are saved and not opened; so they are where SYMMOM_NO_BROWSER is set
}

// Run runs a script, a piece of code, or a session in the terminal.
//
// A script and a piece of code end with the first error. It is reported on
// Stderr with its place, and Run returns an *ExitError that says with which
// code to leave. When ctx is cancelled the error wraps ErrInterrupted. Output that
// could not be written is an error, too.
//
// In the terminal, errors do not end the session and Ctrl-C interrupts what
// runs: Run takes the signal itself, and pays no heed to ctx.
func Run(ctx context.Context, o RunOptions) (err error) {
	config := Config{Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr, Unrestricted: o.Unrestricted}
	if o.Eval == "" && len(o.Args) > 0 {
		config.Args = o.Args
	}
	var source string
	name := ""
	interactive := false
	switch {
	case o.Eval != "":
		source = o.Eval
	case len(o.Args) > 0 && o.Args[0] != "-":
		name = o.Args[0]
		data, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("repl: %w", err)
		}
		source = string(data)
	default:
		interactive = isTerminal(orStdin(o.Stdin)) && len(o.Args) == 0
	}
	s, err := New(config)
	if err != nil {
		return err
	}
	defer func() {
		if failed := s.printed.err.Load(); err == nil && failed != nil && !interactive {
			err = fmt.Errorf("repl: cannot print the results: %w", *failed)
		}
	}()
	if isTerminal(s.config.Stdout) {
		s.pages = newPages(!o.NoBrowser)
	}
	switch {
	case interactive:
		return s.converse(context.WithoutCancel(ctx))
	case o.Eval != "":
		r, err := s.eval(ctx, name, source, nil)
		s.print(r.Values)
		return s.report(err)
	case name != "":
		_, err := s.eval(ctx, name, source, func([]any) {})
		return s.report(err)
	}
	data, err := io.ReadAll(s.config.Stdin)
	if err != nil {
		return fmt.Errorf("repl: reading the input: %w", err)
	}
	_, err = s.eval(ctx, "", string(data), s.print)
	return s.report(err)
}

// watched keeps the first error of writing to it. Several goroutines of a cell
// may do so.
type watched struct {
	w   io.Writer
	err atomic.Pointer[error]
}

func (o *watched) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil {
		o.err.CompareAndSwap(nil, &err)
	}
	return n, err
}

func orStdin(r io.Reader) any {
	if r == nil {
		return os.Stdin
	}
	return r
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// print writes the values of an expression.
func (s *Session) print(values []any) {
	if text := describeAll(values); text != "" {
		fmt.Fprintln(s.stdout, text)
	}
	if s.pages == nil {
		return
	}
	for _, v := range shown(values) {
		p, ok := v.(page)
		if x := reflect.ValueOf(v); !ok || x.Kind() == reflect.Pointer && x.IsNil() || p.Err() != nil {
			continue // the text has said it
		}
		title, _, _ := strings.Cut(describe(v), ":")
		fmt.Fprintln(s.stdout, s.pages.show(p, title))
	}
}

// report tells of an error in a script, and says how to leave.
func (s *Session) report(err error) error {
	var exit *ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit):
		if exit.Code == 0 {
			return nil
		}
		return err
	case errors.Is(err, ErrInterrupted):
		return err
	}
	s.complain("symmom: ", err)
	return &ExitError{Code: 1, Err: err}
}

// complain writes an error with its place.
func (s *Session) complain(prefix string, err error) {
	text := err.Error()
	var e *Error
	if errors.As(err, &e) {
		text = e.Report()
	}
	fmt.Fprintln(s.stderr, prefix+text)
}
