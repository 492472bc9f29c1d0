package boxed

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

// refers reports whether the value is a pointer whose target fmt prints, unless the pointer
// is within another value.
func (o BoxedValue) refers() bool {
	v := reflect.ValueOf(o.Value)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return false
	}
	k := v.Elem().Kind()
	return k == reflect.Struct || k == reflect.Slice || k == reflect.Map || k == reflect.Array
}

// within reports whether fmt calls the method Format that calls this for a part of
// another value. It tells no formatter, but it calls the methods of parts from printValue.
func within() bool {
	var pcs [8]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])]) // from the caller of Format
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "fmt.(*pp).printValue":
			return true
		case f.Function == "fmt.(*pp).printArg" || !more:
			return false
		}
	}
}

// reference returns what fmt prints for a pointer within another value: its address.
func (o BoxedValue) reference(format string, verb rune) string {
	if !strings.ContainsRune("vpbodxX", verb) { // fmt names the type and prints the target
		return fmt.Sprintf("%%!%c(%s=%v)", verb, o.Type.name, o.Type.mirror(reflect.ValueOf(o.Value), true, false))
	}
	text := fmt.Sprintf(format, []any{o.Value})
	return text[1 : len(text)-1]
}
