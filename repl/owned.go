package repl

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"sync"
	"unsafe"

	"symmom/symmom"
)

// The interpreter hands a value to an empty interface, to an error or to
// compiled code without its type: of type Celsius float64 a float64 is left,
// without methods. So lowered code puts values of types that cells declare
// into an owned, which knows the type, and takes them out again where Go would
// assert the type. An owned is == to another where Go's values are.

// ownType is a type that cells have made, with what its methods do.
type ownType struct {
	id   int
	name string // for people
	typ  types.Type
	*outline

	mu      sync.Mutex
	methods map[string]any // functions of the cells that take the value first
}

func (t *ownType) method(name string) any {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.methods[name]
}

// owned is a value of such a type.
type owned struct {
	typ   *ownType
	value any
}

// The kinds of owned, by the interfaces of packages that the type implements.
type (
	ownedString      struct{ owned }
	ownedError       struct{ owned }
	ownedErrors      struct{ ownedError } // it wraps several
	ownedErrorString struct{ ownedError }
)

func (o owned) self() owned { return o }

func (o ownedString) String() string      { return o.text("String") }
func (o ownedError) Error() string        { return o.text("Error") }
func (o ownedErrorString) String() string { return o.text("String") }

func (o owned) text(method string) string { return o.typ.method(method).(func(any) string)(o.value) }

// Unwrap is the error's own, if it has one.
func (o ownedError) Unwrap() error {
	if f, ok := o.typ.method("Unwrap").(func(any) error); ok {
		return f(o.value)
	}
	return nil
}

// Unwrap is the error's own.
func (o ownedErrors) Unwrap() []error { return o.typ.method("Unwrap").(func(any) []error)(o.value) }

// Is is the error's own, if it has one.
func (o ownedError) Is(target error) bool {
	f, ok := o.typ.method("Is").(func(any, error) bool)
	return ok && f(o.value, target)
}

// As is the error's own, if it has one.
func (o ownedError) As(target any) bool {
	f, ok := o.typ.method("As").(func(any, any) bool)
	return ok && f(o.value, target)
}

// ownedOf returns the owned in x.
func ownedOf(x any) (owned, bool) {
	if o, ok := x.(interface{ self() owned }); ok {
		return o.self(), true
	}
	return owned{}, false
}

// raw is what x holds, as the interpreter has it.
func raw(x any) any {
	if o, ok := ownedOf(x); ok {
		return o.value
	}
	return x
}

// ownTypes are the types of a session, by number.
type ownTypes struct {
	mu   sync.Mutex
	list []*ownType
}

// of returns the type with this number.
func (o *ownTypes) of(id int) *ownType {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.list[id]
}

// own puts a value of the type with this number into an owned.
func (o *ownTypes) own(id int, v any) any {
	t := o.of(id)
	w := owned{t, v}
	t.mu.Lock()
	defer t.mu.Unlock()
	_, isError := t.methods["Error"].(func(any) string)
	_, isString := t.methods["String"].(func(any) string)
	_, several := t.methods["Unwrap"].(func(any) []error)
	switch {
	case isError && several:
		return ownedErrors{ownedError{w}}
	case isError && isString:
		return ownedErrorString{ownedError{w}}
	case isError:
		return ownedError{w}
	case isString:
		return ownedString{w}
	}
	return w
}

// ownError is own for what becomes an error.
func (o *ownTypes) ownError(id int, v any) error { return o.own(id, v).(error) }

// ownStringer is own for what becomes a fmt.Stringer.
func (o *ownTypes) ownStringer(id int, v any) fmt.Stringer { return o.own(id, v).(fmt.Stringer) }

// ownMethod says what a method of a type does.
func (o *ownTypes) ownMethod(id int, name string, f any) {
	t := o.of(id)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.methods[name] = f
}

// add gives a type a number.
func (o *ownTypes) add(name string, typ types.Type) *ownType {
	o.mu.Lock()
	defer o.mu.Unlock()
	t := &ownType{id: len(o.list), name: name, typ: typ, methods: map[string]any{}}
	o.list = append(o.list, t)
	return t
}

// returned is what x, of an interface of a package, holds, as a value of the
// type of a cell where only one can be meant.
func (o *ownTypes) returned(x any) any {
	v := emulated(x)
	form := reflect.TypeOf(v)
	if form == reflect.TypeOf(x) {
		return x
	}
	o.mu.Lock()
	var found []*ownType
	for _, t := range o.list {
		if f := t.method("form"); f != nil && reflect.TypeOf(f) == form {
			found = append(found, t)
		}
	}
	o.mu.Unlock()
	if len(found) != 1 {
		return x
	}
	return o.own(found[0].id, v)
}

