package conformance

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A generator writes a well-typed program at random: types, functions, methods and
// a body that uses them and prints the results. It avoids what the specification
// leaves open: functions whose values are used have no visible side effects, maps
// are read in order or summed, channels have room for what is sent or one sender.
type generator struct {
	*rand.Rand
	id     string // ends every name at the top level, so that many programs fit in one
	top    strings.Builder
	body   strings.Builder
	indent int
	names  int
	nested int // enclosing function literals
	steps  int // number of statements that may still be written
	shapes []*shape

	types  []*kindOf // declared and composed
	funcs  []*callable
	ifaces []*kindOf

	scope []*variable
	ends  *kindOf // result type of return here, nil if there is none
}

type variable struct {
	name  string
	t     *kindOf
	owned bool // its elements may be changed
}

type callable struct {
	name   string
	params []*kindOf
	result []*kindOf
}

// kindOf describes a type.
type kindOf struct {
	name    string
	kind    string // "int" "float" "string" "bool" "slice" "array" "map" "struct" "pointer" "func" "interface" "any"
	elem    *kindOf
	key     *kindOf
	n       int
	fields  []*variable
	methods []*callable // of a declared type, or required by an interface
	bits    int
	signed  bool
	sig     *callable
}

func basic(name, kind string, bits int, signed bool) *kindOf {
	return &kindOf{name: name, kind: kind, bits: bits, signed: signed}
}

var (
	tInt    = basic("int", "int", 64, true)
	tFloat  = basic("float64", "float", 64, true)
	tString = basic("string", "string", 0, false)
	tBool   = basic("bool", "bool", 0, false)
	tAny    = basic("any", "any", 0, false)
)

var basics = []*kindOf{tInt, tInt, tInt, tString, tString, tBool, tFloat,
	basic("int8", "int", 8, true), basic("uint8", "int", 8, false), basic("int32", "int", 32, true), basic("uint16", "int", 16, false),
	basic("uint32", "int", 32, false), basic("int64", "int", 64, true), basic("uint64", "int", 64, false), basic("uint", "int", 64, false),
	basic("float32", "float", 32, true)}

// program returns the program of a seed: declarations, and the statements of its
// main function.
func program(seed uint64, id string) (decls, body string) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 11)), id: id}
	g.types = append(g.types, basics...)
	for range 1 + g.IntN(3) {
		g.declareStruct()
	}
	if g.IntN(2) == 0 {
		g.declareNamed()
	}
	if g.IntN(2) == 0 {
		g.declareInterface()
	}
	for range 2 + g.IntN(4) {
		g.compose()
	}
	for range 2 + g.IntN(3) {
		g.declareFunc()
	}
	g.declareIdioms()
	g.steps = 14
	g.indent = 1
	for range 3 {
		g.declare()
	}
	for g.steps > 0 {
		g.statement()
	}
	g.show()
	return g.top.String(), g.body.String()
}

