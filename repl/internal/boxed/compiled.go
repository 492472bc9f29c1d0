package boxed

import (
	"reflect"
	"slices"
)

// compiled returns the likeness of a value of compiled code: maps and slices of
// interfaces have likenesses in them.
func (w *writer) compiled(v reflect.Value) reflect.Value {
	if !v.IsValid() || w.err != nil {
		return v
	}
	switch v.Kind() {
	case reflect.Interface:
		return w.compiled(v.Elem())
	case reflect.Struct, reflect.Pointer, reflect.Map, reflect.Slice, reflect.Array:
	default:
		return v
	}
	if o, own := Of(bare(v)); own {
		if w.Format == "XML" {
			return reflect.ValueOf(o)
		}
		return w.of(o.Type.Layout, reflect.ValueOf(o.Value), 1)
	}
	t := v.Type()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if v.NumMethod() > 0 || !holds(t) {
		return v
	}
	switch k := v.Kind(); {
	case k == reflect.Struct:
		return w.unnamed(v)
	case k != reflect.Array && v.IsNil(), k == reflect.Map && (w.Format == "XML" || w.Format == "JSON" && !isKey(t.Key())):
		return v
	}
	var like reflect.Value
	var list []any
	switch v.Kind() {
	case reflect.Map:
		like = reflect.MakeMap(reflect.MapOf(t.Key(), reflect.TypeFor[any]()))
	case reflect.Slice, reflect.Array:
		list = make([]any, v.Len())
		like = reflect.ValueOf(list)
	}
	if v.Kind() != reflect.Array {
		if x, fresh := w.enter(nil, v, like); !fresh {
			return x
		}
		defer w.leave()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if x := w.compiled(v.Elem()); x.IsValid() && x.Type() != t {
			return addressed(x)
		}
		return v
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			like.SetMapIndex(it.Key(), orNil(w.compiled(it.Value())))
		}
	default:
		for i := range list {
			list[i] = bare(w.compiled(v.Index(i)))
		}
	}
	return like
}

// boxes reports whether there may be boxes in a value of compiled code of which package json
// writes each part. It follows what may contain itself no further than depth.
func boxes(x any, depth int) bool {
	if depth++; depth > untilCycle {
		return true
	}
	switch x := x.(type) {
	case nil, bool, int, float64, string:
		return false
	case []any:
		return slices.ContainsFunc(x, func(x any) bool { return boxes(x, depth) })
	case map[string]any:
		for _, x := range x {
			if boxes(x, depth) {
				return true
			}
		}
		return false
	}
	v := reflect.ValueOf(x)
	t := v.Type()
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() < reflect.Array { // numbers
			return false
		}
	case reflect.Map:
	default: // boxes are none of these
		if _, own := Of(x); own {
			return true
		}
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if v.NumMethod() > 0 || !holds(t) {
		return false
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if boxes(bare(v.Index(i)), depth) {
				return true
			}
		}
		return false
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if boxes(bare(it.Value()), depth) {
				return true
			}
		}
		return false
	}
	return true
}

// unnamed returns the likeness of a struct of compiled code, which is a copy if its type
// has no name: cells have such types too.
func (w *writer) unnamed(v reflect.Value) reflect.Value {
	t := v.Type()
	fields := reflect.VisibleFields(t)
	if t.Name() != "" || slices.ContainsFunc(fields, func(f reflect.StructField) bool { return f.Anonymous || !f.IsExported() }) {
		return v
	}
	values := make([]reflect.Value, len(fields))
	for i := range fields {
		values[i] = v.Field(i)
		if holds(fields[i].Type) {
			values[i] = orNil(w.compiled(values[i]))
			fields[i].Type = fieldType(t.Field(i).Type, values[i].Type())
		}
	}
	return w.structOf(t, fields, values)
}

// fieldType returns the type of a field of type t with a value of a likeness. What can be
// of the struct's own type is in an interface, for the type of a long list would grow with it.
func fieldType(t, like reflect.Type) reflect.Type {
	if t.Kind() == reflect.Interface || like.Kind() == reflect.Pointer && like.Elem().Kind() == reflect.Struct {
		return reflect.TypeFor[any]()
	}
	return like
}

// orNil returns x, or nil in an interface if it is not valid.
func orNil(x reflect.Value) reflect.Value {
	if !x.IsValid() {
		return reflect.Zero(reflect.TypeFor[any]())
	}
	return x
}

// structOf returns a new struct. Making a type takes longer than all else, and the structs of
// a list mostly have likenesses of one type.
func (w *writer) structOf(key any, fields []reflect.StructField, values []reflect.Value) reflect.Value {
	last, known := w.made[key]
	if !known || !slices.EqualFunc(last.fields, fields, func(a, b reflect.StructField) bool {
		return a.Type == b.Type && a.Name == b.Name && a.Anonymous == b.Anonymous && a.Tag == b.Tag
	}) {
		if w.made == nil {
			w.made = map[any]made{}
		}
		last = made{fields, reflect.StructOf(fields)}
		w.made[key] = last
	}
	out := reflect.New(last.typ).Elem()
	for i, x := range values {
		out.Field(i).Set(x)
	}
	return out
}
