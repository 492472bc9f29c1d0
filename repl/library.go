package repl

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"
	"github.com/traefik/yaegi/stdlib/syscall"
	"github.com/traefik/yaegi/stdlib/unrestricted"
	"github.com/traefik/yaegi/stdlib/unsafe"

	"symmom/paper"
	"symmom/repl/symbols"
)

// preloaded are the packages that every session has imported.
var preloaded = []string{"symmom/symmom", "symmom/charts", "gonum.org/v1/gonum/mat", "display", "fmt", "math"}

// supportName is the package, in cells only, of the functions that lowered
// code calls: see support.go.
const (
	supportName = "__repl"
	supportPath = "repl"
)

// library is what can be imported in a session.
type library struct {
	names        map[string]string // path -> package name
	symbols      map[string]map[string]reflect.Value
	unrestricted bool
}

// newLibrary loads the packages into the interpreter.
func newLibrary(i *interp.Interpreter, unrestrict bool) (*library, error) {
	// cmp, maps and slices are loaded by Use, from source.
	l := &library{names: map[string]string{"cmp": "cmp", "iter": "iter", "maps": "maps", "slices": "slices"},
		symbols: map[string]map[string]reflect.Value{}, unrestricted: unrestrict}
	// The binary tables of these are empty, since their functions are generic,
	// and would hide the source that Use loads.
	standard := maps.Clone(stdlib.Symbols)
	for p := range l.names {
		delete(standard, p+"/"+p)
	}
	if !unrestrict {
		for p := range guarded {
			delete(standard, p+"/"+path.Base(p))
		}
	}
	// An import path of two equal parts is shortened to one of them by yaegi.
	own := symbols.All()
	own["symmom/symmom"] = own["symmom/symmom/symmom"]
	sets := []map[string]map[string]reflect.Value{standard, symbols.Newer(), own}
	if unrestrict {
		sets = append(sets, unrestricted.Symbols, syscall.Symbols, unsafe.Symbols)
	}
	for _, set := range sets {
		if err := i.Use(set); err != nil {
			return nil, fmt.Errorf("interpreter: %w", err)
		}
		for key, table := range set {
			if p := path.Dir(key); p != "." && key != "symmom/symmom" && !strings.HasPrefix(p, "github.com/traefik/yaegi") {
				if before := l.symbols[p]; before != nil {
					before = maps.Clone(before)
					maps.Copy(before, table)
					table = before
				}
				l.names[p], l.symbols[p] = path.Base(key), table
			}
		}
	}
	return l, nil
}

// add takes in a package that is there in cells only.
func (l *library) add(name string, table map[string]reflect.Value) {
	l.names[name], l.symbols[name] = name, table
}

// name is the package name of an import path.
func (l *library) name(importPath string) string { return l.names[importPath] }

// has reports whether the session has a name of a package.
func (l *library) has(importPath, name string) bool {
	if _, ok := l.symbols[importPath][name]; ok {
		return true
	}
	return importPath == supportPath || l.symbols[importPath] == nil || librarySource(importPath, name) != nil || libraryType(importPath, name) != "" || generalNames[importPath+"."+name]
}

// generalNames are names of generic packages that are no functions: the
// interpreter never sees them.
var generalNames = map[string]bool{"cmp.Ordered": true, "iter.Seq": true, "iter.Seq2": true}

// refusal says why a package cannot be imported, or nothing.
func (l *library) refusal(importPath string) string {
	switch {
	case l.names[importPath] != "":
		return ""
	case guarded[importPath] != "":
		return fmt.Sprintf("package %s %s: %s", importPath, guarded[importPath], guardNote)
	case importPath == "symmom" || importPath == "charts" || importPath == "mat":
		return fmt.Sprintf("package %s is there already, without an import", importPath)
	}
	return fmt.Sprintf("no package %q in this session: it has the standard library, symmom, charts, paper, and of gonum mat, stat, floats, optimize, distuv", importPath)
}

