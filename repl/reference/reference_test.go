package reference

import (
	"go/ast"
	"strings"
	"testing"

	"symmom/repl/symbols"
)

func TestEveryPackage(t *testing.T) {
	loaded.Lock()
	z, err := archive()
	loaded.Unlock()
	if err != nil || len(z.File) < 147 {
		t.Fatalf("%d packages, %v", len(z.File), err)
	}
	var paths []string
	for _, f := range z.File {
		paths = append(paths, f.Name)
	}
	for _, p := range paths {
		d, err := Lookup(p)
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		if len(d.Decls) == 0 || d.Name == "" || strings.Contains("/"+d.Path, "/internal/") {
			continue // what only others need
		}
		if d.Doc == "" {
			t.Errorf("%s has no comment", p)
		}
	}
}

// The parts of our packages and gonum that a session has are documented.
func TestSymbolsAreDocumented(t *testing.T) {
	for key, table := range symbols.All() {
		p, err := Lookup(key[:strings.LastIndex(key, "/")])
		if err != nil {
			t.Error(err)
			continue
		}
		undocumented := 0
		for name := range table {
			if !ast.IsExported(name) {
				continue
			}
			d := p.Decls[name]
			if d == nil {
				t.Errorf("%s.%s is not in the reference: run go generate ./repl/...", p.Path, name)
			} else if d.Doc == "" {
				undocumented++
				if strings.HasPrefix(p.Path, "symmom/") {
					t.Errorf("%s.%s has no comment", p.Path, name)
				}
			}
		}
		if undocumented*5 > len(table) {
			t.Errorf("%d of %d names of %s have no comment", undocumented, len(table), p.Path)
		}
	}
}

func TestDeclarations(t *testing.T) {
	if _, err := Lookup("example.org/own"); err == nil {
		t.Error("a package is documented before its source is there")
	}
	Add(func(importPath string) ([][]byte, error) {
		if importPath != "example.org/own" {
			return nil, nil
		}
		return [][]byte{[]byte("// Package own is of a program.\npackage own\n\n// Options are options.\ntype Options struct {\n\tTolerance float64 // of the gradient\n\thidden int\n}\n\n" +
			"// Check checks.\nfunc (o *Options) Check(deep bool) error { return nil }\n")}, nil
	})
	for _, c := range []struct{ path, name, kind, signature, doc, source string }{
		{"example.org/own", "Options.Check", "method", "func (o *Options) Check(deep bool) error", "Check checks", "return"},
		{"example.org/own", "Options.Tolerance", "field", "Tolerance float64", "gradient", "Tolerance"},
		{"example.org/own", "Options", "type", "type Options struct {", "Options ", "hidden"},
		{"symmom/widgets", "Slider", "function", "func Slider(", "Slider ", ""},
		{"gonum.org/v1/gonum/mat", "NewDense", "function", "func NewDense(r, c int, data []float64) *Dense",
			"NewDense creates", ""},
		{"gonum.org/v1/gonum/mat", "Matrix.Dims", "method", "func (Matrix) Dims() (r, c int)", "Dims returns", ""},
		{"math", "Pi", "constant", "const Pi = 3", "oeis.org", ""},
		{"slices", "Sort", "function", "func Sort[S ~[]E, E cmp.Ordered](x S)", "Sort sorts", ""},
	} {
		p, err := Lookup(c.path)
		if err != nil {
			t.Fatal(err)
		}
		d := p.Decls[c.name]
		if d == nil {
			t.Errorf("%s.%s is not there", c.path, c.name)
			continue
		}
		if d.Kind != c.kind || !strings.HasPrefix(d.Signature, c.signature) || !strings.Contains(d.Doc, c.doc) || !strings.Contains(d.Source, c.source) || (c.source == "") != (d.Source == "") {
			t.Errorf("%s.%s: %+v", c.path, c.name, d)
		}
	}
	if _, err := Lookup("no/such"); err == nil {
		t.Error("no error for an unknown package")
	}
}

func TestComments(t *testing.T) {
	doc := "Load reads, e.g. a [Fit]. More.\n\n\tcode\n\nSee [io.Reader].\n"
	if got := Synopsis(doc); got != "Load reads, e.g. a [Fit]." {
		t.Errorf("synopsis %q", got)
	}
	if got := Text(doc, 60); got != "Load reads, e.g. a Fit. More.\n\n\tcode\n\nSee io.Reader.\n" {
		t.Errorf("text %q", got)
	}
	if got := Markdown(doc); got != "Load reads, e.g. a Fit. More.\n\n\tcode\n\nSee [io.Reader](https://pkg.go.dev/io/#Reader).\n" {
		t.Errorf("markdown %q", got)
	}
}
