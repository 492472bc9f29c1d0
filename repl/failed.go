package repl

import (
	"errors"
	"fmt"
	"reflect"
)

// failure is the panic with which a value that carries an error ends a cell.
type failure struct {
	err  error
	text string
}

// failed ends the cell if v is or carries an error. What the statement has declared remains. The
// result of an interrupted call is no failure.
func (s *Session) failed(v any) any {
	if err, is := v.(error); is {
		s.fail(failure{err, err.Error()})
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
	if shown, is := v.(fmt.Stringer); is {
		text = shown.String() // with what to do
	}
	s.fail(failure{err, text})
	return v
}

// fail ends the cell at the unit that is running.
func (s *Session) fail(f failure) {
	if s.reached < len(s.running) {
		s.commit(s.running[s.reached])
	}
	panic(f)
}
