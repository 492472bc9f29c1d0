package conformance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A graph is a program about one to three types that refer to themselves and to each
// other. It makes values of each, stores them, copies them, reads them back, passes them,
// compares them and puts them into any.
type graph struct {
	*rand.Rand
	id    string // ends every name at the top level
	types []*form
	names int
}

// form is a type: a name, or one made of others.
type form struct {
	op    string
	elem  *form
	named *form   // the underlying form of a name; struct fields have ids
	parts []*form // fields of a struct beside its id
	name  string
}

// ops are the ways in which a type can refer to another.
var ops = []string{"", "pointer", "slice", "array", "map", "key", "chan", "param", "rest", "result", "struct", "interface", "generic"}

func (t *form) String() string {
	switch t.op {
	case "int":
		return "int"
	case "name":
		return t.name
	case "pointer":
		return "*" + t.elem.String()
	case "slice":
		return "[]" + t.elem.String()
	case "array":
		return "[2]" + t.elem.String()
	case "map":
		return "map[string]" + t.elem.String()
	case "key":
		return "map[" + t.elem.String() + "]int"
	case "chan":
		return "chan (" + t.elem.String() + ")"
	case "param":
		return "func(" + t.elem.String() + ") int"
	case "rest":
		return "func(string, ..." + t.elem.String() + ") int"
	case "result":
		return "func() " + t.elem.String()
	case "struct":
		return "struct { n int; x " + t.elem.String() + " }"
	case "interface":
		return "interface { Get" + t.name + "() " + t.elem.String() + " }"
	case "generic":
		return t.name + "[" + t.elem.String() + "]"
	}
	panic(t.op)
}

// of returns a type made of t in the given ways, the innermost last.
func (g *graph) of(t *form, ways ...string) *form {
	for i := len(ways) - 1; i >= 0; i-- {
		if ways[i] == "" {
			continue
		}
		t = &form{op: ways[i], elem: t}
		switch t.op {
		case "key":
			if slices.Contains([]string{"slice", "map", "key", "param", "rest", "result"}, t.elem.op) { // no keys
				t.op = "map"
			}
		case "generic":
			t.name = "Box" + g.id
		case "interface":
			g.names++
			t.name = fmt.Sprint(g.names)
		}
	}
	return t
}

// ways returns the w-th way to refer to a type, nested at most twice.
func ways(w int) []string { return []string{ops[w/len(ops)%len(ops)], ops[w%len(ops)]} }

var allWays = len(ops) * len(ops)

// graphOf returns the program of a number. The first ones are one type that refers to
// itself in each way, in a struct and without one, then pairs that refer to each other in
// each two ways; others are random.
func graphOf(number uint64, id string) (decls string, statements []string) {
	g := &graph{Rand: rand.New(rand.NewPCG(number, 52)), id: id}
	n := uint64(allWays)
	switch {
	case number < n:
		g.declare(1)
		g.types[0].named.parts = []*form{g.of(g.types[0], ways(int(number))...)}
	case number < 2*n:
		g.declare(1)
		g.types[0].named = g.of(g.types[0], ways(int(number-n))...)
	case number < 2*n+n*n:
		g.declare(2)
		a, b := (number-2*n)/n, number%n
		g.types[0].named.parts = []*form{g.of(g.types[1], ways(int(a))...)}
		g.types[1].named.parts = []*form{g.of(g.types[0], ways(int(b))...)}
	default:
		g.declare(1 + g.IntN(3))
		for i, t := range g.types {
			if g.IntN(6) == 0 { // another type than a struct
				t.named = g.of(g.types[g.IntN(len(g.types))], ops[1+g.IntN(len(ops)-1)], ways(g.IntN(allWays))[0])
				continue
			}
			for range 1 + g.IntN(3) {
				t.named.parts = append(t.named.parts, g.of(g.types[g.IntN(len(g.types))], ways(g.IntN(allWays))...))
			}
			for _, u := range g.types[i+1:] {
				if g.IntN(2) == 0 {
					t.named.parts = append(t.named.parts, &form{op: "embedded", elem: g.of(u, ops[g.IntN(2)])})
				}
			}
		}
	}
	return g.write()
}

