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

	"symmom/internal/store/interruptible"
	"symmom/repl/internal/boxed"
)

// Packages call functions and methods of cells, also in goroutines of their own, where nothing
// recovers from a panic: it would end the process. So what such packages are given is
// guarded: where nothing recovers a panic is reported, and the function returns an error if
// its last result is one; otherwise the goroutine ends, if there are results.

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
// boxed.MethodsOf does: what they are given is guarded, those of a logger that end the
// process end the cell, and those that may fail are awaited.
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
		last := t.NumOut() - 1
		waits := last >= 0 && t.Out(last) == reflect.TypeFor[error]() && !neverWaits(x) && !r.library.IsPreloaded(packageOf(x))
		if !takes && !waits || t.IsVariadic() {
			continue
		}
		methods[i] = reflect.MakeFunc(t, func(args []reflect.Value) (out []reflect.Value) {
			for j, a := range args {
				if a.Kind() == reflect.Func && !a.IsNil() {
					args[j] = r.guard("a function that the method "+names[i]+" calls", a.Interface())
				}
			}
			if !waits {
				return v.Call(args)
			}
			r.await(boxed.TypeName(x)+"."+names[i], func() { out = v.Call(args) })
			return out
		}).Interface()
	}
	return methods, ok
}

// packageOf returns the path of the package of the type of x, or of what that points to.
func packageOf(x any) string {
	t := reflect.TypeOf(x)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath()
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
			return func() { r.condWait(x) }
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

// guard returns f guarded.
func (r *Runtime) guard(what string, f any) reflect.Value {
	r.asked.Store(true)
	switch f := f.(type) { // those that are called often
	case func([]byte) (int, error):
		return reflect.ValueOf(func(b []byte) (n int, err error) {
			if none := r.enter(what, func() { n, err = f(b) }, func() bool { return n != 0 || err != nil }); none != nil {
				return 0, none
			}
			return n, err
		})
	case func() error:
		return reflect.ValueOf(func() (err error) {
			if none := r.enter(what, func() { err = f() }, func() bool { return err != nil }); none != nil {
				return none
			}
			return err
		})
	case func() string:
		return reflect.ValueOf(func() (s string) { _ = r.enter(what, func() { s = f() }, nil); return s })
	case func():
		return reflect.ValueOf(func() { _ = r.enter(what, f, nil) })
	}
	v := reflect.ValueOf(f)
	t := v.Type()
	call := v.Call
	if t.IsVariadic() {
		call = v.CallSlice
	}
	last := t.NumOut() - 1
	return reflect.MakeFunc(t, func(args []reflect.Value) (out []reflect.Value) {
		err := r.enter(what, func() { out = call(args) }, func() bool {
			return last < 0 || slices.ContainsFunc(out, func(v reflect.Value) bool { return !v.IsZero() })
		})
		if err == nil {
			return out
		}
		out = nil
		for i := range t.NumOut() {
			out = append(out, reflect.Zero(t.Out(i)))
		}
		switch {
		case last < 0:
		case t.Out(last) == reflect.TypeFor[error]():
			out[last] = reflect.ValueOf(&err).Elem()
		case !recovers(): // the package may not expect zero values
			runtime.Goexit()
		}
		return out
	})
}

// enter calls call, which calls a function of a cell for a package, and is the only way from
// the one to the other. It returns why there are no results: the package's own call was left
// behind by an interrupt, then call is not called; or it was stopped, by an interrupt or what
// ends the cell, before gave reports that there are some; or it has panicked, and nothing
// further up the stack recovers.
func (r *Runtime) enter(what string, call func(), gave func() bool) (none error) {
	r.goroutines.Add(1) // after an interrupt the session waits until it has ended
	defer r.goroutines.Add(-1)
	defer r.leave(what, &none)
	if r.isLeft() {
		return errLeft
	}
	stops := r.session.Stops()
	call()
	if gave != nil && r.session.Stops() != stops && !gave() {
		return interruptible.Err
	}
	return nil
}

// leave is deferred by enter. A panic goes on to what recovers from it, if anything does.
func (r *Runtime) leave(what string, none *error) {
	if v := recover(); v != nil {
		if recovers() {
			panic(v)
		}
		*none = fmt.Errorf("panic in %s: %s", what, r.panickedIn(what, v))
	}
}
