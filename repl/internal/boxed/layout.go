package boxed

import (
	"go/types"
	"reflect"
	"unsafe"
)

// Layout is what a type is made of, as far as the interpreter forgets it:
// where values within are of types with methods, and how fields are called,
// which it gives names of its own. fmt needs both.
type Layout struct {
	Own             *Type  // of a type that a cell declares
	Title           string // of the type
	Fields          []string
	Tags            []string
	Embedded        []bool
	Parts           []*Layout // of the fields
	Key, Elem, What *Layout   // of maps and the like; what a pointer points to
}

// speaks says whether the type has a method by which fmt prints.
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

// mirror is a value that fmt prints as Go would print v: with the methods of
// what is in it, if methods says so, which fmt calls only where it can name
// the field. within says that v is a part of another.
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
	case reflect.Interface: // a part that is made of its own type
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

// mirrored is a value with no types of cells but in interfaces.
func mirrored(v reflect.Value, methods bool) any {
	x := bare(v)
	if in, ok := Of(x); ok {
		if methods && in.Type.speaks() {
			return x
		}
		return in.Type.mirror(reflect.ValueOf(in.Value), methods, true)
	}
	if methods || !v.IsValid() || !holdsAny(v.Type()) { // fmt asks what is in it
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

// holdsAny says whether values of a type may hold what is in a box.
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

// nothing is nil of a type, as fmt prints it.
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

// dynamic is what an interface that a cell declares holds, in the form of
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

// Equal is ==, for values in which there may be such interfaces.
func Equal(x, y any) bool {
	a, own := Of(x)
	b, too := Of(y)
	if !own || !too {
		return x == y
	}
	if a.Type == b.Type && !types.Comparable(a.Type.typ) {
		panic(RuntimeError("runtime error: comparing uncomparable type " + a.Type.name))
	}
	return a.Type == b.Type && a.Type.equal(reflect.ValueOf(a.Value), reflect.ValueOf(b.Value))
}

// Keyed lets pass what can be a key of a map.
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
	case o == nil || !v.IsValid() || !w.IsValid():
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			if !o.Elem.equal(v.Index(i), w.Index(i)) {
				return false
			}
		}
		return true
	case v.Kind() == reflect.Struct && v.NumField() == len(o.Fields):
		for i, name := range o.Fields {
			if name != "_" && !o.Parts[i].equal(v.Field(i), w.Field(i)) {
				return false
			}
		}
		return true
	}
	return bare(v) == bare(w)
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
		f = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem() // unexported ones too
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

// bare is what a value is to the interpreter.
func bare(v reflect.Value) any {
	if !v.IsValid() || !v.CanInterface() {
		return nil
	}
	return v.Interface()
}
