package conformance

import (
	"fmt"
	"strconv"
	"strings"
)

// expr returns an expression of a type.
func (g *generator) expr(t *kindOf, depth int) string {
	if depth <= 0 || g.IntN(5) == 0 {
		return g.leaf(t)
	}
	if x := g.access(t, depth); x != "" && g.IntN(3) > 0 {
		return x
	}
	switch g.IntN(12) {
	case 0:
		return fmt.Sprintf("func() %s { return %s }()", t.name, g.expr(t, depth-1))
	case 1:
		return fmt.Sprintf("pickOf(%s, %s, %s)", g.expr(tBool, depth-1), g.value(t, depth-1), g.value(t, depth-1))
	case 2:
		return fmt.Sprintf("ident[%s](%s)", t.name, g.expr(t, depth-1))
	case 3:
		return fmt.Sprintf("lastOf([]%s{%s, %s})", t.name, g.expr(t, depth-1), g.expr(t, depth-1))
	case 4:
		return fmt.Sprintf("*ref(%s)", g.value(t, depth-1))
	case 5:
		return fmt.Sprintf("trace(%q, %s)", g.name("t"), g.value(t, depth-1))
	}
	switch t.kind {
	case "int":
		return g.integer(t, depth)
	case "float":
		switch g.IntN(4) {
		case 0:
			n := g.expr(pick(g, basics[7:13]), depth-1)
			return fmt.Sprintf("%s(%s)", t.name, n)
		case 1:
			return fmt.Sprintf("-%s", paren(g.value(t, depth-1)))
		}
		return fmt.Sprintf("(%s %s %s)", g.expr(t, depth-1), pick(g, []string{"+", "-", "*", "/"}), g.value(t, depth-1))
	case "string":
		return g.text(t, depth)
	case "bool":
		return g.truth(depth)
	}
	return g.leaf(t)
}

func paren(x string) string { return "(" + x + ")" }

// value returns an expression that has its type by itself, where a constant alone
// would take another.
func (g *generator) value(t *kindOf, depth int) string {
	x := g.expr(t, depth)
	switch t.kind {
	case "int", "float", "string":
		if strings.HasPrefix(x, t.name+"(") {
			return x
		}
		return t.name + paren(x)
	case "any", "interface", "error", "pointer", "func", "slice", "map":
		return paren(t.name) + paren(x)
	}
	return x
}

func (g *generator) integer(t *kindOf, depth int) string {
	switch g.IntN(12) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", g.expr(t, depth-1), pick(g, []string{"+", "-", "*", "&", "|", "^", "&^"}), g.value(t, depth-1))
	case 4:
		return fmt.Sprintf("(%s %s (%s | 1))", g.value(t, depth-1), pick(g, []string{"/", "%"}), g.value(t, depth-1))
	case 5:
		return fmt.Sprintf("(%s %s (%s & 15))", g.value(t, depth-1), pick(g, []string{"<<", ">>"}), g.value(pick(g, []*kindOf{basics[8], basics[10], basics[14]}), depth-1))
	case 6:
		from := pick(g, basics[7:13])
		return fmt.Sprintf("%s(%s)", t.name, g.expr(from, depth-1))
	case 7:
		return fmt.Sprintf("%s%s", pick(g, []string{"-", "^"}), paren(g.value(t, depth-1)))
	case 8:
		for _, v := range g.shuffled() {
			switch v.t.kind {
			case "slice", "map", "string", "array":
				return fmt.Sprintf("%s(len(%s))", t.name, v.name)
			}
		}
	case 9:
		return fmt.Sprintf("%s(%s, %s)", pick(g, []string{"min", "max"}), g.value(t, depth-1), g.value(t, depth-1))
	case 10:
		if s := g.expr(tString, depth-1); s != "" {
			return fmt.Sprintf("%s(len(%s))", t.name, s)
		}
	}
	return g.leaf(t)
}

func (g *generator) text(t *kindOf, depth int) string {
	switch g.IntN(7) {
	case 0, 1:
		return fmt.Sprintf("(%s + %s)", g.expr(t, depth-1), g.value(t, depth-1))
	case 2:
		return fmt.Sprintf("%s(fmt.Sprint(%s))", t.name, g.expr(pick(g, basics), depth-1))
	case 3:
		return fmt.Sprintf("%s(strings.ToUpper(%s))", t.name, g.expr(tString, depth-1))
	case 4:
		return fmt.Sprintf("%s(rune('a' + (%s&15)))", t.name, g.value(basics[9], depth-1))
	case 5:
		x := g.expr(tString, depth-1)
		return fmt.Sprintf("%s((%s)[min(1, len(%s)):])", t.name, x, x)
	}
	return fmt.Sprintf("%s([]byte(%s))", t.name, g.expr(t, depth-1))
}

func (g *generator) truth(depth int) string {
	switch g.IntN(6) {
	case 0:
		return "!" + paren(g.expr(tBool, depth-1))
	case 1:
		return fmt.Sprintf("(%s %s %s)", g.expr(tBool, depth-1), pick(g, []string{"&&", "||"}), g.expr(tBool, depth-1))
	case 2:
		t := pick(g, g.types)
		if comparable(t) {
			return fmt.Sprintf("(%s %s %s)", paren(g.value(t, depth-1)), pick(g, []string{"==", "!="}), paren(g.value(t, depth-1)))
		}
	}
	t := pick(g, basics)
	for t.kind == "bool" {
		t = pick(g, basics)
	}
	return fmt.Sprintf("(%s %s %s)", g.value(t, depth-1), pick(g, []string{"<", "<=", ">", ">=", "==", "!="}), g.value(t, depth-1))
}

