package yaegi

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"sync"
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
// structs that refer to themselves, or to each other, get their types together.
//
// Their size, alignment and pointers depend only on the kinds of their references: a
// pointer is one word whatever it points to. So each struct is made first with other
// references of the same kinds, and has its final form; then types that refer to these
// structs can be made by package reflect; and these take the places of those references.
// Names of types in other packages and methods play no role here: structs of the
// interpreter have neither.
func HoldRecursive(i *interp.Interpreter, names []string) error {
	if !typesKnown() {
		return errors.New("interpreter: this version of yaegi has types of another form than the session expects")
	}
	h := holder{symbols: symbolsOf(i), cyclic: map[*itype]bool{}, made: map[*itype]reflect.Type{}, refers: map[*itype]bool{}}
	for _, name := range names {
		if s := h.symbols(name); s != nil && s.typ != nil {
			h.tidy(&s.typ, map[*itype]bool{})
		}
	}
	var structs []*itype
	for _, name := range names {
		s := h.symbols(name)
		if s == nil || s.typ == nil {
			return fmt.Errorf("interpreter: type %s is not declared", name)
		}
		if s.typ.cat == structT && refersTo(s.typ, s.typ) {
			h.cyclic[s.typ] = true
			structs = append(structs, s.typ)
		}
	}
	for _, t := range structs {
		h.form(t)
	}
	types := make([][]reflect.Type, len(structs)) // of the fields
	for j, t := range structs {
		for _, f := range t.field {
			types[j] = append(types[j], h.typeOf(f.typ))
		}
	}
	for j, t := range structs {
		h.complete(t, types[j])
	}
	for _, name := range names {
		h.assign(h.symbols(name).typ, map[*itype]bool{})
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
	symbols func(name string) *symbol
	cyclic  map[*itype]bool         // structs that refer to themselves
	made    map[*itype]reflect.Type // their types
	refers  map[*itype]bool         // what isCyclic found
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
	if t.cat == ptrT && t.val != nil {
		h.tidy(&t.val, seen)
		switch {
		case t.val.ptr == nil:
			t.val.ptr = t
		case t.val.ptr != t && t.name == "":
			*place, t = t.val.ptr, t.val.ptr
		}
	}
	if seen[t] {
		return
	}
	seen[t] = true
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

// refersTo reports whether a type refers to another.
func refersTo(from, to *itype) bool {
	seen := map[*itype]bool{}
	var visit func(t *itype) bool
	visit = func(t *itype) bool {
		found := false
		t.references(func(u *itype) {
			if u == to {
				found = true
			}
			if !found && !seen[u] {
				seen[u] = true
				found = visit(u)
			}
		})
		return found
	}
	return visit(from)
}

// isCyclic reports whether a type is, or refers to, one of the structs.
func (h *holder) isCyclic(t *itype) bool {
	known, ok := h.refers[t]
	if !ok {
		known = h.cyclic[t]
		for c := range h.cyclic {
			known = known || refersTo(t, c)
		}
		h.refers[t] = known
	}
	return known
}

var structs struct {
	sync.Mutex
	count int
}

// form returns the type of a struct, with the final form, but references of the same
// kinds in the place of its own. A tag makes it a type that nobody else has.
func (h *holder) form(t *itype) reflect.Type {
	if r := h.made[t]; r != nil {
		return r
	}
	structs.Lock()
	structs.count++
	tag := "struct " + strconv.Itoa(structs.count)
	structs.Unlock()
	var fields []reflect.StructField
	for _, f := range t.field {
		fields = append(fields, reflect.StructField{Name: exported(f.name), Type: h.formOf(f.typ), Tag: reflect.StructTag(tag)})
	}
	h.made[t] = reflect.StructOf(fields)
	return h.made[t]
}

// formOf returns a type of the form of t.
func (h *holder) formOf(t *itype) reflect.Type {
	if !h.isCyclic(t) {
		return h.typeOf(t)
	}
	switch t.cat {
	case linkedT:
		return h.formOf(t.val)
	case arrayT:
		return reflect.ArrayOf(t.length, h.formOf(t.val))
	case structT:
		if h.cyclic[t] {
			return h.form(t)
		}
		var fields []reflect.StructField
		for _, f := range t.field {
			fields = append(fields, reflect.StructField{Name: exported(f.name), Type: h.formOf(f.typ)})
		}
		return reflect.StructOf(fields)
	case sliceT, variadicT:
		return reflect.TypeFor[[]struct{}]()
	case mapT:
		return reflect.TypeFor[map[int]struct{}]()
	case funcT:
		return reflect.TypeFor[func()]()
	case chanT, chanSendT, chanRecvT:
		return reflect.TypeFor[chan struct{}]()
	}
	return reflect.TypeFor[unsafe.Pointer]()
}

// typeOf returns the type of t, as yaegi makes it of the types of its parts.
func (h *holder) typeOf(t *itype) reflect.Type {
	if r := h.made[t]; r != nil {
		return r
	}
	if t.rtype != nil && !h.isCyclic(t) {
		return t.rtype
	}
	list := func(types []*itype) []reflect.Type {
		out := make([]reflect.Type, len(types))
		for i, u := range types {
			out[i] = h.typeOf(u)
		}
		return out
	}
	switch t.cat {
	case linkedT:
		return h.typeOf(t.val)
	case arrayT:
		return reflect.ArrayOf(t.length, h.typeOf(t.val))
	case sliceT, variadicT:
		return reflect.SliceOf(h.typeOf(t.val))
	case mapT:
		return reflect.MapOf(h.typeOf(t.key), h.typeOf(t.val))
	case ptrT:
		return reflect.PointerTo(h.typeOf(t.val))
	case chanT:
		return reflect.ChanOf(reflect.BothDir, h.typeOf(t.val))
	case chanRecvT:
		return reflect.ChanOf(reflect.RecvDir, h.typeOf(t.val))
	case chanSendT:
		return reflect.ChanOf(reflect.SendDir, h.typeOf(t.val))
	case funcT:
		return reflect.FuncOf(list(t.arg), list(t.ret), len(t.arg) > 0 && t.arg[len(t.arg)-1].cat == variadicT)
	case interfaceT:
		if len(t.field) == 0 {
			return reflect.TypeFor[any]()
		}
		return valueInterface()
	case structT:
		var fields []reflect.StructField
		for _, f := range t.field {
			fields = append(fields, reflect.StructField{Name: exported(f.name), Type: h.typeOf(f.typ), Tag: reflect.StructTag(f.tag),
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

// The form of a struct type in package reflect (internal/abi, StructType).
type abiStruct struct {
	_       [abiSize]byte
	pkgPath unsafe.Pointer
	fields  []abiField
}

type abiField struct {
	name   unsafe.Pointer
	typ    unsafe.Pointer
	offset uintptr
}

// abiSize is the size of internal/abi.Type.
const abiSize = 4*unsafe.Sizeof(uintptr(0)) + 16

func abiOf(t reflect.Type) unsafe.Pointer { return reflect.ValueOf(&t).Elem().Elem().UnsafePointer() }

// complete gives the fields of a struct their types and tags.
func (h *holder) complete(t *itype, types []reflect.Type) {
	var named []reflect.StructField
	for _, f := range t.field {
		named = append(named, reflect.StructField{Name: exported(f.name), Type: h.formOf(f.typ), Tag: reflect.StructTag(f.tag)})
	}
	names := (*abiStruct)(abiOf(reflect.StructOf(named)))
	form := (*abiStruct)(abiOf(h.made[t]))
	for i := range form.fields {
		form.fields[i].name = names.fields[i].name
		form.fields[i].typ = abiOf(types[i])
	}
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
