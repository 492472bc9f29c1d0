package support

import (
	"fmt"
	"log"
	"reflect"
	"runtime"
	"strings"

	"symmom/repl/internal/boxed"
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
		if l, is := x.(*log.Logger); is {
			switch names[i] {
			case "Fatal":
				methods[i] = func(a ...any) { logFatal(l, a...) }
			case "Fatalln":
				methods[i] = func(a ...any) { logFatalln(l, a...) }
			case "Fatalf":
				methods[i] = func(f string, a ...any) { logFatalf(l, f, a...) }
			}
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

// guard returns f guarded. Where the call that calls it was left behind by an interrupt, f
// is not called, and the same is returned as after a panic.
func (r *Runtime) guard(what string, f any) reflect.Value {
	r.asked.Store(true)
	failed := func(err *error) {
		if v := recover(); v != nil {
			text := r.caught(what, v)
			if err != nil {
				*err = fmt.Errorf("panic in %s: %s", what, text)
			}
		}
	}
	switch f := f.(type) { // those that are called often
	case func([]byte) (int, error):
		return reflect.ValueOf(func(b []byte) (n int, err error) {
			done, err := r.admit()
			if err != nil {
				return 0, err
			}
			defer done()
			defer failed(&err)
			return f(b)
		})
	case func() error:
		return reflect.ValueOf(func() (err error) {
			done, err := r.admit()
			if err != nil {
				return err
			}
			defer done()
			defer failed(&err)
			return f()
		})
	case func() string:
		return reflect.ValueOf(func() string {
			done, err := r.admit()
			if err != nil {
				return ""
			}
			defer done()
			defer failed(nil)
			return f()
		})
	case func():
		return reflect.ValueOf(func() {
			done, err := r.admit()
			if err != nil {
				return
			}
			defer done()
			defer failed(nil)
			f()
		})
	}
	v := reflect.ValueOf(f)
	t := v.Type()
	call := v.Call
	if t.IsVariadic() {
		call = v.CallSlice
	}
	failing := func(err error) (out []reflect.Value) {
		for i := range t.NumOut() {
			out = append(out, reflect.Zero(t.Out(i)))
		}
		if last := len(out) - 1; last >= 0 && t.Out(last) == reflect.TypeFor[error]() {
			out[last] = reflect.ValueOf(&err).Elem()
		}
		return out
	}
	return reflect.MakeFunc(t, func(args []reflect.Value) (out []reflect.Value) {
		done, err := r.admit()
		if err != nil {
			return failing(err)
		}
		defer done()
		defer func() {
			if v := recover(); v != nil {
				out = failing(fmt.Errorf("panic in %s: %s", what, r.caught(what, v)))
			}
		}()
		return call(args)
	})
}

// caught reports a panic, unless something recovers from it further up the stack: there it
// goes on.
func (r *Runtime) caught(what string, v any) string {
	if recovers() {
		panic(v)
	}
	return r.panickedIn(what, v)
}

// recovers reports whether a function on the stack recovers from panics: of the session, or
// the server of net/http, which reports them itself.
func recovers() bool {
	pcs := make([]uintptr, 1024)
	for skip := 0; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs)
		if n == 0 {
			return false
		}
		frames := runtime.CallersFrames(pcs[:n])
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			for _, name := range recovering {
				if strings.Contains(f.Function, name) {
					return true
				}
			}
		}
	}
}

var recovering = []string{"/repl.(*Session).execute.func", "/support.(*Runtime).guarded", "/support.(*Runtime).goCall.func", "/support.(*awaited).run", "net/http.(*conn).serve", "net/http.(*http2serverConn).runHandler"}
