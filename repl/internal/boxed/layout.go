package boxed

import (
	"go/types"
	"reflect"
	"unsafe"
)

// Layout describes a type as far as the interpreter forgets it: which parts are of
// types with methods, and the names of fields, which it changes. fmt needs both.
type Layout struct {
	Own             *Type  // if it is declared in cells
	Title           string // of a struct
	Fields          []string
	Tags            []string
	Embedded        []bool
	Parts           []*Layout // of the fields
	Key, Elem, What *Layout   // of a map or the like; what a pointer points to
}

// speaks reports whether the type has a method by which fmt prints it.
func (o *Layout) speaks() bool {
	if o.Own == nil {
		return false
	}
	if o.Own.Method("Format") != nil {
		return true
	}
	for _, name := range []string{"Error", "String"} {
		if _, ok := o.Own.Method(name).(func(any) string); ok {
			return true
		}
	}
	return false
}

// mirror returns a value that fmt prints as Go would print v: with the methods of
// its parts if methods is set (fmt calls methods only where it can access the
// field). within says that v is part of another value.
func (o *Layout) mirror(v reflect.Value, methods, within bool) any {
	if o != nil && (!v.IsValid() || v.Kind() == reflect.Interface && v.IsNil()) {
		return o.nothing()
	}
	if o == nil || !v.IsValid() {
		return mirrored(v, methods)
	}
	if o.Own != nil {
		if x, is := o.dynamic(v); is {
			if in, ok := Of(x); ok {
				return in.Type.mirror(reflect.ValueOf(in.Value), methods, true)
			}
			return x
		}
	}
	if within && methods && o.speaks() {
		return BoxedValue{o.Own, bare(v)}
	}
	switch v.Kind() {
	case reflect.Interface: // a part of its own type
		return o.mirror(v.Elem(), methods, within)
	case reflect.Pointer:
		if within || v.IsNil() || o.What == nil {
			return bare(v)
		}
		if k := v.Elem().Kind(); k != reflect.Struct && k != reflect.Slice && k != reflect.Map && k != reflect.Array {
			return bare(v)
		}
		x := reflect.ValueOf(o.What.mirror(v.Elem(), methods, false))
		p := reflect.New(x.Type())
		p.Elem().Set(x)
		return p.Interface()
	case reflect.Slice, reflect.Array:
		if o.Elem == nil || v.Kind() == reflect.Slice && v.IsNil() {
			return bare(v)
		}
		list := make([]any, v.Len())
		for i := range list {
			list[i] = o.Elem.mirror(v.Index(i), methods, true)
		}
		return list
	case reflect.Map:
		if o.Key == nil && o.Elem == nil || v.IsNil() {
			return bare(v)
		}
		m := make(map[any]any, v.Len())
		for it := v.MapRange(); it.Next(); {
			m[o.Key.mirror(it.Key(), methods, true)] = o.Elem.mirror(it.Value(), methods, true)
		}
		return m
	case reflect.Struct:
		return o.mirrorStruct(v, methods)
	}
	return bare(v)
}

// mirrored returns a value that contains cells' types only in interfaces.
func mirrored(v reflect.Value, methods bool) any {
	x := bare(v)
	if in, ok := Of(x); ok {
		if methods && in.Type.speaks() {
			return x
		}
		return in.Type.mirror(reflect.ValueOf(in.Value), methods, true)
	}
	if methods || !v.IsValid() || !holdsAny(v.Type()) { // fmt looks inside
		return x
	}
	switch v.Kind() {
	case reflect.Interface:
		return mirrored(v.Elem(), methods)
	case reflect.Slice:
		if v.IsNil() {
			return x
		}
		list := make([]any, v.Len())
		for i := range list {
			list[i] = mirrored(v.Index(i), methods)
		}
		return list
	case reflect.Map:
		m := make(map[any]any, v.Len())
		for it := v.MapRange(); it.Next(); {
			m[mirrored(it.Key(), methods)] = mirrored(it.Value(), methods)
		}
		return m
	}
	return x
}

// holdsAny reports whether values of a type can contain boxes.
func holdsAny(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Slice:
		return holdsAny(t.Elem())
	case reflect.Map:
		return holdsAny(t.Key()) || holdsAny(t.Elem())
	}
	return false
}

// nothing returns the nil value of a type in the form that fmt prints.
func (o *Layout) nothing() any {
	if o.Own != nil {
		switch o.Own.typ.Underlying().(type) {
		case *types.Slice:
			return []any(nil)
		case *types.Map:
			return map[any]any(nil)
		}
	}
	return nil
}

