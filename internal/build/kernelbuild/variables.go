package kernelbuild

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Code that runs from source uses variables of its package that are not exported, or
// that are in an internal package. It must have the ones of the compiled code, so
// package with declares them under the same names for the linker.

// variables returns these variables of a package from source, with their types as text
// and the packages that are named there.
func (s *selection) variables(path string, names map[string]string) (map[string]string, error) {
	p := s.packages[path]
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("kernel build: %w", err)
		}
		files = append(files, f)
	}
	config := types.Config{IgnoreFuncBodies: true, Importer: s.from, Error: func(error) {}}
	pkg, _ := config.Check(path, fset, files, nil) // it was compiled: what it says is of imports that are not used
	out := map[string]string{}
	for _, name := range pkg.Scope().Names() {
		v, ok := pkg.Scope().Lookup(name).(*types.Var)
		if !ok || name == "_" || v.Exported() && !internal(path) || !s.nameable(v.Type()) {
			continue
		}
		out[name] = types.TypeString(v.Type(), func(q *types.Package) string {
			if names[q.Path()] == "" {
				names[q.Path()] = fmt.Sprintf("q%d", len(names))
			}
			return names[q.Path()]
		})
	}
	return out, nil
}

// nameable reports whether another package can write a type.
func (s *selection) nameable(t types.Type) bool {
	ok := !s.mentions(t, false, map[types.Type]bool{})
	var visit func(t types.Type)
	seen := map[types.Type]bool{}
	object := func(o *types.TypeName) {
		if o.Pkg() == nil {
			return
		}
		p := s.packages[o.Pkg().Path()]
		ok = ok && o.Exported() && o.Parent() == o.Pkg().Scope() && p != nil && !internal(o.Pkg().Path())
	}
	visit = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			object(t.Obj())
			ok = ok && t.TypeArgs().Len() == 0
		case *types.Alias:
			object(t.Obj())
		case *types.Struct:
			for f := range t.Fields() {
				ok = ok && f.Exported()
				visit(f.Type())
			}
		case *types.Interface:
			for m := range t.Methods() {
				ok = ok && m.Exported()
				visit(m.Type())
			}
		case *types.Basic:
			ok = ok && t.Kind() != types.UnsafePointer && t.Kind() != types.Invalid
		default:
			for _, part := range parts(t) {
				visit(part)
			}
		}
	}
	visit(t)
	return ok
}

// linkName returns the name of a variable for the linker: dots in the last part of a
// path are escaped there.
func linkName(importPath, name string) string {
	dir, last := path.Split(importPath)
	return dir + strings.ReplaceAll(last, ".", "%2e") + "." + name
}

// declareVariables declares them, and returns the lines of the tables, by path.
func (s *selection) declareVariables() (code string, imports map[string]string, entries map[string]string, err error) {
	var b strings.Builder
	imports, entries = map[string]string{}, map[string]string{}
	n := 0
	for _, path := range s.sources() {
		vars, err := s.variables(path, imports)
		if err != nil {
			return "", nil, nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(vars)) {
			fmt.Fprintf(&b, "//go:linkname v%d %s\nvar v%[1]d %[3]s\n\n", n, linkName(path, name), vars[name])
			entries[path] += fmt.Sprintf("\t\t\t%q: reflect.ValueOf(&v%d).Elem(),\n", name, n)
			n++
		}
	}
	return b.String(), imports, entries, nil
}
