package conformance

import (
	"fmt"
	"strings"
)

// gathered are values that depend on i, by the interface that they become: one of a
// cell, of a package, or without methods.
var gathered = []idiomType{
	{"Shape#", []string{"Pt#{i, 2}", "Pt#{y: 3, x: i}", "&Sq#{Pt#: Pt#{i, 1}}", "Named#(Pt#{i, i})", "*(&Pt#{i, 1}).Move(1)", "at([]Pt#{{1, 1}, {i, 2}}, i)"}},
	{"Named#", []string{"Pt#{i, 5}", "*ref(Pt#{6, i})"}},
	{"fmt.Stringer", []string{"Pt#{i, 3}", "&Pt#{3, i}", "time.Duration(i)"}},
	{"error", []string{"Num#(i)", "&Err#{code: i}", "Num#(i).Err()"}},
	{"any", []string{"Pt#{i, 1}", "[2]int{i}", "Key#(fmt.Sprint(i))", "i", "struct{ N Num# }{Num#(i)}"}},
	{"io.Reader", []string{"&Rd#{i}", "Ones#(fmt.Sprint(i))", "ident(Ones#(\"x\"))", "strings.NewReader(fmt.Sprint(i))", "(*Rd#)(nil).Self(i)"}},
	{"io.ReadCloser", []string{"&Rd#{i}", "Cl#{i}", "ident(Cl#{i + 1})"}},
}

// gather converts values to an interface in a loop, in all the ways that there are, and
// prints them after it.
func (g *generator) gather() {
	t := pick(g, gathered).in(g.id)
	value := func() string { return pick(g, t.values) }
	l, m, a, c, s := g.name("l"), g.name("m"), g.name("a"), g.name("c"), g.name("s")
	g.line("var %s []%s", l, t.name)
	g.line("%s, %s, %s := map[int]%s{}, [3]%s{}, make(chan %s, 9)", m, a, c, t.name, t.name, t.name)
	g.line("var %s []struct{ F %s }", s, t.name)
	g.line("for i := range 3 {")
	g.inner(func() {
		for range 1 + g.IntN(4) {
			switch g.IntN(12) {
			case 0, 1:
				g.line("%s = append(%s, %s)", l, l, value())
			case 2:
				g.line("%s = append(%s, %s, %s)", l, l, value(), value())
			case 3:
				g.line("{ var v %s = %s; %s = append(%s, v); v = %s; %s = append(%s, v) }", t.name, value(), l, l, value(), l, l)
			case 4:
				g.line("%s[i] = %s", m, value())
			case 5:
				g.line("%s[i] = %s", a, value())
			case 6:
				g.line("%s <- %s", c, value())
			case 7:
				g.line("%s = append(%s, struct{ F %s }{%s})", s, s, t.name, value())
			case 8:
				g.line("{ v := Pt%s{i, 7}; var w fmt.Stringer = v; v.x = 99; say%s(v, w, w == Pt%s{i, 7}) }", g.id, g.id, g.id)
			case 9:
				g.line("func(v %s) { %s = append(%s, v) }(%s)", t.name, l, l, value())
			case 10:
				g.line("%s[i], %s[2-i] = %s, %s", m, a, value(), value())
			default:
				g.line("%s = append(%s, []%s{%s, %s}[i&1])", l, l, t.name, value(), value())
			}
		}
	})
	g.line("}")
	g.line("close(%s)", c)
	g.line("for v := range %s { %s = append(%s, v) }", c, l, l)
	g.line("for _, v := range %s { %s = append(%s, v.F) }", s, l, l)
	g.line("for i := range 3 { %s = append(%s, %s[i], %s[i]) }", l, l, m, a)
	g.line("for i, v := range %s { say%s(v, v == nil, v == %s[0], v == %s[i]) }", l, g.id, l, l)
}

// spaces prints operands of which some are strings by their kind.
func (g *generator) spaces() {
	var list []string
	for range 1 + g.IntN(5) {
		list = append(list, strings.ReplaceAll(pick(g, []string{`Key#("k")`, `Key#("")`, "1", "2.5", "nil", `"s"`, "Num#(3)", "Pt#{1, 2}", `error(Num#(4))`, `any(Key#("y"))`, "true", `Ones#("o")`, "[]Key#{`z`}"}), "#", g.id))
	}
	all := strings.Join(list, ", ")
	switch g.IntN(3) {
	case 0:
		g.line("fmt.Print(%s, \"\\n\")", all)
	case 1:
		g.line("fmt.Printf(\"%%q\\n\", fmt.Sprint(%s))", all)
	default:
		g.line("fmt.Println(fmt.Sprint([]any{%s}...), string(fmt.Append(nil, %s)))", all, all)
	}
}

// clauses writes a switch over an interface of a package, or over computed cases.
func (g *generator) clauses() {
	v := g.name("v")
	g.line("for %s := range 4 {", v)
	g.inner(func() {
		g.line("switch %s {", v)
		for i := range 1 + g.IntN(3) {
			var list []string
			for range 1 + g.IntN(3) {
				list = append(list, pick(g, []string{fmt.Sprintf("trace(%q, %d)", g.name("c"), g.IntN(5)), "fuel % 4", fmt.Sprintf("[]int{1, 3}[%s&1]", v), fmt.Sprint(10*i + g.IntN(4)),
					fmt.Sprintf("len(fmt.Sprint(%s))", v), fmt.Sprintf("Pt%s{%d, 1}.x", g.id, g.IntN(4)), fmt.Sprintf("*ref(%d)", g.IntN(4)), fmt.Sprintf("map[int]int{2: 3}[%s]", v)}))
			}
			g.line("case %s:", strings.Join(list, ", "))
			g.line("\tfmt.Println(%q)", fmt.Sprint("clause ", i))
			if g.IntN(4) == 0 {
				g.line("\tfallthrough")
			}
		}
		g.line("case 77:")
		g.line("\tfmt.Println(77)")
		g.line("}")
	})
	g.line("}")
}
