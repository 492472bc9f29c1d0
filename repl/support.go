package repl

import (
	"fmt"
	"reflect"
	"regexp"
	"time"
)

// show receives the values of the expression at the end of a cell.
func (s *Session) show(values ...any) {
	s.mu.Lock()
	shown := s.shown
	s.mu.Unlock()
	if shown != nil {
		shown(values)
	}
}

// sleep is time.Sleep, but an interrupt ends it, and the cell with it.
func (s *Session) sleep(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.cellContext().Done():
		panic(ErrInterrupted)
	}
}

var placeInCell = regexp.MustCompile(`^(\d+)/_\.go:(\d+):\d+$`)

// panicked reports a panic in a goroutine that a cell started at where.
func (s *Session) panicked(where string, r any) {
	if v, ok := r.(reflect.Value); ok && v.IsValid() && v.CanInterface() {
		r = v.Interface() // of a panic in interpreted code
	}
	if r == any(ErrInterrupted) {
		return
	}
	if m := placeInCell.FindStringSubmatch(where); m != nil {
		where = s.where(m[1], m[2])
	}
	if e, ok := r.(exitRequest); ok {
		r = fmt.Sprintf("%v: only the cell itself can end the session", e)
	}
	fmt.Fprintf(s.stderr, "panic in the goroutine started at %s: %v\n", where, r)
}

// goCall calls a function in a goroutine of its own.
func (s *Session) goCall(where string, f any, args ...any) {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func {
		panic(fmt.Sprintf("cannot call a value of type %T", f))
	}
	if v.IsNil() {
		panic("go of a function that is nil")
	}
	t := v.Type()
	if n := t.NumIn(); len(args) != n && !(t.IsVariadic() && len(args) >= n-1) {
		panic(fmt.Sprintf("the function takes %d arguments, not %d", n, len(args)))
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		p := t.In(min(i, t.NumIn()-1))
		if t.IsVariadic() && i >= t.NumIn()-1 {
			p = p.Elem()
		}
		in[i] = argument(a, p)
	}
	go func() {
		defer func() {
			if r := recover(); r != nil {
				s.panicked(where, r)
			}
		}()
		v.Call(in)
	}()
}

// argument makes a an argument of type t. The interpreter hands constants
// over with their default types.
func argument(a any, t reflect.Type) reflect.Value {
	v := reflect.ValueOf(a)
	switch {
	case !v.IsValid():
		return reflect.Zero(t)
	case v.Type().AssignableTo(t):
		return v
	case v.CanConvert(t) && (numeric(v.Kind()) && numeric(t.Kind()) || v.Kind() == t.Kind()):
		return v.Convert(t)
	}
	panic(fmt.Sprintf("cannot use a %T as an argument of type %v", a, t))
}

func numeric(k reflect.Kind) bool {
	return k >= reflect.Int && k <= reflect.Complex128
}
