package symmom

import (
	"errors"
	"fmt"

	"symmom/internal/moment"
	"symmom/internal/observations"
)

// ErrInterrupted is returned (wrapped) by a Fit or Sweep whose context was
// cancelled. The result beside it holds the best that was found until then.
var ErrInterrupted = errors.New("interrupted")

// ErrNoData says that a stage has no observations to work on.
var ErrNoData = errors.New("no observations")

// ParseError names the place in a file that could not be read: source, line,
// column, what stood there and what was expected.
type ParseError = observations.ParseError

// MissingError counts the missing values of a data set by column.
type MissingError = observations.MissingError

// TooLargeError is returned where an explicit moment tensor would not fit in
// memory; it names the bytes.
type TooLargeError = moment.TooLargeError

// ArgumentError names an argument that cannot be used, and what was expected.
type ArgumentError struct {
	Argument string
	Value    any
	Want     string
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("%s: got %v, want %s", e.Argument, e.Value, e.Want)
}
