package boxed

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
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
func (to Format) Likeness(x any) any {
	o, ok := Of(x)
	if !ok {
		if to == "" {
			return to.within(reflect.ValueOf(x))
		}
		return x // a box in it has the methods
	}
	v := reflect.ValueOf(o.Value)
	if to.writes(o.Type.Layout, v) || to == "XML" && reflect.Indirect(v).Kind() == reflect.Struct { // its name is needed
		return x
	}
	return bare(to.of(o.Type.Layout, v, 0))
}

// within returns a value of compiled code in which values in maps and slices of
// interfaces are replaced by their likenesses.
func (to Format) within(v reflect.Value) any {
	switch {
	case !v.IsValid():
		return nil
	case v.Kind() == reflect.Map && v.Type().Elem().Kind() == reflect.Interface && !v.IsNil():
		m := reflect.MakeMap(v.Type())
		for it := v.MapRange(); it.Next(); {
			if x := reflect.ValueOf(to.Likeness(bare(it.Value()))); x.IsValid() && x.Type().AssignableTo(v.Type().Elem()) {
				m.SetMapIndex(it.Key(), x)
			} else {
				m.SetMapIndex(it.Key(), it.Value())
			}
		}
		return m.Interface()
	case v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[any]() && !v.IsNil():
		list := make([]any, v.Len())
		for i := range list {
			list[i] = to.Likeness(bare(v.Index(i)))
		}
		return list
	}
	return bare(v)
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

// deepest is the number of pointers, maps and slices that are followed: json gives up
// at the same depth.
const deepest = 1000

// of returns the likeness of v, which has this layout. At depth 0 the methods of v
// itself are not used.
func (to Format) of(o *Layout, v reflect.Value, depth int) reflect.Value {
	if o == nil || !v.IsValid() {
		return v
	}
	if depth > deepest {
		panic(RuntimeError("the value refers to itself, so it cannot be written"))
	}
	if o.Own != nil {
		if x, is := o.dynamic(v); is {
			return reflect.ValueOf(to.Likeness(x))
		}
		if depth > 0 && to.writes(o, v) && (v.Kind() != reflect.Pointer || !v.IsNil()) {
			return reflect.ValueOf(writing{BoxedValue{o.Own, bare(v)}, v})
		}
	}
	switch v.Kind() {
	case reflect.Interface: // a part that refers to its own type
		return to.of(o, v.Elem(), depth+1)
	case reflect.Pointer:
		if v.IsNil() || o.What == nil {
			return v
		}
		x := to.of(o.What, v.Elem(), depth+1)
		if !x.IsValid() {
			return v
		}
		p := reflect.New(x.Type())
		p.Elem().Set(x)
		return p
	case reflect.Slice, reflect.Array:
		if o.Elem == nil || v.Kind() == reflect.Slice && v.IsNil() {
			return v
		}
		list := make([]any, v.Len())
		for i := range list {
			if x, is := named(o.Elem, v.Index(i)); is && to == "XML" && depth == 0 {
				list[i] = x
			} else {
				list[i] = bare(to.of(o.Elem, v.Index(i), depth+1))
			}
		}
		return reflect.ValueOf(list)
	case reflect.Map:
		if o.Key == nil && o.Elem == nil || v.IsNil() {
			return v
		}
		return to.ofMap(o, v, depth)
	case reflect.Struct:
		if v.NumField() == len(o.Fields) {
			return to.ofStruct(o, v, depth)
		}
	}
	return v
}

// named returns a value of an own type, or what a pointer to one points to, in a box, from
// which package xml has its name.
func named(o *Layout, v reflect.Value) (x BoxedValue, is bool) {
	if v.Kind() == reflect.Pointer && !v.IsNil() && o.What != nil {
		o, v = o.What, v.Elem()
	}
	if o.Own == nil || v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		return BoxedValue{}, false
	}
	return BoxedValue{o.Own, bare(v)}, true
}

func (to Format) ofMap(o *Layout, v reflect.Value, depth int) reflect.Value {
	kt := v.Type().Key()
	text := o.Key != nil && o.Key.Own != nil && o.Key.Own.Method("MarshalText") != nil
	if text {
		kt = reflect.TypeFor[string]()
	}
	m := reflect.MakeMap(reflect.MapOf(kt, reflect.TypeFor[any]()))
	for it := v.MapRange(); it.Next(); {
		k := it.Key()
		if text {
			b, err := o.Key.Own.marshalText(k)
			if err != nil {
				panic(err)
			}
			k = reflect.ValueOf(string(b))
		}
		x := to.of(o.Elem, it.Value(), depth+1)
		if !x.IsValid() {
			x = reflect.Zero(reflect.TypeFor[any]())
		}
		m.SetMapIndex(k, x)
	}
	return m
}

