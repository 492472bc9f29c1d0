package kernelbuild

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
)

// Generic code is not in the interpreter's tables, so sessions run it from source (see
// gofront/compiledin.go), and with it what its package does not export. What it imports
// must be there too: packages as tables, internal ones, which no table can name, from
// source as well.

// selection is the set of compiled packages.
type selection struct {
	*graph
	from     types.Importer
	types    map[string]*types.Package
	wanted   []string            // packages with tables
	generic  map[string]bool     // packages from source
	excluded map[string][]string // names that are left out of tables, by path
	tainted  map[types.Object]bool
}

// choose finds all that the packages at paths need. known reports whether a session has
// a package anyway.
func choose(g *graph, paths []string, known func(path string) bool) (*selection, error) {
	s := &selection{graph: g, types: map[string]*types.Package{}, generic: map[string]bool{}, excluded: map[string][]string{}, tainted: map[types.Object]bool{}}
	s.from = importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		p := g.packages[path]
		if p == nil || p.Export == "" {
			return nil, fmt.Errorf("there is no export data of %s", path)
		}
		return os.Open(p.Export)
	})
	seen := map[string]bool{}
	var add func(path string) error
	add = func(path string) error {
		p := g.packages[path]
		if seen[path] || p == nil || p.Standard {
			return nil
		}
		seen[path] = true
		pkg, err := s.from.Import(path)
		if err != nil {
			return fmt.Errorf("kernel build: the types of package %s cannot be read: %w", path, err)
		}
		s.types[path] = pkg
		if !internal(path) {
			s.wanted = append(s.wanted, path)
		}
		if !internal(path) && !hasGeneric(pkg) && !s.taint(pkg) {
			return nil
		}
		s.generic[path] = true
		for _, q := range p.imports() {
			if known(q) {
				continue
			}
			if err := add(q); err != nil {
				return err
			}
		}
		return nil
	}
	for _, path := range paths {
		if err := add(path); err != nil {
			return nil, err
		}
	}
	// Types of one package may taint those of another that was looked at before.
	for again := true; again; {
		again = false
		for _, path := range s.wanted {
			before := len(s.excluded[path])
			s.taint(s.types[path])
			again = again || len(s.excluded[path]) != before
		}
	}
	slices.Sort(s.wanted)
	return s, nil
}

// sources returns the packages from source, each after those that it imports.
func (s *selection) sources() []string {
	var out []string
	for _, p := range s.order {
		if s.generic[p] {
			out = append(out, p)
		}
	}
	return out
}

// hasGeneric reports whether a package exports what is generic, or for generic code.
func hasGeneric(pkg *types.Package) bool {
	for _, name := range pkg.Scope().Names() {
		switch o := pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			if o.Signature().TypeParams().Len() > 0 {
				return true
			}
		case *types.TypeName:
			if n, ok := o.Type().(interface{ TypeParams() *types.TypeParamList }); ok && n.TypeParams().Len() > 0 {
				return true
			}
			if i, ok := o.Type().Underlying().(*types.Interface); ok && !i.IsMethodSet() {
				return true
			}
		}
	}
	return false
}

// taint notes what a package exports that has an instance of a generic type in it:
// compiled code and sessions have different ones. It reports whether there is any.
func (s *selection) taint(pkg *types.Package) bool {
	var names []string
	for again := true; again; {
		again = false
		for _, name := range pkg.Scope().Names() {
			o := pkg.Scope().Lookup(name)
			if _, constant := o.(*types.Const); constant || slices.Contains(names, name) || !o.Exported() {
				continue
			}
			if f, ok := o.(*types.Func); ok && f.Signature().TypeParams().Len() > 0 {
				continue // in no table anyway
			}
			if n, ok := o.Type().(interface{ TypeParams() *types.TypeParamList }); ok && n.TypeParams().Len() > 0 {
				continue
			}
			if t, ok := o.(*types.TypeName); ok && t.IsAlias() && !s.instance(types.Unalias(t.Type())) {
				continue
			}
			if s.mentions(o.Type(), true, map[types.Type]bool{}) {
				names, again = append(names, name), true
				s.tainted[o] = true
			}
		}
	}
	slices.Sort(names)
	s.excluded[pkg.Path()] = names
	return len(names) > 0
}

// instance reports whether t is an instance of a generic type that compiled code and
// sessions do not have in common: not a function such as iter.Seq[int], which is the
// same as its underlying type.
func (s *selection) instance(t types.Type) bool {
	n, ok := t.(*types.Named)
	if !ok || n.TypeArgs().Len() == 0 {
		return false
	}
	p := s.packages[n.Obj().Pkg().Path()]
	return n.NumMethods() > 0 || p == nil || !p.Standard
}

// mentions reports whether values of type t have to do with such instances. Named types
// inside t were looked at themselves.
func (s *selection) mentions(t types.Type, top bool, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	visit := func(t types.Type) bool { return s.mentions(t, false, seen) }
	switch u := t.(type) {
	case *types.Named:
		if s.instance(u) || s.tainted[u.Obj()] {
			return true
		}
		if !top || u.TypeParams().Len() > 0 {
			return false
		}
		for m := range types.NewMethodSet(types.NewPointer(u)).Methods() {
			if m.Obj().Exported() && visit(m.Type()) {
				return true
			}
		}
		return visit(u.Underlying())
	case *types.Struct:
		for f := range u.Fields() {
			if (f.Exported() || f.Embedded()) && visit(f.Type()) {
				return true
			}
		}
	case *types.Interface:
		for m := range u.Methods() {
			if visit(m.Type()) {
				return true
			}
		}
	default:
		return slices.ContainsFunc(parts(t), visit)
	}
	return false
}
