package repl

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"sort"

	"github.com/traefik/yaegi/interp"

	"symmom/paper"
	"symmom/repl/internal/boxed"
	"symmom/repl/internal/gofront"
)

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
		"errors/errors":   {"Is": reflect.ValueOf(boxed.ErrorsIs)},
		"time/time":       {"Sleep": reflect.ValueOf(s.sleep)},
		"os/os":           {"Exit": reflect.ValueOf(func(code int) { panic(exitRequest{code}) })},
		"display/display": s.front.Library.Symbols["display"],
		gofront.SupportPath + "/" + gofront.SupportName: {
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
			"Own":         reflect.ValueOf(s.front.Own.Box),
			"OwnError":    reflect.ValueOf(s.front.Own.BoxError),
			"OwnStringer": reflect.ValueOf(s.front.Own.BoxStringer),
			"OwnMethod":   reflect.ValueOf(s.front.Own.SetMethod),
			"Unown":       reflect.ValueOf(boxed.Unbox),
			"Return":      reflect.ValueOf(s.front.Own.Returned),
			"Concrete":    reflect.ValueOf(boxed.Concrete),
			"Whose":       reflect.ValueOf(boxed.TypeID),
			"Raw":         reflect.ValueOf(boxed.Raw),
			"Equal":       reflect.ValueOf(boxed.Equal),
			"Keyed":       reflect.ValueOf(boxed.Keyed),
			"TypeName":    reflect.ValueOf(boxed.TypeName),
			"MethodsOf":   reflect.ValueOf(boxed.MethodsOf),
			"ShiftCount":  reflect.ValueOf(boxed.ShiftCount),
			"SameChan":    reflect.ValueOf(boxed.SameChan),

			"UnsafeAdd": reflect.ValueOf(unsafeAdd), "UnsafeString": reflect.ValueOf(unsafeString), "UnsafeStringData": reflect.ValueOf(unsafeStringData),
			"UnsafeSlice": reflect.ValueOf(unsafeSlice), "UnsafeSliceData": reflect.ValueOf(unsafeSliceData),

			"Printf": reflect.ValueOf(func(f string, a ...any) (int, error) {
				f, a = boxed.NameTypes(f, a)
				return fmt.Fprintf(s.config.Stdout, f, a...)
			}),
			"Sprintf": reflect.ValueOf(func(f string, a ...any) string { f, a = boxed.NameTypes(f, a); return fmt.Sprintf(f, a...) }),
			"Fprintf": reflect.ValueOf(func(w io.Writer, f string, a ...any) (int, error) {
				f, a = boxed.NameTypes(f, a)
				return fmt.Fprintf(w, f, a...)
			}),
			"Errorf": reflect.ValueOf(func(f string, a ...any) error { f, a = boxed.NameTypes(f, a); return fmt.Errorf(f, a...) }),
			"Appendf": reflect.ValueOf(func(b []byte, f string, a ...any) []byte {
				f, a = boxed.NameTypes(f, a)
				return fmt.Appendf(b, f, a...)
			}),
			"Likeness":         reflect.ValueOf(func(to string, x any) any { return boxed.Format(to).Likeness(x) }),
			"Target":           reflect.ValueOf(boxed.Target),
			"Dissected":        reflect.ValueOf(boxed.Dissected),
			"Print":            reflect.ValueOf(s.printBuiltin),
			"PrintedInterface": reflect.ValueOf(printedInterface),
			"NilPointer":       reflect.ValueOf(func() { panic(boxed.ErrNilPointer) }),
			"Length":           reflect.ValueOf(length),
			"WaitGroupGo":      reflect.ValueOf(s.waitGroupGo),
			"RecoverLate":      reflect.ValueOf(s.recoverLate),
			"Place":            reflect.ValueOf((*boxed.Pointer)(nil)),
			"PanicValue":       reflect.ValueOf(boxed.ToPanic),
			"Recoverable":      reflect.ValueOf(s.recoverable),
			"SameType":         reflect.ValueOf(boxed.SameType),
			"NotA":             reflect.ValueOf(boxed.NotA),
			"ToError":          reflect.ValueOf(boxed.ToError),
			"ToStringer":       reflect.ValueOf(boxed.ToStringer),
			"ErrorsAs":         reflect.ValueOf(boxed.ErrorsAs),
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
	if !s.front.Library.Unrestricted {
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
