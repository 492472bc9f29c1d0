package gofront

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"strconv"
	"strings"
	"sync"

	"symmom/repl/internal/syntax"
	"symmom/repl/with"
)

// Packages of other people that were compiled into the binary (package with) are
// like those of the standard library, except for their generic declarations. Those run
// from source: a function or a type is written out for each list of type arguments,
// as if cells had declared it. So do the functions of such packages that the
// interpreter cannot call, because they are not exported, are in an internal
// package, or have an instance of a generic type in their signature.

// Interpreted reports whether a type or a function exists in the interpreter alone:
// it is declared in cells; or in a package that was compiled in, and generic, a method
// of a generic type or an interface that is not exported.
func Interpreted(o types.Object) bool {
	if o == nil || o.Pkg() == nil {
		return false
	}
	if o.Pkg().Path() == "main" {
		return true
	}
	if !with.IsGeneric(o.Pkg().Path()) {
		return false
	}
	switch o := o.(type) {
	case *types.TypeName:
		if o.Parent() != nil && o.Parent() != o.Pkg().Scope() { // of a function
			return true
		}
		n, ok := types.Unalias(o.Type()).(*types.Named)
		if i, is := o.Type().Underlying().(*types.Interface); ok && is && !o.Exported() && i.IsMethodSet() {
			return true
		}
		return ok && n.TypeParams().Len() > 0
	case *types.Func:
		return o.Signature().TypeParams().Len() > 0 || o.Signature().RecvTypeParams().Len() > 0 || genericReceiver(o) || FromSource(o)
	}
	return false
}

// genericReceiver reports whether f is a method of an instance.
func genericReceiver(f *types.Func) bool {
	recv := f.Signature().Recv()
	if recv == nil {
		return false
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	return ok && n.TypeArgs().Len() > 0
}

// InterpretedField reports whether a field of t is one of a struct that exists in the
// interpreter alone.
func InterpretedField(t types.Type, f *types.Var) bool {
	if f.Pkg() == nil {
		return false
	}
	if f.Pkg().Path() == "main" {
		return true
	}
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	return ok && Interpreted(n.Obj())
}

// FromSource reports whether a function that is not generic runs from source.
func FromSource(f *types.Func) bool {
	if f.Pkg() == nil || f.Signature().Recv() != nil || f.Signature().TypeParams().Len() > 0 || !with.IsGeneric(f.Pkg().Path()) {
		return false
	}
	return !with.Has(f.Pkg().Path(), f.Name())
}

// SourceOf returns the source of a generic function, or of a method of a generic type,
// of a package that was compiled in, or nil.
func SourceOf(f *types.Func) *Generic {
	if f.Pkg() == nil || !with.IsGeneric(f.Pkg().Path()) {
		return nil
	}
	name := f.Name()
	if recv := f.Signature().Recv(); recv != nil {
		base := receiverBase(f)
		if base == nil {
			return nil
		}
		name = base.Name() + "." + name
	}
	return genericSource(f.Pkg().Path(), name)
}

// genericPackage is the part of a package that cells run from source.
type genericPackage struct {
	functions map[string]*Generic // by Name or Type.Method
	err       error
}

var genericPackages = struct {
	sync.Mutex
	read map[string]genericPackage
}{read: map[string]genericPackage{}}

// genericSource returns the source of a function or method of a package, or nil.
func genericSource(path, name string) *Generic {
	g := &genericPackages
	g.Lock()
	defer g.Unlock()
	p, ok := g.read[path]
	if !ok {
		p.functions, p.err = readGeneric(path)
		g.read[path] = p
	}
	if p.err != nil {
		return nil
	}
	return p.functions[name]
}

// hasGeneric reports whether cells can use a name of a generic package that its table
// lacks.
func hasGeneric(path, name string) bool {
	pkg, err := ImportTypes(path)
	if err != nil {
		return false
	}
	switch o := pkg.Scope().Lookup(name).(type) {
	case *types.Const:
		return true
	case *types.Func:
		return genericSource(path, name) != nil
	case *types.TypeName:
		i, isInterface := o.Type().Underlying().(*types.Interface)
		return Interpreted(o) || o.IsAlias() || isInterface && !i.IsMethodSet()
	}
	return false
}

// readGeneric parses a package.
func readGeneric(path string) (map[string]*Generic, error) {
	files, err := with.Sources(path)
	if err != nil {
		return nil, err
	}
	objects := exportedObjects(path)
	out := map[string]*Generic{}
	for _, text := range files {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		imports, err := importsOf(f)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			name := fn.Name.Name
			if base := ReceiverType(fn); base != nil {
				name = base.Name + "." + name
			}
			pos := fset.Position(fn.Pos())
			out[name] = &Generic{
				Text: string(text[pos.Offset:fset.Position(fn.End()).Offset]),
				File: path + "/" + syntax.BaseName, Line: pos.Line, Column: pos.Column,
				Imports: imports, Objects: objects, Package: path,
			}
		}
	}
	return out, nil
}

// importsOf returns the packages that a file imports, by their names in it.
func importsOf(f *ast.File) (map[string]string, error) {
	out := map[string]string{}
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		pkg, err := ImportTypes(path)
		switch {
		case err != nil:
			return nil, err
		case spec.Name == nil:
			out[pkg.Name()] = path
		case spec.Name.Name != "_" && spec.Name.Name != ".":
			out[spec.Name.Name] = path
		}
	}
	return out, nil
}

// open opens the export data of a package; the reader is nil if its types are those of
// its source. inner reports whether it was compiled in.
func (t *allTypes) open(path string) (r io.ReadCloser, inner bool, err error) {
	if with.IsGeneric(path) {
		return nil, true, nil
	}
	if t.inner != nil {
		if r, err = t.inner.Open(path); err == nil {
			return r, true, nil
		}
	}
	for _, archive := range t.archives {
		if r, err = archive.Open(path); err == nil {
			break
		}
	}
	return r, false, err
}

// beyond is more source text than a session ever sees.
const beyond = 1 << 30

// checkGeneric type-checks the generic packages from their source: export data lacks
// what is not exported.
func (t *allTypes) checkGeneric() error {
	if t.checked {
		return nil
	}
	t.checked = true // they import each other in this order
	for _, path := range with.Generic() {
		texts, err := with.Sources(path)
		if err != nil {
			return err
		}
		// Their positions are no positions of cells.
		fset := token.NewFileSet()
		fset.AddFile("", -1, beyond)
		var files []*ast.File
		for _, text := range texts {
			f, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
			if err != nil {
				return fmt.Errorf("package %s: %w", path, err)
			}
			files = append(files, f)
		}
		var first error
		config := types.Config{IgnoreFuncBodies: true, FakeImportC: true, Importer: ImporterFunc(t.imported), Error: func(err error) {
			if first == nil && !strings.Contains(err.Error(), "imported and not used") {
				first = err
			}
		}}
		pkg, _ := config.Check(path, fset, files, nil) // Error has seen the errors
		if first != nil {
			return fmt.Errorf("package %s: %w", path, first)
		}
		t.loaded[path], t.whole[path] = pkg, true
	}
	return nil
}

// imported is read for the imports of generic packages.
func (t *allTypes) imported(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return t.read(path)
}
