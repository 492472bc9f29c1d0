package boxed

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

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
			b, err := f(recv)
			return b, t.failing("MarshalJSON", err)
		}
	}
	if f, _ := t.writer("MarshalText", v); f != nil {
		b, err := t.marshalText(v)
		if err != nil {
			return nil, t.failing("MarshalText", err)
		}
		return unescaped(string(b))
	}
	w := writer{Format: "JSON"}
	x := bare(w.of(t.Layout, v, 0))
	if w.err != nil {
		return nil, w.err
	}
	return unescaped(x)
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
	v := reflect.ValueOf(o.Value)
	target, nameless := reflect.Indirect(v), slices.Contains(namesOfBoxes, start.Name.Local)
	if !target.IsValid() {
		return nil
	}
	list := (target.Kind() == reflect.Slice || target.Kind() == reflect.Array) && target.Type().Elem().Kind() != reflect.Uint8
	if nameless {
		start.Name.Local = o.Type.plainName()
	}
	if f, ok := o.Type.Method("MarshalXML").(func(any, *xml.Encoder, xml.StartElement) error); ok {
		return f(o.Value, e, start)
	}
	if f, _ := o.Type.writer("MarshalText", v); f != nil {
		b, err := o.Type.marshalText(v)
		if err != nil {
			return err
		}
		return e.EncodeElement(string(b), start)
	}
	w := writer{Format: "XML"}
	if start.Name.Local == "" && !list {
		w.refuse(&Layout{Title: strings.TrimLeft(o.Type.name, "*")}, target)
	}
	x := bare(w.of(o.Type.Layout, v, 0))
	if w.err != nil {
		return w.err
	}
	if t := reflect.Indirect(reflect.ValueOf(x)); t.Kind() == reflect.Struct {
		_, named := t.Type().FieldByName("XMLName")
		nameless = nameless && named
	} else {
		nameless = nameless && list // each element has a name
	}
	if nameless {
		return e.Encode(x)
	}
	return e.EncodeElement(x, start)
}

// plainName returns the name of a type, or of what it points to, without package and
// arguments, or "" if it has none.
func (t *Type) plainName() string {
	typ := types.Unalias(t.typ)
	for {
		switch u := typ.(type) {
		case *types.Named:
			return u.Obj().Name()
		case *types.Pointer:
			typ = types.Unalias(u.Elem())
			continue
		}
		return ""
	}
}
