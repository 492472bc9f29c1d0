package display

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/store/interruptible"
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

// excerpt is the number of rows and columns shown at each edge of a matrix, at most.
const excerpt = 4

// describe formats one value. A panic in its methods is shown as text.
func describe(v any) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("%s that cannot be shown: %v", boxed.TypeName(v), boxed.PanicValue(r))
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
		return "error: " + spoken("Error", x.Error)
	case fmt.Stringer:
		return spoken("String", x.String)
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
	if list := ownList(v); list != "" {
		return list
	}
	if p := picture(v); p != nil {
		return fmt.Sprintf("%s of %d x %d pixels", boxed.TypeName(v), p.Bounds().Dx(), p.Bounds().Dy())
	}
	return plain(v)
}

// spoken calls a method that describes a value. A panic in it is text, as it is for fmt.
func spoken(method string, describes func() string) (text string) {
	defer func() {
		switch r := boxed.PanicValue(recover()); r {
		case nil:
		case any(interruptible.Err):
			panic(r)
		default:
			text = fmt.Sprintf("%%!v(PANIC=%s method: %v)", method, r)
		}
	}()
	return describes()
}

// screen is the width of most terminals.
const screen = 80

// matrix formats a matrix in rows and columns, of which it leaves out those in the middle
// that find no room.
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
	lines := outerColumns(m, excerpt)
	for edge := excerpt - 1; edge > 0 && utf8.RuneCountInString(lines[0]) > screen; edge-- {
		lines = outerColumns(m, edge)
	}
	if rows > most {
		lines = slices.Insert(lines, excerpt, " .", " .", " .")
	}
	return head + "\n" + strings.Join(lines, "\n")
}

// outerColumns formats the rows of a matrix, with so many columns at each edge.
func outerColumns(m mat.Matrix, edge int) []string {
	format := func(m mat.Matrix) []string {
		return strings.Split(fmt.Sprintf("%.5g", mat.Formatted(m, mat.Squeeze())), "\n")
	}
	_, cols := m.Dims()
	if cols <= 2*edge {
		return format(m)
	}
	left, right := format(columns{m, 0, edge}), format(columns{m, cols - edge, cols})
	for i, l := range left {
		dots := "  ...  ...  "
		if i > 0 && i < len(left)-1 {
			dots = strings.Repeat(" ", len(dots))
		}
		_, bracket := utf8.DecodeLastRuneInString(l)
		_, other := utf8.DecodeRuneInString(right[i])
		left[i] = l[:len(l)-bracket] + dots + right[i][other:]
	}
	return left
}

// columns contains some of the columns of a matrix.
type columns struct {
	mat.Matrix
	from, to int
}

func (c columns) Dims() (rows, cols int) {
	rows, _ = c.Matrix.Dims()
	return rows, c.to - c.from
}

func (c columns) At(i, j int) float64 { return c.Matrix.At(i, c.from+j) }

func (c columns) T() mat.Matrix { return mat.Transpose{Matrix: c} }

// outerRows contains the first and the last rows of a matrix. (mat.Excerpt could omit
// them itself, but not more columns than rows, and it computes the widths of columns from
// the wrong rows and panics in gonum v0.17.0.)
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
