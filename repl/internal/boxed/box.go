// Package boxed preserves the types of values in interfaces, for types declared by
// cells: there the interpreter loses them. A box knows the type, its methods and the
// names of its fields, so that fmt, errors, encoding/json and others see what they
// would see in compiled code.
package boxed

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"sync"
	"unsafe"
)

// When the interpreter passes a value to an empty interface, an error or compiled
// code, it passes it without its type: a value of type Celsius float64 becomes a
// float64, without methods. So lowered code puts values of types declared by cells
// into a box, which knows the type, and unboxes them where Go would assert the type.
// Boxes are equal if their values are equal in Go.

// Type is a type declared by a cell, with its methods.
type Type struct {
	ID   int
	name string // as printed by %T
	typ  types.Type
	*Layout

	mu      sync.Mutex
	methods map[string]any // functions of cells whose first parameter is the receiver
}

// Method returns the function for a method, with the receiver as its first
// parameter, or nil.
func (t *Type) Method(name string) any {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.methods[name]
}

// BoxedValue is a value of such a type.
type BoxedValue struct {
	Type  *Type
	Value any
}

// Kinds of boxes, by the interfaces of packages that their types implement.
type (
	boxedString      struct{ BoxedValue }
	boxedError       struct{ BoxedValue }
	boxedErrors      struct{ boxedError } // it wraps several errors
	boxedErrorString struct{ boxedError }
)

func (o BoxedValue) self() BoxedValue { return o }

// String calls the value's method.
func (o boxedString) String() string { return o.text("String") }

// Error calls the value's method.
func (o boxedError) Error() string { return o.text("Error") }

// String calls the value's method.
func (o boxedErrorString) String() string { return o.text("String") }

func (o BoxedValue) text(method string) string {
	return o.Type.Method(method).(func(any) string)(o.Value)
}

// Unwrap calls the error's method, if it has one.
func (o boxedError) Unwrap() error {
	if f, ok := o.Type.Method("Unwrap").(func(any) error); ok {
		return f(o.Value)
	}
	return nil
}

// Unwrap calls the error's method.
func (o boxedErrors) Unwrap() []error { return o.Type.Method("Unwrap").(func(any) []error)(o.Value) }

// Is calls the error's method, if it has one.
func (o boxedError) Is(target error) bool {
	f, ok := o.Type.Method("Is").(func(any, error) bool)
	return ok && f(o.Value, target)
}

// As calls the error's method, if it has one.
func (o boxedError) As(target any) bool {
	f, ok := o.Type.Method("As").(func(any, any) bool)
	return ok && f(o.Value, target)
}

// Timeout calls the error's method, without which nobody would take it for a timeout.
func (o boxedError) Timeout() bool { return o.tells("Timeout") }

// Temporary calls the error's method.
func (o boxedError) Temporary() bool { return o.tells("Temporary") }

func (o BoxedValue) tells(method string) bool {
	f, ok := o.Type.Method(method).(func(any) bool)
	return ok && f(o.Value)
}

// Of returns the value in the box x, which may be in a wrapper.
func Of(x any) (BoxedValue, bool) {
	if o, ok := x.(interface{ self() BoxedValue }); ok {
		return o.self(), true
	}
	if o, ok := Returned(x).(interface{ self() BoxedValue }); ok {
		return o.self(), true
	}
	return BoxedValue{}, false
}

// Raw returns the value in x in the interpreter's representation.
func Raw(x any) any {
	if o, ok := Of(x); ok {
		return o.Value
	}
	return x
}

// Types holds the types of a session, by ID.
type Types struct {
	Stopped  func() bool                                                // reports whether the code of cells is being stopped
	Symbols  map[string]map[string]reflect.Value                        // what packages export, with the types of wrappers
	Guard    func(iface reflect.Type, name string, f any) reflect.Value // returns a method for compiled code
	wrappers sync.Map                                                   // wrapperKey -> wrapper

	mu   sync.Mutex
	list []*Type
	keys map[any]any // identity -> the key that stands for it
}

// of returns the type with the given ID.
func (o *Types) of(id int) *Type {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.list[id]
}

// Box puts v, a value of the type with the given ID, into a box.
func (o *Types) Box(id int, v any) any {
	t := o.of(id)
	w := BoxedValue{t, v}
	t.mu.Lock()
	defer t.mu.Unlock()
	_, isError := t.methods["Error"].(func(any) string)
	_, isString := t.methods["String"].(func(any) string)
	_, several := t.methods["Unwrap"].(func(any) []error)
	switch {
	case isError && several:
		return boxedErrors{boxedError{w}}
	case isError && isString:
		return boxedErrorString{boxedError{w}}
	case isError:
		return boxedError{w}
	case isString:
		return boxedString{w}
	}
	return w
}

// BoxError is like Box for a value that is converted to an error.
func (o *Types) BoxError(id int, v any) error { return o.Box(id, v).(error) }

