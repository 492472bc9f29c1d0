package repl

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// failure is the panic with which a value that carries an error ends a cell.
type failure struct {
	err  error
	text string
}

// failed ends the cell if v is or carries an error, and returns v. The result of an
// interrupted call is no failure.
func (s *Session) failed(v any) any {
	if err, is := v.(error); is {
		panic(failure{err, err.Error()})
	}
	carrier, is := v.(interface{ Err() error })
	if !is || reflect.ValueOf(v).IsNil() {
		return v
	}
	err := carrier.Err()
	if err == nil || errors.Is(err, ErrInterrupted) {
		return v
	}
	text := err.Error()
	if shown, is := v.(fmt.Stringer); is { // perhaps with what to do behind it
		if _, after, found := strings.Cut(shown.String(), text); found {
			text += after
		}
	}
	panic(failure{err, text})
}
