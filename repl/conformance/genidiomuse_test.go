package conformance

import (
	"fmt"
	"strings"
)

// set assigns to a result that has a name.
func (g *generator) set(f *frame) string {
	for i, name := range f.names {
		if name != "_" && (g.IntN(2) == 0 || i == len(f.names)-1) {
			return fmt.Sprintf("%s = %s", name, g.some(f.results[i], f))
		}
	}
	return "_ = " + f.k
}

// idiomStatement writes a statement of the body of a function.
func (g *generator) idiomStatement(f *frame, depth int) {
	say := "say" + g.id
	branch := func() {
		g.inner(func() {
			switch {
			case depth > 0 && g.IntN(3) == 0:
				g.idiomStatement(f, depth-1)
			case g.IntN(3) == 0:
				g.line("%s", g.set(f))
			default:
				g.back(f)
			}
		})
	}
	if depth <= 0 {
		g.line("if %s {", g.condition(f))
		branch()
		g.line("}")
		return
	}
	switch g.IntN(24) {
	case 22:
		g.spaces()
	case 23:
		pick(g, []func(){g.gather, g.clauses})()
	case 0:
		g.line("defer func() { %s }()", g.set(f))
	case 1:
		g.line("defer func() {")
		g.line("\tif r := recover(); r != nil { fmt.Println(\"recovered\", panicText(r)); %s }", g.set(f))
		g.line("}()")
		g.line("if %s { panic(%s) }", g.condition(f), pick(g, []string{`"text"`, `errors.New("panic")`, `fmt.Sprint("p", 1)`, "Num" + g.id + "(3)"}))
	case 2:
		t := g.idiomType()
		g.line("defer %s(\"deferred\", %s)", say, g.typed(t, f))
	case 3:
		g.line("defer func(n int, _ ...string) { fmt.Println(\"late\", n); %s }(%s)", g.set(f), f.k)
	case 4:
		g.line("if %s {", g.condition(f))
		branch()
		if g.IntN(2) == 0 {
			g.line("} else {")
			branch()
		}
		g.line("}")
	case 5:
		g.line("switch {")
		for range 2 {
			g.line("case %s, %s:", g.condition(f), g.condition(f))
			branch()
		}
		g.line("}")
	case 6:
		i := g.name("i")
		g.line("for %s := range %s {", i, pick(g, []string{"3", "upTo(3)", "[]int{1, 2, 3}", "[3]int{}", `"abc"`, `map[int]bool{0: true}`}))
		g.line("tick()")
		g.line("if %s > 1 && %s { %s }", i, g.condition(f), pick(g, []string{"break", "continue"}))
		branch()
		g.line("}")
	case 7:
		l, i := g.name("L"), g.name("i")
		g.line("%s:", l)
		g.line("for %s := 0; %s < 3; %s++ {", i, i, i)
		g.line("for range upTo(2) {")
		g.line("switch %s { case 0: continue %s; case 2: break %s }", i, l, l)
		branch()
		g.line("}")
		g.line("}")
	case 8:
		c := g.name("c")
		g.line("%s := make(chan %s, 1)", c, pick(g, []string{"int", "error", "func() int"}))
		g.line("select {")
		g.line("case %s, %s := <-%s:", c+"v", c+"ok", c)
		g.line("\t_, _ = %s, %s", c+"v", c+"ok")
		g.line("default:")
		branch()
		g.line("}")
	case 9:
		t, v := g.idiomType(), g.name("v")
		g.line("var %s %s", v, t.name)
		g.line("if %s { %s = %s }", g.condition(f), v, g.some(t, f))
		g.line("%s(%s)", say, v)
		f.vars = append(f.vars, &variable{name: v, t: &kindOf{name: t.name}})
	case 10:
		g.swap(f)
	case 11:
		t := g.idiomType()
		g.line("var _ %s = %s", t.name, g.some(t, f))
		g.line("var _, _ %s", t.name)
		g.line("_, _ = %s, %s", g.typed(t, f), g.typed(g.idiomType(), f))
	case 12:
		v := g.name("v")
		g.line("var %s any = %s", v, g.some(g.idiomType(), &frame{k: f.k}))
		g.line("switch %s := %s.(type) {", v, v)
		g.line("case nil, error, %s:", pick(g, []string{"int", "string", "[]int", "func() int"}))
		g.line("_ = %s", v)
		branch()
		g.line("case fmt.Stringer:")
		g.line("_ = %s.String", v)
		branch()
		g.line("}")
	case 13, 14:
		inner := &frame{results: f.results, k: f.k, vars: f.vars}
		if g.IntN(2) == 0 {
			inner.results = g.idiomTypes(1 + g.IntN(3))
		}
		h := g.name("h")
		list := g.resultList(inner)
		g.line("%s := func(%s)%s {", h, pick(g, []string{"", "int", "_ string", "...any"}), list)
		head := g.body.String()
		g.inner(func() { g.idiomBody(inner, depth-1) })
		g.line("}")
		arg := ""
		if strings.Contains(head[strings.LastIndex(head, h+" := "):], "func(int)") {
			arg = "1"
		} else if strings.Contains(head[strings.LastIndex(head, h+" := "):], "func(_ string)") {
			arg = `"arg"`
		}
		g.line("%s(%s(%s))", say, h, arg)
	case 15:
		g.line("%s", g.set(f))
	default:
		if len(g.shapes) > 0 {
			g.useShape(pick(g, g.shapes), f)
		}
	}
}

