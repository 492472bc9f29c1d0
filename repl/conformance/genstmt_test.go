package conformance

import (
	"fmt"
	"strings"
)

// within writes a block. What is declared in it goes out of scope after it.
func (g *generator) within(head string, write func()) {
	g.line("%s {", head)
	g.inner(write)
	g.line("}")
}

func (g *generator) inner(write func()) {
	n := len(g.scope)
	g.indent++
	write()
	g.indent--
	g.scope = g.scope[:n]
}

func (g *generator) statements(n int) {
	for range n {
		if g.steps <= 0 {
			break
		}
		g.statement()
	}
}

// add puts a variable into scope, and uses it.
func (g *generator) add(name string, t *kindOf, owned bool) *variable {
	v := &variable{name: name, t: t, owned: owned}
	g.scope = append(g.scope, v)
	g.line("_ = %s", name)
	return v
}

// declare declares one or more variables.
func (g *generator) declare() {
	n := []int{1, 1, 1, 2, 2, 3}[g.IntN(6)]
	var names, values []string
	var list []*kindOf
	for range n {
		t := pick(g, g.types)
		names, list = append(names, g.name("x")), append(list, t)
		if g.IntN(2) == 0 && t.kind != "any" {
			values = append(values, g.literal(t, 2))
		} else {
			values = append(values, g.value(t, 3))
		}
	}
	switch {
	case n == 1 && g.IntN(4) == 0:
		g.line("var %s %s = %s", names[0], list[0].name, values[0])
	case n == 1 && g.IntN(5) == 0 && list[0].kind != "pointer" && list[0].kind != "func" && list[0].kind != "interface":
		g.line("var %s %s", names[0], list[0].name)
	case g.IntN(6) == 0:
		g.line("var %s = %s", strings.Join(names, ", "), strings.Join(values, ", "))
	default:
		g.line("%s := %s", strings.Join(names, ", "), strings.Join(values, ", "))
	}
	for i, name := range names {
		g.add(name, list[i], strings.HasPrefix(values[i], list[i].name+"{"))
	}
}

// changeable returns an assignable operand, and its type.
func (g *generator) changeable() (string, *kindOf) {
	for _, v := range g.shuffled() {
		switch {
		case v.t.kind == "slice" && v.owned && g.IntN(2) == 0:
			return fmt.Sprintf("%s[:][%s]", v.name, "0"), nil // guarded by its user
		case v.t.kind == "array" && g.IntN(2) == 0:
			return fmt.Sprintf("%s[%d]", v.name, g.IntN(v.t.n)), v.t.elem
		case v.t.kind == "struct" && g.IntN(2) == 0:
			f := pick(g, v.t.fields)
			return v.name + "." + f.name, f.t
		case v.t.kind == "map" && v.owned && g.IntN(2) == 0:
			return fmt.Sprintf("%s[%s]", v.name, g.expr(v.t.key, 1)), v.t.elem
		case v.t.kind == "pointer" && v.owned:
			return "*" + v.name, v.t.elem
		case v.name != "r":
			return v.name, v.t
		}
	}
	return "", nil
}

