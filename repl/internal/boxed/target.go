package boxed

import (
	"go/token"
	"reflect"
)

// Target returns the value that is passed to compiled code to fill, or to read by
// field names, instead of a value of a cell's type: the same memory as a type whose
// fields have their original names, tags and embedding.
func Target(x any) any {
	o, ok := Of(x)
	if !ok {
		return x
	}
	v := reflect.ValueOf(o.Value)
	if v.Kind() != reflect.Pointer {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		return reflect.NewAt(o.Type.view(v.Type()), p.UnsafePointer()).Elem().Interface()
	}
	if v.IsNil() || o.Type.What == nil {
		return o.Value
	}
	return reflect.NewAt(o.Type.What.view(v.Type().Elem()), v.UnsafePointer()).Interface()
}

// view returns a type with the same memory layout as t.
func (o *Layout) view(t reflect.Type) reflect.Type {
	if o == nil {
		return t
	}
	switch t.Kind() {
	case reflect.Pointer:
		if e := o.What.view(t.Elem()); e != t.Elem() {
			return reflect.PointerTo(e)
		}
	case reflect.Slice:
		if e := o.Elem.view(t.Elem()); e != t.Elem() {
			return reflect.SliceOf(e)
		}
	case reflect.Array:
		if e := o.Elem.view(t.Elem()); e != t.Elem() {
			return reflect.ArrayOf(t.Len(), e)
		}
	case reflect.Map:
		k, e := o.Key.view(t.Key()), o.Elem.view(t.Elem())
		if k != t.Key() || e != t.Elem() {
			return reflect.MapOf(k, e)
		}
	case reflect.Struct:
		if t.NumField() == len(o.Fields) {
			return o.viewStruct(t)
		}
	}
	return t
}

func (o *Layout) viewStruct(t reflect.Type) reflect.Type {
	fields := make([]reflect.StructField, len(o.Fields))
	for i, name := range o.Fields {
		f := reflect.StructField{Name: name, Type: t.Field(i).Type, Tag: reflect.StructTag(o.Tags[i])}
		if token.IsExported(name) || o.Embedded[i] { // nobody looks at others, which may be of the same type
			f.Type = o.Parts[i].view(f.Type)
		}
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case o.Embedded[i] && inner.Kind() == reflect.Struct && reflect.PointerTo(inner).NumMethod() == 0:
			f.Anonymous, f.Name = true, embeddedName(name)
		case !token.IsExported(name):
			f.PkgPath = "main"
		}
		fields[i] = f
	}
	return reflect.StructOf(fields)
}

// embeddedName returns the name of the type of an embedded field, whatever its own
// name: package reflect requires it to be exported, and no field has this name.
func embeddedName(name string) string { return "Embedded_" + name }

// Reflected returns values that a compiled function sees unchanged, and panics for
// other values.
func Reflected(by string, x any) any {
	if o, ok := Of(x); ok {
		panic(RuntimeError(by + " would not see the names and methods of " + o.Type.name + ", which a cell declares"))
	}
	return x
}