// swap assigns to several variables.
func (g *generator) swap(f *frame) {
	a, b := g.idiomType(), g.idiomType()
	x, y := g.name("x"), g.name("y")
	g.line("var %s, %s = %s, %s", x, y, g.typed(a, f), g.typed(b, f))
	g.line("%s, %s = %s, %s", x, y, g.some(a, f), g.some(b, f))
	if a.name == b.name {
		g.line("%s, %s = %s, %s", x, y, y, x)
	}
	if len(f.names) > 0 && f.names[0] != "_" {
		g.line("%s, %s = %s, %s", f.names[0], x, g.some(f.results[0], f), g.some(a, f))
		z := g.name("z") // := gives the result a value, or declares another one of its name
		g.line("%s, %s := func() (%s, %s) { return %s, %s }()", z, f.names[0], a.name, f.results[0].name, g.some(a, f), g.some(f.results[0], f))
		g.line("say%s(%s, %s)", g.id, z, f.names[0])
	}
	g.line("say%s(%s, %s)", g.id, x, y)
}

// typed returns a value whose type does not depend on its place.
func (g *generator) typed(t idiomType, f *frame) string {
	return "(" + t.name + ")(" + g.some(t, f) + ")"
}

// call returns a call of a shape.
func (g *generator) call(s *shape, f *frame) string {
	args := []string{fmt.Sprint(g.IntN(6))}
	if f != nil && g.IntN(2) == 0 {
		args[0] = f.k
	}
	for i, t := range s.params {
		if s.variadic && i == len(s.params)-1 {
			switch g.IntN(4) {
			case 0:
				args = append(args, fmt.Sprintf("[]%s{%s}...", t.name, g.some(t, f)))
			case 1:
				args = append(args, g.some(t, f), g.some(t, f))
			case 2:
				args = append(args, fmt.Sprintf("[]%s(nil)...", t.name))
			}
			continue
		}
		args = append(args, g.some(t, f))
	}
	list := strings.Join(args, ", ")
	if s.recv == "" {
		return fmt.Sprintf("%s(%s)", s.name, list)
	}
	switch g.IntN(5) {
	case 0:
		return fmt.Sprintf("(%s).%s(%s, %s)", s.recv, s.name, s.value, list)
	case 1:
		if s.recv == "Pt"+g.id || s.recv == "Num"+g.id {
			return fmt.Sprintf("(&Sq%s{Pt%s{1, 1}, ref(Num%s(2)), nil}).%s(%s)", g.id, g.id, g.id, s.name, list)
		}
	case 2:
		v := g.name("mv")
		g.line("%s := %s.%s", v, s.value, s.name)
		return fmt.Sprintf("%s(%s)", v, list)
	case 3:
		v := g.name("iv")
		params := append([]string{"int"}, typeNames(s.params)...)
		if s.variadic {
			params[len(params)-1] = "..." + params[len(params)-1]
		}
		g.line("var %s interface{ %s(%s) (%s) } = %s", v, s.name, strings.Join(params, ", "), strings.Join(typeNames(s.results), ", "), s.value)
		return fmt.Sprintf("%s.%s(%s)", v, s.name, list)
	}
	return fmt.Sprintf("%s.%s(%s)", s.value, s.name, list)
}

