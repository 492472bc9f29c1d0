package yaegi

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// Forget releases the syntax trees and inner scopes of compiled code. yaegi
// collects them for its debugger, which is not used here, at ten kilobytes and more
// for every cell; functions keep theirs. In a version without these unexported
// fields it does nothing.
func Forget(i *interp.Interpreter) {
	v := reflect.ValueOf(i).Elem()
	empty(v.FieldByName("roots"))
	scopes := []reflect.Value{v.FieldByName("universe")}
	if m := v.FieldByName("scopes"); m.IsValid() && m.Kind() == reflect.Map {
		for _, k := range m.MapKeys() {
			scopes = append(scopes, m.MapIndex(k))
		}
	}
	for _, s := range scopes {
		if s.IsValid() && s.Kind() == reflect.Pointer && !s.IsNil() && s.Elem().Kind() == reflect.Struct {
			empty(s.Elem().FieldByName("child"))
		}
	}
}

// empty sets a field to nil if it is a slice.
func empty(f reflect.Value) {
	if f.IsValid() && f.Kind() == reflect.Slice && f.CanAddr() {
		reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().SetZero()
	}
}

// Release empties the slot of a cell's body in the interpreter. yaegi gives a
// function literal a copy of all top-level variables, at least three words each, and
// releases it when the function has returned. If the function panics, yaegi keeps the
// copy, which grows with the number of earlier cells.
func Release(i *interp.Interpreter, body func()) {
	places, lock := Globals(i)
	lock.Lock()
	defer lock.Unlock()
	for j := len(*places) - 1; j >= 0; j-- {
		if (*places)[j].CanAddr() {
			continue // a variable, which may be changing
		}
		if f := PlainFunc((*places)[j]); f != nil && closureOf(f) == closureOf(body) {
			(*places)[j] = reflect.New(reflect.TypeFor[func()]()).Elem()
			return
		}
	}
}

// Globals returns the interpreter's slots of top-level variables and their lock, or
// nil if the version differs.
func Globals(i *interp.Interpreter) (*[]reflect.Value, *sync.RWMutex) {
	top := reflect.ValueOf(i).Elem().FieldByName("frame")
	if top.Kind() == reflect.Pointer && !top.IsNil() && top.Elem().Kind() == reflect.Struct {
		data, lock := top.Elem().FieldByName("data"), top.Elem().FieldByName("mutex")
		if data.IsValid() && data.Type() == reflect.TypeFor[[]reflect.Value]() &&
			lock.IsValid() && lock.Type() == reflect.TypeFor[sync.RWMutex]() {
			return (*[]reflect.Value)(unsafe.Pointer(data.UnsafeAddr())), (*sync.RWMutex)(unsafe.Pointer(lock.UnsafeAddr()))
		}
	}
	return &[]reflect.Value{}, &sync.RWMutex{}
}

// PlainFunc returns v if it is a non-nil func(), or nil.
func PlainFunc(v reflect.Value) func() {
	if !v.IsValid() || v.Type() != reflect.TypeFor[func()]() || !v.CanInterface() {
		return nil
	}
	return v.Interface().(func())
}

// closureOf distinguishes functions that have the same code, as all interpreted
// functions do.
func closureOf(f func()) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&f)) }
