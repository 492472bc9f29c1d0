package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/constant"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// generator type-checks packages from source.
type generator struct {
	fset *token.FileSet
	imp  types.ImporterFrom
}

func newGenerator() *generator {
	fset := token.NewFileSet()
	return &generator{fset, importer.ForCompiler(fset, "source", nil).(types.ImporterFrom)}
}

// declaration is a declaration at the top level of a package.
type declaration struct {
	doc     *ast.CommentGroup
	typ     *ast.TypeSpec
	fun     *ast.FuncDecl
	methods []*ast.FuncDecl
	imports map[string]string // of its file, name -> path
}

// outline writes the declarations of a package that are kept, and those that they
// need. It returns the packages that these import.
func (g *generator) outline(importPath string, keep func(name string, isType bool) bool) (text []byte, imports []string, err error) {
	info, err := build.Import(importPath, ".", 0)
	if err != nil {
		return nil, nil, err
	}
	pkg := types.NewPackage(importPath, info.Name)
	if importPath != "builtin" { // builtin only has comments
		if pkg, err = g.imp.ImportFrom(importPath, ".", 0); err != nil {
			return nil, nil, err
		}
	}
	decls, doc, err := g.declarations(info)
	if err != nil {
		return nil, nil, err
	}
	names := map[string]bool{}
	for name, d := range decls {
		if (ast.IsExported(name) || importPath == "builtin") && keep(name, d.typ != nil) {
			names[name] = true
		}
	}
	for {
		o := &outliner{generator: g, pkg: pkg, decls: decls, used: map[string]string{}}
		text, err := o.write(doc, names)
		if err != nil {
			return nil, nil, err
		}
		missing := undefined(importPath, text)
		grew := false
		for _, name := range missing {
			if decls[name] != nil && !names[name] {
				names[name], grew = true, true
			}
		}
		if !grew {
			return text, slices.Sorted(maps.Values(o.used)), nil
		}
	}
}

// declarations parses a package.
func (g *generator) declarations(info *build.Package) (map[string]*declaration, *ast.CommentGroup, error) {
	out := map[string]*declaration{}
	var doc *ast.CommentGroup
	at := func(name string) *declaration {
		if out[name] == nil {
			out[name] = &declaration{}
		}
		return out[name]
	}
	for _, name := range info.GoFiles {
		f, err := parser.ParseFile(g.fset, filepath.Join(info.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		if f.Doc != nil && (doc == nil || len(f.Doc.Text()) > len(doc.Text())) {
			doc = f.Doc
		}
		imports := map[string]string{}
		for _, spec := range f.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return nil, nil, err
			}
			if spec.Name != nil {
				imports[spec.Name.Name] = p
			} else if q, err := g.imp.ImportFrom(p, info.Dir, 0); err == nil {
				imports[q.Name()] = p
			}
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				d.Body = nil
				if d.Recv == nil {
					at(d.Name.Name).fun, at(d.Name.Name).doc = d, d.Doc
					at(d.Name.Name).imports = imports
				} else if ast.IsExported(d.Name.Name) {
					t := at(receiver(d))
					t.methods = append(t.methods, d)
					if t.imports == nil {
						t.imports = map[string]string{}
					}
					maps.Copy(t.imports, imports)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						t := at(spec.Name.Name)
						t.typ, t.doc = spec, first(spec.Doc, d.Doc)
						if t.imports == nil {
							t.imports = map[string]string{}
						}
						maps.Copy(t.imports, imports)
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							at(id.Name).doc, at(id.Name).imports = first(spec.Doc, spec.Comment, d.Doc), imports
						}
					}
				}
			}
		}
	}
	return out, doc, nil
}

func first(groups ...*ast.CommentGroup) *ast.CommentGroup {
	for _, g := range groups {
		if g != nil {
			return g
		}
	}
	return nil
}