func (g *generator) statement() {
	g.steps--
	deep := g.indent > 4
	switch n := g.IntN(30); {
	case n < 5:
		g.declare()
	case n < 8:
		if p, t := g.changeable(); t != nil {
			g.line("%s = %s", p, g.expr(t, 3))
		}
	case n == 8:
		g.parallel()
	case n == 9:
		if p, t := g.changeable(); t != nil {
			switch t.kind {
			case "int":
				g.line("%s %s %s", p, pick(g, []string{"+=", "-=", "*=", "|=", "^=", "&^=", "&="}), g.value(t, 2))
			case "string":
				g.line("if len(%s) < 40 { %s += %s }", p, p, g.value(t, 2))
			case "float":
				g.line("%s %s %s", p, pick(g, []string{"+=", "-=", "*="}), g.value(t, 2))
			}
		}
	case n == 10:
		if p, t := g.changeable(); t != nil && t.kind == "int" {
			g.line("%s%s", p, pick(g, []string{"++", "--", " <<= 1", " >>= 2"}))
		}
	case n == 11:
		g.show()
	case n == 12:
		if g.ends != nil && g.indent > 1 {
			g.line("if %s { return %s }", g.expr(tBool, 2), g.expr(g.ends, 2))
		}
	case n == 13:
		g.appends()
	case deep:
		g.declare()
	case n < 16:
		g.conditional()
	case n < 19:
		g.loop()
	case n == 19:
		g.switches()
	case n == 20:
		g.typeSwitch()
	case n == 21:
		g.closures()
	case n == 22:
		g.channels()
	case n == 23:
		g.deferring()
	case n == 24:
		g.copies()
	case n == 25:
		pick(g, []func(){g.gather, g.spaces, g.clauses})()
	case n > 25 && len(g.shapes) > 0:
		g.useShape(pick(g, g.shapes), nil)
	default:
		g.calls()
	}
}

// parallel assigns to several operands at once.
func (g *generator) parallel() {
	a, ta := g.changeable()
	b, tb := g.changeable()
	if ta == nil || tb == nil || a == b || strings.HasPrefix(a, "*") || strings.HasPrefix(b, "*") || root(a) == root(b) {
		return
	}
	if ta == tb && g.IntN(2) == 0 {
		g.line("%s, %s = %s, %s", a, b, b, a)
		return
	}
	g.line("%s, %s = %s, %s", a, b, g.expr(ta, 2), g.expr(tb, 2))
}

func root(place string) string {
	return strings.FieldsFunc(place, func(r rune) bool { return r == '.' || r == '[' || r == '*' })[0]
}

func (g *generator) appends() {
	for _, v := range g.shuffled() {
		switch {
		case v.t.kind == "slice" && v.owned:
			switch g.IntN(4) {
			case 0:
				g.line("if len(%s) > 0 { %s[len(%s)-1] = %s }", v.name, v.name, v.name, g.expr(v.t.elem, 2))
			case 1:
				g.line("%s = %s[:len(%s)/2]", v.name, v.name, v.name)
			default:
				g.line("if len(%s) < 20 { %s = append(%s, %s) }", v.name, v.name, v.name, g.expr(v.t.elem, 2))
			}
			return
		case v.t.kind == "map" && v.owned:
			switch g.IntN(3) {
			case 0:
				g.line("delete(%s, %s)", v.name, g.expr(v.t.key, 1))
			case 1:
				x, ok := g.name("v"), g.name("ok")
				g.line("%s, %s := %s[%s]", x, ok, v.name, g.expr(v.t.key, 1))
				g.add(x, v.t.elem, false)
				g.add(ok, tBool, false)
			default:
				g.line("%s[%s] = %s", v.name, g.expr(v.t.key, 1), g.expr(v.t.elem, 2))
			}
			return
		}
	}
}

func (g *generator) conditional() {
	head := "if " + g.expr(tBool, 3)
	n := len(g.scope)
	if g.IntN(3) == 0 {
		t := pick(g, basics)
		x := g.name("c")
		init := g.value(t, 2)
		g.scope = append(g.scope, &variable{name: x, t: t})
		head = fmt.Sprintf("if %s := %s; %s == %s || %s", x, init, x, g.value(t, 1), g.expr(tBool, 2))
	}
	g.line("%s {", head)
	g.inner(func() { g.statements(3) })
	switch g.IntN(3) {
	case 0:
		g.line("} else if %s {", g.expr(tBool, 2))
		g.inner(func() { g.statements(2) })
	case 1:
		g.line("} else {")
		g.inner(func() { g.statements(2) })
	}
	g.line("}")
	g.scope = g.scope[:n]
}

