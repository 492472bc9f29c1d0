// Package reference documents the packages that a session can import: their
// exported names, with the comments of the Go source. The packages of a library and those
// that were compiled in are read from their own source, the standard library, gonum
// and package widgets from outlines made by go generate. A package is read on first use.
package reference

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"sync"

	"symmom/repl/with"
)

//go:generate go run ./gen -out zz_packages.zip

//go:embed zz_packages.zip
var packages []byte

// Package is the documentation of a package.
type Package struct {
	Path, Name string
	Doc        string                  // the comment of the package
	Decls      map[string]*Declaration // by "Name", "Type.Method" or "Type.Field"
}

// Declaration is a declaration, or a field of a struct.
type Declaration struct {
	Kind      string // function, method, field, type, constant, variable
	Signature string // without bodies and unexported fields
	Doc       string
	Source    string // in full, if known
}

var loaded = struct {
	sync.Mutex
	packages map[string]*Package
	archive  *zip.Reader
	sources  []func(importPath string) ([][]byte, error)
}{packages: map[string]*Package{}, sources: []func(string) ([][]byte, error){with.Sources}}

// Add adds a function that returns the files of packages, or nil for other packages.
func Add(sources func(importPath string) ([][]byte, error)) {
	loaded.Lock()
	defer loaded.Unlock()
	loaded.sources = append(loaded.sources, sources)
	clear(loaded.packages) // outlines, where there is source now
}

// Lookup returns the documentation of a package by its import path.
func Lookup(importPath string) (*Package, error) {
	loaded.Lock()
	defer loaded.Unlock()
	if p, there := loaded.packages[importPath]; there {
		return p, nil
	}
	p, err := load(importPath)
	if err != nil {
		return nil, err
	}
	loaded.packages[importPath] = p
	return p, nil
}

func archive() (*zip.Reader, error) {
	if loaded.archive == nil {
		z, err := zip.NewReader(bytes.NewReader(packages), int64(len(packages)))
		if err != nil {
			return nil, err
		}
		loaded.archive = z
	}
	return loaded.archive, nil
}

// load reads a package.
func load(importPath string) (*Package, error) {
	p := &Package{Path: importPath, Decls: map[string]*Declaration{}}
	texts, whole, err := files(importPath)
	for _, text := range texts {
		if err == nil {
			err = p.add(text, whole)
		}
	}
	return p, err
}

// files returns the files of a package, and whether that is its real source.
func files(importPath string) (texts [][]byte, whole bool, err error) {
	if importPath == "display" {
		return [][]byte{[]byte(Display)}, false, nil
	}
	for _, sources := range loaded.sources {
		if texts, err := sources(importPath); err != nil || texts != nil {
			return texts, true, err
		}
	}
	z, err := archive()
	if err != nil {
		return nil, false, err
	}
	text, err := fs.ReadFile(z, importPath)
	if err != nil {
		return nil, false, fmt.Errorf("package %s is not documented here", importPath)
	}
	return [][]byte{text}, false, nil
}

// add adds a file. whole reports whether it is the package's real source.
func (p *Package) add(text []byte, whole bool) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	p.Name = f.Name.Name
	if d := f.Doc.Text(); len(d) > len(p.Doc) {
		p.Doc = d
	}
	r := reader{p: p, fset: fset, text: text, whole: whole}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			r.function(d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				r.spec(d, spec)
			}
		}
	}
	return nil
}

// Declare returns the documentation of the declarations in a part of a session: text
// is a file of package main.
func Declare(text string) (map[string]*Declaration, error) {
	p := &Package{Path: "main", Decls: map[string]*Declaration{}}
	return p.Decls, p.add([]byte(text), true)
}

type reader struct {
	p     *Package
	fset  *token.FileSet
	text  []byte
	whole bool
}

func (r *reader) set(name string, d Declaration, from, to ast.Node) {
	if r.whole {
		d.Source = string(r.text[r.fset.Position(from.Pos()).Offset:r.fset.Position(to.End()).Offset])
	}
	r.p.Decls[name] = &d
}

func (r *reader) print(n ast.Node) string {
	var b strings.Builder
	if err := format.Node(&b, r.fset, n); err != nil {
		return err.Error()
	}
	return b.String()
}

func (r *reader) function(d *ast.FuncDecl) {
	bare := *d
	bare.Doc, bare.Body = nil, nil
	name, kind := d.Name.Name, "function"
	if d.Recv != nil && len(d.Recv.List) == 1 {
		name, kind = typeName(d.Recv.List[0].Type)+"."+name, "method"
	}
	r.set(name, Declaration{Kind: kind, Signature: r.print(&bare), Doc: d.Doc.Text()}, d, d)
}