func (to Format) ofStruct(o *Layout, v reflect.Value, depth int) reflect.Value {
	var fields []reflect.StructField
	var values []reflect.Value
	for i, name := range o.Fields {
		f := reflect.StructField{Name: name, Tag: reflect.StructTag(o.Tags[i]), Anonymous: o.Embedded[i]}
		x := to.of(o.Parts[i], v.Field(i), depth+1)
		exported := unicode.IsUpper([]rune(name)[0])
		if !exported && !f.Anonymous || to.leaves(f.Tag, v.Field(i)) {
			continue
		}
		if !x.IsValid() {
			x = reflect.Zero(reflect.TypeFor[any]())
		}
		if f.Anonymous {
			t := x.Type()
			if t.Kind() == reflect.Pointer {
				if x.IsNil() {
					continue
				}
				t, x = t.Elem(), x.Elem()
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
		f.Type = x.Type()
		fields, values = append(fields, f), append(values, x)
	}
	out := reflect.New(reflect.StructOf(fields)).Elem()
	for i, x := range values {
		out.Field(i).Set(x)
	}
	return out
}

// leaves reports whether a field is omitted because it is empty. The types of values with
// methods do not show that. What package template visits has all fields.
func (to Format) leaves(tag reflect.StructTag, v reflect.Value) bool {
	if to == "" {
		return false
	}
	_, options, _ := strings.Cut(tag.Get(strings.ToLower(string(to))), ",")
	if strings.Contains(","+options+",", ",omitzero,") && v.IsZero() {
		return true
	}
	if !strings.Contains(","+options+",", ",omitempty,") {
		return false
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// writing is a value with methods by which it is written, in an addressable
// location.
type writing struct {
	BoxedValue
	at reflect.Value
}

// MarshalJSON calls the value's method.
func (w writing) MarshalJSON() ([]byte, error) { return w.Type.marshalJSON(w.at) }

// MarshalJSON writes the value, which may be an element of an any.
func (o BoxedValue) MarshalJSON() ([]byte, error) {
	return o.Type.marshalJSON(reflect.ValueOf(o.Value))
}

func (t *Type) marshalJSON(v reflect.Value) ([]byte, error) {
	if f, recv := t.writer("MarshalJSON", v); f != nil {
		if f, ok := f.(func(any) ([]byte, error)); ok {
			return f(recv)
		}
	}
	if f, _ := t.writer("MarshalText", v); f != nil {
		b, err := t.marshalText(v)
		if err != nil {
			return nil, err
		}
		return unescaped(string(b))
	}
	return unescaped(bare(Format("JSON").of(t.Layout, v, 0)))
}

// unescaped returns the JSON of x for use inside other JSON, which is escaped as a
// whole.
func unescaped(x any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(x)
	return b.Bytes(), err
}

func (t *Type) marshalText(v reflect.Value) ([]byte, error) {
	f, recv := t.writer("MarshalText", v)
	if f, ok := f.(func(any) ([]byte, error)); ok {
		return f(recv)
	}
	if v.Kind() == reflect.String { // a key of a map
		return []byte(v.String()), nil
	}
	return nil, fmt.Errorf("the type %s has no method MarshalText", t.name)
}

// namesOfBoxes are the names that package xml finds for values in boxes.
var namesOfBoxes = []string{"BoxedValue", "boxedString", "boxedError", "boxedErrors", "boxedErrorString", "writing"}

// MarshalXML writes the value under the name of its type, unless it has another.
func (o BoxedValue) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	if f, ok := o.Type.Method("MarshalXML").(func(any, *xml.Encoder, xml.StartElement) error); ok {
		return f(o.Value, e, start)
	}
	if f, _ := o.Type.writer("MarshalText", reflect.ValueOf(o.Value)); f != nil {
		b, err := o.Type.marshalText(reflect.ValueOf(o.Value))
		if err != nil {
			return err
		}
		return e.EncodeElement(string(b), start)
	}
	x := bare(Format("XML").of(o.Type.Layout, reflect.ValueOf(o.Value), 0))
	if slices.Contains(namesOfBoxes, start.Name.Local) {
		if t := reflect.Indirect(reflect.ValueOf(x)); t.Kind() == reflect.Struct {
			if _, named := t.Type().FieldByName("XMLName"); named {
				return e.Encode(x)
			}
		}
		_, name, _ := strings.Cut(o.Type.name, ".")
		name, _, _ = strings.Cut(name, "[") // of a generic type
		start.Name.Local = name
	}
	return e.EncodeElement(x, start)
}
