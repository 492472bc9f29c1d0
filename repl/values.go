package repl

import (
	"cmp"
	"context"
	"errors"
	"go/types"
	"reflect"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/repl/internal/display"
	"symmom/repl/internal/gofront"
)

// globals returns the session's variables. The stage must be held. A running cell may be
// writing to them.
func (s *Session) globals() map[string]reflect.Value {
	s.declaring.Lock()
	defer s.declaring.Unlock()
	all, out := s.interp.Globals(), map[string]reflect.Value{}
	for name, o := range s.front.Types.Objects {
		if _, ok := o.(*types.Var); ok {
			out[name] = all[s.lowered.InnerName(o)]
		}
	}
	return out
}

// patienceForValue is how long the methods of a variable may take to format it for an
// inspection, which nobody can interrupt.
const patienceForValue = time.Second

// valueText returns the value of a variable as shortened text, or "" if it has no
// value, cannot be formatted, or a cell is running.
func (s *Session) valueText(name string) string {
	ctx, cancel := context.WithTimeout(context.Background(), patienceForValue)
	defer cancel()
	text := ""
	if !s.withValue(ctx, name, func(v reflect.Value) { text = display.Excerpt(v) }) {
		return ""
	}
	return text
}

// withValue calls f with the value of a variable. It reports whether it did, and f returned: not
// if there is no value, or a cell is running.
func (s *Session) withValue(ctx context.Context, name string, f func(v reflect.Value)) bool {
	if !s.evaluating.TryLock() {
		return false
	}
	defer s.evaluating.Unlock()
	if !s.stage.TryLock() {
		return false
	}
	defer s.stage.Unlock()
	v, ok := s.globals()[name]
	if !ok || s.busy() {
		return false
	}
	return s.within(ctx, func(ctx context.Context) error { return s.call(ctx, func() { f(v) }) }) == nil
}

// patienceForNames is how long Complete waits for names.
const patienceForNames = time.Second / 2

// names returns what the library says that a string can be, of the value of a variable or of a
// text; see Library.Names.
func (s *Session) names(where, variable, text string) (names []string) {
	l := s.config.Library
	if l == nil || l.Names == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patienceForNames)
	defer cancel()
	if variable == "" {
		return l.Names(ctx, where, text)
	}
	if !s.withValue(ctx, variable, func(v reflect.Value) {
		if v.IsValid() && v.CanInterface() {
			names = l.Names(ctx, where, v.Interface())
		}
	}) {
		return nil
	}
	return names
}

// summary returns the shape and the value of a variable, for a list. The stage must be
// held.
func (s *Session) summary(ctx context.Context, v reflect.Value) (shape, line string, err error) {
	err = s.call(ctx, func() {
		if _, shape = s.describe(v); shape == "" {
			shape = display.Shape(v)
		}
		line = display.Line(v)
	})
	switch {
	case err == nil:
		return shape, line, nil
	case errors.Is(err, ErrInterrupted):
		return "", "", err
	}
	return "", display.Shorten("cannot be shown: "+gofront.Message(err), signatureWidth), nil
}

// describe tells what data a value is, in a word, and its shape.
func (s *Session) describe(v reflect.Value) (what, shape string) {
	if !v.IsValid() || !v.CanInterface() || v.Kind() == reflect.Pointer && v.IsNil() {
		return "", ""
	}
	if d := s.config.Library.Describe; d != nil {
		what, shape = d(v.Interface())
	}
	if _, is := v.Interface().(mat.Matrix); is && what == "" {
		what = "matrix"
	}
	return what, shape
}

// loads returns the function with which cells read data, an example in messages.
func (s *Session) loads() string { return cmp.Or(s.config.Library.Load, "os.ReadFile") }