// field returns the name of a field of the given form and number.
func (t *form) field(number int) string {
	if t.op == "embedded" {
		return strings.TrimPrefix(t.elem.String(), "*")
	}
	return fmt.Sprint("f", number)
}

// element returns how an element of a form is selected, or "" if there is none for sure.
func (t *form) element() string {
	switch t.op {
	case "map":
		return `["k"]`
	case "array":
		return "[1]"
	}
	return ""
}

func (g *graph) declare(n int) {
	for i := range n {
		g.types = append(g.types, &form{op: "name", name: fmt.Sprintf("%c%s", 'A'+i, g.id), named: &form{op: "fields"}})
	}
}

func (g *graph) write() (string, []string) {
	var b strings.Builder
	fmt.Fprintf(&b, "type Box%s[T any] struct { v T; next *Box%[1]s[T]; all []Box%[1]s[T] }\n\n", g.id)
	for _, i := range g.Perm(len(g.types)) {
		t := g.types[i]
		if t.named.op != "fields" {
			fmt.Fprintf(&b, "type %s %s\n\n", t, t.named)
			continue
		}
		fmt.Fprintf(&b, "type %s struct {\n\tid int\n", t)
		for j, f := range t.named.parts {
			if f.op == "embedded" {
				fmt.Fprintf(&b, "\t%s\n", f.elem)
			} else {
				fmt.Fprintf(&b, "\t%s %s\n", f.field(j), f)
			}
		}
		fmt.Fprintf(&b, "}\n\nfunc (t %s) Num() int { return t.id }\n\nfunc (t *%[1]s) Self() *%[1]s { return t }\n\n", t)
		for j, f := range t.named.parts {
			if at := f.element(); at != "" {
				fmt.Fprintf(&b, "func (t *%s) At%d() %s { return t.%s%s }\n\n", t, j, f.elem, f.field(j), at)
			}
		}
	}
	// What has the methods of the interfaces.
	seen := map[string]bool{}
	var implement func(t *form)
	implement = func(t *form) {
		if t == nil || t.op == "name" {
			return
		}
		if t.op == "interface" && !seen[t.name] {
			seen[t.name] = true
			fmt.Fprintf(&b, "type impl%s%s struct { x %s }\n\nfunc (i impl%[1]s%[2]s) Get%[1]s() %[3]s { return i.x }\n\n", t.name, g.id, t.elem)
		}
		implement(t.elem)
		for _, f := range t.parts {
			implement(f)
		}
	}
	for _, t := range g.types {
		implement(t.named)
	}
	g.typeSwitches(&b)
	var list []string
	for _, i := range g.Perm(len(g.types)) {
		list = append(list, g.use(i)...)
	}
	return b.String(), list
}

// typeSwitches writes a function that finds the type of a value with methods, and one that
// finds that of any.
func (g *graph) typeSwitches(b *strings.Builder) {
	var owners, all []string
	var collect func(t *form)
	collect = func(t *form) { // except interfaces, which other types implement
		if t == nil || strings.Contains(t.String(), "interface") {
			return
		}
		if !slices.Contains(all, t.String()) {
			all = append(all, t.String())
		}
		if t.op != "name" {
			collect(t.elem)
		}
	}
	for _, t := range g.types {
		if t.named.op == "fields" {
			owners = append(owners, t.String(), "*"+t.String())
		}
		collect(&form{op: "pointer", elem: t})
		for _, f := range t.named.parts {
			if f.op != "embedded" {
				collect(f)
			}
		}
	}
	fmt.Fprintf(b, "func kind%s(x interface{ Num() int }) {\n\tswitch v := x.(type) {\n\tdefault:\n\t\t_ = v\n", g.id)
	g.Shuffle(len(owners), func(i, j int) { owners[i], owners[j] = owners[j], owners[i] })
	for i, t := range owners {
		fmt.Fprintf(b, "\tcase %s:\n\t\tfmt.Print(%d, v.id, v.Num(), \" \")\n", t, i)
	}
	fmt.Fprintf(b, "\t}\n")
	for _, t := range owners {
		fmt.Fprintf(b, "\tif v, ok := x.(%s); ok {\n\t\tfmt.Print(v.id, \" \")\n\t}\n", t)
	}
	fmt.Fprintf(b, "}\n\nfunc form%s(x any) {\n\tswitch v := x.(type) {\n", g.id)
	for i, t := range all {
		fmt.Fprintf(b, "\tcase %s:\n\t\t_ = v\n\t\tfmt.Print(%d, \" \")\n", t, i)
	}
	fmt.Fprintf(b, "\t}\n}\n\n")
}

