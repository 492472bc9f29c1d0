package conformance

import (
	"fmt"
	"strings"
)

// Idioms are what people write around functions and methods: results of every kind, with
// and without names, nil beside other values, deferred functions that change results,
// parameters and receivers without a name. Their types end with the seed, as all names at
// the top level do.
const idiomDecls = `type Err# struct {
	code int
	err  error
}

func (e *Err#) Error() string { return fmt.Sprint("err ", e.code) }
func (e *Err#) Unwrap() error { return e.err }

type Num# int

const (
	zero# Num# = iota
	one#
	_
	three#
)

func (n Num#) Error() string       { return fmt.Sprint("num ", int(n)) }
func (Num#) Is(target error) bool  { return target == nil }
func (n *Num#) Inc(by ...int) Num# { for _, b := range by { *n += Num#(b) }; return *n }

type Pt# struct{ x, y int }

func (p Pt#) String() string     { return fmt.Sprintf("<%d %d>", p.x, p.y) }
func (p Pt#) Area() (int, error) { if p.x == 0 { return 0, Num#(1) }; return p.x * p.y, nil }
func (p *Pt#) Move(d int) *Pt#   { if p == nil { return nil }; p.x += d; return p }

type Sq# struct {
	Pt#
	*Num#
	tags []string
}

func (s *Sq#) Area() (n int, _ error) { if s == nil { return }; n, _ = s.Pt#.Area(); return n + 1, nil }

type Shape# interface{ Area() (int, error) }

type Named# interface {
	Shape#
	fmt.Stringer
}

type List# []string

func (l List#) Len() int        { return len(l) }
func (l List#) Less(i, j int) bool { return l[i] < l[j] }
func (l List#) Swap(i, j int)   { l[i], l[j] = l[j], l[i] }
func (l *List#) Add(s string)   { *l = append(*l, s) }

type Fn# func(int) (int, error)

func (f Fn#) Call(n int) (int, error) { if f == nil { return n, nil }; return f(n) }

type Box#[T any] struct {
	v    T
	next *Box#[T]
}

func (b *Box#[T]) Get() (v T, ok bool) { if b == nil { return }; return b.v, true }
func (b *Box#[T]) Push(v T) *Box#[T]   { return &Box#[T]{v, b} }
func (b Box#[T]) Swap(v T) (T, Box#[T]) { old := b.v; b.v = v; return old, b }
func (*Box#[T]) Kind(T, ...T) (_ T, err error) { return *new(T), nil }

type Key# string

type Rd# struct{ left int }

func (r *Rd#) Read(b []byte) (int, error) { if r == nil || r.left <= 0 { return 0, io.EOF }; r.left--; return copy(b, "r"), nil }
func (r *Rd#) Close() error               { if r == nil { return nil }; return Num#(r.left) }
func (r *Rd#) Self(n int) *Rd#            { if n == 0 { return r }; return &Rd#{n} }

type Ones# string

func (o Ones#) Read(b []byte) (int, error)           { return copy(b, o), io.EOF }
func (o Ones#) WriteTo(w io.Writer) (int64, error) { n, err := io.WriteString(w, "to "+string(o)); return int64(n), err }

type Cl# struct{ n int }

func (c Cl#) Read(b []byte) (int, error) { c.n++; return 0, Num#(c.n) }
func (c Cl#) Close() error               { return &Err#{code: c.n} }

type Up# struct{ b *strings.Builder }

func (u Up#) Write(b []byte) (int, error) { return u.b.WriteString(strings.ToUpper(string(b))) }

func (n Num#) Err() error { if n == 0 { return nil }; return n }

func say#(list ...any) {
	for i, x := range list {
		switch x := x.(type) {
		case nil:
			fmt.Print("nil")
		case string:
			fmt.Printf("%q", x)
		case *Pt#:
			if x == nil { fmt.Print("no Pt") } else { fmt.Print("&", *x) }
		case *int:
			if x == nil { fmt.Print("no int") } else { fmt.Print("&", *x) }
		case *Sq#:
			n, err := x.Area(); fmt.Print("sq ", n, err, x == nil)
		case func() int:
			if x == nil { fmt.Print("no func") } else { fmt.Print("func ", x()) }
		case Fn#:
			n, err := x.Call(3); fmt.Print("fn ", n, err, x == nil)
		case List#:
			sort.Sort(x)
			fmt.Print("list ", x)
		case sort.Interface:
			fmt.Print("sortable ", x.Len(), sort.IsSorted(x))
		case map[io.Reader]int:
			n, ok := x[Ones#("m")]
			fmt.Print("readers ", len(x), n, ok, x[nil])
		case chan int:
			fmt.Print("chan ", x == nil, cap(x), len(x))
		case *Box#[int]:
			v, ok := x.Get(); fmt.Print("box ", v, ok)
		case Box#[string]:
			v, b := x.Swap("n"); fmt.Print("box ", v, b.v, b.next == nil)
		case error:
			var e *Err#
			fmt.Print("error ", x, errors.As(x, &e), errors.Unwrap(x) == nil)
		case *Rd#:
			fmt.Print("rd ", x == nil, x.Close())
		case Cl#:
			fmt.Print("cl ", x.n, x.Close())
		case io.Reader:
			var b strings.Builder
			n, err := io.Copy(Up#{&b}, x)
			_, closes := x.(io.Closer)
			_, one := x.(Ones#)
			fmt.Print("reader ", n, err, closes, one, b.String())
		case []func() int:
			for _, f := range x { fmt.Print(f() , ";") }
		default:
			t := fmt.Sprintf("%T", x)
			if strings.HasPrefix(t, "*") || strings.HasPrefix(t, "func") || strings.HasPrefix(t, "chan") {
				fmt.Print("some ", strings.ReplaceAll(t, "#", ""))
			} else {
				fmt.Printf("%v %+v", x, x)
			}
		}
		if i < len(list)-1 { fmt.Print(", ") }
	}
	fmt.Println()
}

`

