package repl

import (
	"reflect"
	"unicode"
)

// target is what compiled code is given to fill, or to read by the names of
// fields, in place of a value of an own type: the same memory, seen as a type
// whose fields have their names, tags and embedding.
func target(x any) any {
	o, ok := ownedOf(x)
	if !ok {
		return x
	}
	v := reflect.ValueOf(o.value)
	if v.Kind() != reflect.Pointer {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		return reflect.NewAt(o.typ.view(v.Type()), p.UnsafePointer()).Elem().Interface()
	}
	if v.IsNil() || o.typ.what == nil {
		return o.value
	}
	return reflect.NewAt(o.typ.what.view(v.Type().Elem()), v.UnsafePointer()).Interface()
}

// view is a type of the same form in memory as t.
func (o *outline) view(t reflect.Type) reflect.Type {
	if o == nil {
		return t
	}
	switch t.Kind() {
	case reflect.Pointer:
		if e := o.what.view(t.Elem()); e != t.Elem() {
			return reflect.PointerTo(e)
		}
	case reflect.Slice:
		if e := o.elem.view(t.Elem()); e != t.Elem() {
			return reflect.SliceOf(e)
		}
	case reflect.Array:
		if e := o.elem.view(t.Elem()); e != t.Elem() {
			return reflect.ArrayOf(t.Len(), e)
		}
	case reflect.Map:
		k, e := o.key.view(t.Key()), o.elem.view(t.Elem())
		if k != t.Key() || e != t.Elem() {
			return reflect.MapOf(k, e)
		}
	case reflect.Struct:
		if t.NumField() == len(o.fields) {
			return o.viewStruct(t)
		}
	}
	return t
}

func (o *outline) viewStruct(t reflect.Type) reflect.Type {
	fields := make([]reflect.StructField, len(o.fields))
	for i, name := range o.fields {
		f := reflect.StructField{Name: name, Type: o.parts[i].view(t.Field(i).Type), Tag: reflect.StructTag(o.tags[i])}
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case o.embedded[i] && inner.Kind() == reflect.Struct && reflect.PointerTo(inner).NumMethod() == 0:
			f.Anonymous, f.Name = true, embeddedName(name)
		case !unicode.IsUpper([]rune(name)[0]):
			f.PkgPath = "main"
		}
		fields[i] = f
	}
	return reflect.StructOf(fields)
}

// embeddedName is a name for the type of an embedded field, whatever its own:
// package reflect wants it exported, and no field has it.
func embeddedName(name string) string { return "Embedded_" + name }

// dissected lets values pass that a function of compiled code sees as they are.
func dissected(by string, x any) any {
	if o, ok := ownedOf(x); ok {
		panic(runtimeError(by + " would not see the names and methods of " + o.typ.name + ", which a cell declares"))
	}
	return x
}
