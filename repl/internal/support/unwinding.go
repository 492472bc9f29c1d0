package support

import (
	"regexp"
	"runtime"
	"strings"
	"sync"

	"symmom/repl/internal/boxed"
)

// A panic that reaches the top of a goroutine ends the process. The goroutines of the
// session recover. Those that packages start do not, and call functions and methods of
// cells, too. So where a cell panics, and where the interpreter begins to unwind a function
// after an error of the runtime (see yaegi.PanicTrace), the stack is looked at: if nothing on
// it recovers, the panic is reported and the goroutine ends as by runtime.Goexit. That costs
// nothing until there is a panic, and holds however compiled code came by the function.

// What the frames of a stack are for panics.
type frameKind uint8

const (
	otherFrame   frameKind = iota
	panicFrame             // begins to unwind
	unwindFrame            // the deferred function of the interpreter, which panics again
	unwoundFrame           // the function that it belongs to
	leaveFrame             // the deferred function of one that recovers
	enterFrame             // the function that it belongs to
	catchFrame             // recovers
)

var frameNames = []struct {
	kind frameKind
	name *regexp.Regexp
}{
	{panicFrame, regexp.MustCompile(`^runtime\.gopanic$`)},
	{unwindFrame, regexp.MustCompile(`/yaegi/interp\.runCfg\.func1$`)},
	{unwoundFrame, regexp.MustCompile(`/yaegi/interp\.runCfg$`)},
	{leaveFrame, regexp.MustCompile(`/support\.\(\*Runtime\)\.leave$`)},
	{enterFrame, regexp.MustCompile(`/support\.\(\*Runtime\)\.enter$`)},
	// Of the session. What runs in goroutines of its own and recovers is here.
	{catchFrame, regexp.MustCompile(`/repl\.(\(\*Session\)\.execute\.func|recovered$)|/support\.(\(\*Runtime\)\.(goCall\.|pull)|\(\*awaited\)\.run|\(\*deferral\)\.attempt|minimize\.)` +
		`|/boxed\.\(\*printer\)\.calling|/repl/internal/(display|assist)\.|/widgets\.page$|/kernel\.\(\*kernel\)\.handle\.`)},
	// Of packages that recover for good. Those that panic again, as encoding/json, catch nothing.
	{catchFrame, regexp.MustCompile(`^(net/http\.(\(\*conn\)\.serve|\(\*http2serverConn\)\.runHandler)|fmt\.\(\*pp\)\.handleMethods|text/template\.safeCall|log/slog\.\(\*handleState\)\.appendValue)$|^iter\.Pull`)},
}

func kindOf(function string) frameKind {
	for _, n := range frameNames {
		if n.name.MatchString(function) {
			return n.kind
		}
	}
	return otherFrame
}

// frameKinds are those of program counters, which may be of several functions where the
// compiler has put one into another.
var (
	frameKindsMu sync.RWMutex
	frameKinds   = map[uintptr][]frameKind{}
)

func kindsOf(pc uintptr) []frameKind {
	frameKindsMu.RLock()
	kinds, known := frameKinds[pc]
	frameKindsMu.RUnlock()
	if known {
		return kinds
	}
	frames := runtime.CallersFrames([]uintptr{pc})
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if k := kindOf(f.Function); k != otherFrame || len(kinds) == 0 {
			kinds = append(kinds, k)
		}
	}
	frameKindsMu.Lock()
	defer frameKindsMu.Unlock()
	frameKinds[pc] = kinds
	return kinds
}

// recovers reports whether a function on the stack of the running goroutine recovers from the
// panic that is under way or about to begin.
func recovers() bool {
	pcs := make([]uintptr, 48)
	for {
		n := runtime.Callers(2, pcs)
		if found, decided := recoversIn(pcs[:n]); decided || n < len(pcs) {
			return found
		}
		pcs = make([]uintptr, 8*len(pcs))
	}
}