func typeName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return typeName(t.X)
	case *ast.IndexExpr:
		return typeName(t.X)
	case *ast.IndexListExpr:
		return typeName(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

func (r *reader) spec(d *ast.GenDecl, spec ast.Spec) {
	// A single specification without parentheses is the declaration.
	var whole ast.Node = spec
	if !d.Lparen.IsValid() {
		whole = d
	}
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if s, ok := spec.Type.(*ast.StructType); ok {
			r.fields(spec.Name.Name, s)
		}
		if i, ok := spec.Type.(*ast.InterfaceType); ok {
			for _, m := range i.Methods.List {
				for _, id := range m.Names {
					sig := "func (" + spec.Name.Name + ") " + id.Name + strings.TrimPrefix(r.print(m.Type), "func")
					r.set(spec.Name.Name+"."+id.Name, Declaration{Kind: "method", Signature: sig, Doc: docOf(m.Doc, m.Comment)}, m, m)
				}
			}
		}
		bare := *spec
		bare.Doc, bare.Comment, bare.Type = nil, nil, r.exported(spec.Type)
		r.set(spec.Name.Name, Declaration{Kind: "type", Signature: "type " + r.print(&bare), Doc: docOf(spec.Doc, d.Doc, spec.Comment)}, whole, whole)
	case *ast.ValueSpec:
		kind := map[token.Token]string{token.CONST: "constant", token.VAR: "variable"}[d.Tok]
		bare := *spec
		bare.Doc, bare.Comment = nil, nil
		for _, id := range spec.Names {
			r.set(id.Name, Declaration{Kind: kind, Signature: d.Tok.String() + " " + r.print(&bare), Doc: docOf(spec.Doc, spec.Comment, d.Doc)}, whole, whole)
		}
	}
}

func docOf(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if g != nil {
			return g.Text()
		}
	}
	return ""
}

func (r *reader) fields(owner string, s *ast.StructType) {
	for _, f := range s.Fields.List {
		text := r.print(f.Type)
		for _, id := range f.Names {
			r.set(owner+"."+id.Name, Declaration{Kind: "field", Signature: id.Name + " " + text, Doc: docOf(f.Doc, f.Comment)}, f, f)
		}
		if len(f.Names) == 0 {
			r.set(owner+"."+typeName(f.Type), Declaration{Kind: "field", Signature: text, Doc: docOf(f.Doc, f.Comment)}, f, f)
		}
	}
}

// exported returns a type without its unexported fields in package p.
func (r *reader) exported(t ast.Expr) ast.Expr {
	s, ok := t.(*ast.StructType)
	if !ok || r.p.Path == "main" {
		return t
	}
	out := *s
	fields := *s.Fields
	out.Fields = &fields
	fields.List = nil
	for _, f := range s.Fields.List {
		var names []*ast.Ident
		for _, id := range f.Names {
			if id.IsExported() {
				names = append(names, id)
			}
		}
		if len(names) > 0 || len(f.Names) == 0 {
			g := *f
			g.Names = names
			fields.List = append(fields.List, &g)
		}
	}
	return &out
}

// A name in brackets becomes a link to it.
var parserOfComments = comment.Parser{LookupSym: func(_, name string) bool { return ast.IsExported(name) }}

// Text formats a comment for a terminal of the given width.
func Text(doc string, width int) string {
	printer := comment.Printer{TextWidth: width}
	return string(printer.Text(parserOfComments.Parse(doc)))
}

// Markdown formats a comment for a notebook.
func Markdown(doc string) string {
	printer := comment.Printer{HeadingLevel: 3, HeadingID: func(*comment.Heading) string { return "" },
		DocLinkURL: func(l *comment.DocLink) string {
			if l.ImportPath == "" || strings.HasPrefix(l.ImportPath, "symmom/") {
				return ""
			}
			return l.DefaultURL("https://pkg.go.dev/")
		}}
	return string(printer.Markdown(parserOfComments.Parse(doc)))
}

// Synopsis returns the first sentence of a comment.
func Synopsis(doc string) string {
	doc = strings.Join(strings.Fields(firstParagraph(doc)), " ")
	for i := 0; i+1 < len(doc); i++ {
		if doc[i] == '.' && doc[i+1] == ' ' && i > 1 && !(doc[i-1] == 'g' && doc[i-2] == '.') && !(doc[i-1] == 'e' && doc[i-2] == '.') {
			return doc[:i+1]
		}
	}
	return doc
}

func firstParagraph(doc string) string {
	p, _, _ := strings.Cut(strings.TrimSpace(doc), "\n\n")
	return p
}
