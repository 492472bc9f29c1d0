package boxed

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// fmt calls the method Format of its operands for all verbs but %T and %p, so these two
// become others, which no program has.
const (
	typeVerb    = '\uE000'
	pointerVerb = '\uE001'
)

// operand is a box or a holder.
type operand interface {
	fmt.Formatter
	content() (o *Layout, x any)
}

func isOperand(x any) bool { _, is := x.(operand); return is }

func (o BoxedValue) content() (*Layout, any) { return o.Type.Layout, o.Value }

// holder is an operand itself, not a part of one: a value of a compiled type in which there
// may be boxes and wrappers, or a box with a pointer.
type holder struct{ x any }

func (h holder) content() (*Layout, any) {
	if o, own := Of(h.x); own {
		return o.content()
	}
	return nil, h.x
}

// Format prints the value.
func (h holder) Format(f fmt.State, verb rune) { format(f, verb, h, 0) }

// Operands returns the operands of a function of fmt in the form that it prints. Errors
// that fmt.Errorf wraps stay what they are.
func Operands(wraps bool, args []any) []any {
	out := args
	for i, x := range args {
		if _, is := x.(error); is && wraps || !mayHold(x) && !isPointer(x) {
			continue
		}
		if &out[0] == &args[0] {
			out = slices.Clone(args)
		}
		out[i] = holder{x}
	}
	return out
}

// isPointer reports whether x is a box with a pointer, which fmt prints otherwise where it is
// a part of an operand.
func isPointer(x any) bool {
	o, is := x.(operand)
	if is {
		_, x = o.content()
	}
	return is && reflect.ValueOf(x).Kind() == reflect.Pointer
}

// mayHold reports whether x is no box but may have some in it, where fmt looks for them.
func mayHold(x any) bool {
	if isOperand(x) || x == nil {
		return false
	}
	t := reflect.TypeOf(x)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return holds(t)
}

var holding sync.Map // reflect.Type -> what holds returns

// holds reports whether values of a type may have boxes in them.
func holds(t reflect.Type) bool {
	known, ok := holding.Load(t)
	if !ok {
		known, _ = holding.LoadOrStore(t, hasInterface(t, map[reflect.Type]bool{}))
	}
	return known.(bool)
}

func hasInterface(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Slice, reflect.Array:
		return hasInterface(t.Elem(), seen)
	case reflect.Map:
		return hasInterface(t.Key(), seen) || hasInterface(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if hasInterface(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}

// Text returns the text of a value, as fmt.Sprint in a cell makes it.
func Text(x any) string { return fmt.Sprint(Spaced([]any{x})...) }

// Spaced returns operands with the strings between them that fmt.Sprint and the like add,
// as they do not know that a box may hold a string: a space where neither neighbour is one.
func Spaced(args []any) []any {
	isString := func(x any) bool { return reflect.ValueOf(Raw(x)).Kind() == reflect.String }
	args = Operands(false, args)
	if len(args) < 2 || !slices.ContainsFunc(args, func(x any) bool { _, own := Of(x); return own && isString(x) }) {
		return args
	}
	out := args[:1:1]
	for i, x := range args[1:] {
		between := ""
		if !isString(x) && !isString(args[i]) {
			between = " "
		}
		out = append(out, between, x)
	}
	return out
}

// Verbs returns a format with other verbs for the types and addresses of operands that
// are boxes or holders.
func Verbs(format string, args []any) string {
	if !slices.ContainsFunc(args, isOperand) {
		return format
	}
	var out strings.Builder
	arg, i, reordered := 0, 0, false
	skip := func(set string) {
		for i < len(format) && strings.IndexByte(set, format[i]) >= 0 {
			i++
		}
	}
	number := func() { // of a width or a precision, which may be an operand
		if i < len(format) && format[i] == '*' {
			arg++
			i++
		}
		skip("0123456789")
	}
	index := func() { // an explicit one
		if i == len(format) || format[i] != '[' {
			return
		}
		reordered = true
		inner, _, closed := strings.Cut(format[i+1:], "]")
		if i++; !closed {
			return
		}
		if n, err := strconv.Atoi(inner); err == nil {
			arg = n - 1
		}
		i += len(inner) + 1
	}
	for i < len(format) {
		start := i
		if format[i] != '%' {
			i++
			out.WriteByte(format[start])
			continue
		}
		i++
		skip("+-# 0")
		index()
		number()
		if i < len(format) && format[i] == '.' {
			i++
			index()
			number()
		}
		index()
		out.WriteString(format[start:i])
		if i == len(format) {
			return out.String()
		}
		verb, size := utf8.DecodeRuneInString(format[i:])
		text := format[i : i+size]
		i += size
		if verb == '%' {
			out.WriteString(text)
			continue
		}
		if arg >= 0 && arg < len(args) {
			if own := isOperand(args[arg]); own && verb == 'T' {
				text = string(typeVerb)
			} else if own && verb == 'p' {
				text = string(pointerVerb)
			}
		}
		out.WriteString(text)
		arg++
	}
	if rest := args[min(max(arg, 0), len(args)):]; !reordered && slices.ContainsFunc(rest, isOperand) {
		var extra []string
		for i, x := range rest {
			n := len(args) - len(rest) + i + 1
			switch {
			case isOperand(x):
				extra = append(extra, fmt.Sprintf("%%[%d]%c=%%[%[1]d]v", n, typeVerb))
			case x == nil:
				extra = append(extra, fmt.Sprintf("%%[%d]v", n))
			default:
				extra = append(extra, fmt.Sprintf("%%[%d]T=%%[%[1]d]v", n))
			}
		}
		out.WriteString("%%!(EXTRA " + strings.Join(extra, ", ") + ")")
	}
	return out.String()
}

// CompareKeys orders the keys of a map as fmt does.
func CompareKeys(a, b reflect.Value) int {
	switch {
	case !a.IsValid() || !b.IsValid():
		return truth(a.IsValid()) - truth(b.IsValid())
	case a.Kind() == reflect.Interface && b.Kind() == reflect.Interface:
		return CompareKeys(inside(a), inside(b))
	case a.Type() != b.Type():
		return cmp.Compare(reflect.ValueOf(a.Type()).Pointer(), reflect.ValueOf(b.Type()).Pointer())
	}
	switch a.Kind() {
	case reflect.String:
		return strings.Compare(a.String(), b.String())
	case reflect.Bool:
		return truth(a.Bool()) - truth(b.Bool())
	case reflect.Float32, reflect.Float64:
		return cmp.Compare(a.Float(), b.Float())
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		return cmp.Or(cmp.Compare(real(x), real(y)), cmp.Compare(imag(x), imag(y)))
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		return cmp.Compare(a.Pointer(), b.Pointer())
	case reflect.Struct:
		for i := range a.NumField() {
			if c := CompareKeys(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
		return 0
	case reflect.Array:
		for i := range a.Len() {
			if c := CompareKeys(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
		return 0
	}
	if a.CanInt() {
		return cmp.Compare(a.Int(), b.Int())
	}
	return cmp.Compare(a.Uint(), b.Uint())
}

// inside returns the value in an interface, out of its box.
func inside(v reflect.Value) reflect.Value {
	if v = v.Elem(); v.IsValid() && v.CanInterface() {
		return reflect.ValueOf(Raw(v.Interface()))
	}
	return v
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
