// Package terminal implements the interactive session: a line editor with history and
// completion, Ctrl-C, a progress line at the bottom, charts in the browser. It also
// runs scripts and single pieces of code, which end with their first error.
package terminal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"sync/atomic"

	"golang.org/x/term"

	"symmom/internal/store/interruptible"
	"symmom/internal/text/diag"
	"symmom/internal/text/plaintable"
	"symmom/repl"
)

// Options specify what Run runs, and on which streams.
type Options struct {
	Args []string // a script, "-" for Stdin, and its arguments; if empty, Stdin, interactive if it is a terminal
	Eval string   // run this instead, and print its value

	Stdin          io.Reader // default os.Stdin
	Stdout, Stderr io.Writer // default os.Stdout, os.Stderr

	Library      *repl.Library // see repl.Config
	Unrestricted bool          // see repl.Config
	NoBrowser    bool          // charts are saved but not opened, as with SYMMOM_NO_BROWSER
}

// Run runs a script, a piece of code, or an interactive session.
//
// A script and a piece of code end with the first error. It is reported on Stderr
// with its position, and Run returns a *repl.ExitError with the exit code. When ctx
// is cancelled the error wraps repl.ErrInterrupted. Output that could not be
// written is an error, too.
//
// In an interactive session errors do not end the session and Ctrl-C interrupts the
// running cell: Run handles the signal itself and ignores ctx.
func Run(ctx context.Context, o Options) (err error) {
	var source string
	name := ""
	interactive := false
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	switch {
	case o.Eval != "":
		source = o.Eval
	case len(o.Args) > 0 && o.Args[0] != "-":
		name = o.Args[0]
		f, err := interruptible.Open(ctx, name)
		if err == nil {
			defer f.Close()
			source, err = readAll(ctx, f)
		}
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return fmt.Errorf("repl: %w", stopped(ctx, err))
		default:
			return diag.Open(name, err)
		}
	default:
		interactive = isTerminal(o.Stdin) && len(o.Args) == 0
	}
	s, err := newSession(o, interactive)
	if err != nil {
		return err
	}
	defer s.Close()
	defer func() {
		if failed := s.printed.err.Load(); err == nil && failed != nil && !interactive {
			err = fmt.Errorf("repl: cannot print the results: %w", *failed)
		}
	}()
	switch {
	case interactive:
		return s.interact(context.WithoutCancel(ctx))
	case o.Eval != "":
		r, err := s.EvalScript(ctx, name, source, nil)
		if err != nil {
			ctx = context.WithoutCancel(ctx) // an interrupted cell may have a result, too
		}
		if failed := s.show(ctx, r); err == nil {
			err = failed
		}
		return s.report(err)
	case name != "":
		_, err := s.EvalScript(ctx, name, source, func(repl.Result) {})
		return s.report(err)
	}
	if source, err = readAll(ctx, o.Stdin); err != nil {
		return fmt.Errorf("repl: reading the input: %w", stopped(ctx, err))
	}
	_, err = s.EvalScript(ctx, "", source, s.print)
	return s.report(err)
}

// readAll reads a program, which may come out of a pipe whose other end takes its time.
func readAll(ctx context.Context, r io.Reader) (string, error) {
	data, err := io.ReadAll(interruptible.NewPump(ctx, r, 64<<10))
	return string(data), err
}

// stopped is the error of what ended because ctx did.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return repl.ErrInterrupted
	}
	return err
}

// session is a session and its streams.
type session struct {
	*repl.Session
	library        *repl.Library
	stdin          io.Reader
	keys           *keyboard // of an interactive session
	screen, beside io.Writer // for results, and for errors, as they were given
	stdout, stderr io.Writer // removes the progress line first
	printed        *watched  // everything that goes to stdout
	line           *statusLine
	pages          *pages // nil if charts are only described
}

