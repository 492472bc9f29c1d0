package display

import (
	"fmt"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/text/words"
)

// Limits of the text of values in inspections and lists.
const (
	excerptLines = 12
	excerptWidth = 200
	lineWidth    = 60
)

// Excerpt describes a value in a few lines.
func Excerpt(v reflect.Value) string {
	if !v.IsValid() || !v.CanInterface() {
		return ""
	}
	lines := strings.Split(describe(v.Interface()), "\n")
	if len(lines) > excerptLines {
		lines = append(lines[:excerptLines], fmt.Sprintf("... and %s more", words.Plural(len(lines)-excerptLines, "line")))
	}
	for i, l := range lines {
		lines[i] = Shorten(l, excerptWidth)
	}
	return strings.Join(lines, "\n")
}

// Line describes a value in one line.
func Line(v reflect.Value) string {
	if !v.IsValid() || !v.CanInterface() {
		return ""
	}
	switch k := v.Kind(); {
	case k == reflect.Func:
		return ""
	case (k == reflect.Slice || k == reflect.Array || k == reflect.Map) && v.Len() > 20:
		return words.Plural(v.Len(), "element")
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(describe(v.Interface())), "\n")
	if rest != "" {
		first += " ..."
	}
	return Shorten(first, lineWidth)
}

// Shape returns the size of a value, if it has one: rows x columns, or the
// number of elements.
func Shape(v reflect.Value) string {
	if !v.IsValid() || !v.CanInterface() || v.Kind() == reflect.Pointer && v.IsNil() {
		return ""
	}
	if m, is := v.Interface().(mat.Matrix); is {
		rows, cols := m.Dims()
		return fmt.Sprintf("%d x %d", rows, cols)
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		e := v.Type().Elem().Kind()
		if v.Len() > 0 && (e == reflect.Slice || e == reflect.Array) {
			cols := v.Index(0).Len()
			for i := range v.Len() {
				if v.Index(i).Len() != cols {
					return fmt.Sprint(v.Len())
				}
			}
			return fmt.Sprintf("%d x %d", v.Len(), cols)
		}
		return fmt.Sprint(v.Len())
	case reflect.Map, reflect.Chan:
		return fmt.Sprint(v.Len())
	}
	return ""
}

// Shorten cuts a line to n runes.
func Shorten(line string, n int) string {
	r := []rune(line)
	if len(r) <= n {
		return line
	}
	return string(r[:n-3]) + "..."
}
