package repl

import (
	"context"
	"fmt"
	"go/token"
	"io"
	"os"
	"strings"
	"sync"

	"symmom/repl/internal/display"
	"symmom/repl/internal/gofront"
)

// capture is what a cell below %%capture prints and shows.
type capture struct {
	mu             sync.Mutex
	stdout, stderr strings.Builder
	shown          []any
}

// capturing returns the capture of the cell that the running goroutine belongs to, or nil.
func (s *Session) capturing() *capture {
	if e := evaluationOf(s); e != nil {
		return e.capture.Load()
	}
	return nil
}

// stream is a stream of cells, which %%capture can take.
type stream struct {
	session *Session
	name    string
	next    io.Writer
}

func (w *stream) Write(p []byte) (int, error) {
	if c := w.session.capturing(); c != nil {
		return c.print(w.name, p)
	}
	return w.next.Write(p)
}

// File returns the file that cells may use as this stream.
func (w *stream) File() *os.File { return fileOf(w.next) }

func (c *capture) print(name string, p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name == "stderr" {
		return c.stderr.Write(p)
	}
	return c.stdout.Write(p)
}

func (c *capture) show(values []any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shown = append(c.shown, values...)
}

// take has what cells write to a stream as a file go to the capture, until the function that it
// returns is called.
func (s *Session) take(c *capture, name string, file **os.File) (restore func(), err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	before, done := *file, make(chan struct{})
	*file = w
	go func() {
		defer close(done)
		_, _ = io.Copy(writerFunc(func(p []byte) (int, error) { return c.print(name, p) }), r)
	}()
	return func() {
		*file = before
		w.Close()
		<-done
		r.Close()
	}, nil
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func runCapture(s *Session, c invocation) (Result, error) {
	switch {
	case strings.TrimSpace(c.body) == "":
		return Result{}, c.problem("expected Go in the lines below")
	case c.args != "" && (!token.IsIdentifier(c.args) || c.args == "_"):
		return Result{}, c.problem("expected the name of a variable for the output, got %s", c.args)
	}
	taken := &capture{}
	e := evaluationOf(s)
	e.capture.Store(taken)
	var restores []func()
	for i, name := range []string{"stdout", "stderr"} {
		if restore, err := s.take(taken, name, &s.files[i]); err == nil { // a page in a browser has no pipes
			restores = append(restores, restore)
		}
	}
	r, err := s.evalGo(c.ctx, "", "\n"+c.body, nil)
	s.journal.add(r, c.body)
	e.capture.Store(nil)
	for _, restore := range restores {
		restore()
	}
	taken.show(r.Shown())
	if c.args == "" {
		return Result{Cell: r.Cell}, err
	}
	out := display.NewCaptured(taken.stdout.String(), taken.stderr.String(), taken.shown, func(out *display.Captured) {
		fmt.Fprint(s.config.Stdout, out.Stdout)
		fmt.Fprint(s.config.Stderr, out.Stderr)
		for _, v := range out.Shown {
			s.display(Display{Result: Result{Values: []any{v}}})
		}
	})
	e.captured.Store(out)
	declared := fmt.Sprintf("import \"display\"; %s := display.Output()", c.args)
	if _, failed := s.evalGo(context.WithValue(c.ctx, numberKey{}, 0), "", declared, nil); failed != nil && err == nil {
		err = c.problem("%s", gofront.Message(failed))
	}
	return Result{Cell: r.Cell}, err
}

// capturedOutput implements display.Output, with which %%capture declares its variable.
func (s *Session) capturedOutput() *display.Captured {
	if e := evaluationOf(s); e != nil {
		return e.captured.Load()
	}
	return nil
}
