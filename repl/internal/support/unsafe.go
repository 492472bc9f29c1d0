package support

import (
	"reflect"
	"unsafe"
)

// Functions of package unsafe that the interpreter lacks.

func unsafeAdd(p unsafe.Pointer, n int) unsafe.Pointer { return unsafe.Add(p, n) }
func unsafeString(p *byte, n int) string               { return unsafe.String(p, n) }
func unsafeStringData(s string) *byte                  { return unsafe.StringData(s) }

// unsafeSlice implements unsafe.Slice for a pointer to any type.
func unsafeSlice(p any, n int) any {
	v := reflect.ValueOf(p)
	return reflect.SliceAt(v.Type().Elem(), v.UnsafePointer(), n).Interface()
}

// unsafeSliceData implements unsafe.SliceData for a slice of any type.
func unsafeSliceData(s any) any {
	v := reflect.ValueOf(s)
	return reflect.NewAt(v.Type().Elem(), v.UnsafePointer()).Interface()
}