// use returns statements about the type i.
func (g *graph) use(i int) []string {
	t := g.types[i]
	v, w := fmt.Sprintf("v%d%s", i, g.id), fmt.Sprintf("w%d%s", i, g.id)
	list := []string{
		fmt.Sprintf("var z%d%s %s", i, g.id, t),
		g.show(fmt.Sprintf("z%d%s", i, g.id), t, 2),
		fmt.Sprintf("%s := %s", v, g.value(t, 3)),
		g.show(v, t, 3),
		fmt.Sprintf("%s := ident(%s)", w, v),
	}
	if t.named.op != "fields" {
		return append(list, g.show(w, t, 2), fmt.Sprintf("%s = %s", w, g.value(t, 2)), g.show(w, t, 2), g.show(fmt.Sprintf("as[%s](any(%s))", t, v), t, 2))
	}
	list = append(list,
		fmt.Sprintf("%s.id = 99", w),
		fmt.Sprintf("fmt.Println(%s.id, %s.id, %[1]s.Num(), %[2]s.Self().Num())", v, w),
		fmt.Sprintf("fmt.Println(many(%s, func(x *%s, k int) { x.id = k }, func(x %[2]s) int { return x.id }))", v, t))
	for j, f := range t.named.parts {
		list = append(list, fmt.Sprintf("%s.%s = %s", w, f.field(j), g.value(f, 2)), g.show(fmt.Sprintf("%s.%s", w, f.field(j)), f, 2))
	}
	list = append(list, fmt.Sprintf("fmt.Println(%s.id, %s.id)", v, w),
		g.show(fmt.Sprintf("as[%s](any(%s))", t, w), t, 2),
		g.show(fmt.Sprintf("as[*%s](any(&%s))", t, w), &form{op: "pointer", elem: t}, 2),
		g.show(fmt.Sprintf("[]*%s{&%s, &%s}[1].Self()", t, v, w), &form{op: "pointer", elem: t}, 2))
	list = append(list, fmt.Sprintf("kind%s(%s)", g.id, w), fmt.Sprintf("kind%s(&%s)", g.id, w), fmt.Sprintf("form%s(%s)", g.id, w))
	for j, f := range t.named.parts {
		list = append(list, fmt.Sprintf("form%s(%s.%s)", g.id, w, f.field(j)))
		if at := f.element(); at != "" {
			list = append(list, g.show(fmt.Sprintf("%s.At%d()", w, j), f.elem, 1), g.show(fmt.Sprintf("%s.%s%s", w, f.field(j), at), f.elem, 1))
		}
	}
	if g.comparable(t, map[*form]bool{}) {
		list = append(list, fmt.Sprintf("fmt.Println(%s == %s, %[1]s == %[1]s, map[%[3]s]int{%[1]s: 1}[%[1]s], any(%[1]s) == any(%[1]s))", v, w, t))
	}
	if g.printable(t, map[*form]bool{}) {
		list = append(list, fmt.Sprintf("fmt.Printf(\"%%v %%+v\\n\", %s, %[1]s)", v))
	}
	return list
}