// recoversIn is recovers for the upper part of a stack, and reports whether that decides.
func recoversIn(pcs []uintptr) (found, decided bool) {
	// What the panic has unwound is still on the stack, below the deferred functions that do
	// that: as many functions with deferred ones as there are deferred ones.
	dead, first, before := 0, otherFrame, otherFrame
	for _, pc := range pcs {
		for _, kind := range kindsOf(pc) {
			switch kind {
			case unwindFrame, leaveFrame:
				if dead == 1 && first == unwindFrame && kind == unwindFrame && before == panicFrame {
					return true, true // as was found when the interpreter unwound the last function
				}
				if dead++; first == otherFrame {
					first = kind
				}
			case unwoundFrame:
				dead = max(0, dead-1)
			case enterFrame:
				if dead == 0 {
					return true, true
				}
				dead--
			case catchFrame:
				if dead == 0 {
					return true, true
				}
			}
			before = kind
		}
	}
	return false, false
}

// endsHere reports the panic with value v, in a function at place, and ends the goroutine, if
// nothing recovers from it.
func (r *Runtime) endsHere(place string, v any) {
	if !recovers() {
		r.panickedIn(place+starter(), v)
		runtime.Goexit()
	}
}

// raise returns the value to call panic with in a cell.
func (r *Runtime) raise(x any) any {
	v := boxed.ToPanic(x)
	r.endsHere("a function of a cell", v)
	return v
}

// assertionFailed is boxed.AssertionFailed.
func (r *Runtime) assertionFailed(x any, from, to string, methods ...string) {
	defer func() { panic(r.raise(recover())) }()
	boxed.AssertionFailed(x, from, to, methods...)
}

// Unwinds is called where the interpreter begins to unwind a function, which begins at a line
// of a cell.
func (r *Runtime) Unwinds(cell, line string) {
	if recovers() {
		return
	}
	place := "a function"
	if cell != "" {
		place += " that begins at " + r.session.Where(cell, line)
	}
	r.endsHere(place, unwoundError())
}

// starter returns the origin of the running goroutine.
func starter() string {
	const some = ", in a goroutine of a package"
	pcs := make([]uintptr, 1<<16)
	for pcs = pcs[:runtime.Callers(0, pcs)]; len(pcs) > 0; pcs = pcs[:len(pcs)-1] {
		f, _ := runtime.CallersFrames(pcs[len(pcs)-1:]).Next()
		slash := strings.LastIndex(f.Function, "/") + 1
		name, _, _ := strings.Cut(f.Function[slash:], ".")
		switch path := f.Function[:slash] + name; {
		case path == "" || path == "runtime":
		case path == "reflect" || strings.HasSuffix(path, "/yaegi/interp"):
			return some
		default:
			return ", in a goroutine of package " + path
		}
	}
	return some
}

// unwoundError says from the stack which error of the runtime the panic under way is: its
// value is out of reach there.
func unwoundError() error {
	pcs := make([]uintptr, 256)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	panicking := false
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		kind := kindOf(f.Function)
		switch {
		case kind == unwindFrame || kind == panicFrame:
			panicking = kind == panicFrame
		case panicking:
			for _, e := range unwoundErrors {
				if strings.Contains(f.Function, e.in) {
					return e.error
				}
			}
			if !strings.HasPrefix(f.Function, "runtime.") {
				return boxed.RuntimeError("runtime error in " + f.Function)
			}
		}
	}
	return boxed.RuntimeError("runtime error")
}

// unwoundErrors are the errors of the runtime by the functions that panic.
var unwoundErrors = []struct {
	in    string
	error boxed.RuntimeError
}{
	{"runtime.panicmem", boxed.ErrNilPointer}, {"runtime.sigpanic", boxed.ErrNilPointer}, {"reflect.flag.must", boxed.ErrNilPointer},
	{"runtime.panicdivide", "runtime error: integer divide by zero"},
	{"anicIndex", "runtime error: index out of range"}, {"anicBounds", "runtime error: index out of range"}, {"reflect.Value.Index", "runtime error: index out of range"},
	{"anicSlice", "runtime error: slice bounds out of range"}, {"reflect.Value.Slice", "runtime error: slice bounds out of range"},
	{"mapassign", "assignment to entry in nil map"},
}
