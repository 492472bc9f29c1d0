// Package display converts values to their displayed form: text in a terminal, and
// further representations, by MIME type, in a notebook.
package display

import (
	"encoding/base64"
	"encoding/json"
	"reflect"

	"symmom/repl/internal/boxed"
	"symmom/widgets"
)

// Bundle holds the representations of a value by MIME type: text as a string, images
// in base64, application/json as json.RawMessage. A non-empty bundle always contains
// text/plain.
type Bundle map[string]any

// TextPlain is the MIME type of plain text.
const TextPlain = "text/plain"

// New returns all representations of a single value, or the text of several. It is
// empty if there is nothing to display.
func New(values []any) Bundle {
	values = Shown(values)
	if len(values) == 0 {
		return nil
	}
	b := Bundle{TextPlain: Text(values)}
	if len(values) == 1 {
		b.add(values[0], len(boxed.Shows))
	}
	return b
}

// Shown omits values that are not worth displaying: the error of f() (x, error) if it
// is nil, and handles of earlier output.
func Shown(values []any) []any {
	if n := len(values); n > 1 && values[n-1] == nil {
		values = values[:n-1]
	}
	if len(values) == 1 {
		if _, is := values[0].(*Handle); is {
			return nil
		}
	}
	return values
}

// add adds the representations that a value offers, up to most besides the text. One
// that fails is omitted: there is still the text.
func (b Bundle) add(v any, most int) {
	switch x := v.(type) {
	case Rich:
		b[x.mime] = x.data
		return
	case *widgets.Interaction:
		b["text/html"] = interactionPage(x)
		return
	}
	for _, s := range boxed.Shows {
		if b[s.Instead] != nil && s.Instead != "" {
			continue
		}
		if len(b) > most {
			return
		}
		data, ok := ask(v, s.Method)
		if !ok && s.Mime == "image/png" && len(b) == 1 {
			data = PNG(v)
			ok = len(data) > 0
		}
		if !ok {
			continue
		}
		if form, ok := encoded(s.Mime, data); ok {
			b[s.Mime] = form
		}
	}
	if page := table(boxed.Raw(v)); b["text/html"] == nil && page != "" {
		b["text/html"] = page
	}
}

// encoded returns data in the form that notebooks store.
func encoded(mime string, data []byte) (any, bool) {
	switch mime {
	case "image/png":
		return base64.StdEncoding.EncodeToString(data), true
	case "application/json":
		return json.RawMessage(data), json.Valid(data)
	}
	return string(data), true
}

// ask calls a method by which v provides a representation.
func ask(v any, method string) (data []byte, ok bool) {
	defer func() {
		if recover() != nil {
			data, ok = nil, false
		}
	}()
	if o, is := boxed.Of(v); is {
		if f := o.Type.Method(method); f != nil {
			return called(reflect.ValueOf(f), reflect.ValueOf(&o.Value).Elem())
		}
		v = o.Value
	}
	x := reflect.ValueOf(v)
	if !x.IsValid() || x.Kind() == reflect.Pointer && x.IsNil() {
		return nil, false
	}
	m := x.MethodByName(method)
	if !m.IsValid() && x.Kind() == reflect.Struct { // its pointer may have it
		p := reflect.New(x.Type())
		p.Elem().Set(x)
		m = p.MethodByName(method)
	}
	if !m.IsValid() || m.Type().NumIn() != 0 {
		return nil, false
	}
	return called(m)
}

// called calls a method that returns text or bytes.
func called(m reflect.Value, args ...reflect.Value) (data []byte, ok bool) {
	t := m.Type()
	failing := t.NumOut() == 2 && t.Out(1) == reflect.TypeFor[error]()
	if t.NumOut() != 1 && !failing {
		return nil, false
	}
	bytes := t.Out(0).Kind() == reflect.Slice && t.Out(0).Elem().Kind() == reflect.Uint8
	if !bytes && t.Out(0).Kind() != reflect.String {
		return nil, false
	}
	out := m.Call(args)
	if failing && !out[1].IsNil() {
		return nil, false
	}
	if bytes {
		return out[0].Bytes(), out[0].Len() > 0
	}
	return []byte(out[0].String()), out[0].Len() > 0
}
