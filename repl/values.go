package repl

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/words"
	"symmom/symmom"
)

// variables returns what the session's variables hold, unless a cell runs, which
// may be writing to them.
func (s *Session) variables() map[string]reflect.Value {
	if !s.evaluating.TryLock() {
		return nil
	}
	defer s.evaluating.Unlock()
	return s.globals()
}

// globals is variables for who holds the lock.
func (s *Session) globals() map[string]reflect.Value {
	all, out := s.interp.Globals(), map[string]reflect.Value{}
	for name, o := range s.front.Types.Objects {
		if _, ok := o.(*types.Var); ok {
			out[name] = all[s.front.Types.Inner[o]]
		}
	}
	return out
}

// Longest texts of values in inspections and lists.
const (
	valueLines = 12
	valueWidth = 60
)

// valueText shows the value of a variable, shortened.
func (s *Session) valueText(name string) string {
	v, ok := s.variables()[name]
	if !ok || !v.IsValid() || !v.CanInterface() {
		return ""
	}
	lines := strings.Split(describe(v.Interface()), "\n")
	if len(lines) > valueLines {
		lines = append(lines[:valueLines], fmt.Sprintf("... and %s more", words.Plural(len(lines)-valueLines, "line")))
	}
	for i, l := range lines {
		lines[i] = shorten(l, 200)
	}
	return strings.Join(lines, "\n")
}

// valueLine shows a value in a line.
func valueLine(v reflect.Value) string {
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
	return shorten(first, valueWidth)
}

// shape is the size of a value that has one: rows x columns, observations x
// variables, or a number of elements.
func shape(v reflect.Value) string {
	if !v.IsValid() || !v.CanInterface() || v.Kind() == reflect.Pointer && v.IsNil() {
		return ""
	}
	switch x := v.Interface().(type) {
	case mat.Matrix:
		rows, cols := x.Dims()
		return fmt.Sprintf("%d x %d", rows, cols)
	case *symmom.Session:
		if x.Err() == nil {
			return fmt.Sprintf("%d x %d", x.Observations(), x.N())
		}
		return ""
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

// shorten cuts a line to n runes.
func shorten(line string, n int) string {
	r := []rune(line)
	if len(r) <= n {
		return line
	}
	return string(r[:n-3]) + "..."
}