// BoxStringer is like Box for a value that is converted to a fmt.Stringer.
func (o *Types) BoxStringer(id int, v any) fmt.Stringer { return o.Box(id, v).(fmt.Stringer) }

// SetMethod sets the function for a method of a type.
func (o *Types) SetMethod(id int, name string, f any) {
	t := o.of(id)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.methods[name] = o.ending(f)
}

// Add adds a type and returns it with its ID set.
func (o *Types) Add(name string, typ types.Type) *Type {
	o.mu.Lock()
	defer o.mu.Unlock()
	t := &Type{ID: len(o.list), name: name, typ: typ, methods: map[string]any{}}
	o.list = append(o.list, t)
	return t
}

// MethodsOf returns the methods of a value with the given names, if it has all of
// them.
func MethodsOf(x any, names ...string) ([]any, bool) {
	v := reflect.ValueOf(x)
	if !v.IsValid() {
		return nil, false
	}
	if _, own := Of(x); own {
		return nil, false
	}
	out := make([]any, len(names))
	for i, name := range names {
		m := v.MethodByName(name)
		if !m.IsValid() {
			return nil, false
		}
		out[i] = m.Interface()
	}
	return out, true
}

// TypeID returns the ID of x's dynamic type, or -1 if the type is not declared in
// cells, and the value. A value that compiled code received without a box, such as
// the receiver of a MarshalJSON that it calls, has no ID.
func TypeID(x any) (id int, value any) {
	if o, ok := Of(x); ok {
		return o.Type.ID, o.Value
	}
	return -1, x
}

// Concrete returns the value in x, if x is a value of a package that the
// interpreter has put into an interface of a cell. If a version of the interpreter
// does that differently, it returns x.
func Concrete(x any) any {
	for {
		v := reflect.ValueOf(x)
		if !v.IsValid() || v.Kind() != reflect.Struct || v.Type().String() != "interp.valueInterface" || v.NumField() != 2 || v.Type().Field(1).Type != reflect.TypeFor[reflect.Value]() {
			return x
		}
		p := reflect.New(v.Type()).Elem()
		p.Set(v)
		in := *(*reflect.Value)(unsafe.Pointer(p.Field(1).UnsafeAddr()))
		if !in.IsValid() {
			return nil
		}
		x = in.Interface()
	}
}

// Unbox takes a value out of its box if it is of the type with this ID. If loose,
// values without an ID may be of the type too: these are structs, because compiled
// packages have no unnamed struct types of cells.
func Unbox(id int, loose bool, x any) (any, bool) {
	if o, ok := Of(x); ok {
		return o.Value, o.Type.ID == id
	}
	if x == nil {
		return nil, false
	}
	return x, loose
}

// TypeName returns the name of x's dynamic type.
func TypeName(x any) string {
	if o, ok := Of(x); ok {
		return o.Type.name
	}
	return fmt.Sprintf("%T", x)
}

// ToError asserts that x is an error; a nil x is not.
func ToError(x any) (error, bool) { e, ok := Returned(x).(error); return e, ok }

// ToStringer asserts that x is a fmt.Stringer.
func ToStringer(x any) (fmt.Stringer, bool) { e, ok := Returned(x).(fmt.Stringer); return e, ok }

// ErrorsIs implements errors.Is without comparing boxes whose values are not
// comparable.
func ErrorsIs(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	v := reflect.ValueOf(Raw(target))
	comparable := !v.IsValid() || v.Type().Comparable()
	return eachError(err, func(e error) bool {
		if comparable && Equal(e, target) {
			return true
		}
		x, ok := e.(interface{ Is(error) bool })
		return ok && x.Is(target)
	})
}

// ErrorsAs implements errors.As: set assigns the error if it is of the target's type,
// and reports whether it is.
func ErrorsAs(err error, target any, set func(error) bool) bool {
	if v := reflect.ValueOf(Raw(target)); !v.IsValid() || v.IsNil() {
		panic("errors: target cannot be nil")
	}
	return err != nil && eachError(err, func(e error) bool {
		if set(e) {
			return true
		}
		x, ok := e.(interface{ As(any) bool })
		return ok && x.As(target)
	})
}

// eachError calls found for an error and all errors that it wraps until found returns
// true.
func eachError(err error, found func(error) bool) bool {
	if found(err) {
		return true
	}
	switch x := err.(type) {
	case interface{ Unwrap() []error }:
		for _, e := range x.Unwrap() {
			if e != nil && eachError(e, found) {
				return true
			}
		}
	default:
		if e := errors.Unwrap(err); e != nil {
			return eachError(e, found)
		}
	}
	return false
}

// Speaks reports whether the value has a method by which fmt prints it.
func Speaks(o BoxedValue) bool { return o.Type.speaks() }

// SameChan compares channels, whose directions may differ.
func SameChan(x, y any) bool { return reflect.ValueOf(x).Pointer() == reflect.ValueOf(y).Pointer() }

// SameType reports whether two values have the same type in compiled code.
func SameType(x, y any) bool { return reflect.TypeOf(x) == reflect.TypeOf(y) }
