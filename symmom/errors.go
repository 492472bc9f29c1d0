package symmom

import (
	"context"
	"errors"
	"fmt"

	"symmom/internal/data/load"
	"symmom/internal/store/files"
	"symmom/internal/store/interruptible"
	"symmom/internal/text/diag"
)

// ErrInterrupted is returned (wrapped) by a Fit or Sweep whose context was
// cancelled. The result holds the best that was found until then, if anything: a
// Fit that was stopped before its first evaluation has a model of rank 0. The
// context's own error, context.Canceled or context.DeadlineExceeded, is wrapped
// too.
var ErrInterrupted = interruptible.Err

// stoppedError is ErrInterrupted with the error of the context that ended.
type stoppedError struct {
	what  string
	cause error
}

func (e *stoppedError) Error() string   { return e.what + ": " + ErrInterrupted.Error() }
func (e *stoppedError) Unwrap() []error { return []error{ErrInterrupted, e.cause} }

// interrupted turns the error of a cancelled context into ErrInterrupted, which
// still is the context's error to errors.Is, and those of an argument and of a position into
// this package's.
func interrupted(what string, err error) error {
	if a, ok := err.(*diag.Argument); ok {
		return &ArgumentError{Argument: a.Name, Value: a.Value, Want: a.Want}
	}
	if p := (*diag.ParseError)(nil); errors.As(err, &p) {
		return &ParseError{p.Source, p.Line, p.Row, p.Column, p.Name, p.Value, p.Want, err}
	}
	for _, cause := range []error{context.DeadlineExceeded, context.Canceled} {
		if errors.Is(err, cause) && !errors.Is(err, ErrInterrupted) {
			return &stoppedError{what, cause}
		}
	}
	return err
}

// loading is like interrupted, for reading a file.
func loading(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return interrupted("load", ctx.Err())
	}
	return interrupted("load", err)
}

// ErrNoData is returned, mostly wrapped, if there are no observations: for an empty
// file, matrix or slice of rows, and for a stage without a session.
var ErrNoData = load.ErrNoData

// ErrMissing is returned, wrapped, if a table has missing values; LoadOptions.Missing says what
// becomes of them, and Describe counts them by column.
var ErrMissing = diag.ErrMissing

// ErrTooLarge is returned, wrapped, if something would take more memory than is free, or than
// LoadOptions.MemoryLimit or Options.MemoryLimit allow, before any of it is allocated.
var ErrTooLarge = diag.ErrTooLarge

// ParseError describes a position in a file that could not be read.
type ParseError struct {
	Source string
	Line   int    // counted from 1; 0 if the source is not text
	Row    int    // counted from 1, where there are no lines; 0 if unknown
	Column int    // counted from 1; 0 if the whole line is meant
	Name   string // of the column, "" if it has none
	Value  string // what is there
	Want   string // what was expected, and what to do

	err error
}

func (e *ParseError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("%s: got %s, want %s", e.Source, e.Value, e.Want)
	}
	return e.err.Error()
}

func (e *ParseError) Unwrap() error { return e.err }

// SaveError is returned if a file could not be written; an older file of that name
// is unchanged.
type SaveError struct {
	Path string
	Err  error
}

func (e *SaveError) Error() string { return fmt.Sprintf("save %s: %v", files.Name(e.Path), e.Err) }
func (e *SaveError) Unwrap() error { return e.Err }

// saved is the error of writing a file, or nil.
func saved(path string, err error) error {
	if err != nil {
		return &SaveError{path, err}
	}
	return nil
}

// ArgumentError describes an invalid argument and the expected value.
type ArgumentError struct {
	Argument string
	Value    any
	Want     string
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("%s: got %v, want %s", e.Argument, e.Value, e.Want)
}

// errorLine is the text of a failed stage: its error, and the options that help.
func errorLine(stage string, err error) string {
	if err == nil {
		return "empty " + stage
	}
	return "failed " + stage + ": " + err.Error() + diag.Names(Help(err))
}
