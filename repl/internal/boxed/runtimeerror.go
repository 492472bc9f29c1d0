package boxed

import (
	"go/types"
	"reflect"
	"runtime"
	"strings"
)

// RuntimeError is a panic that Go's runtime would raise.
type RuntimeError string

// Error returns the text.
func (e RuntimeError) Error() string { return string(e) }

// RuntimeError implements runtime.Error.
func (e RuntimeError) RuntimeError() {}

var _ runtime.Error = RuntimeError("")

// runtimeErrors are the messages of Go's runtime for panics of package reflect, which
// the interpreter uses. Go's own messages also contain the index and the length,
// which reflect does not report.
var runtimeErrors = []struct{ begins, text string }{
	{"reflect: slice index out of range", "runtime error: index out of range"},
	{"reflect: array index out of range", "runtime error: index out of range"},
	{"reflect: string index out of range", "runtime error: index out of range"},
	{"reflect.Value.Slice: slice index out of bounds", "runtime error: slice bounds out of range"},
	{"reflect.Value.Slice: string slice index out of bounds", "runtime error: slice bounds out of range"},
	{"reflect.Value.Slice3: slice index out of bounds", "runtime error: slice bounds out of range"},
	{"reflect.Value.SetLen", "runtime error: slice bounds out of range"},
	{"reflect.Value.Grow: slice overflow", "runtime error: growslice: len out of range"},
	{"reflect.MakeSlice: negative len", "runtime error: makeslice: len out of range"},
	{"reflect.MakeSlice: negative cap", "runtime error: makeslice: cap out of range"},
	{"reflect.MakeSlice: len > cap", "runtime error: makeslice: cap out of range"},
	{"reflect.MakeChan: negative buffer size", "makechan: size out of range"},
	{"reflect.Value.Call: call of nil function", string(ErrNilPointer)},
	{"reflect: Call using zero Value argument", string(ErrNilPointer)},
	{"reflect: Method on nil interface value", string(ErrNilPointer)},
	{"reflect: call of reflect.Value.", string(ErrNilPointer)},
	{"reflect: Call using zero Value argument", string(ErrNilPointer)},
	{"reflect: cannot convert slice with length", "runtime error: cannot convert slice with length"},
}

// ErrNilPointer is the panic of dereferencing a nil pointer.
const ErrNilPointer RuntimeError = "runtime error: invalid memory address or nil pointer dereference"

// PanicValue returns the value with which a cell called panic.
func PanicValue(r any) any {
	switch v := r.(type) {
	case reflect.Value:
		if v.IsValid() && v.CanInterface() {
			return v.Interface() // of a panic in interpreted code
		}
	case *reflect.ValueError:
		if v.Kind == reflect.Invalid { // of dereferencing a nil pointer
			return ErrNilPointer
		}
	case runtime.Error:
		what, t, _ := strings.Cut(v.Error(), "able type ")
		if strings.Contains(t, "._") || strings.Contains(t, "{ IValue ") {
			return RuntimeError("the interpreter cannot compare structs and keys of maps in which a value of a type that a cell declares is in an interface of a package; let that be of type any") // wrappers
		}
		if strings.Contains(t, "struct {") { // of a cell, whose name is not known here
			return RuntimeError(what + "able type")
		}
	case string:
		for _, e := range runtimeErrors {
			if rest, ok := strings.CutPrefix(v, e.begins); ok {
				if strings.HasSuffix(e.text, "length") {
					_, array, _ := strings.Cut(rest, "array")
					rest, _, _ = strings.Cut(rest, " to ")
					return RuntimeError(e.text + rest + " to array or pointer to array" + array)
				}
				return RuntimeError(e.text)
			}
		}
	}
	return r
}

// ToPanic returns the value to call panic with in a cell.
func ToPanic(x any) any {
	if x == nil {
		return &runtime.PanicNilError{}
	}
	return x
}

// AssertionFailed panics like a failed type assertion of x, in an interface of type
// from, to a type or to an interface with the given methods.
func AssertionFailed(x any, from, to string, methods ...string) {
	switch {
	case x == nil && len(methods) > 0:
		panic(RuntimeError("interface conversion: interface is nil, not " + to))
	case x == nil:
		panic(RuntimeError("interface conversion: " + from + " is nil, not " + to))
	case len(methods) == 0:
		text := "interface conversion: " + from + " is " + TypeName(x) + ", not " + to
		if TypeName(x) == to {
			text += " (types from different scopes)"
		}
		panic(RuntimeError(text))
	}
	text := "interface conversion: " + TypeName(x) + " is not " + to
	for _, name := range methods {
		if !hasMethod(x, name) {
			text += ": missing method " + name
			break
		}
	}
	panic(RuntimeError(text))
}

// hasMethod reports whether x's dynamic type has a method.
func hasMethod(x any, name string) bool {
	if o, ok := Of(x); ok {
		m, _, _ := types.LookupFieldOrMethod(o.Type.typ, false, mainPackage(o.Type.typ), name)
		_, is := m.(*types.Func)
		return is
	}
	return reflect.ValueOf(x).MethodByName(name).IsValid()
}

func mainPackage(t types.Type) *types.Package {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Pkg()
	}
	return nil
}

// ShiftCount returns a shift count, and panics if it is negative.
func ShiftCount(n int64) uint {
	if n < 0 {
		panic(RuntimeError("runtime error: negative shift amount"))
	}
	return uint(n)
}
