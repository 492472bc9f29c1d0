package boxed

import (
	"encoding/json"
	"encoding/xml"
	"reflect"
)

// JSON implements json.Marshal.
func JSON(x any) ([]byte, error) { return written("JSON", x, json.Marshal) }

// JSONIndent implements json.MarshalIndent.
func JSONIndent(x any, prefix, indent string) ([]byte, error) {
	return written("JSON", x, func(x any) ([]byte, error) { return json.MarshalIndent(x, prefix, indent) })
}

// XML implements xml.Marshal.
func XML(x any) ([]byte, error) { return written("XML", x, xml.Marshal) }

// XMLIndent implements xml.MarshalIndent.
func XMLIndent(x any, prefix, indent string) ([]byte, error) {
	return written("XML", x, func(x any) ([]byte, error) { return xml.MarshalIndent(x, prefix, indent) })
}

// Encode calls a method by which an encoder writes x.
func Encode(to string, encode func(any) error, x any) error {
	_, err := written(Format(to), x, func(x any) ([]byte, error) { return nil, encode(x) })
	return err
}

// EncodeElement is Encode for the method of xml.Encoder that takes the element, too.
func EncodeElement(to string, encode func(any, xml.StartElement) error, x any, start xml.StartElement) error {
	return Encode(to, func(x any) error { return encode(x, start) }, x)
}

// Visited returns the value that package template visits instead of x.
func Visited(x any) any {
	like, _ := Format("").Likeness(x)
	return like
}

func written(to Format, x any, write func(any) ([]byte, error)) ([]byte, error) {
	x, err := to.Likeness(x)
	if err != nil {
		return nil, err
	}
	b, err := write(x)
	return b, compiledError(err)
}

// titled is a type with the name that it has in cells.
type titled struct {
	reflect.Type
	title string
}

// String returns the name.
func (t titled) String() string { return t.title }

// methodError is the error of a method by which a value of a cell's type is written.
type methodError struct {
	err    *json.MarshalerError
	method string
}

// Error returns the text of json.MarshalerError for this method.
func (e *methodError) Error() string {
	return "json: error calling " + e.method + " for type " + e.err.Type.String() + ": " + e.err.Err.Error()
}

// Unwrap returns an error for which errors.As looks.
func (e *methodError) Unwrap() error { return e.err }

// failing returns the error of a method.
func (t *Type) failing(method string, err error) error {
	if err == nil {
		return nil
	}
	return &methodError{&json.MarshalerError{Type: titled{reflect.TypeFor[any](), t.name}, Err: err}, method}
}

// compiledError returns the error that package json has for values in boxes: without the
// methods of these.
func compiledError(err error) error {
	for {
		e, ok := err.(*json.MarshalerError)
		if !ok || e.Type.PkgPath() != reflect.TypeFor[BoxedValue]().PkgPath() {
			return err
		}
		err = e.Err
	}
}
