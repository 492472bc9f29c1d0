package yaegi

import (
	"fmt"
	"reflect"
	"sync"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// compose makes a type of its parts.
func compose(t *itype, of func(*itype) reflect.Type) reflect.Type {
	list := func(types []*itype) []reflect.Type {
		out := make([]reflect.Type, len(types))
		for i, u := range types {
			out[i] = of(u)
		}
		return out
	}
	switch t.cat {
	case linkedT:
		return of(t.val)
	case arrayT:
		return reflect.ArrayOf(t.length, of(t.val))
	case sliceT, variadicT:
		return reflect.SliceOf(of(t.val))
	case mapT:
		return reflect.MapOf(of(t.key), of(t.val))
	case ptrT:
		return reflect.PointerTo(of(t.val))
	case chanT:
		return reflect.ChanOf(reflect.BothDir, of(t.val))
	case chanRecvT:
		return reflect.ChanOf(reflect.RecvDir, of(t.val))
	case chanSendT:
		return reflect.ChanOf(reflect.SendDir, of(t.val))
	case funcT:
		in, variadic := list(t.arg), len(t.arg) > 0 && t.arg[len(t.arg)-1].cat == variadicT
		if n := len(in) - 1; variadic && in[n].Kind() != reflect.Slice {
			in[n] = reflect.SliceOf(in[n])
		}
		return reflect.FuncOf(in, list(t.ret), variadic)
	case interfaceT:
		if len(t.field) == 0 {
			return reflect.TypeFor[any]()
		}
		return valueInterface()
	case structT:
		var fields []reflect.StructField
		for _, f := range t.field {
			fields = append(fields, reflect.StructField{Name: exported(f.name), Type: of(f.typ), Tag: reflect.StructTag(f.tag),
				Anonymous: len(t.field) == 1 && f.embed})
		}
		return reflect.StructOf(fields)
	}
	return basicTypes[t.cat]
}

// valueInterface returns the type by which the interpreter holds interfaces that are
// declared in it.
var valueInterface = sync.OnceValue(func() reflect.Type {
	i := interp.New(interp.Options{})
	if _, err := i.Eval("var x interface{ M() }"); err != nil {
		panic(err)
	}
	types := GlobalTypes(i)
	return types[len(types)-1]
})

// abiSize is the size of internal/abi.Type, after which a type of package reflect has its
// parts.
const abiSize = 4*unsafe.Sizeof(uintptr(0)) + 16

func abiOf(t reflect.Type) unsafe.Pointer { return reflect.ValueOf(&t).Elem().Elem().UnsafePointer() }

// places returns the places in the type t where package reflect keeps the types of its
// parts, in the order of partsOf.
func places(t reflect.Type) []*unsafe.Pointer {
	at := func(offset uintptr) *unsafe.Pointer {
		return (*unsafe.Pointer)(unsafe.Add(abiOf(t), abiSize+offset))
	}
	const word = unsafe.Sizeof(uintptr(0))
	var out []*unsafe.Pointer
	switch t.Kind() {
	case reflect.Struct: // the path of its package and a slice of fields, each its name, type and offset
		fields := *(*[]struct {
			name, typ unsafe.Pointer
			offset    uintptr
		})(unsafe.Pointer(at(word)))
		for i := range fields {
			out = append(out, &fields[i].typ)
		}
	case reflect.Func: // two numbers and the types
		for i := range t.NumIn() + t.NumOut() {
			out = append(out, at(word+uintptr(i)*word))
		}
	case reflect.Map, reflect.Array: // key and element; element and slice
		out = []*unsafe.Pointer{at(0), at(word)}
	case reflect.Slice, reflect.Pointer, reflect.Chan:
		out = []*unsafe.Pointer{at(0)}
	}
	return out
}

// partsOf returns the types of which t is made.
func partsOf(t reflect.Type) []reflect.Type {
	var out []reflect.Type
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			out = append(out, t.Field(i).Type)
		}
	case reflect.Func:
		for i := range t.NumIn() {
			out = append(out, t.In(i))
		}
		for i := range t.NumOut() {
			out = append(out, t.Out(i))
		}
	case reflect.Map:
		out = []reflect.Type{t.Key(), t.Elem()}
	case reflect.Array:
		out = []reflect.Type{t.Elem(), reflect.SliceOf(t.Elem())}
	case reflect.Slice, reflect.Pointer, reflect.Chan:
		out = []reflect.Type{t.Elem()}
	}
	return out
}

// complete puts the parts of a type in the places of the references that it was made with.
func complete(t reflect.Type, parts []reflect.Type) error {
	at, now := places(t), partsOf(t)
	contains := t.Kind() == reflect.Struct || t.Kind() == reflect.Array || t.Kind() == reflect.Map
	for i, part := range parts {
		if len(at) != len(parts) || *at[i] != abiOf(now[i]) || contains && part.Size() != now[i].Size() {
			return fmt.Errorf("interpreter: this version of Go has types of another form than the session expects: %v", t)
		}
	}
	for i, part := range parts {
		*at[i] = abiOf(part)
	}
	return nil
}

// exported returns the name of a field in a type of package reflect.
func exported(name string) string {
	if r, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(r) {
		return name
	}
	return "X" + name
}
