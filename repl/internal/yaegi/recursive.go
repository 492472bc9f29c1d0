package yaegi

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// HoldRecursive decides how the types that were just declared under names are held,
// before a value of any of them is laid out.
//
// yaegi makes a reflect.Type when it meets the first use of a type. Package reflect
// makes no type that refers to itself, so yaegi puts an empty struct where a struct refers
// to itself, and the type in its place afterwards. It does so for few forms of types, and
// a struct in which it puts another one before that is complete is too small. So here the
// types that refer to themselves, or to each other, are made together.
//
// The size of a type, its alignment and its pointers depend only on the kinds of its
// references: a pointer is one word whatever it points to. So each type is made first with
// other references of the same kinds, and has its final form; then package reflect can make
// those that refer to it; and these take the places of those references. The types that are
// made so are structs and, where types refer to each other without one, all others, which
// yaegi then takes for types of compiled code, since it would follow them without end.
func HoldRecursive(i *interp.Interpreter, names []string) error {
	if !typesKnown() {
		return errors.New("interpreter: this version of yaegi has types of another form than the session expects")
	}
	h := holder{symbols: symbolsOf(i), recursive: map[*itype]bool{}, made: map[*itype]reflect.Type{}, refers: map[*itype]bool{}}
	var declared []*itype
	seen := map[*itype]bool{}
	for _, name := range names {
		s := h.symbols(name)
		if s == nil || s.typ == nil {
			return fmt.Errorf("interpreter: type %s is not declared", name)
		}
		h.tidy(&s.typ, seen)
		declared = append(declared, s.typ)
	}
	var structs, others []*itype
	for _, t := range declared {
		if t.cat == structT && refersTo(t, func(u *itype) bool { return u == t }, nil) {
			structs = append(structs, t)
		}
	}
	for _, t := range structs {
		h.recursive[t] = true
	}
	for _, t := range declared {
		if t.cat != structT && t.cat != linkedT && refersTo(t, func(u *itype) bool { return u == t }, h.recursive) {
			others = append(others, t)
		}
	}
	for _, t := range others {
		h.recursive[t] = true
	}
	for _, t := range slices.Concat(structs, others) {
		h.form(t)
	}
	for _, t := range slices.Concat(structs, others) {
		if err := complete(h.made[t], h.parts(t)); err != nil {
			return err
		}
	}
	seen = map[*itype]bool{}
	for _, t := range declared {
		h.assign(t, seen)
	}
	for _, t := range others {
		if t.cat != funcT && t.cat != chanT && t.cat != chanSendT && t.cat != chanRecvT { // at which yaegi stops by itself
			t.cat, t.key, t.val = valueT, nil, nil
		}
	}
	return nil
}

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
	cat          uintptr
	field        []structField
	key          *itype
	val          *itype
	recv         *itype
	arg          []*itype
	ret          []*itype
	ptr          *itype
	method       []unsafe.Pointer
	constraint   []*itype
	ulconstraint []*itype
	instance     []*itype
	name         string
	path         string
	length       int
	rtype        reflect.Type
	node         unsafe.Pointer
	scope        unsafe.Pointer
	str          string
	incomplete   bool
	untyped      bool
	isBinMethod  bool
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

