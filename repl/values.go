package repl

import (
	"go/types"
	"reflect"

	"symmom/repl/internal/display"
)

// variables returns the values of the session's variables, or nil while a cell is
// running, since it may be writing to them.
func (s *Session) variables() map[string]reflect.Value {
	if !s.evaluating.TryLock() {
		return nil
	}
	defer s.evaluating.Unlock()
	return s.globals()
}

// globals is variables for callers that hold the lock.
func (s *Session) globals() map[string]reflect.Value {
	all, out := s.interp.Globals(), map[string]reflect.Value{}
	for name, o := range s.front.Types.Objects {
		if _, ok := o.(*types.Var); ok {
			out[name] = all[s.lowered.InnerName(o)]
		}
	}
	return out
}

// valueText returns the value of a variable as shortened text, or "" if it has no
// value.
func (s *Session) valueText(name string) string {
	v, ok := s.variables()[name]
	if !ok {
		return ""
	}
	return display.Excerpt(v)
}
