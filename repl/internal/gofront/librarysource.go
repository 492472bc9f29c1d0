package gofront

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"sync"

	"symmom/repl/internal/syntax"
	"symmom/repl/reference"
	"symmom/repl/with"
)

// The interpreter's tables contain no generic functions. Those of these packages are
// here as source, written for it: what would be slow there is left to package support.
//
//go:embed generic/*.go.txt
var librarySources embed.FS

// sources holds the contents of these files. The name of a file is the path of its
// package, with _ for /.
type sources struct {
	functions map[string]*Generic // by path and name
	types     map[string]string   // the text of a type with its methods
}

var generics = sync.OnceValue(func() sources {
	out := sources{map[string]*Generic{}, map[string]string{}}
	entries, err := librarySources.ReadDir("generic")
	if err != nil {
		panic(err) // of embedded files
	}
	for _, e := range entries {
		text, err := librarySources.ReadFile("generic/" + e.Name())
		if err != nil {
			panic(err)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, e.Name(), text, parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		path := strings.ReplaceAll(strings.TrimSuffix(e.Name(), ".go.txt"), "_", "/")
		for _, d := range f.Decls {
			source := string(text[fset.Position(d.Pos()).Offset:fset.Position(d.End()).Offset])
			if g, ok := d.(*ast.GenDecl); ok {
				out.types[path+"."+g.Specs[0].(*ast.TypeSpec).Name.Name] = source
				continue
			}
			fn := d.(*ast.FuncDecl)
			if fn.Recv != nil {
				out.types[path+"."+ReceiverType(fn).Name] += "\n" + source
				continue
			}
			pos := fset.Position(fn.Pos())
			out.functions[path+"."+fn.Name.Name] = &Generic{
				Text: source,
				File: path + "/" + syntax.BaseName, Line: pos.Line, Column: pos.Column,
				Imports: map[string]string{"cmp": "cmp", "iter": "iter", syntax.SupportName: syntax.SupportPath},
				Objects: exportedObjects(path),
			}
		}
	}
	return out
})

// exportedObjects returns the names by which a package refers to its own functions.
func exportedObjects(path string) map[string]types.Object {
	out := map[string]types.Object{}
	if path == "builtin" {
		return out
	}
	pkg, err := ImportTypes(path)
	if err != nil {
		return out
	}
	for _, name := range pkg.Scope().Names() {
		out[name] = pkg.Scope().Lookup(name)
	}
	return out
}

// LibrarySource returns the source of a generic function of a package, or nil.
func LibrarySource(path, name string) *Generic {
	if with.IsGeneric(path) {
		return genericSource(path, name)
	}
	return generics().functions[path+"."+name]
}

// LibraryType returns the source of a generic type of a package and its methods, or
// "".
func LibraryType(path, name string) string { return generics().types[path+"."+name] }

// Packages that exist only in cells have no export data.

// supportTypes are the functions of package support that this source calls.
var supportTypes = sync.OnceValue(func() *types.Package {
	return typesOf(syntax.SupportPath, `package support
func Clear(x any)
func Sort(x any)
func SortFunc(x any, less func(i, j int) bool)
func SortStableFunc(x any, less func(i, j int) bool)
func Negative(x any) bool
func Pull(seq func(yield func() bool)) (next, stop func())
`)
})

// displayTypes is the package display: see repl/show.go.
var displayTypes = sync.OnceValue(func() *types.Package { return typesOf("display", reference.Display) })

func typesOf(path, text string) *types.Package {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if err != nil {
		panic(err) // a constant text
	}
	pkg, err := (&types.Config{}).Check(path, fset, []*ast.File{f}, nil)
	if err != nil {
		panic(err)
	}
	return pkg
}