func (g *generator) loop() {
	label := ""
	if g.IntN(3) == 0 {
		label = g.name("L")
		g.body.WriteString(label + ":\n")
	}
	i := g.name("i")
	body := func(vars ...*variable) func() {
		return func() {
			g.line("tick()")
			for _, v := range vars {
				g.add(v.name, v.t, v.owned)
			}
			g.statements(2)
			if label != "" {
				g.line("for j := 0; j < 3; j++ {")
				g.line("\tif j == 1 && %s { %s %s }", g.expr(tBool, 2), pick(g, []string{"break", "continue"}), label)
				g.line("\tselect { default: if j > 1 { break %s } }", label)
				g.line("}")
			} else if g.IntN(3) == 0 {
				g.line("if %s { %s }", g.expr(tBool, 2), pick(g, []string{"break", "continue"}))
			}
			g.statements(2)
		}
	}
	iv := &variable{name: i, t: tInt}
	switch g.IntN(8) {
	case 0, 1:
		g.within(fmt.Sprintf("for %s := 0; %s < %d; %s++", i, i, 1+g.IntN(4), i), body(iv))
		return
	case 2:
		g.within(fmt.Sprintf("for %s := range %d", i, 1+g.IntN(4)), body(iv))
	case 3:
		x := g.name("e")
		t := tInt
		var over string
		for _, v := range g.shuffled() {
			if v.t.kind == "slice" || v.t.kind == "array" {
				over, t = v.name, v.t.elem
			}
		}
		if over == "" {
			over = "[]int{3, 1, 2}"
		}
		g.within(fmt.Sprintf("for %s, %s := range %s", i, x, over), body(iv, &variable{name: x, t: t}))
	case 4:
		x := g.name("e")
		g.within(fmt.Sprintf("for %s, %s := range %s", i, x, g.value(tString, 2)), body(iv, &variable{name: x, t: basics[9]}))
	case 5:
		for _, v := range g.shuffled() {
			if v.t.kind == "map" && v.t.key.kind != "struct" && v.t.key.kind != "bool" {
				g.within(fmt.Sprintf("for _, %s := range sorted(%s)", i, v.name), body(&variable{name: i, t: v.t.key}))
				return
			}
		}
		g.within(fmt.Sprintf("for %s := range upTo(%d)", i, 1+g.IntN(4)), body(iv))
	case 6:
		g.within(fmt.Sprintf("for %s := range upTo(%d)", i, 1+g.IntN(4)), body(iv))
	default:
		g.line("for {")
		g.line("\ttick()")
		g.line("\tif %s { break }", g.expr(tBool, 2))
		if label != "" {
			g.line("\tif %s { continue %s }", g.expr(tBool, 1), label)
		}
		g.line("\tbreak")
		g.line("}")
	}
}

func (g *generator) switches() {
	t := pick(g, basics)
	g.line("switch %s {", g.value(t, 2))
	n := 1 + g.IntN(3)
	for i := range n {
		list := []string{fmt.Sprintf("trace(%q, %s)", g.name("c"), g.value(t, 1))}
		for range g.IntN(3) {
			list = append(list, g.expr(t, 1))
		}
		g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		g.line("case %s:", strings.Join(list, ", "))
		g.inner(func() {
			g.statements(2)
			if g.IntN(4) == 0 {
				g.line("if %s { break }", g.expr(tBool, 1))
			}
			if i < n-1 && g.IntN(4) == 0 {
				g.line("fallthrough")
			}
		})
	}
	g.line("default:")
	g.inner(func() { g.statements(1) })
	g.line("}")
}

func (g *generator) typeSwitch() {
	x, v := g.name("a"), g.name("s")
	g.line("var %s any = %s", x, g.value(pick(g, g.types), 2))
	g.line("switch %s := %s.(type) {", v, x)
	used := map[string]bool{}
	for range 3 {
		t := pick(g, g.types)
		if used[t.name] || t.kind == "any" {
			continue
		}
		used[t.name] = true
		g.line("case %s:", t.name)
		g.inner(func() {
			g.add(v, t, false)
			g.line("fmt.Println(%q)", t.kind)
			g.statements(1)
		})
	}
	g.line("default:")
	g.line("\t_ = %s", v)
	g.line("}")
}

