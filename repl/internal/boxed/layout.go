package boxed

import (
	"go/types"
	"reflect"
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

// key returns the layout of the keys of a map.
func (o *Layout) key() *Layout {
	if o == nil {
		return nil
	}
	return o.Key
}

// target returns the layout of what a pointer points to.
func (o *Layout) target() *Layout {
	if o == nil {
		return nil
	}
	return o.What
}

// bare returns a value in the interpreter's representation.
func bare(v reflect.Value) any {
	if !v.IsValid() || !v.CanInterface() {
		return nil
	}
	return v.Interface()
}