// paths returns the import paths of the packages with this name.
func (l *library) paths(name string) []string {
	var out []string
	for p, n := range l.names {
		if n == name {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// example is an exported name of a package: the first function of its own.
func (l *library) example(importPath string) string {
	table := l.symbols[importPath]
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if table[name].Kind() == reflect.Func {
			return name
		}
	}
	return "Name"
}

// exitRequest is what a call of os.Exit in a cell panics with.
type exitRequest struct{ code int }

func (e exitRequest) Error() string { return fmt.Sprintf("os.Exit(%d)", e.code) }

// overrides are the functions that must know the session they are called in.
func (s *Session) overrides() interp.Exports {
	h := s.host
	constructors := map[string]reflect.Value{
		"Load":            reflect.ValueOf(h.Load),
		"Stream":          reflect.ValueOf(h.Stream),
		"Read":            reflect.ValueOf(h.Read),
		"LoadMatrix":      reflect.ValueOf(h.LoadMatrix),
		"LoadModel":       reflect.ValueOf(h.LoadModel),
		"FromRows":        reflect.ValueOf(h.FromRows),
		"FromMatrix":      reflect.ValueOf(h.FromMatrix),
		"GaussianMixture": reflect.ValueOf(h.GaussianMixture),
		"Uniform":         reflect.ValueOf(h.Uniform),
		"Digits":          reflect.ValueOf(h.Digits),
	}
	// An interrupt of the cell ends an experiment too.
	run := func(ctx context.Context, name string, settings paper.Settings) (*paper.Result, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.longCallContext(), cancel)()
		return paper.Run(ctx, name, settings)
	}
	overrides := interp.Exports{
		"symmom/paper/paper":   {"Run": reflect.ValueOf(run)},
		"symmom/symmom/symmom": constructors, "symmom/symmom": constructors,
		"errors/errors":   {"Is": reflect.ValueOf(errorsIs)},
		"time/time":       {"Sleep": reflect.ValueOf(s.sleep)},
		"os/os":           {"Exit": reflect.ValueOf(func(code int) { panic(exitRequest{code}) })},
		"display/display": s.front.library.symbols["display"],
		supportPath + "/" + supportName: {
			"Show":        reflect.ValueOf(s.show),
			"Drop":        reflect.ValueOf(func(...any) {}),
			"Next":        reflect.ValueOf(s.next),
			"Run":         reflect.ValueOf(s.runBody),
			"Go":          reflect.ValueOf(s.goCall),
			"Select":      reflect.ValueOf(s.selecting),
			"Deferring":   reflect.ValueOf(s.deferring),
			"Recover":     reflect.ValueOf(s.recover),
			"Clear":       reflect.ValueOf(clearValue),
			"Sort":        reflect.ValueOf(sortSlice),
			"SortFunc":    reflect.ValueOf(sort.SliceStable),
			"Pull":        reflect.ValueOf(s.pull),
			"Lock":        reflect.ValueOf(s.lock),
			"RLock":       reflect.ValueOf(s.readLock),
			"error":       reflect.ValueOf((*error)(nil)),
			"Own":         reflect.ValueOf(s.front.own.own),
			"OwnError":    reflect.ValueOf(s.front.own.ownError),
			"OwnStringer": reflect.ValueOf(s.front.own.ownStringer),
			"OwnMethod":   reflect.ValueOf(s.front.own.ownMethod),
			"Unown":       reflect.ValueOf(unown),
			"Return":      reflect.ValueOf(s.front.own.returned),
			"Concrete":    reflect.ValueOf(concrete),
			"Whose":       reflect.ValueOf(whose),
			"Raw":         reflect.ValueOf(raw),
			"Equal":       reflect.ValueOf(equal),
			"Keyed":       reflect.ValueOf(keyed),
			"TypeName":    reflect.ValueOf(typeNameIn),
			"MethodsOf":   reflect.ValueOf(methodsOf),
			"ShiftCount":  reflect.ValueOf(shiftCount),
			"SameChan":    reflect.ValueOf(sameChan),
			"Printf": reflect.ValueOf(func(f string, a ...any) (int, error) {
				f, a = typesNamed(f, a)
				return fmt.Fprintf(s.config.Stdout, f, a...)
			}),
			"Sprintf": reflect.ValueOf(func(f string, a ...any) string { f, a = typesNamed(f, a); return fmt.Sprintf(f, a...) }),
			"Fprintf": reflect.ValueOf(func(w io.Writer, f string, a ...any) (int, error) {
				f, a = typesNamed(f, a)
				return fmt.Fprintf(w, f, a...)
			}),
			"Errorf":           reflect.ValueOf(func(f string, a ...any) error { f, a = typesNamed(f, a); return fmt.Errorf(f, a...) }),
			"Appendf":          reflect.ValueOf(func(b []byte, f string, a ...any) []byte { f, a = typesNamed(f, a); return fmt.Appendf(b, f, a...) }),
			"Likeness":         reflect.ValueOf(func(to string, x any) any { return format(to).likeness(x) }),
			"Target":           reflect.ValueOf(target),
			"Dissected":        reflect.ValueOf(dissected),
			"Print":            reflect.ValueOf(s.printBuiltin),
			"PrintedInterface": reflect.ValueOf(printedInterface),
			"NilPointer":       reflect.ValueOf(func() { panic(errNilPointer) }),
			"Length":           reflect.ValueOf(length),
			"WaitGroupGo":      reflect.ValueOf(s.waitGroupGo),
			"RecoverLate":      reflect.ValueOf(s.recoverLate),
			"Place":            reflect.ValueOf((*place)(nil)),
			"PanicValue":       reflect.ValueOf(toPanic),
			"Recoverable":      reflect.ValueOf(s.recoverable),
			"SameType":         reflect.ValueOf(sameType),
			"NotA":             reflect.ValueOf(notA),
			"ToError":          reflect.ValueOf(toError),
			"ToStringer":       reflect.ValueOf(toStringer),
			"ErrorsAs":         reflect.ValueOf(errorsAs),
			"Wait":             reflect.ValueOf(s.wait),
			"Unlock":           reflect.ValueOf(unlock),
			"UnlockWrite":      reflect.ValueOf(unlockWrite),
			"UnlockRead":       reflect.ValueOf(unlockRead),
		},
	}
	for _, more := range []interp.Exports{roomy(), s.callers()} {
		for key, table := range more {
			if overrides[key] == nil {
				overrides[key] = table
			} else {
				maps.Copy(overrides[key], table)
			}
		}
	}
	system := overrides["os/os"]
	if !s.front.library.unrestricted {
		guardSystem(system)
	}
	// Where the session's streams are files a cell may use them as such.
	for name, stream := range map[string]any{"Stdin": s.config.Stdin, "Stdout": s.config.Stdout, "Stderr": s.config.Stderr} {
		if f := fileOf(stream); f != nil {
			system[name] = reflect.ValueOf(&f).Elem()
		}
	}
	if fileOf(s.config.Stdin) == nil {
		in := &inputStream{File: os.Stdin, from: s.config.Stdin}
		system["Stdin"] = reflect.ValueOf(&in).Elem()
	}
	return overrides
}
