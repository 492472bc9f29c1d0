package boxed

import (
	"encoding"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"go/token"
	"reflect"
	"strings"
)

// Format is the format in which a value is written: "JSON", "XML", or "" if its
// fields are accessed, as by package template.
type Format string

// writers returns the names of the methods by which a value is written in a format.
func (to Format) writers() []string {
	if to == "" {
		return nil
	}
	return []string{"Marshal" + string(to), "MarshalText"}
}

// Likeness returns the value that is passed to compiled code such as package json
// instead of x: a copy whose fields have their original names, tags and embedding,
// without unexported fields, and whose parts have their methods for writing.
func (to Format) Likeness(x any) (any, error) {
	w := writer{Format: to}
	o, ok := Of(x)
	v := reflect.ValueOf(o.Value)
	switch {
	case !ok && to == "JSON" && !boxes(x, 0):
		return x, nil
	case !ok:
		v = w.compiled(reflect.ValueOf(x))
	case to.writes(o.Type.Layout, v) || to == "XML": // its name is needed
		return x, nil
	default:
		v = w.of(o.Type.Layout, v, 0)
	}
	return bare(v), w.err
}

// writer makes the likeness of a value.
type writer struct {
	Format
	around []place       // the pointers, maps and slices around what is copied
	depth  map[place]int // their indices
	copies map[copied]reflect.Value
	made   map[any]made // the last type made for a struct, by its layout or type
	err    error        // the first
}

// made is the type of the likeness of a struct.
type made struct {
	fields []reflect.StructField
	typ    reflect.Type
}

// writes reports whether a value has one of the writers.
func (to Format) writes(o *Layout, v reflect.Value) bool {
	if o.Own == nil {
		return false
	}
	for _, name := range to.writers() {
		if f, _ := o.Own.writer(name, v); f != nil {
			return true
		}
	}
	return false
}

// writer returns a method of a value, or of its address, and the receiver to call
// it with.
func (t *Type) writer(name string, v reflect.Value) (f any, recv any) {
	if f := t.Method(name); f != nil {
		return f, bare(v)
	}
	if f := t.Method("*" + name); f != nil && v.CanAddr() {
		return f, bare(v.Addr())
	}
	return nil, nil
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// of returns the likeness of v, which has this layout. At depth 0 the methods of v
// itself are not used.
func (w *writer) of(o *Layout, v reflect.Value, depth int) reflect.Value {
	switch {
	case w.err != nil || !v.IsValid():
		return v
	case o == nil:
		return w.compiled(v)
	case o.Own != nil:
		if x, is := o.dynamic(v); is {
			return w.compiled(reflect.ValueOf(x))
		}
		if depth > 0 && w.writes(o, v) && (v.Kind() != reflect.Pointer || !v.IsNil()) {
			return reflect.ValueOf(writing{BoxedValue{o.Own, bare(v)}, v})
		}
	}
	switch v.Kind() {
	case reflect.Func, reflect.Chan, reflect.Complex64, reflect.Complex128:
		w.refuse(o, v)
	case reflect.Pointer:
		if v.IsNil() || o.What == nil {
			return v
		}
		if w.Format == "" {
			return w.visited(o, v, depth)
		}
		if x, fresh := w.enter(o, v, reflect.Value{}); !fresh {
			return x
		}
		defer w.leave()
		x := w.of(o.What, v.Elem(), depth+1)
		if !x.IsValid() {
			return v
		}
		return addressed(x)
	case reflect.Slice, reflect.Array:
		if o.Elem == nil && !holds(v.Type()) || v.Kind() == reflect.Slice && v.IsNil() {
			return v
		}
		list := make([]any, v.Len())
		if v.Kind() == reflect.Slice {
			if x, fresh := w.enter(o, v, reflect.ValueOf(list)); !fresh {
				return x
			}
			defer w.leave()
		}
		for i := range list {
			if w.Format == "XML" && depth == 0 {
				if x, is := named(o.Elem, v.Index(i)); is {
					list[i] = x
					continue
				}
			}
			list[i] = bare(w.of(o.Elem, v.Index(i), depth+1))
		}
		return reflect.ValueOf(list)
	case reflect.Map:
		if text := o.Key != nil && o.Key.Own != nil && o.Key.Own.Method("MarshalText") != nil; w.Format == "XML" || w.Format == "JSON" && !text && !isKey(v.Type().Key()) {
			w.refuse(o, v)
		}
		if o.Key == nil && o.Elem == nil && !holds(v.Type()) || v.IsNil() {
			return v
		}
		return w.ofMap(o, v, depth)
	case reflect.Struct:
		if v.NumField() == len(o.Fields) {
			return w.ofStruct(o, v, depth, nil)
		}
	}
	return v
}

// refuse fails because values of a type cannot be written.
func (w *writer) refuse(o *Layout, v reflect.Value) {
	switch t := (titled{v.Type(), title(o, v)}); w.Format {
	case "JSON":
		w.fail(&json.UnsupportedTypeError{Type: t})
	case "XML":
		w.fail(&xml.UnsupportedTypeError{Type: t})
	}
}

// isKey reports whether package json writes keys of a type.
func isKey(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	}
	return t.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

// visited returns the likeness of a pointer for package template.
func (w *writer) visited(o *Layout, v reflect.Value, depth int) reflect.Value {
	key := copied{v.UnsafePointer(), 0, o}
	if x, known := w.copies[key]; known {
		return x
	}
	if e := v.Elem(); e.Kind() == reflect.Struct && o.What.Own != nil && e.NumField() == len(o.What.Fields) {
		return w.ofStruct(o.What, e, depth+1, func(p reflect.Value) { w.remember(key, p) }).Addr()
	}
	x := w.of(o.What, v.Elem(), depth+1)
	if !x.IsValid() {
		return v
	}
	return addressed(x)
}

// addressed returns a pointer to a copy of x.
func addressed(x reflect.Value) reflect.Value {
	p := reflect.New(x.Type())
	p.Elem().Set(x)
	return p
}

// named returns a value of an own type, or what a pointer to one points to, in a box, from
// which package xml has its name.
func named(o *Layout, v reflect.Value) (x BoxedValue, is bool) {
	if o != nil && v.Kind() == reflect.Pointer && !v.IsNil() && o.What != nil {
		o, v = o.What, v.Elem()
	}
	if o == nil || o.Own == nil {
		return BoxedValue{}, false
	}
	if in, is := o.dynamic(v); is {
		return Of(in)
	}
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		return BoxedValue{}, false
	}
	return BoxedValue{o.Own, bare(v)}, true
}