func receiver(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// outliner writes one file.
type outliner struct {
	*generator
	pkg   *types.Package
	decls map[string]*declaration
	used  map[string]string // imports, name -> path
	b     bytes.Buffer
}

func (o *outliner) write(doc *ast.CommentGroup, names map[string]bool) ([]byte, error) {
	for _, name := range slices.Sorted(maps.Keys(names)) {
		d := o.decls[name]
		switch {
		case d.typ != nil:
			exportedFields(d.typ.Type)
			o.comment(d.doc)
			bare := *d.typ
			bare.Doc, bare.Comment = nil, nil
			if err := o.node("type ", d, &bare); err != nil {
				return nil, err
			}
			slices.SortFunc(d.methods, func(a, b *ast.FuncDecl) int { return strings.Compare(a.Name.Name, b.Name.Name) })
			for _, m := range d.methods {
				if err := o.function(d, m); err != nil {
					return nil, err
				}
			}
		case d.fun != nil:
			if err := o.function(d, d.fun); err != nil {
				return nil, err
			}
		default:
			o.value(d, o.pkg.Scope().Lookup(name))
		}
	}
	var head bytes.Buffer
	if doc != nil {
		for _, c := range doc.List {
			head.WriteString(c.Text + "\n")
		}
	}
	fmt.Fprintf(&head, "package %s\n\n", o.pkg.Name())
	for _, name := range slices.Sorted(maps.Keys(o.used)) {
		fmt.Fprintf(&head, "import %s %q\n", name, o.used[name])
	}
	head.WriteString("\n")
	head.Write(o.b.Bytes())
	return format.Source(head.Bytes())
}

func (o *outliner) comment(doc *ast.CommentGroup) {
	if doc == nil {
		return
	}
	o.b.WriteString("\n")
	for line := range strings.Lines(doc.Text()) {
		o.b.WriteString("// " + strings.TrimRight(line, "\n") + "\n")
	}
}

func (o *outliner) function(d *declaration, f *ast.FuncDecl) error {
	o.comment(f.Doc)
	bare := *f
	bare.Doc = nil
	return o.node("", d, &bare)
}

// node prints n, and records the packages that it names.
func (o *outliner) node(head string, d *declaration, n ast.Node) error {
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && d.imports[id.Name] != "" {
				o.used[id.Name] = d.imports[id.Name]
			}
		}
		return true
	})
	o.b.WriteString(head)
	if err := format.Node(&o.b, o.fset, n); err != nil {
		return err
	}
	o.b.WriteString("\n")
	return nil
}

// value writes a constant or a variable with its type.
func (o *outliner) value(d *declaration, obj types.Object) {
	qualify := func(p *types.Package) string {
		if p == o.pkg {
			return ""
		}
		o.used[p.Name()] = p.Path()
		return p.Name()
	}
	switch v := obj.(type) {
	case *types.Const:
		t := ""
		if b, ok := v.Type().(*types.Basic); !ok || b.Info()&types.IsUntyped == 0 {
			t = " " + types.TypeString(v.Type(), qualify)
		}
		text := v.Val().ExactString()
		if v.Val().Kind() == constant.Float {
			if num, den, ok := strings.Cut(text, "/"); ok {
				text = num + ".0/" + den + ".0"
			} else {
				text += ".0"
			}
		}
		o.comment(d.doc)
		fmt.Fprintf(&o.b, "const %s%s = %s\n", v.Name(), t, text)
	case *types.Var:
		o.comment(d.doc)
		fmt.Fprintf(&o.b, "var %s %s\n", v.Name(), types.TypeString(v.Type(), qualify))
	}
}

// exportedFields removes unexported fields of a struct; embedded fields stay because
// of the fields and methods that they promote.
func exportedFields(t ast.Expr) {
	s, ok := t.(*ast.StructType)
	if !ok {
		return
	}
	var fields []*ast.Field
	for _, f := range s.Fields.List {
		var names []*ast.Ident
		for _, id := range f.Names {
			if ast.IsExported(id.Name) {
				names = append(names, id)
			}
		}
		if len(names) > 0 || len(f.Names) == 0 {
			f.Names = names
			fields = append(fields, f)
		}
	}
	s.Fields.List = fields
}

var undefinedName = regexp.MustCompile(`^undefined: (\w+)$`)

// undefined returns the names that a file uses and does not declare.
func undefined(importPath string, text []byte) []string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		panic(err) // format.Source has just accepted it
	}
	var names []string
	config := types.Config{
		Importer: nothing{}, FakeImportC: true, IgnoreFuncBodies: true,
		Error: func(err error) {
			if e, ok := err.(types.Error); ok {
				if m := undefinedName.FindStringSubmatch(e.Msg); m != nil {
					names = append(names, m[1])
				}
			}
		},
	}
	_, _ = config.Check(importPath, fset, []*ast.File{f}, nil) // the errors are reported to conf.Error
	return names
}

// nothing imports empty packages.
type nothing struct{}

func (nothing) Import(p string) (*types.Package, error) {
	if p == "unsafe" {
		return types.Unsafe, nil
	}
	return nil, fmt.Errorf("not here")
}