// closures makes functions that share variables.
func (g *generator) closures() {
	f := g.name("f")
	switch g.IntN(3) {
	case 0:
		c, n := g.name("n"), g.IntN(9)
		g.line("%s := %d", c, n)
		g.line("%s := func(d int) int { %s += d; return %s }", f, c, c)
		g.line("fmt.Println(%s(%s))", f, g.expr(tInt, 2))
		g.line("fmt.Println(%s(1), %s)", f, g.literal(tString, 0))
		g.add(c, tInt, false)
	case 1:
		g.line("var %s []func() int", f)
		g.within(fmt.Sprintf("for i := 0; i < %d; i++", 2+g.IntN(3)), func() {
			g.line("%s = append(%s, func() int { i += 10; return i + %s })", f, f, g.expr(tInt, 1))
		})
		g.line("for _, c := range %s { fmt.Println(c()) }", f)
	default:
		g.line("%s := func(k int) {", f)
		g.inner(func() {
			g.line("tick()")
			g.scope = append(g.scope, &variable{name: "k", t: tInt})
			saved := g.ends
			g.ends = nil
			g.statements(3)
			g.ends = saved
		})
		g.line("}")
		g.line("%s(%s)", f, g.expr(tInt, 2))
		g.line("%s(2)", f)
	}
}

func (g *generator) channels() {
	t := pick(g, g.types)
	c := g.name("ch")
	switch g.IntN(4) {
	case 0:
		g.line("%s := make(chan %s, 3)", c, t.name)
		g.line("%s <- %s", c, g.expr(t, 2))
		x := g.name("x")
		g.line("%s, _ := <-%s", x, c)
		g.add(x, t, false)
	case 1:
		x := g.name("x")
		g.line("%s := make(chan %s)", c, t.name)
		g.line("%s := %s", x+"v", g.value(t, 2)) // with an error: a panic in the goroutine would end the program
		g.line("go func() { defer close(%s); for range %d { %s <- %s } }()", c, 1+g.IntN(3), c, x+"v")
		g.within(fmt.Sprintf("for %s := range %s", x, c), func() {
			g.add(x, t, false)
			g.statements(2)
		})
	case 2:
		x, ok := g.name("x"), g.name("ok")
		g.line("%s := make(chan %s, 1)", c, t.name)
		g.line("select {")
		g.line("case %s, %s := <-%s:", x, ok, c)
		g.inner(func() { g.add(x, t, false); g.add(ok, tBool, false); g.statements(1) })
		g.line("default:")
		g.inner(func() { g.statements(1) })
		g.line("}")
	default:
		x := g.name("x")
		g.line("%s := make(chan %s, 1)", c, t.name)
		g.line("for range 2 {")
		g.inner(func() {
			g.line("select {")
			g.line("case %s := <-%s:", x, c)
			g.inner(func() { g.add(x, t, false); g.statements(1); g.line("fmt.Println(\"received\")") })
			g.line("case %s <- %s:", c, g.expr(t, 2))
			g.line("\tfmt.Println(\"sent\")")
			g.line("}")
		})
		g.line("}")
	}
}