// dynamic returns the value in an interface declared in cells, in the form of
// compiled code.
func (o *Layout) dynamic(v reflect.Value) (x any, is bool) {
	f := o.Own.Method("dynamic")
	switch {
	case f == nil:
		return nil, false
	case v.IsZero():
		return nil, true
	case v.Kind() == reflect.Interface && v.NumMethod() == 0: // a key of a map
		return v.Interface(), true
	}
	return reflect.ValueOf(f).Call([]reflect.Value{v})[0].Interface(), true
}

// Equal implements == for values that may contain such interfaces, or wrappers.
func Equal(x, y any) bool {
	a, own := Of(x)
	b, too := Of(y)
	switch {
	case own && too:
	case !own && !too && parted(reflect.TypeOf(x)) && reflect.TypeOf(x) == reflect.TypeOf(y):
		return (*Layout)(nil).equal(reflect.ValueOf(x), reflect.ValueOf(y))
	default:
		return x == y
	}
	if a.Type == b.Type && !types.Comparable(a.Type.typ) {
		panic(RuntimeError("runtime error: comparing uncomparable type " + a.Type.name))
	}
	return a.Type == b.Type && a.Type.equal(reflect.ValueOf(a.Value), reflect.ValueOf(b.Value))
}

// parted reports whether values of a type are compared part by part, because they may
// contain wrappers: an array, or a struct of a cell.
func parted(t reflect.Type) bool {
	switch {
	case t == nil || !t.Comparable():
	case t.Kind() == reflect.Array:
		return t.Elem().Kind() == reflect.Interface || parted(t.Elem())
	case t.Kind() == reflect.Struct && t.Name() == "":
		in := false
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() {
				return false
			}
			in = in || f.Type.Kind() == reflect.Interface || parted(f.Type)
		}
		return in
	}
	return false
}

// Keyed returns x if it can be a map key, and panics otherwise.
func Keyed(x any) any {
	if o, own := Of(x); own && !types.Comparable(o.Type.typ) {
		panic(RuntimeError("runtime error: hash of unhashable type " + o.Type.name))
	}
	return x
}

func (o *Layout) equal(v, w reflect.Value) bool {
	if o != nil && o.Own != nil {
		if x, is := o.dynamic(v); is {
			y, _ := o.dynamic(w)
			return Equal(x, y)
		}
	}
	switch {
	case !v.IsValid() || !w.IsValid() || o == nil && !parted(v.Type()):
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			if !o.part(-1).equal(v.Index(i), w.Index(i)) {
				return false
			}
		}
		return true
	case v.Kind() == reflect.Struct && (o == nil || v.NumField() == len(o.Fields)):
		for i := range v.NumField() {
			if (o == nil || o.Fields[i] != "_") && !o.part(i).equal(v.Field(i), w.Field(i)) {
				return false
			}
		}
		return true
	}
	if v.IsValid() && v.Kind() == reflect.Interface {
		return Equal(bare(v), bare(w))
	}
	return bare(v) == bare(w)
}

// part returns the layout of a field, or of the elements if i is -1.
func (o *Layout) part(i int) *Layout {
	switch {
	case o == nil:
		return nil
	case i < 0:
		return o.Elem
	}
	return o.Parts[i]
}

func (o *Layout) mirrorStruct(v reflect.Value, methods bool) any {
	if v.NumField() != len(o.Fields) {
		return bare(v)
	}
	fields := make([]reflect.StructField, v.NumField())
	for i := range fields {
		fields[i] = reflect.StructField{Name: o.Fields[i], Type: v.Type().Field(i).Type}
		if o.Parts[i] != nil || holdsAny(fields[i].Type) {
			fields[i].Type = reflect.TypeFor[any]()
		}
		if c := o.Fields[i][0]; (c < 'A' || c > 'Z') && c < 0x80 {
			fields[i].PkgPath = "main"
		}
	}
	out := reflect.New(reflect.StructOf(fields)).Elem()
	for i := range fields {
		f := out.Field(i)
		f = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem() // with unexported fields
		if o.Parts[i] == nil && !holdsAny(v.Type().Field(i).Type) {
			f.Set(v.Field(i))
			continue
		}
		if x := o.Parts[i].mirror(v.Field(i), methods && fields[i].PkgPath == "", true); x != nil {
			f.Set(reflect.ValueOf(x))
		}
	}
	return out.Interface()
}

// bare returns a value in the interpreter's representation.
func bare(v reflect.Value) any {
	if !v.IsValid() || !v.CanInterface() {
		return nil
	}
	return v.Interface()
}
