package repl

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"symmom/internal/words"
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
	for name, o := range s.types.objects {
		if _, ok := o.(*types.Var); ok {
			out[name] = all[s.types.inner[o]]
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

// shorten cuts a line to n runes.
func shorten(line string, n int) string {
	r := []rune(line)
	if len(r) <= n {
		return line
	}
	return string(r[:n-3]) + "..."
}