// idiomType is a type with expressions for some of its values.
type idiomType struct {
	name   string
	values []string
}

var idiomTypes = []idiomType{
	{"int", []string{"7", "-1"}}, {"string", []string{`"s"`, `""`}}, {"bool", []string{"true", "false"}},
	{"error", []string{"nil", "nil", `errors.New("new")`, "&Err#{2, nil}", `fmt.Errorf("w: %w", &Err#{code: 3})`, "Num#(4)", "three#"}},
	{"any", []string{"nil", "1", `"any"`, "Pt#{1, 2}", "error(nil)", "[]int(nil)", "(*Pt#)(nil)", "2.5", "'r'"}},
	{"[]int", []string{"nil", "[]int{}", "[]int{1, 2}", "append([]int(nil), 3)"}},
	{"map[string]int", []string{"nil", `map[string]int{"a": 1}`, "map[string]int{}"}},
	{"func() int", []string{"nil", "func() int { return 5 }"}},
	{"chan int", []string{"nil", "make(chan int, 2)"}},
	{"*Pt#", []string{"nil", "&Pt#{3, 4}", "new(Pt#)", "(&Pt#{}).Move(2)", "(*Pt#)(nil).Move(1)"}},
	{"*int", []string{"nil", "ref(6)", "new(int)"}},
	{"Pt#", []string{"Pt#{5, 6}", "Pt#{y: 1}", "*new(Pt#)", "*(&Pt#{8, 8}).Move(1)"}},
	{"[2]int", []string{"[2]int{1, 2}", "[2]int{}", "[...]int{1: 9}"}},
	{"fmt.Stringer", []string{"nil", "Pt#{7, 8}", "&Pt#{9, 9}", "time.Duration(1500)"}},
	{"Shape#", []string{"nil", "Pt#{2, 3}", "&Sq#{Pt#: Pt#{2, 2}}", "Named#(Pt#{})"}},
	{"*Sq#", []string{"nil", "&Sq#{}", "&Sq#{Pt#{1, 5}, nil, nil}"}},
	{"Num#", []string{"0", "one#", "Num#(9)", "three# << 2"}},
	{"List#", []string{"nil", `List#{"l"}`, "List#(nil)", `List#(strings.Fields("a b"))`}},
	{"Fn#", []string{"nil", "func(n int) (int, error) { return n, nil }", "func(int) (int, error) { return 0, Num#(2) }", "Fn#(nil).Call", "func(int) (_ int, err error) { return 1, err }"}},
	{"Box#[string]", []string{"Box#[string]{}", `Box#[string]{v: "b"}`, `*(*Box#[string])(nil).Push("p")`}},
	{"*Box#[int]", []string{"nil", "&Box#[int]{v: 4}", "(&Box#[int]{}).Push(3)"}},
	{"struct{ a int; b error }", []string{"struct{ a int; b error }{}", "struct{ a int; b error }{1, nil}", "struct{ a int; b error }{b: Num#(1)}"}},
	{"[]error", []string{"nil", "[]error{nil, Num#(3)}"}},
	{"[]func() int", []string{"nil", "[]func() int{func() int { return 1 }}"}},
	{"map[Num#][]Pt#", []string{"nil", "map[Num#][]Pt#{one#: {{1, 2}, {}}}", "map[Num#][]Pt#{2: nil}"}},
	{"time.Duration", []string{"0", "time.Second", "3 * time.Millisecond"}},
	{"rune", []string{"'x'", "-1"}},
	{"[]byte", []string{"nil", `[]byte("by")`}},
	{"float64", []string{"1", "2.5", "1 / 3.0"}},
	{"uint8", []string{"255", "3"}},
	{"*Err#", []string{"nil", "&Err#{}"}},
	{"Key#", []string{`"k"`, `Key#("")`}},
	{"io.Reader", []string{"nil", "&Rd#{2}", `Ones#("o")`, `strings.NewReader("s")`, "(*Rd#)(nil)", "io.Reader(&Rd#{1})", "(&Rd#{}).Self(1)"}},
	{"io.ReadCloser", []string{"nil", "&Rd#{3}", "Cl#{2}", `io.NopCloser(Ones#("n"))`}},
	{"sort.Interface", []string{"nil", "sort.StringSlice(nil)", "sort.Reverse(List#{`b`, `a`})", "List#{`c`, `a`, `b`}"}},
	{"map[io.Reader]int", []string{"nil", "map[io.Reader]int{Ones#(`m`): 1}", "map[io.Reader]int{nil: 2}"}},
}

