package support

import (
	"flag"
	"fmt"
	"log"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"

	"symmom/repl/internal/boxed"
	"symmom/symmom"
)

// Packages call functions and methods of cells in goroutines of their own, where nothing
// recovers from a panic: it would end the process. So what such packages are given is
// guarded: in a goroutine of a package a panic is reported, and the function returns an
// error where its last result is one, and zero values else.

// guardFunc replaces the element of list, a slice of one function.
func (r *Runtime) guardFunc(what string, list any) {
	place := reflect.ValueOf(list).Index(0)
	if !place.IsNil() {
		place.Set(r.guard(what, place.Interface()))
	}
}

// guardMethod returns a method of a cell's value for compiled code that takes an interface.
func (r *Runtime) guardMethod(iface reflect.Type, name string, f any) reflect.Value {
	if synchronous[iface.PkgPath()] {
		return reflect.ValueOf(f)
	}
	return r.guard("a method "+name, f)
}

// synchronous are packages whose interfaces are used in the goroutine of the caller.
var synchronous = map[string]bool{"sort": true, "container/heap": true, "fmt": true, "image": true, "image/color": true, "encoding": true, "encoding/json": true, "gonum.org/v1/gonum/mat": true}

// methodsOf returns the methods of a value of a package for an interface of a cell, as
// boxed.MethodsOf does: what they are given is guarded, and those of a logger that end the
// process end the cell.
func (r *Runtime) methodsOf(x any, names ...string) ([]any, bool) {
	methods, ok := boxed.MethodsOf(x, names...)
	for i, m := range methods {
		v := reflect.ValueOf(m)
		t := v.Type()
		if f := r.ending(x, names[i]); f != nil {
			methods[i] = f
			continue
		}
		takes := false
		for in := range t.Ins() {
			takes = takes || in.Kind() == reflect.Func
		}
		if !takes || t.IsVariadic() {
			continue
		}
		methods[i] = reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
			for j, a := range args {
				if a.Kind() == reflect.Func && !a.IsNil() {
					args[j] = r.guard("a function that the method "+names[i]+" calls", a.Interface())
				}
			}
			return v.Call(args)
		}).Interface()
	}
	return methods, ok
}

// ending returns a method of a value of a package that ends the cell and not the process, or
// nil.
func (r *Runtime) ending(x any, method string) any {
	switch x := x.(type) {
	case *log.Logger:
		switch method {
		case "Fatal":
			return func(a ...any) { r.logFatal(x, a...) }
		case "Fatalln":
			return func(a ...any) { r.logFatalln(x, a...) }
		case "Fatalf":
			return func(f string, a ...any) { r.logFatalf(x, f, a...) }
		}
	case *flag.FlagSet:
		if method == "Init" {
			return func(name string, handling flag.ErrorHandling) { flagInit(x, name, handling) }
		}
	case *sync.RWMutex:
		switch method {
		case "Unlock":
			return func() { unlockWrite(x) }
		case "RUnlock":
			return func() { unlockRead(x) }
		}
	case sync.Locker:
		if method == "Unlock" {
			return func() { unlockLocker(x) }
		}
	case *sync.Cond:
		if method == "Wait" {
			return func() { condWait(x) }
		}
	case *testing.B:
		if method == "Run" {
			return func(name string, f func(*testing.B)) bool {
				return benchmarkRun(x, name, r.guard("a function that the method Run calls", f).Interface().(func(*testing.B)))
			}
		}
	}
	return nil
}

// ends calls the method of a value of a package if it ends the cell and not the process, and
// reports whether it does.
func (r *Runtime) ends(x any, method string, args ...any) bool {
	f := r.ending(x, method)
	switch f := f.(type) {
	case func():
		f()
	case func(...any):
		f(args[0].([]any)...)
	case func(string, ...any):
		f(args[0].(string), args[1].([]any)...)
	case func(string, flag.ErrorHandling):
		f(args[0].(string), args[1].(flag.ErrorHandling))
	}
	return f != nil
}

// guard returns f guarded. What is stopped, by an interrupt or by what ends the cell, returns
// zero values, which the package may not expect: then that is an error, or the goroutine of
// the package ends.
func (r *Runtime) guard(what string, f any) reflect.Value {
	failed := func(stops uint64, zero func() bool, err *error) {
		switch v := recover(); {
		case v != nil:
			text := r.caught(what, v)
			if err != nil {
				*err = fmt.Errorf("panic in %s: %s", what, text)
			}
		case err != nil && *err == nil && r.session.Stops() != stops && zero():
			*err = symmom.ErrInterrupted
		}
	}
	always := func() bool { return true }
	switch f := f.(type) { // those that are called often
	case func([]byte) (int, error):
		return reflect.ValueOf(func(b []byte) (n int, err error) {
			defer failed(r.session.Stops(), func() bool { return n == 0 }, &err)
			return f(b)
		})
	case func() error:
		return reflect.ValueOf(func() (err error) { defer failed(r.session.Stops(), always, &err); return f() })
	case func() string:
		return reflect.ValueOf(func() string { defer failed(0, nil, nil); return f() })
	case func():
		return reflect.ValueOf(func() { defer failed(0, nil, nil); f() })
	}
	v := reflect.ValueOf(f)
	t := v.Type()
	call := v.Call
	if t.IsVariadic() {
		call = v.CallSlice
	}
	last := t.NumOut() - 1
	fails := last >= 0 && t.Out(last) == reflect.TypeFor[error]()
	without := func(err error) (out []reflect.Value) {
		for i := range t.NumOut() {
			out = append(out, reflect.Zero(t.Out(i)))
		}
		if fails {
			out[last] = reflect.ValueOf(&err).Elem()
		}
		return out
	}
	return reflect.MakeFunc(t, func(args []reflect.Value) (out []reflect.Value) {
		defer func() {
			if v := recover(); v != nil {
				out = without(fmt.Errorf("panic in %s: %s", what, r.caught(what, v)))
			}
		}()
		stops := r.session.Stops()
		out = call(args)
		if last >= 0 && r.session.Stops() != stops && !slices.ContainsFunc(out, func(v reflect.Value) bool { return !v.IsZero() }) {
			if !fails && !recovers(false) {
				runtime.Goexit()
			}
			return without(symmom.ErrInterrupted)
		}
		return out
	})
}

// caught reports a panic, unless something recovers from it further up the stack: there it
// goes on.
func (r *Runtime) caught(what string, v any) string {
	if recovers(false) {
		panic(v)
	}
	return r.panickedIn(what, v)
}
