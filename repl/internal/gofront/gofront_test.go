package gofront

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"github.com/traefik/yaegi/stdlib"
)

// An item ends at a semicolon outside all brackets; Silenced are those with one in the text.
func TestItems(t *testing.T) {
	for source, want := range map[string]string{
		"":                                   "",
		"x := 1":                             "x := 1",
		"x := 1; y := 2;":                    "x := 1; | y := 2;",
		"f(1,\n2)\ny":                        "f(1,\n2) | y",
		"for i := 0; i < 3; i++ {\n}\nx":     "for i := 0; | i < 3; | i++ {\n} | x", // Parse joins them
		"func f() {\n\ta; b\n}":              "func f() {\n\ta; b\n}",
		"import \"fmt\"\ntype T struct {\n}": "import \"fmt\" | type T struct {\n}",
		"#!/usr/bin/env symmom\nx":           "x",
		"// only a comment":                  "",
		"x +":                                "x + ...",
		"f(1,":                               "f(1, ...",
		"s := `a\nb":                         "s := `a\nb ...",
		"/* open":                            " ...",
		"x // comment\ny":                    "x // comment | y",
	} {
		c, err := NewCell(1, "", source)
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		var items []string
		for _, it := range c.Items {
			text := source[it.Start:it.End]
			if it.Silenced {
				text += ";"
			}
			items = append(items, text)
		}
		got := strings.Join(items, " | ")
		if !c.Whole {
			got += " ..."
		}
		if got != want {
			t.Errorf("%q has the items %q, want %q", source, got, want)
		}
	}
}

// newFront returns a session without cells, in which some packages can be imported.
func newFront() *Front {
	l := &Library{Names: map[string]string{}, Symbols: map[string]map[string]reflect.Value{}, Own: []string{"symmom/symmom"}, Advice: map[string]string{"plot": "package charts draws"}}
	for _, path := range []string{"fmt", "strings", "errors"} {
		l.Add(path, stdlib.Symbols[path+"/"+path])
	}
	return New(token.NewFileSet(), l, unlowered{})
}

// unlowered is a session in which nothing was lowered.
type unlowered struct{}

func (unlowered) Redeclared(string) bool            { return false }
func (unlowered) Instantiated(*types.TypeName) bool { return false }

// check checks a cell after its session's others, and returns what it declares with types.
func check(t *testing.T, s *Front, number int, source string) (declared string, err error) {
	c, err := NewCell(number, "", source)
	if err != nil {
		return "", err
	}
	units, err := c.Parse(t.Context(), s.Fset)
	if err != nil {
		return "", err
	}
	checked, sc, err := s.Check(t.Context(), c, units)
	s.KeepOrphans(sc)
	if err != nil {
		return "", err
	}
	var out []string
	for _, u := range checked {
		for _, o := range u.Objects {
			s.Types.Objects[o.Name()], s.Names.Kinds[o.Name()] = o, NameKindOf(o)
			out = append(out, types.ObjectString(o, func(p *types.Package) string { return p.Name() }))
		}
		for _, r := range u.Results {
			out = append(out, r.String())
		}
	}
	for name, path := range sc.Imports {
		s.Names.Imports[name], s.Names.Kinds[name] = path, PackageName
	}
	return strings.Join(out, "; "), nil
}

// Cells see what earlier ones declare, and may declare it anew.
func TestCheck(t *testing.T) {
	s := newFront()
	for i, x := range [][2]string{
		{"n := 3\nn + 1", "var n int; int"},
		{"n, m := 4.5, n", "var n float64; var m int"},
		{"import \"strings\"\nstrings.Cut(\"a b\", \" \")", "string; string; bool"},
		{"type T struct{ next *T }\nfunc (t *T) Len() int { if t == nil { return 0 }; return 1 + t.next.Len() }", "type main.T struct{next *main.T}"},
		{"var t *T\nt.Len()", "var t *main.T; int"},
		{"func twice[E int | float64](x E) E { return 2 * x }\ntwice(n)", "func main.twice[E int | float64](x E) E; float64"},
		{"for i := range 3 { n += float64(i) }", ""},
		{"const c = 1 << 70 >> 68", "const main.c untyped int"},
		{"unused := 1\nfunc() { alsoUnused := 2 }()", "var unused int"},
	} {
		if got, err := check(t, s, i+1, x[0]); err != nil || got != x[1] {
			t.Errorf("%s\ndeclares %q (%v), want %q", x[0], got, err, x[1])
		}
	}
}

// Errors have the place in the user's own text, and say what to do where that is known.
func TestErrors(t *testing.T) {
	s := newFront()
	if _, err := check(t, s, 1, "import \"fmt\"\ncount := 1\ntype T struct{ Size int }\nvar v T"); err != nil {
		t.Fatal(err)
	}
	for i, x := range [][2]string{
		{"x := \n)", "2:1: unexpected ), nothing is open that it could close"},
		{"a\ncuont", "1:1: undefined: a"},
		{"cuont", "1:1: undefined: cuont; did you mean count?"},
		{"v.size", "1:3: v.size undefined (type T has no field or method size, but does have field Size)"},
		{"count = \"a\"", "1:9: cannot use \"a\" (untyped string constant) as int value in assignment"},
		{"if count { }", "1:4: non-boolean condition in if statement"},
		{"fmt.Printline()", "1:5: undefined: fmt.Printline; did you mean Println?"},
		{"plot(v)", "1:1: undefined: plot; package charts draws"},
		{"import \"numpy\"", "1:8: no package \"numpy\" in this session"},
		{"package other", "1:1: package other: a session is package main; leave the line out"},
		{"return 1", "1:1: "},
		{"goto L\nL: count++", "1:6: label L not declared; goto finds labels of its own function"},
		{"for {", "1:6: "},
	} {
		_, err := check(t, s, i+2, x[0])
		if err == nil || !strings.HasPrefix(err.Error(), x[1]) {
			t.Errorf("%s\n%v, want %s", x[0], err, x[1])
		}
	}
	if got, err := check(t, s, 99, "count"); got != "int" || err != nil { // nothing of the others remains
		t.Error(got, err)
	}
}

// Results of the program's own packages carry errors, and only those.
func TestCarries(t *testing.T) {
	l := &Library{Own: []string{"symmom/symmom"}, Symbols: map[string]map[string]reflect.Value{"symmom/symmom": {}}}
	failing := func(path string, pointer bool, result types.Type) types.Type {
		pkg := types.NewPackage(path, "symmom")
		named := types.NewNamed(types.NewTypeName(0, pkg, "Fit", nil), types.NewStruct(nil, nil), nil)
		recv := types.NewVar(0, pkg, "f", types.NewPointer(named))
		named.AddMethod(types.NewFunc(0, pkg, "Err", types.NewSignatureType(recv, nil, nil, nil, types.NewTuple(types.NewVar(0, pkg, "", result)), false)))
		if pointer {
			return types.NewPointer(named)
		}
		return named
	}
	err := types.Universe.Lookup("error").Type()
	for _, x := range []struct {
		t    types.Type
		want bool
	}{
		{failing("symmom/symmom", true, err), true},
		{failing("symmom/symmom", false, err), false},
		{failing("symmom/symmom", true, types.Typ[types.String]), false},
		{failing("context", true, err), false},
		{types.Typ[types.Int], false},
		{err, false},
	} {
		if got := l.Carries(x.t); got != x.want {
			t.Error(fmt.Sprint(x.t), got)
		}
	}
}
