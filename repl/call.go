package repl

import (
	"context"
	"errors"
	"runtime/debug"

	"github.com/traefik/yaegi/interp"

	"symmom/repl/internal/gofront"
)

// Call calls f, a function that a cell has made, as Eval runs a cell: no cell runs at
// the same time, unless ctx is of Beside, cancelling ctx stops it, and a panic in it is returned as an *Error.
// It is for what runs after the cell has ended: the functions of controls, and the
// methods by which values are formatted, see Result.
func (s *Session) Call(ctx context.Context, f func()) error {
	return s.within(ctx, func(ctx context.Context) error {
		defer s.enter(ctx)()
		defer s.sayWritten()
		return s.call(ctx, f)
	})
}

// call is Call for callers that have entered.
func (s *Session) call(ctx context.Context, f func()) error {
	if err := s.awaitPending(ctx); err != nil {
		return err
	}
	c := new(gofront.Cell)
	if ctx.Err() != nil {
		return c.Interrupted()
	}
	x := s.begin(ctx, c, nil, nil)
	defer s.finish(x)
	err := s.execute(x, func() error { return recovered(f) })
	if e, ok := errors.AsType[*Error](err); ok { // there is no source to point at
		e.Line, e.Column, e.Source = 0, 0, ""
	}
	return err
}

// recovered calls f and returns a panic as the interpreter does.
func recovered(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = interp.Panic{Value: r, Stack: debug.Stack()}
		}
	}()
	f()
	return nil
}
