package support

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"symmom/repl/internal/boxed"
)

// printBuiltin implements print and println.
func (r *Runtime) printBuiltin(line bool, args ...any) {
	var b strings.Builder
	for i, x := range args {
		if line && i > 0 {
			b.WriteByte(' ')
		}
		if w, ok := x.(verbatim); ok {
			b.WriteString(string(w))
			continue
		}
		b.WriteString(printed(reflect.ValueOf(boxed.Raw(x))))
	}
	if line {
		b.WriteByte('\n')
	}
	fmt.Fprint(r.session.Stderr, b.String())
}

// printedInterface returns what print writes for an interface. For a non-nil
// interface Go writes two addresses; printedInterface returns the value.
func printedInterface(x any) any {
	if x == nil {
		return verbatim("(0x0,0x0)")
	}
	return x
}

// verbatim is text that is printed unchanged.
type verbatim string

// printed formats a value as print does.
func printed(v reflect.Value) string {
	switch {
	case !v.IsValid():
		return "nil"
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	case v.CanComplex():
		return strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits())
	case v.Kind() == reflect.String, v.Kind() == reflect.Bool, v.CanInt(), v.CanUint():
		return fmt.Sprint(v)
	case v.Kind() == reflect.Slice:
		return fmt.Sprintf("[%d/%d]%#x", v.Len(), v.Cap(), v.Pointer())
	case v.Kind() == reflect.Pointer, v.Kind() == reflect.Map, v.Kind() == reflect.Chan, v.Kind() == reflect.Func, v.Kind() == reflect.UnsafePointer:
		return fmt.Sprintf("%#x", v.Pointer())
	}
	return "(" + v.Type().String() + ")"
}