func sameField(a, b reflect.StructField) bool {
	return a.Name == b.Name && a.Offset == b.Offset && a.Type.Size() == b.Type.Size()
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

// holder makes the types of a group of declarations.
type holder struct {
	symbols   func(name string) *symbol
	recursive map[*itype]bool         // the declared types that are made here
	made      map[*itype]reflect.Type // what they became
	refers    map[*itype]bool         // what isCyclic found
}

// tidy completes the type at place and those to which it refers. While a type was
// incomplete, yaegi may have made several of it, and pointers to these.
func (h *holder) tidy(place **itype, seen map[*itype]bool) {
	t := *place
	if t == nil {
		return
	}
	if t.name != "" && t.path == "main" {
		if s := h.symbols(t.name); s != nil && s.typ != nil && s.typ != t {
			t = s.typ
			*place = t
		}
	}
	if !seen[t] {
		seen[t] = true
		h.tidyParts(t, seen)
	}
	if t.cat == ptrT && t.name == "" { // one pointer to each type
		if t.val.ptr == nil {
			t.val.ptr = t
		}
		*place = t.val.ptr
	}
}

func (h *holder) tidyParts(t *itype, seen map[*itype]bool) {
	t.incomplete = false
	for i := range t.field {
		h.tidy(&t.field[i].typ, seen)
	}
	h.tidy(&t.key, seen)
	h.tidy(&t.val, seen)
	for i := range t.arg {
		h.tidy(&t.arg[i], seen)
	}
	for i := range t.ret {
		h.tidy(&t.ret[i], seen)
	}
}

// references calls visit for the types of which the layout of t tells.
func (t *itype) references(visit func(*itype)) {
	if t.cat == interfaceT || t.cat == valueT {
		return // has the same form whatever its methods are
	}
	for _, list := range [][]*itype{{t.key, t.val}, t.arg, t.ret} {
		for _, u := range list {
			if u != nil {
				visit(u)
			}
		}
	}
	for _, f := range t.field {
		visit(f.typ)
	}
}

// refersTo reports whether a type refers to one for which is is true, ignoring references
// through without.
func refersTo(from *itype, is func(*itype) bool, without map[*itype]bool) bool {
	seen := map[*itype]bool{}
	var visit func(t *itype) bool
	visit = func(t *itype) bool {
		found := false
		t.references(func(u *itype) {
			found = found || is(u)
			if !found && !seen[u] && !without[u] {
				seen[u] = true
				found = visit(u)
			}
		})
		return found
	}
	return visit(from)
}

// isCyclic reports whether a type is, or refers to, one of those that are made here.
func (h *holder) isCyclic(t *itype) bool {
	known, ok := h.refers[t]
	if !ok {
		in := func(u *itype) bool { return h.recursive[u] }
		known = in(t) || refersTo(t, in, nil)
		h.refers[t] = known
	}
	return known
}

// form makes a type with its final form, but other references of the same kinds in the
// place of its own, which make it one that nobody else has.
func (h *holder) form(t *itype) reflect.Type {
	r := h.made[t]
	if r == nil {
		if contains(t) || t.cat == mapT {
			r = compose(t, h.formOf)
		} else {
			r = h.formOf(t)
		}
		h.made[t] = r
	}
	return r
}

// formOf returns a type of the form of t.
func (h *holder) formOf(t *itype) reflect.Type {
	switch {
	case !h.isCyclic(t):
		return h.typeOf(t)
	case t.cat == linkedT:
		return h.formOf(t.val)
	case contains(t) && h.recursive[t]:
		return h.form(t)
	case contains(t):
		return compose(t, h.formOf)
	case t.cat == mapT:
		return reflect.MapOf(reflect.TypeFor[int](), unique())
	}
	return compose(t, func(*itype) reflect.Type { return unique() })
}

// contains reports whether the form of a type depends on those of its parts.
func contains(t *itype) bool { return t.cat == arrayT || t.cat == structT }

var uniques atomic.Int64

// unique returns a type that nobody else has.
func unique() reflect.Type {
	tag := reflect.StructTag(strconv.FormatInt(uniques.Add(1), 10))
	return reflect.StructOf([]reflect.StructField{{Name: "X", Type: reflect.TypeFor[struct{}](), Tag: tag}})
}

// typeOf returns the type of t, as yaegi makes it of the types of its parts.
func (h *holder) typeOf(t *itype) reflect.Type {
	if r := h.made[t]; r != nil {
		return r
	}
	if t.rtype != nil && !h.isCyclic(t) {
		return t.rtype
	}
	return compose(t, h.typeOf)
}

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

// parts returns the types of which t has to be made, in the order of partsOf.
func (h *holder) parts(t *itype) []reflect.Type {
	var out []reflect.Type
	switch t.cat {
	case structT:
		for _, f := range t.field {
			out = append(out, h.typeOf(f.typ))
		}
	case funcT:
		for _, u := range slices.Concat(t.arg, t.ret) {
			out = append(out, h.typeOf(u))
		}
	case mapT:
		out = []reflect.Type{h.typeOf(t.key), h.typeOf(t.val)}
	case arrayT:
		out = []reflect.Type{h.typeOf(t.val), reflect.SliceOf(h.typeOf(t.val))}
	default:
		out = []reflect.Type{h.typeOf(t.val)}
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

// assign gives the types that refer to the structs theirs.
func (h *holder) assign(t *itype, seen map[*itype]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if h.isCyclic(t) {
		t.rtype = h.typeOf(t)
	}
	t.references(func(u *itype) { h.assign(u, seen) })
}

// exported returns the name of a field in a type of package reflect.
func exported(name string) string {
	if r, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(r) {
		return name
	}
	return "X" + name
}