func (w *writer) ofMap(o *Layout, v reflect.Value, depth int) reflect.Value {
	kt := v.Type().Key()
	text := o.Key != nil && o.Key.Own != nil && o.Key.Own.Method("MarshalText") != nil
	if text {
		kt = reflect.TypeFor[string]()
	}
	m := reflect.MakeMap(reflect.MapOf(kt, reflect.TypeFor[any]()))
	if x, fresh := w.enter(o, v, m); !fresh {
		return x
	}
	defer w.leave()
	for it := v.MapRange(); it.Next(); {
		k := it.Key()
		if text {
			b, err := o.Key.Own.marshalText(k)
			if err != nil {
				w.fail(fmt.Errorf("json: encoding error for type %q: %q", o.Title, err.Error()))
			}
			k = reflect.ValueOf(string(b))
		}
		m.SetMapIndex(k, orNil(w.of(o.Elem, it.Value(), depth+1)))
	}
	return m
}

// ofStruct returns the likeness of a struct. What package template visits may have itself
// among its parts, so known, if not nil, is called with its likeness before it has these.
func (w *writer) ofStruct(o *Layout, v reflect.Value, depth int, known func(reflect.Value)) reflect.Value {
	fields := make([]reflect.StructField, 0, len(o.Fields))
	values := make([]reflect.Value, 0, len(o.Fields))
	var later []func()
	for i, name := range o.Fields {
		f := reflect.StructField{Name: name, Tag: reflect.StructTag(o.Tags[i]), Anonymous: o.Embedded[i]}
		exported := token.IsExported(name)
		if !exported && !f.Anonymous || w.leaves(f.Tag, v.Field(i)) {
			continue
		}
		if known != nil && !f.Anonymous && (o.Parts[i] != nil || holds(v.Field(i).Type())) {
			at := len(fields)
			f.Type = reflect.TypeFor[any]()
			fields, values = append(fields, f), append(values, reflect.Zero(f.Type))
			later = append(later, func() { values[at] = orNil(w.of(o.Parts[i], v.Field(i), depth+1)) })
			continue
		}
		x := orNil(w.of(o.Parts[i], v.Field(i), depth+1))
		if f.Anonymous {
			t := x.Type()
			if t.Kind() == reflect.Pointer {
				if t = t.Elem(); !x.IsNil() {
					x = x.Elem()
				} else if t.Kind() == reflect.Struct {
					continue
				}
			}
			if t.Kind() != reflect.Struct && !exported {
				continue
			}
			f.Name = embeddedName(name)
			if t.Kind() != reflect.Struct || t.NumMethod() > 0 || reflect.PointerTo(t).NumMethod() > 0 {
				f.Name, f.Anonymous = name, false
				if !exported {
					continue
				}
			}
		}
		if f.Type = x.Type(); !f.Anonymous {
			f.Type = fieldType(v.Field(i).Type(), f.Type)
		}
		fields, values = append(fields, f), append(values, x)
	}
	out := w.structOf(o, fields, values)
	if known != nil {
		known(out.Addr())
		for _, set := range later {
			set()
		}
		for i, x := range values {
			out.Field(i).Set(x)
		}
	}
	return out
}

// leaves reports whether a field is omitted, for example because it is empty, which the
// types of values with methods do not show. What package template visits has all fields.
func (to Format) leaves(tag reflect.StructTag, v reflect.Value) bool {
	if to == "" || tag == "" {
		return false
	}
	text := tag.Get(strings.ToLower(string(to)))
	if text == "-" {
		return true
	}
	_, options, _ := strings.Cut(text, ",")
	if strings.Contains(","+options+",", ",omitzero,") && v.IsZero() {
		return true
	}
	if !strings.Contains(","+options+",", ",omitempty,") {
		return false
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct, reflect.Func, reflect.Chan, reflect.Complex64, reflect.Complex128:
		return false
	}
	return v.IsZero()
}
