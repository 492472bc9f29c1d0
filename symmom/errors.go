package symmom

import (
	"context"
	"errors"
	"fmt"

	"symmom/internal/moment"
	"symmom/internal/observations"
)

// ErrInterrupted is returned (wrapped) by a Fit or Sweep whose context was
// cancelled. The result beside it holds the best that was found until then, if
// anything was: a Fit that was stopped before its first evaluation has a model of
// rank 0. The context's own error, context.Canceled or
// context.DeadlineExceeded, is wrapped too.
var ErrInterrupted = errors.New("interrupted")

// stoppedError is ErrInterrupted with the error of the context that ended.
type stoppedError struct {
	what  string
	cause error
}

func (e *stoppedError) Error() string   { return e.what + ": " + ErrInterrupted.Error() }
func (e *stoppedError) Unwrap() []error { return []error{ErrInterrupted, e.cause} }

// interrupted turns the error of a cancelled context into ErrInterrupted, which
// still is the context's error to errors.Is.
func interrupted(what string, err error) error {
	for _, cause := range []error{context.DeadlineExceeded, context.Canceled} {
		if errors.Is(err, cause) && !errors.Is(err, ErrInterrupted) {
			return &stoppedError{what, cause}
		}
	}
	return err
}

// smallestNormal is the least float64 of full precision.
const smallestNormal = 0x1p-1022

// outOfRange refuses data whose second moment no float64 can hold.
func outOfRange(source string, span float64) error {
	what, remedy := "large", "divide"
	if span < 1 {
		what, remedy = "small", "multiply"
	}
	return fmt.Errorf("%s: its values, up to %.3g, are too %s to be squared; %s the data by a constant", source, span, what, remedy)
}

// ErrNoData is returned, mostly wrapped, where there are no observations to work
// on: by an empty file, matrix or slice of rows, and by a stage without a session.
var ErrNoData = observations.ErrNoData

// ParseError names the place in a file that could not be read: source, line,
// column, what stood there and what was expected.
type ParseError = observations.ParseError

// MissingError counts the missing values of a data set by column.
type MissingError = observations.MissingError

// TooLargeError is returned where an explicit moment tensor would not fit in
// memory; it names the bytes.
type TooLargeError = moment.TooLargeError

// SaveError is returned where a file could not be written; an older one of that
// name is as it was.
type SaveError struct {
	Path string
	Err  error
}

func (e *SaveError) Error() string { return "save " + e.Path + ": " + e.Err.Error() }
func (e *SaveError) Unwrap() error { return e.Err }

// ArgumentError names an argument that cannot be used, and what was expected.
type ArgumentError struct {
	Argument string
	Value    any
	Want     string
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("%s: got %v, want %s", e.Argument, e.Value, e.Want)
}