// shuffled returns the scope in random order.
func (g *generator) shuffled() []*variable {
	list := append([]*variable(nil), g.scope...)
	g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// access finds a value of a type in scope: fields, elements, calls.
func (g *generator) access(t *kindOf, depth int) string {
	var list []string
	for _, v := range g.shuffled() {
		switch {
		case v.t.kind == "slice" && v.t.elem == t:
			list = append(list, fmt.Sprintf("at(%s, %s)", v.name, g.expr(tInt, depth-1)))
		case v.t.kind == "array" && v.t.elem == t:
			list = append(list, fmt.Sprintf("%s[uint(%s)%%%d]", v.name, g.leaf(basics[8]), v.t.n), fmt.Sprintf("%s[%d]", v.name, g.IntN(v.t.n)))
		case v.t.kind == "map" && v.t.elem == t:
			list = append(list, fmt.Sprintf("%s[%s]", v.name, g.expr(v.t.key, depth-1)))
		case v.t.kind == "pointer" && v.t.elem == t:
			list = append(list, "*"+v.name)
		case v.t.kind == "func" && v.t.sig.result[0] == t:
			list = append(list, fmt.Sprintf("%s(%s)", v.name, g.expr(v.t.sig.params[0], depth-1)))
		case v.t.kind == "struct" || v.t.kind == "pointer" && v.t.elem.kind == "struct":
			st := v.t
			if st.kind == "pointer" {
				st = st.elem
			}
			for _, f := range st.fields {
				if f.t == t {
					list = append(list, v.name+"."+f.name)
				}
			}
		}
		for _, m := range v.t.methods {
			if len(m.result) == 1 && m.result[0] == t {
				list = append(list, fmt.Sprintf("%s.%s(%s)", v.name, m.name, g.args(m, depth-1)))
			}
		}
		if v.t.kind == "any" && t.kind != "any" && t.kind != "interface" && g.IntN(4) == 0 {
			list = append(list, fmt.Sprintf("as[%s](%s)", t.name, v.name))
		}
	}
	for _, f := range g.funcs {
		if len(f.result) == 1 && f.result[0] == t {
			list = append(list, fmt.Sprintf("%s(%s)", f.name, g.args(f, depth-1)))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return pick(g, list)
}

func (g *generator) args(c *callable, depth int) string {
	var list []string
	for _, p := range c.params {
		list = append(list, g.expr(p, depth))
	}
	return strings.Join(list, ", ")
}

// leaf returns a variable, or a literal.
func (g *generator) leaf(t *kindOf) string {
	if g.IntN(4) > 0 {
		for _, v := range g.shuffled() {
			if v.t == t {
				return v.name
			}
		}
	}
	return g.literal(t, 2)
}

func (g *generator) literal(t *kindOf, depth int) string {
	if g.nested++; g.nested > 6 {
		depth = -1
	}
	defer func() { g.nested-- }()
	switch t.kind {
	case "int":
		n := g.IntN(20)
		if g.IntN(8) == 0 {
			n = g.IntN(1 << min(t.bits-1, 40))
		}
		if t.name == "int" {
			return strconv.Itoa(n)
		}
		return fmt.Sprintf("%s(%d)", t.name, n)
	case "float":
		return fmt.Sprintf("%s(%d.%d)", t.name, g.IntN(9), 5*g.IntN(20))
	case "string":
		s := pick(g, []string{"", "a", "xy", "héllo", "日本", "z9"})
		if t.name == "string" {
			return strconv.Quote(s)
		}
		return fmt.Sprintf("%s(%q)", t.name, s)
	case "bool":
		return pick(g, []string{"true", "false"})
	case "any":
		return fmt.Sprintf("any(%s)", g.value(pick(g, basics), 0))
	case "interface":
		return fmt.Sprintf("%s(%s)", t.name, g.literal(t.elem, depth-1))
	case "error":
		return pick(g, []string{"error(nil)", `errors.New("e")`})
	case "pointer":
		if t.elem.kind == "struct" {
			return "&" + g.literal(t.elem, depth-1)
		}
		return fmt.Sprintf("ref[%s](%s)", t.elem.name, g.literal(t.elem, depth-1))
	case "func":
		v := g.name("p")
		g.scope = append(g.scope, &variable{name: v, t: t.sig.params[0]})
		x := fmt.Sprintf("*new(%s)", t.sig.result[0].name)
		if g.nested <= 6 {
			x = g.expr(t.sig.result[0], depth-1)
		}
		g.scope = g.scope[:len(g.scope)-1]
		return fmt.Sprintf("func(%s %s) %s { tick(); return %s }", v, t.sig.params[0].name, t.sig.result[0].name, x)
	}
	var parts []string
	if depth < 0 {
		return t.name + "{}"
	}
	switch t.kind {
	case "slice":
		for range g.IntN(4) {
			parts = append(parts, g.expr(t.elem, depth-1))
		}
	case "array":
		for range t.n {
			parts = append(parts, g.expr(t.elem, depth-1))
		}
	case "map":
		used := map[string]bool{}
		for range g.IntN(3) {
			k := g.literal(t.key, 0)
			if !used[k] {
				parts = append(parts, k+": "+g.expr(t.elem, depth-1))
				if t.key.kind == "struct" { // several literals have the same value; Go does not say which of two remains
					break
				}
			}
			used[k] = true
		}
	case "struct":
		for _, f := range t.fields {
			if g.IntN(4) > 0 {
				parts = append(parts, f.name+": "+g.expr(f.t, depth-1))
			}
		}
	}
	return t.name + "{" + strings.Join(parts, ", ") + "}"
}