// deferring writes a function that defers, and may panic and recover.
func (g *generator) deferring() {
	x := g.name("d")
	t := pick(g, basics)
	saved := g.ends
	g.ends = nil
	g.line("%s := func() (res %s) {", x, t.name)
	g.inner(func() {
		g.scope = append(g.scope, &variable{name: "res", t: t})
		g.line("defer func() { if r := recover(); r != nil { fmt.Println(\"recovered\", panicText(r)); res = %s } }()", g.expr(t, 1))
		g.line("for i := range 2 { defer fmt.Println(\"deferred\", i, %s) }", g.expr(tInt, 1))
		g.statements(2)
		switch g.IntN(5) {
		case 0:
			g.line("if %s { panic(%s) }", g.expr(tBool, 2), g.value(tString, 1))
		case 1:
			g.line("var none []int")
			g.line("fmt.Println(none[len(none)+%d])", g.IntN(3))
		case 2:
			g.line("zero := 0")
			g.line("fmt.Println(%s / zero)", g.value(tInt, 1))
		}
		g.line("return %s", g.expr(t, 2))
	})
	g.line("}()")
	g.ends = saved
	g.add(x, t, false)
}

// copies copies a struct or an array, changes one, and prints both.
func (g *generator) copies() {
	for _, v := range g.shuffled() {
		if (v.t.kind != "struct" && v.t.kind != "array") || !printable(v.t) {
			continue
		}
		c := g.name("copy")
		g.line("%s := %s", c, v.name)
		g.add(c, v.t, false)
		if v.t.kind == "struct" {
			f := pick(g, v.t.fields)
			g.line("%s.%s = %s", c, f.name, g.expr(f.t, 2))
		} else {
			g.line("%s[0] = %s", c, g.expr(v.t.elem, 2))
		}
		if comparable(v.t) {
			g.line("fmt.Println(%s == %s)", c, v.name)
		}
		if g.IntN(2) == 0 && v.t.kind == "struct" && v.name != "r" {
			q, f := g.name("q"), pick(g, v.t.fields)
			g.line("%s := &%s", q, v.name)
			g.line("%s.%s = %s", q, f.name, g.expr(f.t, 2))
		}
		g.line("fmt.Println(%s, %s)", v.name, c)
		return
	}
}

// calls calls a function for all its results, or a method.
func (g *generator) calls() {
	if g.IntN(2) == 0 && len(g.funcs) > 0 {
		f := pick(g, g.funcs)
		var names []string
		for range f.result {
			names = append(names, g.name("y"))
		}
		g.line("%s := %s(%s)", strings.Join(names, ", "), f.name, g.args(f, 2))
		for i, name := range names {
			g.add(name, f.result[i], false)
		}
		return
	}
	for _, v := range g.shuffled() {
		for _, m := range v.t.methods {
			if v.name == "r" {
				continue
			}
			if m.name == "Set" {
				g.line("%s.Set(%s)", v.name, g.args(m, 2))
			} else {
				h := g.name("m")
				g.line("%s := %s.%s", h, v.name, m.name)
				g.line("fmt.Println(%s(%s))", h, g.args(m, 2))
			}
			return
		}
	}
}

func printable(t *kindOf) bool {
	switch t.kind {
	case "pointer", "func":
		return false
	case "slice", "array":
		return printable(t.elem)
	case "map":
		return printable(t.elem) && printable(t.key)
	case "struct":
		for _, f := range t.fields {
			if !printable(f.t) {
				return false
			}
		}
	case "interface":
		return printable(t.elem)
	}
	return true
}

// show prints the variables in scope.
func (g *generator) show() {
	for _, v := range g.shuffled()[:min(4, len(g.scope))] {
		switch {
		case !printable(v.t):
			if v.t.kind == "pointer" && printable(v.t.elem) {
				g.line("fmt.Println(%q, *%s)", v.name, v.name)
			} else if v.t.kind == "func" && printable(v.t.sig.result[0]) {
				g.line("fmt.Println(%q, %s(%s))", v.name, v.name, g.literal(v.t.sig.params[0], 1))
			}
		case g.IntN(4) == 0:
			g.line("fmt.Printf(\"%s %%v %%T\\n\", %s, %s)", v.name, v.name, v.name)
		case g.IntN(6) == 0:
			g.line("fmt.Printf(\"%s %%+v\\n\", %s)", v.name, v.name)
		default:
			g.line("fmt.Println(%q, %s)", v.name, v.name)
		}
	}
}
