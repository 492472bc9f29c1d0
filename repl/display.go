package repl

import (
	"fmt"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// String is what a person wants to see of the result: each value by its
// String method or as fmt prints it, one below the other. It is empty when
// there is no value.
func (r Result) String() string { return describeAll(r.Values) }

func describeAll(values []any) string {
	// f() (x, error) without an error is just x.
	if n := len(values); n > 1 && values[n-1] == nil {
		values = values[:n-1]
	}
	var lines []string
	for _, v := range values {
		lines = append(lines, describe(v))
	}
	return strings.Join(lines, "\n")
}

// excerpt is the number of rows and columns shown at each edge of a matrix.
const excerpt = 4

// describe shows one value. A panic in the value's own methods shows as text.
func describe(v any) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("%T that cannot be shown: %v", v, r)
		}
	}()
	if p := reflect.ValueOf(v); v == nil || p.Kind() == reflect.Pointer && p.IsNil() {
		return "<nil>"
	}
	switch x := v.(type) {
	case error:
		return "error: " + x.Error()
	case fmt.Stringer:
		return x.String()
	case mat.Matrix:
		return matrix(x)
	}
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Func {
		return t.String()
	}
	// A value whose pointer knows how to show it, such as a mat.Dense.
	if p := reflect.New(t); t.Kind() == reflect.Struct {
		p.Elem().Set(reflect.ValueOf(v))
		switch p.Interface().(type) {
		case error, fmt.Stringer, mat.Matrix:
			return describe(p.Interface())
		}
	}
	return fmt.Sprintf("%v", v)
}

// matrix shows a matrix as rows and columns.
func matrix(m mat.Matrix) string {
	rows, cols := m.Dims()
	head := fmt.Sprintf("%d x %d matrix", rows, cols)
	if rows == 0 || cols == 0 {
		return head
	}
	options := []mat.FormatOption{mat.Squeeze()}
	if rows > 2*excerpt+1 || cols > 2*excerpt+1 {
		options = append(options, mat.Excerpt(excerpt))
		// An excerpt writes its own heading.
		return fmt.Sprintf("%.5g", mat.Formatted(m, options...))
	}
	return head + "\n" + fmt.Sprintf("%.5g", mat.Formatted(m, options...))
}
