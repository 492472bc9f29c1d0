package boxed

import (
	"reflect"
	"slices"
	"strings"
)

// Where compiled code requires an interface of a package, such as io.Reader, a value of
// a cell's type is in a wrapper: a struct, one of yaegi's for each interface or one of
// those in beyond.go, whose first field, IValue, holds the value in its box, and whose
// other fields are its methods, W or V and their names.

// Wrap sets the element of list, a slice of one interface, to a wrapper of v, a value of
// the type with the given ID. Its methods are given as names and functions.
func (o *Types) Wrap(id int, v, list any, methods ...any) {
	place := reflect.ValueOf(list).Index(0)
	w := o.wrapperFor(id, place.Type(), methods)
	x := reflect.New(w.typ).Elem()
	x.Field(0).Set(reflect.ValueOf(o.Box(id, v)))
	for i, index := range w.fields {
		if index != nil {
			x.FieldByIndex(index).Set(o.Guard(place.Type(), methods[2*i].(string), methods[2*i+1]))
		}
	}
	place.Set(x)
}

// wrapper is a type of wrappers, and its fields for given methods.
type wrapper struct {
	typ    reflect.Type
	fields [][]int
}

// wrapperKey determines the type of a wrapper.
type wrapperKey struct {
	id    int
	iface reflect.Type
	names string
}

// wrapperFor returns the type of wrappers for values of a type in an interface.
func (o *Types) wrapperFor(id int, iface reflect.Type, methods []any) wrapper {
	var names []string
	for i := 0; i < len(methods); i += 2 {
		names = append(names, methods[i].(string))
	}
	key := wrapperKey{id, iface, strings.Join(names, " ")}
	if w, ok := o.wrappers.Load(key); ok {
		return w.(wrapper)
	}
	for _, t := range append(slices.Clone(beyond[nameOf(iface)]), o.plainWrapper(iface)) {
		w := wrapper{typ: t, fields: make([][]int, len(names))}
		fits := true
		for _, f := range reflect.VisibleFields(t) {
			i := slices.Index(names, f.Name[1:])
			switch {
			case f.Name[0] != 'W' && f.Name[0] != 'V':
			case i >= 0 && reflect.TypeOf(methods[2*i+1]).AssignableTo(f.Type):
				w.fields[i] = f.Index
			default: // a method that the type does not have, or with other parameters
				fits = fits && f.Name[0] == 'V'
			}
		}
		if fits {
			o.wrappers.Store(key, w)
			return w
		}
	}
	panic(RuntimeError("the interpreter cannot put a value of a type that a cell declares into " + iface.String()))
}

func nameOf(t reflect.Type) string { return t.PkgPath() + "." + t.Name() }

// plainWrapper returns the type of wrappers with the methods of an interface alone.
func (o *Types) plainWrapper(iface reflect.Type) reflect.Type {
	if w := o.Symbols[iface.PkgPath()]["_"+iface.Name()]; w.IsValid() {
		return w.Type().Elem()
	}
	panic(RuntimeError("the interpreter cannot put a value of a type that a cell declares into " + iface.String()))
}

// Beyond returns the names of the methods that compiled code finds in a value of an
// interface of a package beyond those of the interface.
func Beyond(iface string) []string {
	var names []string
	for _, t := range beyond[iface] {
		for _, f := range reflect.VisibleFields(t) {
			if name := f.Name[1:]; (f.Name[0] == 'W' || f.Name[0] == 'V') && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Key replaces the element of list, a slice of one interface, if it is a wrapper, by a
// pointer to the same wrapper for all equal values, which can be a key of a map.
func (o *Types) Key(list any) {
	place := reflect.ValueOf(list).Index(0)
	if place.IsNil() {
		return
	}
	in, ok := Returned(place.Interface()).(interface{ self() BoxedValue })
	if !ok {
		return
	}
	p := reflect.New(reflect.Indirect(place.Elem()).Type())
	p.Elem().Set(reflect.Indirect(place.Elem()))
	place.Set(reflect.ValueOf(o.standsFor(sequence{place.Type(), identity(in)}, p.Interface())))
}

// Returned returns the box that is in the wrapper x, or x.
func Returned(x any) any {
	v := reflect.ValueOf(x)
	if v.Kind() == reflect.Pointer && !v.IsNil() && isWrapper(v.Type().Elem()) { // a key
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct || !isWrapper(v.Type()) {
		return x
	}
	if in, ok := v.Field(0).Interface().(interface{ self() BoxedValue }); ok {
		return in
	}
	return x
}

// isWrapper reports whether a type is one of wrappers, and no struct of a cell.
func isWrapper(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t.NumField() < 2 {
		return false
	}
	f := t.Field(0)
	return f.Name == "IValue" && f.Type == reflect.TypeFor[any]() && (t.Name() != "" || !t.Field(1).IsExported())
}