// methodsOf are the methods of a value by these names, if it has them all.
func methodsOf(x any, names ...string) ([]any, bool) {
	v := reflect.ValueOf(emulated(x))
	if !v.IsValid() {
		return nil, false
	}
	if _, own := ownedOf(x); own {
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

// whose is the number of the type of what x holds, -1 where no cell has made
// it, and the value. What compiled code was given as it is, such as a
// structure that a json.Marshaler has in its hands, has no number.
func whose(x any) (id int, value any) {
	if o, ok := ownedOf(x); ok {
		return o.typ.id, o.value
	}
	return -1, x
}

// concrete is what x holds where the interpreter has put a value of a package
// into an interface of a cell. Of a version that does it in another way, x.
func concrete(x any) any {
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

// emulated is what a value of the interpreter stands in as, where compiled
// code wants an interface: the value is in the first field.
func emulated(x any) any {
	v := reflect.ValueOf(x)
	if v.Kind() == reflect.Struct && v.NumField() > 1 && v.Type().Field(0).Name == "IValue" && v.Type().PkgPath() != "main" {
		return v.Field(0).Interface()
	}
	return x
}

// unown takes a value out again where it is of the type with this number.
// loose says that values without a number may be of it: of structures, which
// packages do not have without a name of their own.
func unown(id int, loose bool, x any) (any, bool) {
	if o, ok := ownedOf(x); ok {
		return o.value, o.typ.id == id
	}
	if x == nil {
		return nil, false
	}
	y := emulated(x)
	return y, loose || reflect.TypeOf(x) != reflect.TypeOf(y)
}

// typeNameIn names the type of what x holds.
func typeNameIn(x any) string {
	if o, ok := ownedOf(x); ok {
		return o.typ.name
	}
	return fmt.Sprintf("%T", x)
}

func toError(x any) (error, bool) { e, ok := x.(error); return e, ok }

func toStringer(x any) (fmt.Stringer, bool) { e, ok := x.(fmt.Stringer); return e, ok }

// errorsIs is errors.Is, which would compare what Go cannot compare when it is
// in an owned.
func errorsIs(err, target error) bool {
	if err == nil || target == nil {
		return err == target
	}
	v := reflect.ValueOf(raw(target))
	comparable := !v.IsValid() || v.Type().Comparable()
	return eachError(err, func(e error) bool {
		if comparable && e == target {
			return true
		}
		x, ok := e.(interface{ Is(error) bool })
		return ok && x.Is(target)
	})
}

// errorsAs is errors.As: set looks whether an error is of the type that is
// looked for, and keeps it.
func errorsAs(err error, target any, set func(error) bool) bool {
	if v := reflect.ValueOf(raw(target)); !v.IsValid() || v.IsNil() {
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

// eachError asks found of an error and of all that it wraps, until it says yes.
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

// Format prints the value as fmt prints one that has the methods.
func (o owned) Format(f fmt.State, verb rune) {
	format := fmt.FormatString(f, verb)
	if own, ok := o.typ.method("Format").(func(any, fmt.State, rune)); ok {
		own(o.value, f, verb)
		return
	}
	if verb == 'v' && f.Flag('#') {
		fmt.Fprint(f, o.typ.syntax(reflect.ValueOf(o.value), 0, true))
		return
	}
	if verb == 'v' || verb == 's' || verb == 'q' || verb == 'x' || verb == 'X' {
		for _, name := range []string{"Error", "String"} {
			if _, ok := o.typ.method(name).(func(any) string); ok {
				o.speak(f, format, verb, name)
				return
			}
		}
	}
	if verb == 'p' {
		fmt.Fprintf(f, format, o.value)
		return
	}
	fmt.Fprintf(f, format, o.typ.mirror(reflect.ValueOf(o.value), true, false))
}

// speak prints what a method says. One that panics does no more harm than fmt
// allows.
func (o owned) speak(f fmt.State, format string, verb rune, name string) {
	defer func() {
		r := recover()
		v := reflect.ValueOf(o.value)
		switch {
		case r == nil:
		case panicValue(r) == any(symmom.ErrInterrupted):
			panic(r)
		case v.Kind() == reflect.Pointer && v.IsNil():
			fmt.Fprint(f, "<nil>")
		default:
			fmt.Fprintf(f, "%%!%c(PANIC=%s method: %v)", verb, name, panicValue(r))
		}
	}()
	fmt.Fprintf(f, format, o.text(name))
}

// sameChan compares channels of which one may be without a direction.
func sameChan(x, y any) bool { return reflect.ValueOf(x).Pointer() == reflect.ValueOf(y).Pointer() }

func sameType(x, y any) bool { return reflect.TypeOf(x) == reflect.TypeOf(y) }
