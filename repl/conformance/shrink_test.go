package conformance

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// shrink removes statements and declarations from a program as long as it stays
// wrong, or refused with the same kind of message.
func shrink(t *testing.T, check *typeCheck, seed uint64) {
	t.Helper()
	p := sourceOf(seed)
	was := kindOfFault(t, []source{p})[0]
	if was == "" {
		t.Fatalf("seed %d is as it should be", seed)
	}
	for {
		var smaller []source
		for i := range 1 << 20 {
			src, more := without(p, i, seed+2*uint64(len(smaller)+1)*1_000_000)
			if !more {
				break
			}
			if check.ok(src) {
				smaller = append(smaller, src)
			}
		}
		slices.SortFunc(smaller, func(a, b source) int { return len(a.Decls+a.Body) - len(b.Decls+b.Body) })
		faults := kindOfFault(t, smaller)
		i := slices.Index(faults, was)
		if i < 0 {
			break
		}
		p = smaller[i]
	}
	t.Logf("%s\n%s\n%s", was, p.Decls, p.Body)
}

// kindOfFault returns what is wrong with programs, "" if nothing is.
func kindOfFault(t *testing.T, list []source) []string {
	t.Helper()
	got, want := sessions(t, list), toolchain(t, list)
	var out []string
	for _, p := range list {
		g, w := got[p.Seed], want[p.Seed]
		switch {
		case g.Refused != "":
			out = append(out, strings.Map(noDigits, kind(refusal{"", g.Refused})))
		case w.Panic == "" && g.Panic != "":
			out = append(out, "panics: "+strings.Map(noDigits, g.Panic))
		case string(g.Output) != string(w.Output) || g.Panic != w.Panic:
			out = append(out, "differs")
		default:
			out = append(out, "")
		}
	}
	return out
}

func noDigits(r rune) rune {
	if '0' <= r && r <= '9' {
		return -1
	}
	return r
}

// without returns a program without its i-th part, under another seed.
func without(p source, i int, seed uint64) (out source, more bool) {
	fset := token.NewFileSet()
	text := "package main\n" + p.Decls + "func main() {\n" + p.Body + "}\n"
	text = strings.ReplaceAll(text, fmt.Sprintf("_%d", p.Seed), fmt.Sprintf("_%d", seed))
	f, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		return out, false
	}
	cut := func(list *[]ast.Stmt) bool {
		n := len(*list)
		if i >= 2*n {
			i -= 2 * n
			return false
		}
		if i < n {
			*list = slices.Delete(*list, i, i+1)
		} else { // everything after it
			*list = (*list)[:i-n]
		}
		return true
	}
	if n := len(f.Decls) - 1; i < n {
		f.Decls = slices.Delete(f.Decls, i, i+1)
		more = true
	} else {
		i -= n
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if more {
			return false
		}
		switch n := n.(type) {
		case *ast.BlockStmt:
			more = cut(&n.List)
		case *ast.CaseClause:
			more = cut(&n.Body)
		case *ast.CommClause:
			more = cut(&n.Body)
		}
		return !more
	})
	if !more {
		return out, false
	}
	var b strings.Builder
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "main" && fn.Recv == nil {
			out.Decls = b.String()
			b.Reset()
			for _, s := range fn.Body.List {
				if printer.Fprint(&b, fset, s) != nil {
					return out, false
				}
				b.WriteString("\n")
			}
			break
		}
		if printer.Fprint(&b, fset, d) != nil {
			return out, false
		}
		b.WriteString("\n\n")
	}
	out.Seed, out.Body = seed, b.String()
	return out, true
}
