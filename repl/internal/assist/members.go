package assist

import (
	"go/ast"
	"go/types"
	"strings"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
	"symmom/repl/reference"
)

// qualify writes packages by their names.
func qualify(p *types.Package) string {
	if p.Path() == "main" {
		return ""
	}
	return p.Name()
}

// objectKind returns a word for the kind of an object.
func objectKind(o types.Object) string {
	switch o := o.(type) {
	case *types.PkgName:
		return "package"
	case *types.Const:
		return "constant"
	case *types.TypeName:
		return "type"
	case *types.Func:
		if o.Signature().Recv() != nil {
			return "method"
		}
		return "function"
	case *types.Builtin:
		return "function"
	case *types.Var:
		if o.IsField() {
			return "field"
		}
	case *types.Nil:
		return "constant"
	}
	return "variable"
}

// signature returns the signature of an object, or its type.
func signature(o types.Object) string {
	switch o := o.(type) {
	case *types.PkgName:
		return o.Imported().Path()
	case *types.TypeName:
		if o.Type() == nil {
			return ""
		}
		switch u := o.Type().Underlying().(type) {
		case *types.Struct:
			return "struct"
		case *types.Interface:
			return "interface"
		default:
			return types.TypeString(u, qualify)
		}
	case *types.Const:
		if b, ok := o.Type().(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			return o.Val().String()
		}
		return types.TypeString(o.Type(), qualify) + " = " + o.Val().String()
	case *types.Builtin:
		return "built-in"
	case *types.Nil:
		return ""
	}
	if o.Type() == nil || o.Type() == types.Typ[types.Invalid] {
		return ""
	}
	return types.TypeString(o.Type(), qualify)
}

// documentation returns the comment of an object, and its declaration.
func (s *scope) documentation(m gofront.Member) *reference.Declaration {
	o := m.Object
	name := o.Name()
	if m.Owner != "" {
		name = m.Owner + "." + name
	} else if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		name = gofront.TypeNameOf(f.Signature().Recv().Type()) + "." + name
	}
	if o.Pkg() == nil {
		if p, err := reference.Lookup("builtin"); err == nil {
			return p.Decls[name]
		}
		return nil
	}
	if o.Pkg().Path() == "main" {
		if _, isVar := o.(*types.Var); isVar && m.Owner == "" {
			return nil // a local name may hide another
		}
		return s.decls[name]
	}
	p, err := reference.Lookup(o.Pkg().Path())
	if err != nil {
		return nil
	}
	return p.Decls[name]
}

// exports returns the exported names of a package.
func (a *Assistant) exports(importPath string) []gofront.Member {
	pkg, err := gofront.ImportTypes(importPath)
	if err != nil {
		return nil
	}
	byName := map[string]gofront.Member{}
	for _, name := range pkg.Scope().Names() {
		if ast.IsExported(name) {
			byName[name] = gofront.Member{Object: pkg.Scope().Lookup(name)}
		}
	}
	return gofront.Sorted(byName)
}

// visible returns the names that can be used at the site, the inner ones first.
func (s *site) visible() []gofront.Member {
	var out []gofront.Member
	seen := map[string]bool{here: true, syntax.SupportName: true, "_": true, "main": true}
	pos := s.id.Pos()
	top := s.info.Scopes[s.file]
	if top == nil {
		return nil // the checker gave up
	}
	session := top.Parent().Parent()
	for sc := top.Innermost(pos); sc != nil; sc = sc.Parent() {
		byName := map[string]gofront.Member{}
		for _, name := range sc.Names() {
			o := sc.Lookup(name)
			local := sc != top.Parent() && sc != session && sc != types.Universe && sc != top
			if seen[name] || strings.Contains(name, syntax.AliasMark) || local && o.Pos() >= pos {
				continue
			}
			seen[name] = true
			byName[name] = gofront.Member{Object: o}
		}
		out = append(out, gofront.Sorted(byName)...)
	}
	return out
}
