package terminal

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/reeflective/readline"
	"golang.org/x/term"

	"symmom/repl"
)

// lineReader reads the next input to evaluate. Its errors are io.EOF at the end and
// readline.ErrInterrupt if the input was cancelled.
type lineReader interface {
	read() (string, error)
}

// interact runs the interactive session in the terminal.
func (s *session) interact(ctx context.Context) error {
	in := s.stdin.(*os.File)
	before, err := term.GetState(int(in.Fd()))
	if err != nil {
		return fmt.Errorf("repl: %w", err)
	}
	talk := s.stdout // messages that are not results do not go to a file
	if !isTerminal(s.screen) {
		talk = s.stderr
	}
	fmt.Fprintln(talk, s.greeting())
	defer s.keys.close()
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	var input lineReader
	// The line editor uses the process's own streams.
	if in == os.Stdin && s.screen == io.Writer(os.Stdout) && isTerminal(os.Stdout) && os.Getenv("TERM") != "dumb" {
		input = newEditor(s)
	} else {
		input = newPlainLines(s, in, talk, interrupts)
	}
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(end)
	done := make(chan error, 1)
	go func() { done <- s.loop(ctx, input, talk, interrupts) }()
	select {
	case err := <-done:
		return err
	case sig := <-end:
		// The editor may be waiting for a key, with the terminal in raw mode.
		if err := term.Restore(int(in.Fd()), before); err != nil {
			fmt.Fprintln(s.stderr, err)
		}
		code := 128
		if n, ok := sig.(syscall.Signal); ok {
			code += int(n)
		}
		return &repl.ExitError{Code: code, Err: fmt.Errorf("%v", sig)}
	}
}

// leaves are the words with which people try to leave the session.
var leaves = map[string]bool{"exit": true, "quit": true, "exit()": true, "quit()": true, ":quit": true, ":q": true}

func (s *session) loop(ctx context.Context, input lineReader, talk io.Writer, interrupts <-chan os.Signal) error {
	for {
		source, err := input.read()
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			continue
		case errors.Is(err, io.EOF):
			fmt.Fprintln(talk)
			return nil
		case err != nil:
			return fmt.Errorf("repl: %w", err)
		}
		word := strings.TrimSpace(source)
		if word == "" {
			continue
		}
		if leaves[word] && !s.Declared(strings.TrimSuffix(word, "()")) {
			return nil
		}
		var exit *repl.ExitError
		if err := s.turn(ctx, source, interrupts); errors.As(err, &exit) {
			if exit.Code == 0 {
				return nil
			}
			return err
		}
	}
}

// turn evaluates an input, interruptible by Ctrl-C, and shows the result.
func (s *session) turn(ctx context.Context, source string, interrupts <-chan os.Signal) error {
	select {
	case <-interrupts: // from between two turns
	default:
	}
	var r repl.Result
	err := untilInterrupt(ctx, interrupts, func(ctx context.Context) (err error) {
		r, err = s.Eval(ctx, source)
		return err
	})
	// An interrupted cell may have a result, too.
	if failed := untilInterrupt(ctx, interrupts, func(ctx context.Context) error { return s.show(ctx, r) }); err == nil {
		err = failed
	}
	var exit *repl.ExitError
	var e *repl.Error
	switch {
	case err == nil, errors.As(err, &exit):
	case errors.As(err, &e) && e.Kind == "interrupted":
		fmt.Fprintln(s.stderr, "interrupted; the best result so far, if any, is kept")
	default:
		s.complain("", err)
	}
	return err
}

// untilInterrupt calls f with a context that Ctrl-C cancels.
func untilInterrupt(ctx context.Context, interrupts <-chan os.Signal, f func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-interrupts:
			cancel()
		case <-ended:
		}
	}()
	return f(ctx)
}

func (s *session) greeting() string {
	text := fmt.Sprintf("%s: %s. Ctrl-C interrupts, Ctrl-D leaves.", s.name(), cmp.Or(s.library.About, "Go"))
	if s.library.Example != "" {
		text += "\nTry: " + s.library.Example
	}
	return text
}

// prompts returns the prompts of the first line and of further lines.
func (s *session) prompts() (first, more string) {
	first = s.name() + "> "
	if s.Unrestricted() {
		first = s.name() + " (unrestricted)> "
	}
	return first, strings.Repeat(" ", len(first)-4) + "..> "
}

// accept reports whether Enter ends the input: if it is complete Go, or if the line
// above is empty, which always ends it.
func (s *session) accept(text string) bool {
	if strings.HasSuffix(text, "\n") || strings.TrimSpace(text) == "" {
		return true
	}
	status, _ := s.Completeness(text)
	return status != repl.Incomplete
}

// plainLines reads lines from a terminal that does not support the editor.
type plainLines struct {
	s          *session
	lines      chan string // closed after the last line
	failed     error       // why it was closed
	next       chan struct{}
	out        io.Writer
	interrupts <-chan os.Signal
}

func newPlainLines(s *session, in io.Reader, out io.Writer, interrupts <-chan os.Signal) *plainLines {
	p := &plainLines{s: s, lines: make(chan string), next: make(chan struct{}, 1), out: out, interrupts: interrupts}
	go func() {
		defer close(p.lines)
		r := bufio.NewReader(in)
		// A line is read only when it is requested: a cell may read the input too.
		for range p.next {
			line, err := r.ReadString('\n')
			if line != "" {
				p.lines <- line
			}
			if err != nil {
				p.failed = err
				return
			}
		}
	}()
	return p
}

func (p *plainLines) read() (string, error) {
	prompt, more := p.s.prompts()
	text := ""
	for {
		fmt.Fprint(p.out, prompt)
		select {
		case p.next <- struct{}{}:
		default: // it already waits for a line, since before an interrupt
		}
		select {
		case <-p.interrupts:
			fmt.Fprintln(p.out)
			return "", readline.ErrInterrupt
		case line, ok := <-p.lines:
			if !ok {
				return "", p.failed
			}
			text += line
		}
		if p.s.accept(strings.TrimSuffix(text, "\n")) {
			return text, nil
		}
		prompt = more
	}
}
