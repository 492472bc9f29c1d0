package boxed

import (
	"bytes"
	"fmt"
	"go/token"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"symmom/internal/store/interruptible"
)

// fmt prints values by reflection, to which the types of cells have no methods and other
// names. So a printer prints as fmt does, function for function, but finds names and
// methods in the layouts of values. fmt itself formats what has no parts.

type printer struct {
	out         bytes.Buffer
	state       fmt.State
	verb        rune
	format      string // of what has no parts
	plus, sharp bool   // %+v, %#v
	erroring    bool   // within %!verb(type=value), where no methods are called
	gaps        Gaps
}

// Gaps are the omitted parts of a value; none if zero.
type Gaps struct {
	Edge    int                // the number of elements that each end of a list keeps
	Instead func(n int) string // what stands for n elements
	Deepest int                // the number of values around one that is still printed
}

// Print formats a value like fmt.Print, with gaps.
func Print(x any, gaps Gaps) string {
	p := printer{state: noFlags{}, verb: 'v', format: "%v", gaps: gaps}
	p.value(nil, reflect.ValueOf(x), 0, open)
	return p.out.String()
}

// Format prints the value as fmt prints a value with its methods.
func (o BoxedValue) Format(f fmt.State, verb rune) {
	depth := 0
	if reflect.ValueOf(o.Value).Kind() == reflect.Pointer && within() {
		depth = 1
	}
	format(f, verb, o, depth)
}

func format(f fmt.State, verb rune, x operand, depth int) {
	o, inner := x.content()
	v := reflect.ValueOf(inner)
	p := printer{state: f, verb: verb, plus: verb == 'v' && f.Flag('+'), sharp: verb == 'v' && f.Flag('#')}
	switch verb {
	case typeVerb:
		fmt.Fprintf(f, fmt.FormatString(f, 's'), title(o, v))
		return
	case pointerVerb:
		p.verb = 'p'
	}
	p.format = fmt.FormatString(f, p.verb)
	switch k := v.Kind(); {
	case verb != pointerVerb:
		p.value(o, v, depth, open)
	case k == reflect.Chan || k == reflect.Func || k == reflect.Map || k == reflect.Pointer || k == reflect.Slice || k == reflect.UnsafePointer:
		p.pointer(o, v)
	default:
		p.bad(o, v)
	}
	_, _ = f.Write(p.out.Bytes())
}

// within reports whether fmt calls the method Format that calls it for a part of another
// value. It tells no formatter, but it calls the methods of parts from printValue.
func within() bool {
	var pcs [8]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "fmt.(*pp).printValue":
			return true
		case f.Function == "fmt.(*pp).printArg" || !more:
			return false
		}
	}
}

// access is what can be used of a value. Package reflect gives fmt no methods of what is
// in unexported fields.
type access int

const (
	open     access = iota
	embedded        // an unexported field that is embedded: its exported fields are open
	closed
)

// parts returns the access to the elements of a value.
func (a access) parts() access {
	if a == embedded {
		return closed
	}
	return a
}

func (a access) field(name string, embeds bool) access {
	switch {
	case a == closed:
		return closed
	case token.IsExported(name):
		return open
	case embeds:
		return embedded
	}
	return closed
}

// deepestPrinted is the number of values around one from which on a value is taken to
// contain itself. fmt would go on until the stack, and with it the process, ends.
const deepestPrinted = 100_000

