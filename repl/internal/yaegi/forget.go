package yaegi

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// Forget lets go of the syntax trees and the inner scopes of what was
// compiled. yaegi collects them for its debugger, which is not used here, and
// would hold on to ten kilobytes and more for every cell; functions keep
// theirs. The fields are not exported: in a version that has none of these
// names, nothing is done.
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

// empty makes a field nil that is a slice.
func empty(f reflect.Value) {
	if f.IsValid() && f.Kind() == reflect.Slice && f.CanAddr() {
		reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().SetZero()
	}
}

// Release empties the place of a cell's body in the interpreter. yaegi gives a
// function literal a copy of all that is declared at the top, three words for
// every variable and more, and lets go of it when the function has returned:
// one that has panicked would keep its copy, and the more cells there were
// before it the larger.
func Release(i *interp.Interpreter, body func()) {
	places, lock := Globals(i)
	lock.Lock()
	defer lock.Unlock()
	for j := len(*places) - 1; j >= 0; j-- {
		if f := PlainFunc((*places)[j]); f != nil && closureOf(f) == closureOf(body) {
			(*places)[j] = reflect.New(reflect.TypeFor[func()]()).Elem()
			return
		}
	}
}

// Globals is where the interpreter has the values of the top of the session,
// and their lock; nothing in a version that has another form.
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

// PlainFunc is v where that is a func() that is there, or nil.
func PlainFunc(v reflect.Value) func() {
	if !v.IsValid() || v.Type() != reflect.TypeFor[func()]() || !v.CanInterface() {
		return nil
	}
	return v.Interface().(func())
}

// closureOf tells functions apart that have the same code, as all interpreted
// ones have.
func closureOf(f func()) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&f)) }
