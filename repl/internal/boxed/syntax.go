package boxed

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// syntax returns a value as %#v prints it, by its own methods if methods is set.
func (o *Layout) syntax(v reflect.Value, depth int, methods bool) string {
	if !v.IsValid() {
		return "<nil>"
	}
	if v.Kind() == reflect.Interface && (o == nil || o.Own == nil || o.Own.Method("dynamic") == nil) {
		if v.IsNil() {
			if o != nil && o.Own != nil {
				return "(" + o.Title + ")(nil)"
			}
			return v.Type().String() + "(nil)"
		}
		if in, ok := Of(v.Elem().Interface()); ok {
			return in.Type.syntax(reflect.ValueOf(in.Value), depth, methods)
		}
		if o != nil { // a part that refers to its own type
			return o.syntax(v.Elem(), depth, methods)
		}
	}
	if o == nil {
		if v.Kind() == reflect.Pointer && depth > 0 && !v.IsNil() {
			return fmt.Sprintf("(%s)(%#x)", v.Type(), v.Pointer())
		}
		return fmt.Sprintf("%#v", bare(v))
	}
	if o.Own != nil {
		if x, is := o.dynamic(v); is {
			if x == nil {
				return o.Title + "(nil)"
			}
			if in, ok := Of(x); ok {
				return in.Type.syntax(reflect.ValueOf(in.Value), depth, methods)
			}
			return fmt.Sprintf("%#v", x)
		}
		if f, ok := o.Own.Method("GoString").(func(any) string); ok && methods {
			return f(bare(v))
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return "(" + o.Title + ")(nil)"
		}
		if k := v.Elem().Kind(); depth == 0 && o.What != nil && (k == reflect.Struct || k == reflect.Slice || k == reflect.Map || k == reflect.Array) {
			return "&" + o.What.syntax(v.Elem(), depth+1, methods)
		}
		return fmt.Sprintf("(%s)(%#x)", o.Title, v.Pointer())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			return "(" + o.Title + ")(nil)"
		}
		return fmt.Sprintf("(%s)(%#x)", o.Title, v.Pointer())
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Struct:
		if (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.IsNil() {
			return o.Title + "(nil)"
		}
		return o.Title + "{" + strings.Join(o.syntaxOfParts(v, depth, methods), ", ") + "}"
	}
	return fmt.Sprintf("%#v", bare(v))
}

func (o *Layout) syntaxOfParts(v reflect.Value, depth int, methods bool) []string {
	var parts []string
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			parts = append(parts, o.Elem.syntax(v.Index(i), depth+1, methods))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortStableFunc(keys, CompareKeys)
		for _, k := range keys {
			parts = append(parts, o.Key.syntax(k, depth+1, methods)+":"+o.Elem.syntax(v.MapIndex(k), depth+1, methods))
		}
	case reflect.Struct:
		if v.NumField() != len(o.Fields) {
			return []string{fmt.Sprintf("%#v", bare(v))}
		}
		for i, name := range o.Fields {
			exported := unicode.IsUpper([]rune(name)[0])
			parts = append(parts, name+":"+o.Parts[i].syntax(v.Field(i), depth+1, methods && exported))
		}
	}
	return parts
}

// CompareKeys orders the keys of a map as fmt does.
func CompareKeys(a, b reflect.Value) int {
	switch {
	case a.CanInt() && b.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint() && b.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat() && b.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	case a.Kind() == reflect.String && b.Kind() == reflect.String:
		return cmp.Compare(a.String(), b.String())
	case a.Kind() == reflect.Bool && b.Kind() == reflect.Bool && a.Bool() != b.Bool():
		if b.Bool() {
			return -1
		}
		return 1
	}
	return 0
}

// NameTypes rewrites a format in which %T prints types declared in cells: their
// names replace the values.
func NameTypes(format string, args []any) (string, []any) {
	if !strings.Contains(format, "T") || !slices.ContainsFunc(args, func(x any) bool { _, own := Of(x); return own }) {
		return format, args
	}
	var out strings.Builder
	next := 0
	all := slices.Clone(args)
	for i := 0; i < len(format); i++ {
		out.WriteByte(format[i])
		if format[i] != '%' {
			continue
		}
		start := i + 1
		for i++; i < len(format) && strings.IndexByte("+-# 0123456789.", format[i]) >= 0; i++ {
		}
		flags := format[start:i]
		if i < len(format) && format[i] == '[' {
			end := strings.IndexByte(format[i:], ']')
			var n int
			if _, err := fmt.Sscanf(format[i:], "[%d]", &n); err != nil || end < 0 || n < 1 {
				return format, args
			}
			next, i = n-1, i+end+1
		}
		switch {
		case i >= len(format) || format[i] == '*' || format[i] == '[':
			return format, args
		case format[i] == '%':
			out.WriteString(flags + "%")
			continue
		case next >= len(args):
			return format, args
		}
		verb, at := string(format[i]), next
		if _, own := Of(args[next]); own && verb == "T" {
			verb, at = "s", len(all)
			all = append(all, TypeName(args[next]))
		}
		fmt.Fprintf(&out, "%s[%d]%s", flags, at+1, verb)
		next++
	}
	if next < len(args) { // fmt reports the rest
		return format, args
	}
	return out.String(), all
}