// shape is a function or a method, whose parameters are k, an int, and others.
type shape struct {
	name     string
	recv     string // type of the receiver of a method
	value    string // a receiver
	params   []idiomType
	variadic bool
	results  []idiomType
}

// frame is the function whose body is written.
type frame struct {
	results []idiomType
	names   []string    // of the results, or nil
	k       string      // an int on which conditions depend
	vars    []*variable // whose types are names alone
}

func (g *generator) idiomType() idiomType {
	t := pick(g, idiomTypes)
	if g.IntN(4) == 0 {
		t = idiomTypes[3] // error
	}
	return t.in(g.id)
}

// in returns the type in the program with an id.
func (t idiomType) in(id string) idiomType {
	out := idiomType{name: strings.ReplaceAll(t.name, "#", id)}
	for _, v := range t.values {
		out.values = append(out.values, strings.ReplaceAll(v, "#", id))
	}
	return out
}

func (g *generator) idiomTypes(n int) []idiomType {
	var list []idiomType
	for range n {
		list = append(list, g.idiomType())
	}
	return list
}

// some returns a value of a type: of a variable, or new.
func (g *generator) some(t idiomType, f *frame) string {
	if f != nil && g.IntN(3) == 0 {
		for _, v := range f.vars {
			if v.t.name == t.name && g.IntN(2) == 0 {
				return v.name
			}
		}
	}
	v := pick(g, t.values)
	if f != nil && t.name == "int" && g.IntN(2) == 0 {
		v = f.k + pick(g, []string{" + 1", " * 3", ""})
	}
	return v
}

func (g *generator) someOf(list []idiomType, f *frame) string {
	var out []string
	for _, t := range list {
		out = append(out, g.some(t, f))
	}
	return strings.Join(out, ", ")
}