func (g *graph) comparable(t *form, seen map[*form]bool) bool {
	switch t.op {
	case "slice", "map", "key", "param", "rest", "result", "interface": // the values in an interface may not be
		return false
	case "name":
		if seen[t] {
			return true
		}
		seen[t] = true
		for _, f := range t.named.parts {
			if !g.comparable(f, seen) {
				return false
			}
		}
		return t.named.op == "fields" || g.comparable(t.named, seen)
	case "array", "struct", "embedded":
		return g.comparable(t.elem, seen)
	case "generic":
		return false
	}
	return true
}

// printable reports whether a value has no addresses in it.
func (g *graph) printable(t *form, seen map[*form]bool) bool {
	switch t.op {
	case "pointer", "chan", "param", "rest", "result", "interface", "generic", "key":
		return false
	case "name":
		if seen[t] {
			return true
		}
		seen[t] = true
		for _, f := range t.named.parts {
			if !g.printable(f, seen) {
				return false
			}
		}
		return t.named.op == "fields" || g.printable(t.named, seen)
	case "int":
		return true
	}
	return g.printable(t.elem, seen)
}

// value returns an expression of type t, with values nested depth times.
func (g *graph) value(t *form, depth int) string {
	if t.op == "embedded" {
		return g.value(t.elem, depth)
	}
	g.names++
	n := g.names
	if depth < 0 {
		switch t.op {
		case "int":
			return fmt.Sprint(n)
		case "name":
			if t.named.op == "fields" {
				return fmt.Sprintf("%s{id: %d}", t, n)
			}
		case "pointer", "slice", "map", "key", "chan", "param", "rest", "result", "interface":
			return "(" + t.String() + ")(nil)"
		}
		return fmt.Sprintf("*new(%s)", t)
	}
	switch t.op {
	case "int":
		return fmt.Sprint(n)
	case "name":
		if t.named.op != "fields" {
			return fmt.Sprintf("%s(%s)", t, g.value(t.named, depth-1))
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s{id: %d", t, n)
		for j, f := range t.named.parts {
			if g.IntN(8) > 0 {
				fmt.Fprintf(&b, ", %s: %s", f.field(j), g.value(f, depth-1))
			}
		}
		return b.String() + "}"
	case "pointer":
		return fmt.Sprintf("ref[%s](%s)", t.elem, g.value(t.elem, depth-1))
	case "slice":
		return fmt.Sprintf("%s{%s, %s}", t, g.value(t.elem, depth-1), g.value(t.elem, depth-2))
	case "array":
		return fmt.Sprintf("%s{%s, %s}", t, g.value(t.elem, depth-1), g.value(t.elem, depth-2))
	case "map":
		return fmt.Sprintf("%s{\"k\": %s}", t, g.value(t.elem, depth-1))
	case "key":
		return fmt.Sprintf("%s{%s: %d}", t, g.value(t.elem, depth-1), n)
	case "chan":
		return fmt.Sprintf("chanOf[%s](%s)", t.elem, g.value(t.elem, depth-1))
	case "param":
		return fmt.Sprintf("func(x %s) int { %s; return %d }", t.elem, g.show("x", t.elem, min(depth-1, 1)), n)
	case "rest":
		return fmt.Sprintf("func(s string, xs ...%s) int { fmt.Print(s, len(xs), xs == nil, \" \"); for _, x := range xs { _ = x; %s }; return %d + len(xs) }", t.elem, g.show("x", t.elem, min(depth-1, 1)), n)
	case "result":
		return fmt.Sprintf("func() %s { return %s }", t.elem, g.value(t.elem, depth-1))
	case "struct":
		return fmt.Sprintf("%s{n: %d, x: %s}", t, n, g.value(t.elem, depth-1))
	case "interface":
		return fmt.Sprintf("impl%s%s{%s}", t.name, g.id, g.value(t.elem, depth-1))
	case "generic":
		return fmt.Sprintf("%s{v: %s, next: &%[1]s{}, all: []%[1]s{{}}}", t, g.value(t.elem, depth-1))
	}
	panic(t.op)
}

// show returns a statement that prints x, with what it refers to up to depth.
func (g *graph) show(x string, t *form, depth int) string {
	if depth < 0 {
		return "fmt.Print(\".\")"
	}
	g.names++
	y := fmt.Sprintf("y%d", g.names)
	within := func(format string, args ...any) string {
		return fmt.Sprintf("if %s := %s; %[1]s != nil { %[3]s } else { fmt.Print(\"nil \") }", y, x, fmt.Sprintf(format, args...))
	}
	switch t.op {
	case "embedded":
		return g.show(x, t.elem, depth)
	case "int":
		return fmt.Sprintf("fmt.Print(%s, \" \")", x)
	case "name":
		if t.named.op != "fields" {
			return g.show(fmt.Sprintf("(%s)(%s)", t.named, x), t.named, depth-1)
		}
		list := []string{fmt.Sprintf("fmt.Print(\"%s\", %s.id, \" \")", t.name[:1], y)}
		for j, f := range t.named.parts {
			list = append(list, g.show(fmt.Sprintf("%s.%s", y, f.field(j)), f, depth-1))
		}
		return fmt.Sprintf("if %s := %s; true { %s }", y, x, strings.Join(list, "; "))
	case "pointer":
		return within("%s", g.show("*"+y, t.elem, depth-1))
	case "slice", "array":
		if t.elem.op == "struct" {
			return fmt.Sprintf("for %s := range %s { fmt.Print(%[2]s[%[1]s].n, \" \"); %[3]s }", y, x, g.show(fmt.Sprintf("%s[%s].x", x, y), t.elem.elem, depth-1))
		}
		return fmt.Sprintf("for _, %s := range %s { _ = %[1]s; %[3]s }", y, x, g.show(y, t.elem, depth-1))
	case "map":
		if t.elem.op == "struct" {
			return fmt.Sprintf("if true { fmt.Print(len(%s), %[1]s[\"k\"].n, %[1]s[\"none\"].n, \" \"); %s }", x, g.show(x+"[\"k\"].x", t.elem.elem, depth-1))
		}
		return fmt.Sprintf("for k, %s := range %s { _ = %[1]s; fmt.Print(k, \" \"); %[3]s }", y, x, g.show(y, t.elem, depth-1))
	case "key":
		return fmt.Sprintf("for %s, k := range %s { _ = %[1]s; fmt.Print(k, \" \"); %[3]s }", y, x, g.show(y, t.elem, depth-1))
	case "chan":
		return within("if len(%s) > 0 { x := <-%[1]s; %[2]s; %[1]s <- x }", y, g.show("x", t.elem, depth-1))
	case "param":
		return within("fmt.Print(%s(%s), \" \")", y, g.value(t.elem, min(depth-1, 1)))
	case "rest":
		var args strings.Builder
		for range g.IntN(4) {
			fmt.Fprintf(&args, ", %s", g.value(t.elem, min(depth-1, 1)))
		}
		return within("fmt.Print((%s)(\"a\"%s), %s(\"b\", []%s{%s}...), \" \")", x, args.String(), y, t.elem, strings.TrimPrefix(args.String(), ", "))
	case "result":
		return within("%s", g.show(y+"()", t.elem, depth-1))
	case "struct":
		return fmt.Sprintf("if %s := %s; true { fmt.Print(%[1]s.n, \" \"); %[3]s }", y, x, g.show(y+".x", t.elem, depth-1))
	case "interface":
		return within("%s", g.show(fmt.Sprintf("%s.Get%s()", y, t.name), t.elem, depth-1))
	case "generic":
		return fmt.Sprintf("if %s := %s; true { fmt.Print(%[1]s.next != nil, len(%[1]s.all), \" \"); %[3]s }", y, x, g.show(y+".v", t.elem, depth-1))
	}
	panic(t.op)
}
