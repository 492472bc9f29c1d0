package support

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/pprof"
	"reflect"
	"runtime"
	"runtime/trace"
	"sync"
	"time"

	"github.com/traefik/yaegi/interp"
	"gonum.org/v1/gonum/optimize"

	"symmom/repl/internal/boxed"
	"symmom/repl/internal/gofront"
)

// guarded calls f, a function of a cell that compiled code named by calls in a
// goroutine of its own.
func (r *Runtime) guarded(by string, f func()) { _ = r.enter("a function that "+by+" calls", f, nil) }

// waitGroupGo implements the method Go of sync.WaitGroup.
func (r *Runtime) waitGroupGo(wg *sync.WaitGroup, f func()) {
	r.goroutines.Add(1)
	wg.Go(func() {
		defer r.goroutines.Add(-1)
		r.guarded("WaitGroup.Go", f)
	})
}

// callers returns functions that call functions of cells in goroutines of their own,
// and others that would end the process.
func (r *Runtime) callers(library *gofront.Library) interp.Exports {
	out := interp.Exports{
		"time/time": {"AfterFunc": reflect.ValueOf(func(d time.Duration, f func()) *time.Timer {
			return time.AfterFunc(d, func() { r.guarded("time.AfterFunc", f) })
		})},
		"context/context": {"AfterFunc": reflect.ValueOf(func(ctx context.Context, f func()) func() bool {
			return context.AfterFunc(ctx, func() { r.guarded("context.AfterFunc", f) })
		})},
		"runtime/runtime": {"SetFinalizer": reflect.ValueOf(r.finalizer), "Breakpoint": reflect.ValueOf(func() {
			panic(boxed.RuntimeError("runtime.Breakpoint: a session has no debugger that would stop here"))
		})},
		"gonum.org/v1/gonum/optimize/optimize": {"Minimize": reflect.ValueOf(minimize)},
	}
	// It compares writers, which those of cells cannot be.
	out["runtime/trace/trace"] = map[string]reflect.Value{"Start": reflect.ValueOf(func(w io.Writer) error {
		return trace.Start(&struct{ io.Writer }{w})
	})}
	out["net/http/pprof/pprof"] = map[string]reflect.Value{"Trace": reflect.ValueOf(func(w http.ResponseWriter, req *http.Request) {
		pprof.Trace(&struct{ http.ResponseWriter }{w}, req)
	})}
	out["flag/flag"] = r.flags(library)
	out["net/http/http"] = map[string]reflect.Value{}
	for name, f := range r.servers() {
		out["net/http/http"][name] = reflect.ValueOf(f)
	}
	// The interpreter has a logger of its own, which log.Default does not return.
	out["log/log"] = map[string]reflect.Value{"New": reflect.ValueOf(log.New), "Logger": reflect.ValueOf((*log.Logger)(nil))}
	return out
}

// flags returns the functions of package flag, for the session's arguments. Errors
// end the cell.
func (r *Runtime) flags(library *gofront.Library) map[string]reflect.Value {
	set := flag.NewFlagSet(r.session.Args[0], flag.PanicOnError)
	set.SetOutput(r.session.Stderr)
	out := map[string]reflect.Value{
		"CommandLine": reflect.ValueOf(&set).Elem(),
		"Parse": reflect.ValueOf(func() {
			if err := set.Parse(r.session.Args[1:]); err != nil {
				panic(err)
			}
		}),
		"NewFlagSet": reflect.ValueOf(func(name string, handling flag.ErrorHandling) *flag.FlagSet {
			f := flag.NewFlagSet(name, handling)
			flagInit(f, name, handling)
			f.SetOutput(r.session.Stderr)
			return f
		}),
	}
	v := reflect.ValueOf(set)
	for i := range v.NumMethod() {
		name := v.Type().Method(i).Name
		if f, ok := library.Symbols["flag"][name]; ok && !out[name].IsValid() && f.Kind() == reflect.Func {
			out[name] = v.Method(i)
		}
	}
	return out
}

// flagInit implements the method Init of flag.FlagSet. Errors end the cell, not the process.
func flagInit(f *flag.FlagSet, name string, handling flag.ErrorHandling) {
	if handling == flag.ExitOnError {
		handling = flag.PanicOnError
	}
	f.Init(name, handling)
}

// logFatal implements the method Fatal of log.Logger: it ends the cell as os.Exit does.
func (r *Runtime) logFatal(l *log.Logger, a ...any) { r.fatal(l, sprint(a...)) }

// logFatalln implements the method Fatalln.
func (r *Runtime) logFatalln(l *log.Logger, a ...any) { r.fatal(l, sprintln(a...)) }

// logFatalf implements the method Fatalf.
func (r *Runtime) logFatalf(l *log.Logger, f string, a ...any) { r.fatal(l, sprintf(f, a...)) }

func (r *Runtime) fatal(l *log.Logger, text string) {
	_ = l.Output(3, text)
	panic(r.raise(ExitRequest{1}))
}

// finalizer implements runtime.SetFinalizer, which ends the process for what it does not take.
func (r *Runtime) finalizer(x, f any) {
	v, t := reflect.ValueOf(boxed.Raw(x)), reflect.TypeOf(f)
	switch {
	case v.Kind() != reflect.Pointer || v.IsNil():
		panic(boxed.RuntimeError(fmt.Sprintf("runtime.SetFinalizer: first argument is %s, not a pointer to a value", boxed.TypeName(x))))
	case f == nil:
		runtime.SetFinalizer(v.Interface(), nil)
	case t.Kind() != reflect.Func || t.NumIn() != 1 || !v.Type().AssignableTo(t.In(0)):
		panic(boxed.RuntimeError(fmt.Sprintf("runtime.SetFinalizer: cannot pass %s to finalizer %s", boxed.TypeName(x), boxed.TypeName(f))))
	default:
		runtime.SetFinalizer(v.Interface(), reflect.MakeFunc(t, func(args []reflect.Value) (out []reflect.Value) {
			for i := range t.NumOut() {
				out = append(out, reflect.Zero(t.Out(i)))
			}
			r.guarded("runtime.SetFinalizer", func() { out = reflect.ValueOf(f).Call(args) })
			return out
		}).Interface())
	}
}

// minimize implements optimize.Minimize, which calls the functions of a problem in
// goroutines of its own. A panic in one of them continues in the caller.
func minimize(p optimize.Problem, x []float64, settings *optimize.Settings, method optimize.Method) (*optimize.Result, error) {
	var mu sync.Mutex
	var value any
	guard := func() {
		if r := recover(); r != nil {
			mu.Lock()
			defer mu.Unlock()
			if value == nil {
				value = r
			}
		}
	}
	failed := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return value != nil
	}
	if f := p.Func; f != nil {
		p.Func = func(x []float64) (y float64) {
			defer guard()
			if failed() {
				return 0
			}
			return f(x)
		}
	}
	if f := p.Grad; f != nil {
		p.Grad = func(grad, x []float64) {
			defer guard()
			if !failed() {
				f(grad, x)
			}
		}
	}
	status := p.Status
	p.Status = func() (optimize.Status, error) {
		if failed() {
			return optimize.Failure, fmt.Errorf("a function of the problem has panicked")
		}
		if status != nil {
			return status()
		}
		return optimize.NotTerminated, nil
	}
	result, err := optimize.Minimize(p, x, settings, method)
	if value != nil {
		panic(value)
	}
	return result, err
}
