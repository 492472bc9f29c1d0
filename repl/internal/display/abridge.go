package display

import (
	"fmt"
	"reflect"
	"strings"

	"symmom/internal/text/words"
	"symmom/repl/internal/boxed"
)

// What a terminal or a page is not for is shown in part: of more than mostElements
// elements, in all lists and maps of a value together, those at both ends of each, and
// of text of more than mostText bytes its beginning and its end.
const (
	mostElements = 1000
	mostText     = 1 << 20
	deepest      = 100     // values around one that is still shown
	mostVisits   = 1 << 20 // parts that are looked at before the value is shown in part
)

// plain formats a value as fmt does, in part if it is large. fmt would end the process
// if the value contains itself.
func plain(v any) string {
	s := survey{on: map[place]bool{}}
	s.look(reflect.ValueOf(v), true)
	switch {
	case s.circular:
		return fmt.Sprintf("%s that contains itself", boxed.TypeName(v))
	case s.elements <= mostElements:
		return boxed.Print(v, boxed.Gaps{})
	}
	return boxed.Print(v, boxed.Gaps{Edge: excerpt, Deepest: deepest, Instead: func(n int) string {
		return "... " + words.Count(n) + " more ..."
	}})
}

// cut leaves out the middle of text that is too long.
func cut(text string) string {
	if len(text) <= mostText {
		return text
	}
	head, tail := text[:mostText/2], text[len(text)-mostText/2:]
	return strings.ToValidUTF8(head, "") + fmt.Sprintf("\n... %s more ...\n", words.Plural(len(text)-mostText, "byte")) + strings.ToValidUTF8(tail, "")
}

// survey counts the elements of a value that fmt would print.
type survey struct {
	elements, visits int
	circular         bool
	on               map[place]bool // the maps and slices around
}

// place identifies a map or a slice.
type place struct {
	at     uintptr
	length int
}

// look looks at v, which is the value itself if top is set, and else a part of it: there
// fmt does not follow pointers.
func (s *survey) look(v reflect.Value, top bool) {
	if s.visits++; s.circular || s.visits > mostVisits || !v.IsValid() {
		return
	}
	if v.CanInterface() {
		if o, own := boxed.Of(v.Interface()); own {
			if !boxed.Speaks(o) {
				s.look(reflect.ValueOf(o.Value), top)
			}
			return
		}
		if speaks(v) {
			return
		}
	}
	switch v.Kind() {
	case reflect.Interface:
		s.look(v.Elem(), top)
	case reflect.Pointer:
		if top {
			s.look(v.Elem(), false)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			s.look(v.Field(i), false)
		}
	case reflect.Slice, reflect.Array, reflect.Map:
		s.elements += v.Len()
		if v.Len() == 0 || v.Kind() != reflect.Map && !holds(v.Type().Elem()) {
			return
		}
		if v.Kind() != reflect.Array {
			p := place{v.Pointer(), v.Len()}
			if s.on[p] {
				s.circular = true
				return
			}
			s.on[p] = true
			defer delete(s.on, p)
		}
		if v.Kind() == reflect.Map {
			for it := v.MapRange(); it.Next() && !s.circular && s.visits <= mostVisits; {
				s.look(it.Key(), false)
				s.look(it.Value(), false)
			}
			return
		}
		for i := 0; i < v.Len() && !s.circular && s.visits <= mostVisits; i++ {
			s.look(v.Index(i), false)
		}
	}
}

// speaks reports whether fmt prints a value with a method of its own.
func speaks(v reflect.Value) bool {
	switch v.Interface().(type) {
	case fmt.Formatter, fmt.Stringer, error:
		return true
	}
	return false
}

// holds reports whether values of a type can have elements.
func holds(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Struct, reflect.Interface:
		return true
	}
	return false
}