// value prints v, which has the layout o. depth is 0 for the whole value and more for its
// parts.
func (p *printer) value(o *Layout, v reflect.Value, depth int, a access) {
	if depth > deepestPrinted {
		panic(RuntimeError("the value contains itself"))
	}
	if v.Kind() == reflect.Struct || v.Kind() == reflect.Pointer {
		if in, ok := Of(v.Interface()); ok {
			o, v = in.Type.Layout, reflect.ValueOf(in.Value)
		}
	}
	if o != nil && o.Own != nil && v.IsValid() {
		if x, is := o.dynamic(v); is {
			p.inside(o, v, reflect.ValueOf(x), depth, a)
			return
		}
	}
	if v.Kind() == reflect.Interface {
		p.inside(o, v, v.Elem(), depth, a)
		return
	}
	switch {
	case v.IsValid() && a == open && !p.erroring && p.speaks(o, v):
		return
	case p.gaps.Deepest > 0 && depth > p.gaps.Deepest:
		p.out.WriteString("...")
		return
	}
	switch v.Kind() {
	case reflect.Invalid:
		p.out.WriteString("<nil>")
	case reflect.Struct:
		p.fields(o, v, depth, a)
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortStableFunc(keys, CompareKeys)
		p.list(o, v, "map[", len(keys), func(i int) {
			p.value(o.key(), keys[i], depth+1, a.parts())
			p.out.WriteByte(':')
			p.value(o.part(-1), v.MapIndex(keys[i]), depth+1, a.parts())
		})
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 && strings.ContainsRune("sqxX", p.verb) {
			b := make([]byte, v.Len())
			for i := range b {
				b[i] = byte(v.Index(i).Uint())
			}
			fmt.Fprintf(&p.out, p.format, b)
			return
		}
		p.list(o, v, "[", v.Len(), func(i int) { p.value(o.part(-1), v.Index(i), depth+1, a.parts()) })
	case reflect.Pointer:
		if depth == 0 && !v.IsNil() {
			switch v.Elem().Kind() {
			case reflect.Array, reflect.Slice, reflect.Struct, reflect.Map:
				p.out.WriteByte('&')
				p.value(o.target(), v.Elem(), depth+1, a)
				return
			}
		}
		fallthrough
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		p.pointer(o, v)
	default:
		p.basic(o, v)
	}
}

// inside prints x, the value in an interface v.
func (p *printer) inside(o *Layout, v, x reflect.Value, depth int, a access) {
	switch {
	case x.IsValid():
		p.value(nil, x, depth+1, a.parts())
	case p.sharp:
		p.out.WriteString(title(o, v) + "(nil)")
	default:
		p.out.WriteString("<nil>")
	}
}

// title returns the name of the type of v.
func title(o *Layout, v reflect.Value) string {
	if o != nil {
		return o.Title
	}
	return v.Type().String()
}

// list prints the n elements of a map, a slice or an array.
func (p *printer) list(o *Layout, v reflect.Value, begin string, n int, element func(i int)) {
	between, end := " ", "]"
	if p.sharp {
		begin, between, end = title(o, v)+"{", ", ", "}"
		if v.Kind() != reflect.Array && v.IsNil() {
			begin, end = title(o, v)+"(nil)", ""
		}
	}
	p.out.WriteString(begin)
	for i := 0; i < n; i++ {
		if i > 0 {
			p.out.WriteString(between)
		}
		if edge := p.gaps.Edge; edge > 0 && i == edge && n > 2*edge {
			p.out.WriteString(p.gaps.Instead(n-2*edge) + between)
			i = n - edge
		}
		element(i)
	}
	p.out.WriteString(end)
}

func (p *printer) fields(o *Layout, v reflect.Value, depth int, a access) {
	if !v.CanAddr() { // for its unexported fields
		w := reflect.New(v.Type()).Elem()
		w.Set(v)
		v = w
	}
	between := " "
	if p.sharp {
		p.out.WriteString(title(o, v))
		between = ", "
	}
	known := o != nil && len(o.Fields) == v.NumField()
	p.out.WriteByte('{')
	for i := range v.NumField() {
		if i > 0 {
			p.out.WriteString(between)
		}
		f, t, part := v.Field(i), v.Type().Field(i), (*Layout)(nil)
		name, embeds := t.Name, t.Anonymous
		if known {
			name, embeds, part = o.Fields[i], o.Embedded[i], o.Parts[i]
		}
		if p.plus || p.sharp {
			p.out.WriteString(name + ":")
		}
		if !f.CanInterface() {
			f = reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
		}
		p.value(part, f, depth+1, a.field(name, embeds))
	}
	p.out.WriteByte('}')
}

func (p *printer) pointer(o *Layout, v reflect.Value) {
	switch {
	case !strings.ContainsRune("vpbodxX", p.verb):
		p.bad(o, v)
	case p.sharp && v.IsNil():
		p.out.WriteString("(" + title(o, v) + ")(nil)")
	case p.sharp:
		fmt.Fprintf(&p.out, "(%s)(%#x)", title(o, v), v.Pointer())
	default:
		fmt.Fprintf(&p.out, p.format, v.UnsafePointer())
	}
}

