package yaegi

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// These are the interpreter's categories of types, and the parts of its unexported
// structures that matter here.
const (
	nilT uintptr = iota
	arrayT
	_
	_
	boolT
	_
	chanT
	chanSendT
	chanRecvT
	_
	complex64T
	complex128T
	_
	errorT
	float32T
	float64T
	funcT
	_
	interfaceT
	intT
	int8T
	int16T
	int32T
	int64T
	linkedT
	mapT
	ptrT
	sliceT
	_
	stringT
	structT
	uintT
	uint8T
	uint16T
	uint32T
	uint64T
	uintptrT
	valueT
	variadicT
)

var catNames = map[uintptr]string{nilT: "nilT", arrayT: "arrayT", boolT: "boolT", chanT: "chanT", errorT: "errorT", funcT: "funcT", interfaceT: "interfaceT",
	linkedT: "linkedT", mapT: "mapT", ptrT: "ptrT", sliceT: "sliceT", stringT: "stringT", structT: "structT", uintptrT: "uintptrT", valueT: "valueT", variadicT: "variadicT"}

var basicTypes = map[uintptr]reflect.Type{
	boolT: reflect.TypeFor[bool](), stringT: reflect.TypeFor[string](), errorT: reflect.TypeFor[error](),
	intT: reflect.TypeFor[int](), int8T: reflect.TypeFor[int8](), int16T: reflect.TypeFor[int16](), int32T: reflect.TypeFor[int32](), int64T: reflect.TypeFor[int64](),
	uintT: reflect.TypeFor[uint](), uint8T: reflect.TypeFor[uint8](), uint16T: reflect.TypeFor[uint16](), uint32T: reflect.TypeFor[uint32](), uint64T: reflect.TypeFor[uint64](), uintptrT: reflect.TypeFor[uintptr](),
	float32T: reflect.TypeFor[float32](), float64T: reflect.TypeFor[float64](), complex64T: reflect.TypeFor[complex64](), complex128T: reflect.TypeFor[complex128](),
}

type structField struct {
	name  string
	tag   string
	embed bool
	typ   *itype
}

type itype struct {
	cat        uintptr
	field      []structField
	key        *itype
	val        *itype
	_          *itype // recv
	arg        []*itype
	ret        []*itype
	ptr        *itype
	_          []unsafe.Pointer // method
	_          []*itype         // constraint
	_          []*itype         // ulconstraint
	_          []*itype         // instance
	name       string
	path       string
	length     int
	rtype      reflect.Type
	_          unsafe.Pointer // node
	_          unsafe.Pointer // scope
	str        string         // by which types are compared
	incomplete bool
	_          bool // untyped
	_          bool // isBinMethod
}

type symbol struct {
	kind uintptr
	typ  *itype
}

// typesKnown reports whether this version has these categories and structures.
var typesKnown = sync.OnceValue(func() bool {
	symbolType, ok := symbolType()
	if !ok || symbolType.NumField() < 2 || !sameField(symbolType.Field(1), reflect.TypeFor[symbol]().Field(1)) || symbolType.Field(1).Type.Kind() != reflect.Pointer {
		return false
	}
	real, mirror := symbolType.Field(1).Type.Elem(), reflect.TypeFor[itype]()
	if !sameFields(real, mirror) || !sameFields(real.Field(1).Type.Elem(), reflect.TypeFor[structField]()) {
		return false
	}
	for cat, name := range catNames {
		v := reflect.New(real.Field(0).Type).Elem()
		v.SetUint(uint64(cat))
		if s, ok := v.Interface().(fmt.Stringer); !ok || s.String() != name {
			return false
		}
	}
	return true
})

// symbolType returns the type of a symbol of the interpreter.
func symbolType() (reflect.Type, bool) {
	scopes, ok := reflect.TypeFor[interp.Interpreter]().FieldByName("scopes")
	if !ok || scopes.Type.Kind() != reflect.Map || scopes.Type.Elem().Kind() != reflect.Pointer || scopes.Type.Elem().Elem().Kind() != reflect.Struct {
		return nil, false
	}
	symbols, ok := scopes.Type.Elem().Elem().FieldByName("sym")
	if !ok || symbols.Type.Kind() != reflect.Map || symbols.Type.Elem().Kind() != reflect.Pointer || symbols.Type.Elem().Elem().Kind() != reflect.Struct {
		return nil, false
	}
	return symbols.Type.Elem().Elem(), true
}

func sameFields(a, b reflect.Type) bool {
	if a.Kind() != reflect.Struct || a.NumField() != b.NumField() || a.Size() != b.Size() {
		return false
	}
	for i := range a.NumField() {
		if !sameField(a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}

// sameField reports whether a field is the one of a mirror, where _ is of any name.
func sameField(a, mirror reflect.StructField) bool {
	return (a.Name == mirror.Name || mirror.Name == "_") && a.Offset == mirror.Offset && a.Type.Size() == mirror.Type.Size()
}

// symbolsOf returns a function that finds symbols of cells.
func symbolsOf(i *interp.Interpreter) func(name string) *symbol {
	main := reflect.ValueOf(i).Elem().FieldByName("scopes").MapIndex(reflect.ValueOf("main"))
	if !main.IsValid() || main.IsNil() {
		return func(string) *symbol { return nil }
	}
	symbols := main.Elem().FieldByName("sym")
	return func(name string) *symbol {
		s := symbols.MapIndex(reflect.ValueOf(name))
		if !s.IsValid() {
			return nil
		}
		return (*symbol)(s.UnsafePointer())
	}
}
