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

// Keyed returns the form of x in which maps find it again as a key, and panics if it can
// be no key. Go compares keys bit by bit, and the interpreter's forms of equal values that
// hold interfaces differ: the first of them stands for all, as long as the session lasts.
func (o *Types) Keyed(x any) any {
	in, own := Of(x)
	if own && !in.Type.holdsInterface(reflect.TypeOf(in.Value)) || !own && !parted(reflect.TypeOf(x)) {
		in.Type.hashed()
		return x
	}
	k := identity(x)
	o.mu.Lock()
	first, known := o.keys[k]
	o.mu.Unlock()
	if known {
		return first
	}
	if own { // a copy, which the box holds
		x = o.Box(in.Type.ID, pinned(in.Value))
	} else {
		x = pinned(x)
	}
	return o.standsFor(k, x)
}

// standsFor returns the key that represents an identity, which is key if there is none yet.
func (o *Types) standsFor(identity, key any) any {
	o.mu.Lock()
	defer o.mu.Unlock()
	if first, known := o.keys[identity]; known {
		return first
	}
	if o.keys == nil {
		o.keys = map[any]any{}
	}
	o.keys[identity] = key
	return key
}

// pinned returns x with pointers to the wrappers in it, which can be compared.
func pinned(x any) any {
	v := reflect.New(reflect.TypeOf(x)).Elem()
	v.Set(reflect.ValueOf(x))
	pin(v)
	return v.Interface()
}

func pin(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.NumMethod() > 0 && !v.IsNil() && isWrapper(v.Elem().Type()) {
			p := reflect.New(v.Elem().Type())
			p.Elem().Set(v.Elem())
			v.Set(p)
		}
	case reflect.Array:
		for i := range v.Len() {
			pin(v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[reflect.Value]() {
			return
		}
		for i := range v.NumField() {
			f := v.Field(i)
			pin(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem())
		}
	}
}

// hashed panics if values of a type cannot be keys.
func (t *Type) hashed() {
	if t != nil && !types.Comparable(t.typ) {
		panic(RuntimeError("runtime error: hash of unhashable type " + t.name))
	}
}

// holdsInterface reports whether values of a type t with this layout hold an interface.
func (o *Layout) holdsInterface(t reflect.Type) bool {
	switch {
	case t == nil:
		return false
	case t.Kind() == reflect.Interface:
		return true
	case o == nil:
		return parted(t)
	case o.Own != nil && o.Own.Method("dynamic") != nil:
		return true
	case t.Kind() == reflect.Array:
		return o.part(-1).holdsInterface(t.Elem())
	case t.Kind() == reflect.Struct && t.NumField() == len(o.Fields):
		for i := range t.NumField() {
			if o.part(i).holdsInterface(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return false
}

// identity returns a value that is == to that of any y if Equal(x, y).
func identity(x any) any {
	x = Returned(x)
	if in, own := Of(x); own {
		in.Type.hashed()
		return sequence{in.Type, in.Type.identity(reflect.ValueOf(in.Value))}
	}
	if t := reflect.TypeOf(x); parted(t) {
		return sequence{t, (*Layout)(nil).identity(reflect.ValueOf(x))}
	}
	return x
}

// sequence is a list as a value that == compares: of its last element and those before.
type sequence struct{ before, last any }

// identity is the result of the function identity, for a value of this layout.
func (o *Layout) identity(v reflect.Value) any {
	if o != nil && o.Own != nil {
		if x, is := o.dynamic(v); is {
			return identity(x)
		}
	}
	var out any
	switch {
	case v.IsValid() && v.Kind() == reflect.Interface:
		return identity(bare(v))
	case !v.IsValid() || o == nil && !parted(v.Type()):
		return bare(v)
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			out = sequence{out, o.part(-1).identity(v.Index(i))}
		}
	case v.Kind() == reflect.Struct && (o == nil || v.NumField() == len(o.Fields)):
		for i := range v.NumField() {
			if o == nil || o.Fields[i] != "_" {
				out = sequence{out, o.part(i).identity(v.Field(i))}
			}
		}
	default:
		return bare(v)
	}
	return out
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