func (g *generator) name(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

func (g *generator) line(format string, args ...any) {
	g.body.WriteString(strings.Repeat("\t", g.indent))
	fmt.Fprintf(&g.body, format, args...)
	g.body.WriteString("\n")
}

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

// compose makes a type of others.
func (g *generator) compose() {
	t := pick(g, g.types)
	switch g.IntN(9) {
	case 0, 1, 2:
		g.types = append(g.types, &kindOf{name: "[]" + t.name, kind: "slice", elem: t})
	case 3:
		n := 2 + g.IntN(3)
		g.types = append(g.types, &kindOf{name: fmt.Sprintf("[%d]%s", n, t.name), kind: "array", elem: t, n: n})
	case 4, 5:
		k := pick(g, []*kindOf{tInt, tString, tBool})
		if s := pick(g, g.types); s.kind == "struct" && comparable(s) {
			k = s
		}
		g.types = append(g.types, &kindOf{name: "map[" + k.name + "]" + t.name, kind: "map", elem: t, key: k})
	case 6:
		g.types = append(g.types, &kindOf{name: "*" + t.name, kind: "pointer", elem: t})
	case 7:
		c := &callable{params: []*kindOf{pick(g, g.types)}, result: []*kindOf{t}}
		g.types = append(g.types, &kindOf{name: fmt.Sprintf("func(%s) %s", c.params[0].name, t.name), kind: "func", sig: c})
	case 8:
		g.types = append(g.types, tAny)
	}
}

func comparable(t *kindOf) bool {
	switch t.kind {
	case "slice", "map", "func", "any", "interface", "pointer", "error":
		return false
	case "array":
		return comparable(t.elem)
	case "struct":
		for _, f := range t.fields {
			if !comparable(f.t) {
				return false
			}
		}
	}
	return true
}

func (g *generator) declareStruct() {
	t := &kindOf{name: fmt.Sprintf("T%d%s", len(g.types), g.id), kind: "struct"}
	var b strings.Builder
	for i := range 1 + g.IntN(3) {
		f := &variable{name: string(rune('a' + i)), t: pick(g, g.types)}
		if f.t.kind == "pointer" {
			f.t = tInt
		}
		if f.t.kind == "struct" && g.IntN(2) == 0 && !strings.Contains(b.String(), f.t.name) {
			f.name = f.t.name // embedded
			fmt.Fprintf(&b, "\t%s\n", f.t.name)
		} else {
			fmt.Fprintf(&b, "\t%s %s\n", f.name, f.t.name)
		}
		t.fields = append(t.fields, f)
	}
	fmt.Fprintf(&g.top, "type %s struct {\n%s}\n\n", t.name, b.String())
	g.declareMethods(t)
	g.types = append(g.types, t)
}

func (g *generator) declareNamed() {
	under := pick(g, []*kindOf{tInt, tString, tFloat, basics[7], basics[8]})
	t := *under
	t.name = fmt.Sprintf("N%d%s", len(g.types), g.id)
	fmt.Fprintf(&g.top, "type %s %s\n\n", t.name, under.name)
	g.declareMethods(&t)
	g.types = append(g.types, &t)
}

func (g *generator) declareMethods(t *kindOf) {
	if g.IntN(4) == 0 {
		fmt.Fprintf(&g.top, "func (t %s) String() string { return fmt.Sprint(\"<\", ", t.name)
		switch t.kind {
		case "struct":
			fmt.Fprintf(&g.top, "t.%s", t.fields[0].name)
		default:
			fmt.Fprintf(&g.top, "%s(t)", map[string]string{"int": "int", "string": "string", "float": "float64"}[t.kind])
		}
		g.top.WriteString(", \">\") }\n\n")
	}
	for i := range g.IntN(3) {
		m := &callable{name: fmt.Sprintf("M%d", i), result: []*kindOf{pick(g, basics)}}
		if g.IntN(2) == 0 {
			m.params = append(m.params, pick(g, basics))
		}
		g.function(fmt.Sprintf("(r %s) ", t.name), m, &variable{name: "r", t: t})
		t.methods = append(t.methods, m)
	}
	if g.IntN(2) == 0 && t.kind == "struct" { // changes its receiver
		f := pick(g, t.fields)
		fmt.Fprintf(&g.top, "func (r *%s) Set(v %s) { r.%s = v }\n\n", t.name, f.t.name, f.name)
		t.methods = append(t.methods, &callable{name: "Set", params: []*kindOf{f.t}})
	}
}

// declareInterface declares an interface that a declared type implements.
func (g *generator) declareInterface() {
	for _, t := range g.types {
		if len(t.methods) == 0 || t.methods[0].name == "Set" {
			continue
		}
		m := t.methods[0]
		i := &kindOf{name: fmt.Sprintf("I%d%s", len(g.types), g.id), kind: "interface", methods: []*callable{m}, elem: t}
		fmt.Fprintf(&g.top, "type %s interface{ %s }\n\n", i.name, m.name+signature(m, false))
		g.types = append(g.types, i)
		g.ifaces = append(g.ifaces, i)
		return
	}
}

func signature(c *callable, named bool) string {
	var params, results []string
	for i, p := range c.params {
		if named {
			params = append(params, fmt.Sprintf("p%d %s", i, p.name))
		} else {
			params = append(params, p.name)
		}
	}
	for _, r := range c.result {
		results = append(results, r.name)
	}
	s := "(" + strings.Join(params, ", ") + ")"
	switch len(results) {
	case 0:
		return s
	case 1:
		return s + " " + results[0]
	}
	return s + " (" + strings.Join(results, ", ") + ")"
}

func (g *generator) declareFunc() {
	c := &callable{name: fmt.Sprintf("f%d%s", len(g.funcs), g.id)}
	for range g.IntN(3) {
		c.params = append(c.params, pick(g, g.types))
	}
	for range 1 + g.IntN(5)/3 {
		c.result = append(c.result, pick(g, g.types))
	}
	g.function("", c, nil)
	g.funcs = append(g.funcs, c)
}

// function declares a function with a body of its own.
func (g *generator) function(recv string, c *callable, receiver *variable) {
	inner := &generator{Rand: g.Rand, id: g.id, types: g.types, funcs: g.funcs, ifaces: g.ifaces, indent: 1, steps: 2 + g.IntN(4)}
	if receiver != nil {
		inner.scope = append(inner.scope, receiver)
	}
	named := len(c.result) == 1 && g.IntN(4) == 0
	sig := signature(c, true)
	for i, p := range c.params {
		inner.scope = append(inner.scope, &variable{name: fmt.Sprintf("p%d", i), t: p})
	}
	if named {
		sig = strings.TrimSuffix(sig, c.result[0].name) + "(res " + c.result[0].name + ")"
		inner.scope = append(inner.scope, &variable{name: "res", t: c.result[0]})
	}
	if len(c.result) == 1 {
		inner.ends = c.result[0]
	}
	if named && g.IntN(2) == 0 {
		inner.line("defer func() { res = %s }()", inner.expr(c.result[0], 1))
	}
	for inner.steps > 0 {
		inner.statement()
	}
	var results []string
	for _, r := range c.result {
		results = append(results, inner.expr(r, 2))
	}
	fmt.Fprintf(&g.top, "func %s%s%s {\n\ttick()\n%s", recv, c.name, sig, inner.body.String())
	if len(results) > 0 {
		fmt.Fprintf(&g.top, "\treturn %s\n", strings.Join(results, ", "))
	}
	g.top.WriteString("}\n\n")
}