// parameters writes the list of a shape's parameters: all with names, some blank, or none.
func (g *generator) parameters(s *shape, f *frame) string {
	nameless := g.IntN(4) == 0
	list := []string{"k int"}
	f.k = "k"
	if nameless {
		list[0], f.k = "int", "fuel"
	}
	for i, t := range s.params {
		name, of := fmt.Sprintf("p%d ", i), t.name
		if s.variadic && i == len(s.params)-1 {
			of = "..." + of
		}
		switch {
		case nameless:
			name = ""
		case g.IntN(3) == 0:
			name = "_ "
		case !strings.HasPrefix(of, "..."):
			f.vars = append(f.vars, &variable{name: strings.TrimSpace(name), t: &kindOf{name: t.name}})
		}
		list = append(list, name+of)
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// resultList writes the list of results: with names, some of them blank, or without.
func (g *generator) resultList(f *frame) string {
	if len(f.results) == 0 {
		return ""
	}
	var list []string
	if g.IntN(2) == 0 {
		for _, t := range f.results {
			list = append(list, t.name)
		}
		if len(list) == 1 {
			return " " + list[0]
		}
		return " (" + strings.Join(list, ", ") + ")"
	}
	for _, t := range f.results {
		name := g.name("r")
		if g.IntN(5) == 0 {
			name = "_"
		} else {
			f.vars = append(f.vars, &variable{name: name, t: &kindOf{name: t.name}})
		}
		f.names = append(f.names, name)
		list = append(list, name+" "+t.name)
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// declareIdioms declares the types, and functions and methods.
func (g *generator) declareIdioms() {
	g.top.WriteString(strings.ReplaceAll(idiomDecls, "#", g.id))
	receivers := []shape{{recv: "Pt#", value: "Pt#{4, 5}"}, {recv: "*Sq#", value: "(&Sq#{tags: []string{\"t\"}})"}, {recv: "Num#", value: "Num#(6)"},
		{recv: "List#", value: "List#{\"v\"}"}, {recv: "*Pt#", value: "(&Pt#{6, 7})"}, {recv: "Fn#", value: "Fn#(nil)"}}
	for i := range 3 + g.IntN(3) {
		s := &shape{name: fmt.Sprintf("g%d%s", i, g.id), params: g.idiomTypes(g.IntN(3)), results: g.idiomTypes(g.IntN(4))}
		s.variadic = len(s.params) > 0 && g.IntN(3) == 0
		f := &frame{results: s.results}
		inner := &generator{Rand: g.Rand, id: g.id, types: basics, indent: 1, shapes: g.shapes, names: 100 * i}
		head := "func "
		if g.IntN(2) == 0 {
			r := pick(g, receivers)
			s.recv, s.value = strings.ReplaceAll(r.recv, "#", g.id), strings.ReplaceAll(r.value, "#", g.id)
			s.name = strings.Replace(s.name, "g", "G", 1)
			head += "(" + pick(g, []string{"recv ", "_ ", ""}) + s.recv + ") "
		}
		head += s.name + g.parameters(s, f) + inner.resultList(f)
		inner.line("tick()")
		inner.idiomBody(f, 2)
		g.top.WriteString(head + " {\n" + inner.body.String() + "}\n\n")
		g.shapes = append(g.shapes, s)
	}
}

// condition returns a condition that differs from call to call.
func (g *generator) condition(f *frame) string {
	return fmt.Sprintf("%s%%%d == %d", f.k, 2+g.IntN(3), g.IntN(2))
}

// back writes a return statement.
func (g *generator) back(f *frame) {
	switch {
	case len(f.results) == 0 || f.names != nil && g.IntN(3) == 0:
		g.line("return")
	case g.IntN(5) == 0:
		g.line("return func() (%s) { return %s }()", strings.Join(typeNames(f.results), ", "), g.someOf(f.results, f))
	case g.IntN(5) == 0: // of other types
		var names, values []string
		for _, t := range f.results {
			switch t.name {
			case "any":
				t = g.idiomType()
			case "error":
				t = idiomType{"Num" + g.id, []string{"1", "2"}}
			}
			names, values = append(names, t.name), append(values, g.some(t, f))
		}
		g.line("return func() (%s) { return %s }()", strings.Join(names, ", "), strings.Join(values, ", "))
	case g.IntN(5) == 0: // by functions in fields
		var fields, values, calls []string
		of := g.name("of")
		for i, t := range f.results {
			fields = append(fields, fmt.Sprintf("f%d func() %s", i, t.name))
			values = append(values, fmt.Sprintf("func() %s { return %s }", t.name, g.some(t, f)))
			calls = append(calls, fmt.Sprintf("%s.f%d()", of, i))
		}
		g.line("%s := struct { %s }{%s}", of, strings.Join(fields, "; "), strings.Join(values, ", "))
		g.line("return %s", strings.Join(calls, ", "))
	default:
		g.line("return %s", g.someOf(f.results, f))
	}
}

func typeNames(list []idiomType) []string {
	var out []string
	for _, t := range list {
		out = append(out, t.name)
	}
	return out
}

// idiomBody writes the body of a function, up to its last return.
func (g *generator) idiomBody(f *frame, depth int) {
	for range 1 + g.IntN(4) {
		g.idiomStatement(f, depth)
	}
	g.back(f)
}
