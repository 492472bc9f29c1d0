package boxed

import (
	"fmt"
	"log/slog"
	"reflect"
)

// Package slog looks for the methods LogValue, MarshalText, MarshalJSON and Error in a
// value. A box has the last two of these whatever its type has, so slog is given
// another.

type (
	logged      struct{ box BoxedValue }
	loggedValue struct{ logged } // it has LogValue
	loggedText  struct{ logged } // it has MarshalText
	loggedError struct{ logged } // it is written as an error
)

func (o logged) self() BoxedValue { return o.box }

// Format prints the value.
func (o logged) Format(f fmt.State, verb rune) { o.box.Format(f, verb) }

// LogValue calls the value's method.
func (o loggedValue) LogValue() slog.Value {
	return o.box.Type.Method("LogValue").(func(any) slog.Value)(o.box.Value)
}

// MarshalText calls the value's method.
func (o loggedText) MarshalText() ([]byte, error) {
	return o.box.Type.marshalText(reflect.ValueOf(o.box.Value))
}

// MarshalJSON writes the value.
func (o loggedText) MarshalJSON() ([]byte, error) { return o.box.MarshalJSON() }

// Error calls the value's method.
func (o loggedError) Error() string {
	if v := reflect.ValueOf(o.box.Value); v.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Sprint(o.box)
	}
	return o.box.text("Error")
}

// MarshalJSON writes the value.
func (h holder) MarshalJSON() ([]byte, error) {
	x, err := Format("JSON").Likeness(h.x)
	if err != nil {
		return nil, err
	}
	return unescaped(x)
}

// Logged returns x with the methods that package slog is to find.
func Logged(x any) any {
	o, own := Of(x)
	if !own {
		if _, attributes := x.([]slog.Attr); !attributes && mayHold(x) && reflect.TypeOf(x).Name() == "" && reflect.TypeOf(x).NumMethod() == 0 {
			return holder{x}
		}
		return x
	}
	v := reflect.ValueOf(o.Value)
	text, _ := o.Type.writer("MarshalText", v)
	json, _ := o.Type.writer("MarshalJSON", v)
	_, isError := x.(error)
	switch {
	case o.Type.Method("LogValue") != nil:
		return loggedValue{logged{o}}
	case text != nil:
		return loggedText{logged{o}}
	case isError && json == nil:
		return loggedError{logged{o}}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 && json == nil:
		return v.Bytes()
	}
	return x
}

// AllLogged returns the arguments of a function of package slog.
func AllLogged(list ...any) []any {
	out := make([]any, len(list))
	for i, x := range list {
		out[i] = Logged(x)
	}
	return out
}
