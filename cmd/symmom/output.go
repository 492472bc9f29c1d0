package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"symmom/internal/text/plaintable"
	"symmom/symmom"
)

// print writes a result: with --json, which asks for it, one object on a line of its own,
// else text for a person.
func (a *app) print(asked bool, object func() any, text func() string) error {
	if asked {
		enc := json.NewEncoder(a.out)
		enc.SetEscapeHTML(false)
		return printing(enc.Encode(object()))
	}
	shown := text()
	if len(a.wrote) > 0 {
		shown += "\n  wrote " + strings.Join(a.wrote, ", ") + "\n"
	}
	return a.write(shown)
}

// write writes text for a person.
func (a *app) write(text string) error {
	_, err := io.WriteString(a.out, plaintable.Text(text, plaintable.Width(a.out)))
	return printing(err)
}

// tell writes a line to stderr.
func (a *app) tell(line string) { fmt.Fprintln(a.err, plaintable.Text(line, plaintable.Width(a.err))) }

// printing adds to an error that it occurred while writing results.
func printing(err error) error {
	if err != nil {
		return fmt.Errorf("cannot print the results: %w", err)
	}
	return nil
}

// watched keeps the first error of code that prints without checking for errors:
// help, and cobra's own version and completion.
type watched struct {
	w   io.Writer
	err error
}

func (o *watched) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// columns returns a table with a header. Its columns after the first left ones are
// numbers, aligned on the right.
func columns(left int, header ...string) table.Writer {
	return plaintable.Aligned(header, func(i int) bool { return i < left })
}

// facts returns a table of names and values.
func facts(pairs ...[]string) string {
	t := plaintable.New()
	for _, p := range pairs {
		t.AppendRow(table.Row{p[0], p[1]})
	}
	return t.Render() + "\n"
}

// textLeft aligns a column of words.
const textLeft = text.AlignLeft

// partly returns the error of an interrupted run whose best result so far was
// printed.
type partly struct{ what string }

func (e *partly) Error() string { return "interrupted; this is " + e.what }
func (e *partly) Unwrap() error { return symmom.ErrInterrupted }

// soFar returns the error of a run, which says what was printed if that is an interrupt.
func soFar(err error, what string) error {
	if errors.Is(err, symmom.ErrInterrupted) {
		return &partly{what}
	}
	return err
}

// all joins the errors of several attempts; the first determines the exit code
// unless a later one is worse than an interrupt.
func all(errs ...error) error {
	var failed, stopped []error
	for _, err := range errs {
		switch {
		case err == nil:
		case errors.Is(err, symmom.ErrInterrupted):
			stopped = append(stopped, err)
		default:
			failed = append(failed, err)
		}
	}
	switch {
	case len(stopped) == 0 && len(failed) == 0:
		return nil
	case len(stopped) == 0:
		return &joined{failed}
	}
	return &joined{append(stopped, failed...)}
}

// joined formats several errors on one line.
type joined struct{ errs []error }

func (e *joined) Error() string {
	parts := make([]string, len(e.errs))
	for i, err := range e.errs {
		parts[i] = err.Error()
	}
	return strings.Join(parts, "; ")
}
func (e *joined) Unwrap() []error { return e.errs }
