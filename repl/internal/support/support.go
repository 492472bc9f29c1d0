// Package support is the run-time library of lowered code. It contains the functions
// that lowered code calls as __repl.X, and replacements for library functions that
// would end the process or could not be interrupted.
package support

import (
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/traefik/yaegi/interp"

	"symmom/repl/internal/boxed"
	"symmom/repl/internal/breath"
	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// Session is the part of a session that the functions need.
type Session struct {
	Args           []string // os.Args, the program's name first
	Stdout, Stderr io.Writer
	Types          *boxed.Types // types declared by cells

	Run        func(body func())              // runs the body of a cell
	Next       func(i int)                    // called when unit i of the cell has run
	Show       func(values ...any)            // called with the values of the expression at the end of a cell
	Failed     func(v any) any                // ends the cell if v carries an error; returns v
	Exit       func(code int) bool            // ends the running cell; returns false if there is none
	Where      func(cell, line string) string // describes a position in a cell
	Interrupts func() <-chan struct{}         // returns a channel that is closed when the running cell is interrupted
	Stopped    func() <-chan struct{}         // returns a channel that sends a value to each receiver when interpreted code is stopped
	Stops      func() uint64                  // counts how often interpreted code was stopped
	ResetTrace func()                         // forgets the frames of an earlier panic
}

// Runtime is the state shared by the functions of a session.
type Runtime struct {
	session    Session
	library    *gofront.Library
	goroutines atomic.Int64 // started by cells and not ended yet

	behind sync.Map    // calls that await made, by goroutine, if asked
	asked  atomic.Bool // whether compiled code calls functions of cells

	mu        sync.Mutex
	deferrals map[string]*deferral // running, by goroutine
	reported  <-chan struct{}      // the last interrupt that leaves reported
}

// New returns the run-time support of a session.
func New(session Session) *Runtime {
	return &Runtime{session: session, deferrals: map[string]*deferral{}}
}

// Goroutines returns the number of goroutines started by cells that have not ended.
func (r *Runtime) Goroutines() int64 { return r.goroutines.Load() }

// ExitRequest is the panic by which a call of os.Exit ends a cell.
type ExitRequest struct{ Code int }

func (e ExitRequest) Error() string { return fmt.Sprintf("os.Exit(%d)", e.Code) }

// Exports returns the functions in the form that the interpreter uses.
func (r *Runtime) Exports(library *gofront.Library) interp.Exports {
	r.library = library
	r.session.Types.Symbols, r.session.Types.Guard = library.Symbols, r.guardMethod
	out := interp.Exports{
		syntax.SupportPath + "/" + syntax.SupportName: r.functions(),
		"errors/errors":      {"Is": reflect.ValueOf(boxed.ErrorsIs)},
		"encoding/json/json": {"Marshal": reflect.ValueOf(boxed.JSON), "MarshalIndent": reflect.ValueOf(boxed.JSONIndent)},
		"encoding/xml/xml":   {"Marshal": reflect.ValueOf(boxed.XML), "MarshalIndent": reflect.ValueOf(boxed.XMLIndent)},
		"time/time":          {"Sleep": reflect.ValueOf(r.sleep)},
		"os/os":              {"Exit": reflect.ValueOf(func(code int) { panic(r.raise(ExitRequest{code})) }), "FindProcess": reflect.ValueOf(os.FindProcess)},
	}
	// The interpreter takes the key fmt/fmt for a whole library, and then puts its own
	// functions in.
	for _, more := range []interp.Exports{roomy(), r.callers(library), {"fmt//fmt": r.printers()}} {
		for key, table := range more {
			if out[key] == nil {
				out[key] = table
			} else {
				maps.Copy(out[key], table)
			}
		}
	}
	return out
}

// functions returns the functions of package __repl.
func (r *Runtime) functions() map[string]reflect.Value {
	out := map[string]reflect.Value{
		"Show":           reflect.ValueOf(r.session.Show),
		"Drop":           reflect.ValueOf(func(...any) {}),
		"Failed":         reflect.ValueOf(r.session.Failed),
		"Next":           reflect.ValueOf(r.session.Next),
		"Run":            reflect.ValueOf(r.session.Run),
		"SetUp":          reflect.ValueOf(func(body func()) { body() }),
		"Go":             reflect.ValueOf(r.goCall),
		"Breathe":        reflect.ValueOf(breath.Take),
		"Select":         reflect.ValueOf(r.selecting),
		"Deferring":      reflect.ValueOf(r.deferring),
		"Recover":        reflect.ValueOf(r.recover),
		"Append":         reflect.ValueOf(appendValue),
		"AppendSlice":    reflect.ValueOf(appendSlice),
		"Clear":          reflect.ValueOf(clearValue),
		"Sort":           reflect.ValueOf(sortSlice),
		"SortFunc":       reflect.ValueOf(sort.Slice), // which leaves equal ones as slices.SortFunc does
		"SortStableFunc": reflect.ValueOf(sort.SliceStable),
		"Negative":       reflect.ValueOf(negative),
		"Pull":           reflect.ValueOf(r.pull),
		"Iterated":       reflect.ValueOf(iterated),
		"IterationPanic": reflect.ValueOf(iterationPanic),
		"Lock":           reflect.ValueOf(r.lock),
		"RLock":          reflect.ValueOf(r.readLock),
		"error":          reflect.ValueOf((*error)(nil)),
		"Box":            reflect.ValueOf(r.session.Types.Box),
		"BoxError":       reflect.ValueOf(r.session.Types.BoxError),
		"BoxStringer":    reflect.ValueOf(r.session.Types.BoxStringer),
		"SetMethod":      reflect.ValueOf(r.session.Types.SetMethod),
		"Unbox":          reflect.ValueOf(boxed.Unbox),
		"Return":         reflect.ValueOf(boxed.Returned),
		"Key":            reflect.ValueOf(r.session.Types.Key),
		"Wrap":           reflect.ValueOf(r.session.Types.Wrap),
		"Concrete":       reflect.ValueOf(boxed.Concrete),
		"TypeID":         reflect.ValueOf(boxed.TypeID),
		"Raw":            reflect.ValueOf(boxed.Raw),
		"Equal":          reflect.ValueOf(boxed.Equal),
		"Logged":         reflect.ValueOf(boxed.Logged),
		"AllLogged":      reflect.ValueOf(boxed.AllLogged),
		"Keyed":          reflect.ValueOf(r.session.Types.Keyed),
		"TypeName":       reflect.ValueOf(boxed.TypeName),
		"MethodsOf":      reflect.ValueOf(r.methodsOf),
		"ShiftCount":     reflect.ValueOf(boxed.ShiftCount),
		"SameChan":       reflect.ValueOf(boxed.SameChan),

		"UnsafeAdd":        reflect.ValueOf(unsafeAdd),
		"UnsafeString":     reflect.ValueOf(unsafeString),
		"UnsafeStringData": reflect.ValueOf(unsafeStringData),
		"UnsafeSlice":      reflect.ValueOf(unsafeSlice),
		"UnsafeSliceData":  reflect.ValueOf(unsafeSliceData),

		"LogText":          reflect.ValueOf(func(a ...any) any { return logText(func() string { return sprint(a...) }) }),
		"LogTextln":        reflect.ValueOf(func(a ...any) any { return logText(func() string { return strings.TrimSuffix(sprintln(a...), "\n") }) }),
		"LogTextf":         reflect.ValueOf(func(f string, a ...any) any { return logText(func() string { return sprintf(f, a...) }) }),
		"Visited":          reflect.ValueOf(boxed.Visited),
		"Encode":           reflect.ValueOf(boxed.Encode),
		"EncodeElement":    reflect.ValueOf(boxed.EncodeElement),
		"Target":           reflect.ValueOf(boxed.Target),
		"Reflected":        reflect.ValueOf(boxed.Reflected),
		"Print":            reflect.ValueOf(r.printBuiltin),
		"PrintedInterface": reflect.ValueOf(printedInterface),
		"NilPointer":       reflect.ValueOf(func() { panic(boxed.ErrNilPointer) }),
		"Length":           reflect.ValueOf(length),
		"Guard":            reflect.ValueOf(r.guardFunc),
		"WaitGroupGo":      reflect.ValueOf(r.waitGroupGo),
		"RecoverLate":      reflect.ValueOf(r.recoverLate),
		"Pointer":          reflect.ValueOf((*boxed.Pointer)(nil)),
		"PanicValue":       reflect.ValueOf(r.raise),
		"Recoverable":      reflect.ValueOf(r.recoverable),
		"SameType":         reflect.ValueOf(boxed.SameType),
		"AssertionFailed":  reflect.ValueOf(r.assertionFailed),
		"ToError":          reflect.ValueOf(boxed.ToError),
		"ToStringer":       reflect.ValueOf(boxed.ToStringer),
		"ErrorsAs":         reflect.ValueOf(boxed.ErrorsAs),
		"LogFatal":         reflect.ValueOf(r.logFatal),
		"LogFatalln":       reflect.ValueOf(r.logFatalln),
		"LogFatalf":        reflect.ValueOf(r.logFatalf),
		"FlagInit":         reflect.ValueOf(flagInit),
		"Wait":             reflect.ValueOf(r.wait),
		"CondWait":         reflect.ValueOf(r.condWait),
		"Await":            reflect.ValueOf(r.await),
		"MayBeForeign":     reflect.ValueOf(mayBeForeign),
		"Ends":             reflect.ValueOf(r.ends),
		"UnlockLocker":     reflect.ValueOf(unlockLocker),
		"BenchmarkRun":     reflect.ValueOf(benchmarkRun),
		"Unlock":           reflect.ValueOf(unlock),
		"UnlockWrite":      reflect.ValueOf(unlockWrite),
		"UnlockRead":       reflect.ValueOf(unlockRead),
	}
	maps.Copy(out, listed())
	for _, more := range []map[string]any{sized(), r.streams()} {
		for name, f := range more {
			out[name] = reflect.ValueOf(f)
		}
	}
	return out
}
