package assist

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
	"symmom/repl/reference"
)

// Member is a named object of a package, a type or a scope.
type Member struct {
	Object types.Object
	owner  string // the type whose field or method it is
}

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
func (s *scope) documentation(m Member) *reference.Declaration {
	o := m.Object
	name := o.Name()
	if m.owner != "" {
		name = m.owner + "." + name
	} else if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		name = typeNameOf(f.Signature().Recv().Type()) + "." + name
	}
	if o.Pkg() == nil {
		if p, err := reference.Lookup("builtin"); err == nil {
			return p.Decls[name]
		}
		return nil
	}
	if o.Pkg().Path() == "main" {
		if _, isVar := o.(*types.Var); isVar && m.owner == "" {
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

func typeNameOf(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := t.(type) {
	case *types.Named:
		return t.Obj().Name()
	case *types.Alias:
		return t.Obj().Name()
	}
	return ""
}

// members returns the fields and methods that can be selected from a value of type
// t, or from the type itself. Unexported ones of other packages are left out.
func members(t types.Type, isType bool) []Member {
	byName := map[string]Member{}
	add := func(o types.Object, owner string) {
		if _, there := byName[o.Name()]; !there && (o.Exported() || o.Pkg() != nil && o.Pkg().Path() == "main") {
			byName[o.Name()] = Member{o, owner}
		}
	}
	if !isType {
		fields(t, add)
	}
	of := t
	if _, ok := t.Underlying().(*types.Pointer); !ok && !types.IsInterface(t) && !isType {
		of = types.NewPointer(t)
	}
	set := types.NewMethodSet(of)
	for i := range set.Len() {
		if f, ok := set.At(i).Obj().(*types.Func); ok {
			add(f, typeNameOf(f.Signature().Recv().Type()))
		}
	}
	if p, ok := t.(*types.TypeParam); ok {
		for m := range p.Constraint().Underlying().(*types.Interface).Methods() {
			add(m, "")
		}
	}
	return sorted(byName)
}

// fields calls add for the fields of a struct, level by level: those of embedded
// structs come after its own.
func fields(t types.Type, add func(types.Object, string)) {
	seen := map[types.Type]bool{}
	level := []types.Type{t}
	for len(level) > 0 {
		var next []types.Type
		for _, t := range level {
			owner := typeNameOf(t)
			if p, ok := t.Underlying().(*types.Pointer); ok {
				t, owner = p.Elem(), typeNameOf(p.Elem())
			}
			st, ok := t.Underlying().(*types.Struct)
			if !ok || seen[t] {
				continue
			}
			seen[t] = true
			for f := range st.Fields() {
				add(f, owner)
				if f.Embedded() {
					next = append(next, f.Type())
				}
			}
		}
		level = next
	}
}

func sorted(byName map[string]Member) []Member {
	var out []Member
	for _, name := range slices.SortedFunc(maps.Keys(byName), CompareNames) {
		out = append(out, byName[name])
	}
	return out
}

// CompareNames orders names for people: ignoring case.
func CompareNames(a, b string) int {
	if c := strings.Compare(strings.ToLower(a), strings.ToLower(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// exports returns the exported names of a package.
func (a *Assistant) exports(importPath string) []Member {
	pkg, err := gofront.ImportTypes(importPath)
	if err != nil {
		return nil
	}
	byName := map[string]Member{}
	for _, name := range pkg.Scope().Names() {
		if ast.IsExported(name) {
			byName[name] = Member{Object: pkg.Scope().Lookup(name)}
		}
	}
	return sorted(byName)
}

// visible returns the names that can be used at the site, the inner ones first.
func (s *site) visible() []Member {
	var out []Member
	seen := map[string]bool{here: true, syntax.SupportName: true, "_": true, "main": true}
	pos := s.id.Pos()
	top := s.info.Scopes[s.file]
	if top == nil {
		return nil // the checker gave up
	}
	pkg := top.Parent()
	for sc := top.Innermost(pos); sc != nil; sc = sc.Parent() {
		byName := map[string]Member{}
		for _, name := range sc.Names() {
			o := sc.Lookup(name)
			local := sc != pkg && sc != types.Universe && sc != top
			if seen[name] || strings.Contains(name, syntax.AliasMark) || local && o.Pos() >= pos {
				continue
			}
			seen[name] = true
			byName[name] = Member{Object: o}
		}
		out = append(out, sorted(byName)...)
	}
	return out
}