// basic prints a value of a basic type, without the methods of that.
func (p *printer) basic(o *Layout, v reflect.Value) {
	var x any
	var verbs string
	switch {
	case v.Kind() == reflect.Bool:
		x, verbs = v.Bool(), "vt"
	case v.Kind() == reflect.String:
		x, verbs = v.String(), "vsxXq"
	case v.Kind() == reflect.Float32:
		x, verbs = float32(v.Float()), "vbgGxXfFeE"
	case v.CanFloat():
		x, verbs = v.Float(), "vbgGxXfFeE"
	case v.Kind() == reflect.Complex64:
		x, verbs = complex64(v.Complex()), "vbgGxXfFeE"
	case v.CanComplex():
		x, verbs = v.Complex(), "vbgGxXfFeE"
	case v.CanInt():
		x, verbs = v.Int(), "vdboOxXcqU"
	default:
		x, verbs = v.Uint(), "vdboOxXcqU"
	}
	if !strings.ContainsRune(verbs, p.verb) {
		p.bad(o, v)
		return
	}
	fmt.Fprintf(&p.out, p.format, x)
}

// bad prints a value that the verb does not suit.
func (p *printer) bad(o *Layout, v reflect.Value) {
	fmt.Fprintf(&p.out, "%%!%c(%s=", p.verb, title(o, v))
	verb, format := p.verb, p.format
	p.format = strings.NewReplacer("+", "", "#", "", string(p.verb), "v").Replace(p.format)
	p.verb, p.erroring = 'v', true
	p.value(o, v, 0, closed)
	p.verb, p.format, p.erroring = verb, format, false
	p.out.WriteByte(')')
}

// speaks reports whether a value has a method by which fmt prints it, and calls it.
func (p *printer) speaks(o *Layout, v reflect.Value) bool {
	text := strings.ContainsRune("vsxXq", p.verb) && !p.sharp
	if o == nil || o.Own == nil {
		x := v.Interface()
		_, is := x.(fmt.Formatter)
		_, syntax := x.(fmt.GoStringer)
		_, fails := x.(error)
		_, names := x.(fmt.Stringer)
		if is = is || p.sharp && syntax || text && (fails || names); is {
			fmt.Fprintf(&p.out, p.format, x)
		}
		return is
	}
	if f, ok := o.Own.Method("Format").(func(any, fmt.State, rune)); ok {
		p.calling(v, "Format", func() { f(v.Interface(), printing{p.state, p}, p.verb) })
		return true
	}
	if f, ok := o.Own.Method("GoString").(func(any) string); ok && p.sharp {
		p.calling(v, "GoString", func() { p.out.WriteString(f(v.Interface())) })
		return true
	}
	for _, name := range []string{"Error", "String"} {
		if f, ok := o.Own.Method(name).(func(any) string); ok && text {
			p.calling(v, name, func() { fmt.Fprintf(&p.out, p.format, f(v.Interface())) })
			return true
		}
	}
	return false
}

// calling calls a method of v. A panic in it is printed, as by fmt.
func (p *printer) calling(v reflect.Value, name string, call func()) {
	defer func() {
		r := recover()
		switch {
		case r == nil:
		case PanicValue(r) == any(interruptible.Err):
			panic(r)
		case v.Kind() == reflect.Pointer && v.IsNil():
			p.out.WriteString("<nil>")
		default:
			fmt.Fprintf(&p.out, "%%!%c(PANIC=%s method: %v)", p.verb, name, PanicValue(r))
		}
	}()
	call()
}

// printing is the state of fmt of a value within the one that fmt prints.
type printing struct {
	fmt.State
	p *printer
}

// Write implements io.Writer.
func (s printing) Write(b []byte) (int, error) { return s.p.out.Write(b) }

// WriteString implements io.StringWriter.
func (s printing) WriteString(text string) (int, error) { return s.p.out.WriteString(text) }

// noFlags is the state of fmt for %v.
type noFlags struct{}

func (noFlags) Write(b []byte) (int, error) { return len(b), nil }
func (noFlags) Width() (int, bool)          { return 0, false }
func (noFlags) Precision() (int, bool)      { return 0, false }
func (noFlags) Flag(int) bool               { return false }