// useShape calls a shape and uses its results in one of the ways people do.
func (g *generator) useShape(s *shape, f *frame) {
	say, n := "say"+g.id, len(s.results)
	later := "defer " // which a cell's statements cannot
	if f == nil {
		f, later = &frame{k: "fuel"}, ""
	}
	c := g.call(s, f)
	if n == 0 {
		g.line("%s%s", pick(g, []string{"", later}), c)
		return
	}
	var names, blanks []string
	for range n {
		names = append(names, g.name("y"))
		blanks = append(blanks, "_")
	}
	all := strings.Join(names, ", ")
	switch g.IntN(16) {
	case 0:
		g.line("%s := %s", all, c)
		g.line("%s(%s)", say, all)
		for i, t := range s.results {
			f.vars = append(f.vars[:len(f.vars):len(f.vars)], &variable{name: names[i], t: &kindOf{name: t.name}})
		}
	case 1:
		g.line("var %s = %s", all, c)
		g.line("%s(%s)", say, all)
	case 2, 3:
		for i, t := range s.results {
			g.line("var %s %s = %s", names[i], t.name, g.some(t, f))
		}
		g.line("%s = %s", all, c)
		g.line("%s(%s)", say, all)
	case 4:
		g.line("%s(%s)", say, c)
	case 5:
		g.line("%s = %s", strings.Join(blanks, ", "), c)
		g.line("%s", c)
	case 6:
		i := g.IntN(n)
		blanks[i] = names[i]
		g.line("%s := %s", strings.Join(blanks, ", "), c)
		g.line("%s(%s)", say, names[i])
	case 7:
		g.line("if %s := %s; %s { %s(%s) } else { %s(%s, 1) }", all, c, g.condition(f), say, all, say, all)
	case 8:
		g.line("switch %s := %s; {", all, c)
		g.line("case %s: %s(%s)", g.condition(f), say, all)
		g.line("default: %s(2, %s)", say, all)
		g.line("}")
	case 9:
		g.places(s, c)
	case 10:
		g.line("%s%s(%s)", later, say, c)
	case 11:
		g.line("%s(func() (%s) { return %s }())", say, strings.Join(typeNames(s.results), ", "), c)
	case 12:
		ch := g.name("ch")
		g.line("%s := make(chan any, 9)", ch)
		g.line("go func() { defer close(%s); defer func() { recover() }(); %s := %s; for _, v := range []any{%s} { %s <- v } }()", ch, all, c, all, ch)
		g.line("for v := range %s { %s(v) }", ch, say)
	case 13:
		g.line("for %s, i := func() (%s, int) { %s := %s; return %s, 0 }(); i < 2; i++ { %s(%s); %s = %s }",
			all, strings.Join(typeNames(s.results), ", "), all, c, all, say, all, all, c)
	default:
		t := s.results[0]
		switch {
		case n > 1:
			g.line("func(%s) { %s(%s) }(%s)", g.declared(names, s.results), say, all, c)
		case g.IntN(2) == 0:
			g.line("%s := append([]%s{%s}, %s, %s)", all, t.name, c, c, g.some(t, f))
			g.line("for i, e := range %s { %s(i, e) }", all, say)
		default:
			g.line("%s := map[string]%s{\"a\": %s}", all, t.name, c)
			g.line("%s[\"b\"] = %s", all, g.some(t, f))
			g.line("%s(%s[\"a\"], %s[\"b\"], %s[\"c\"], len(%s), struct{ F %s }{%s}.F)", say, all, all, all, all, t.name, c)
		}
	}
}

func (g *generator) declared(names []string, types []idiomType) string {
	var list []string
	for i, t := range types {
		list = append(list, names[i]+" "+t.name)
	}
	return strings.Join(list, ", ")
}

// places assigns results to fields, elements and what pointers point to.
func (g *generator) places(s *shape, c string) {
	var to []string
	for _, t := range s.results {
		v := g.name("l")
		switch g.IntN(5) {
		case 0:
			g.line("var %s struct{ f %s }", v, t.name)
			to = append(to, v+".f")
		case 1:
			g.line("%s := map[string]%s{}", v, t.name)
			to = append(to, v+`["k"]`)
		case 2:
			g.line("%s := make([]%s, 2)", v, t.name)
			to = append(to, v+"[1]")
		case 3:
			g.line("%s := new(%s)", v, t.name)
			to = append(to, "*"+v)
		default:
			g.line("var %s [2]%s", v, t.name)
			to = append(to, v+"[0]")
		}
	}
	list := strings.Join(to, ", ")
	g.line("%s = %s", list, c)
	g.line("say%s(%s)", g.id, list)
}
