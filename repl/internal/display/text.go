package display

import (
	"fmt"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/repl/internal/boxed"
	"symmom/widgets"
)

// Text formats values, one below the other: each by its String method or as fmt
// prints it, in part if it is large. It is empty if there is no value.
func Text(values []any) string {
	var lines []string
	for _, v := range Shown(values) {
		lines = append(lines, cut(describe(v)))
	}
	return strings.Join(lines, "\n")
}

// excerpt is the number of rows and columns shown at each edge of a matrix.
const excerpt = 4

// describe formats one value. A panic in its methods is shown as text.
func describe(v any) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("%T that cannot be shown: %v", v, r)
		}
	}()
	if o, ok := boxed.Of(v); ok {
		if p := reflect.ValueOf(o.Value); p.Kind() == reflect.Pointer && p.IsNil() {
			return "<nil>"
		}
		if _, is := o.Value.(mat.Matrix); is || reflect.ValueOf(o.Value).Kind() == reflect.Func {
			v = o.Value
		}
	}
	if p := reflect.ValueOf(v); v == nil || p.Kind() == reflect.Pointer && p.IsNil() {
		return "<nil>"
	}
	switch x := v.(type) {
	case *widgets.Interaction:
		return interaction(x)
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
	// A value whose pointer has the methods, such as a mat.Dense.
	if p := reflect.New(t); t.Kind() == reflect.Struct {
		p.Elem().Set(reflect.ValueOf(v))
		switch p.Interface().(type) {
		case error, fmt.Stringer, mat.Matrix:
			return describe(p.Interface())
		}
	}
	return plain(v)
}

// matrix formats a matrix in rows and columns.
func matrix(m mat.Matrix) string {
	rows, cols := m.Dims()
	head := fmt.Sprintf("%d x %d matrix", rows, cols)
	if rows == 0 || cols == 0 {
		return head
	}
	const most = 2 * excerpt
	if rows > most {
		m = outerRows{m}
	}
	options := []mat.FormatOption{mat.Squeeze()}
	if cols > most {
		options = append(options, mat.Excerpt(excerpt))
	}
	text := fmt.Sprintf("%.5g", mat.Formatted(m, options...))
	if cols > most {
		_, text, _ = strings.Cut(text, "\n") // mat's own heading
	}
	if rows > most {
		lines := strings.SplitAfterN(text, "\n", excerpt+1)
		lines[excerpt] = strings.Repeat(" .\n", 3) + lines[excerpt]
		text = strings.Join(lines, "")
	}
	return head + "\n" + text
}

// outerRows contains the first and the last rows of a matrix. (mat.Excerpt could omit
// rows itself, but it computes the widths of columns from the wrong ones and panics
// in gonum v0.17.0.)
type outerRows struct{ mat.Matrix }

// Dims returns the number of rows shown.
func (e outerRows) Dims() (rows, cols int) {
	_, cols = e.Matrix.Dims()
	return 2 * excerpt, cols
}

// At skips the rows in the middle.
func (e outerRows) At(i, j int) float64 {
	if rows, _ := e.Matrix.Dims(); i >= excerpt {
		i += rows - 2*excerpt
	}
	return e.Matrix.At(i, j)
}

// T makes outerRows a mat.Matrix.
func (e outerRows) T() mat.Matrix {
	return mat.Transpose{Matrix: e}
}