func newSession(o Options, interactive bool) (*session, error) {
	if o.Stdout == nil {
		o.Stdout = os.Stdout
	}
	if o.Stderr == nil {
		o.Stderr = os.Stderr
	}
	s := &session{library: cmp.Or(o.Library, &repl.Library{}), stdin: o.Stdin, screen: o.Stdout, beside: o.Stderr, line: newStatusLine(o.Stderr), printed: &watched{w: o.Stdout}}
	s.stdout, s.stderr = s.line.beside(o.Stdout, s.printed), s.line.beside(o.Stderr, o.Stderr)
	config := repl.Config{Stdin: o.Stdin, Stdout: s.stdout, Stderr: s.stderr, Unrestricted: o.Unrestricted, Library: s.library}
	if interactive {
		s.keys = newKeyboard(o.Stdin.(*os.File))
		config.Stdin, config.Edit = s.keys, s.edit
	}
	if o.Eval == "" {
		config.Args = o.Args
	}
	config.Display = func(d repl.Display) {
		switch {
		case d.Clear: // what is printed stays
		case d.Update: // often, so not on a new page
			fmt.Fprintln(s.stdout, s.text(d.Result))
		default:
			s.print(d.Result)
		}
	}
	if s.line != nil {
		config.Progress = s.line.progress
	}
	if isTerminal(o.Stdout) {
		s.pages = newPages(!o.NoBrowser)
	}
	var err error
	s.Session, err = repl.New(config)
	return s, err
}

// watched records the first error of writing to it. Several goroutines of a cell may
// write.
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

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// show prints a result. The methods of its values run as a cell does.
func (s *session) show(ctx context.Context, r repl.Result) error {
	var lines []string
	if len(r.Values) == 0 {
		return nil
	}
	if err := s.Call(ctx, func() { lines = s.lines(r) }); err != nil {
		return err
	}
	s.write(lines)
	return nil
}

// print is show for code that runs within a cell.
func (s *session) print(r repl.Result) { s.write(s.lines(r)) }

func (s *session) write(lines []string) {
	for _, l := range lines {
		fmt.Fprintln(s.stdout, l)
	}
}

// text returns the text of a value, as wide as the screen. A string is shown as it is.
func (s *session) text(r repl.Result) string {
	text := r.String()
	width := plaintable.Width(s.screen)
	for _, v := range r.Values {
		switch v := v.(type) {
		case string:
			return text
		case repl.Inspection:
			if width > 0 && width < 80 {
				text = v.Within(width)
			}
		}
	}
	return plaintable.Text(text, width)
}

// lines returns the text of a value, and where its page is.
func (s *session) lines(r repl.Result) (lines []string) {
	if text := s.text(r); text != "" {
		lines = append(lines, text)
	}
	if s.pages == nil {
		return lines
	}
	for _, v := range r.Shown() {
		p, ok := v.(page)
		if !ok {
			if data := repl.PNG(v); len(data) > 0 {
				lines = append(lines, s.pages.showPNG(data))
			}
			continue
		}
		if x := reflect.ValueOf(v); x.Kind() == reflect.Pointer && x.IsNil() || p.Err() != nil {
			continue // the text has the error
		}
		title, _, _ := strings.Cut(repl.Result{Values: []any{v}}.String(), ":")
		lines = append(lines, s.pages.show(p, title))
	}
	return lines
}

// report reports an error in a script and returns the error to exit with.
func (s *session) report(err error) error {
	var exit *repl.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit):
		if exit.Code == 0 {
			return nil
		}
		return err
	case errors.Is(err, repl.ErrInterrupted):
		return err
	}
	s.complain(s.name()+": ", err)
	return &repl.ExitError{Code: 1, Err: err}
}

// name returns the name of the program.
func (s *session) name() string { return cmp.Or(s.library.Name, "go") }

// complain writes an error with its position.
func (s *session) complain(prefix string, err error) {
	text, rest := err.Error(), ""
	if e, ok := errors.AsType[*repl.Error](err); ok {
		text = e.Error()
		rest = strings.TrimPrefix(e.Report(), text) // the code, with a mark below it
	}
	fmt.Fprintln(s.stderr, plaintable.Text(prefix+text, plaintable.Width(s.beside))+rest)
}
