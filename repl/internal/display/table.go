package display

import (
	"fmt"
	"html"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/text/words"
)

// A notebook shows the rows at both ends of a long table, and the columns at both
// sides of a wide one.
const (
	tableRows    = 20
	tableColumns = 12
)

// table returns a value as an HTML table: a matrix, or a slice of structs, maps or
// rows; "" for any other value.
func table(v any) (page string) {
	defer func() {
		if recover() != nil { // in a value's own methods
			page = ""
		}
	}()
	if m, ok := v.(mat.Matrix); ok {
		if x := reflect.ValueOf(m); x.Kind() == reflect.Pointer && x.IsNil() {
			return ""
		}
		return matrixTable(m)
	}
	x := reflect.ValueOf(v)
	if x.Kind() == reflect.Struct { // a mat.Dense by value
		p := reflect.New(x.Type())
		p.Elem().Set(x)
		if m, ok := p.Interface().(mat.Matrix); ok {
			return matrixTable(m)
		}
	}
	if x.Kind() != reflect.Slice && x.Kind() != reflect.Array || x.Len() == 0 {
		return ""
	}
	if _, ok := v.(fmt.Stringer); ok {
		return ""
	}
	e := x.Type().Elem()
	switch {
	case e.Implements(reflect.TypeFor[fmt.Stringer]()), e.Implements(reflect.TypeFor[error]()):
		return ""
	case e.Kind() == reflect.Pointer && e.Elem().Kind() == reflect.Struct:
		return structTable(x, e.Elem())
	case e.Kind() == reflect.Struct:
		return structTable(x, e)
	case (e.Kind() == reflect.Slice || e.Kind() == reflect.Array) && e.Elem().Kind() != reflect.Uint8:
		return rowTable(x)
	}
	return ""
}

func matrixTable(m mat.Matrix) string {
	rows, cols := m.Dims()
	head := make([]string, cols)
	for j := range head {
		head[j] = fmt.Sprint(j)
	}
	return htmlTable(fmt.Sprintf("%d x %d matrix", rows, cols), head, rows, func(i, j int) string { return fmt.Sprintf("%.5g", m.At(i, j)) })
}

func structTable(x reflect.Value, t reflect.Type) string {
	head, fields := exported(t)
	if len(head) == 0 {
		return ""
	}
	return htmlTable(rowsOf(x.Len()), head, x.Len(), func(i, j int) string { return structCell(x.Index(i), fields[j]) })
}

func rowTable(x reflect.Value) string {
	cols := 0
	for i := range x.Len() {
		cols = max(cols, x.Index(i).Len())
	}
	head := make([]string, cols)
	for j := range head {
		head[j] = fmt.Sprint(j)
	}
	return htmlTable(rowsOf(x.Len()), head, x.Len(), func(i, j int) string {
		if j >= x.Index(i).Len() {
			return ""
		}
		return cellText(x.Index(i).Index(j))
	})
}

func rowsOf(n int) string { return words.Plural(n, "row") }

func cellText(v reflect.Value) string {
	if v.Kind() == reflect.Float64 || v.Kind() == reflect.Float32 {
		return fmt.Sprintf("%.6g", v.Float())
	}
	return plain(v.Interface())
}

// htmlTable returns a table with the text of each cell, escaped.
func htmlTable(caption string, head []string, rows int, text func(i, j int) string) string {
	var b strings.Builder
	b.WriteString("<table>\n<thead><tr><th></th>")
	columns := edges(len(head), tableColumns)
	for _, j := range columns {
		if j < 0 {
			b.WriteString("<th>…</th>")
			continue
		}
		b.WriteString("<th>" + html.EscapeString(head[j]) + "</th>")
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, i := range edges(rows, tableRows) {
		if i < 0 {
			b.WriteString("<tr><th>…</th>" + strings.Repeat("<td>…</td>", len(columns)) + "</tr>\n")
			continue
		}
		fmt.Fprintf(&b, "<tr><th>%d</th>", i)
		for _, j := range columns {
			if j < 0 {
				b.WriteString("<td>…</td>")
				continue
			}
			b.WriteString("<td>" + html.EscapeString(text(i, j)) + "</td>")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>\n<p>" + html.EscapeString(caption) + "</p>")
	return b.String()
}

// edges returns the numbers below n; if there are more than limit, those in the
// middle are replaced by -1.
func edges(n, limit int) []int {
	var out []int
	if n <= limit {
		for i := range n {
			out = append(out, i)
		}
		return out
	}
	for i := range limit / 2 {
		out = append(out, i)
	}
	out = append(out, -1)
	for i := n - limit/2; i < n; i++ {
		out = append(out, i)
	}
	return out
}
