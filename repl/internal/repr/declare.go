package repr

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"symmom/repl/internal/syntax"
)

// NameParams names unnamed parameters _, because Go wants all or none named.
func NameParams(p syntax.At, params *ast.FieldList) {
	for _, f := range params.List {
		if len(f.Names) == 0 {
			f.Names = []*ast.Ident{p.ID("_")}
		}
	}
}

// DeclareMethod declares the variable that holds a method, and the method that
// calls it.
func (w *Writer) DeclareMethod(p syntax.At, name, holder string, sig *types.Signature) {
	t := w.FuncType(p, sig, nil)
	recv := w.TypeExpr(p, sig.Recv().Type())
	t.Params.List = append([]*ast.Field{p.Field("", recv)}, t.Params.List...)
	w.Decls = append(w.Decls, p.Var(holder, t))

	names := make([]string, sig.Params().Len())
	r := w.Temporary("r")
	for i := range names {
		names[i] = w.Temporary("a")
	}
	call := p.Call(p.ID(holder), append(p.IDs(r), p.IDs(names...)...)...)
	if sig.Variadic() {
		call.Ellipsis = token.Pos(p)
	}
	st := p.Expr(call)
	if sig.Results().Len() > 0 {
		st = p.Return(call)
	}
	w.Decls = append(w.Decls, &ast.FuncDecl{Recv: p.Fields(p.Field(r, w.TypeExpr(p, sig.Recv().Type()))), Name: p.ID(name),
		Type: w.FuncType(p, sig, names), Body: p.Block(st)})
}

// declareType declares a type under its inner name.
func (w *Writer) declareType(name string, o *types.TypeName) {
	named, ok := o.Type().(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		return
	}
	p := w.place(o)
	w.refuse(p, named)
	spec := &ast.TypeSpec{Name: p.ID(name)}
	decl := &ast.GenDecl{TokPos: token.Pos(p), Tok: token.TYPE, Specs: []ast.Spec{spec}}
	if _, points := named.Underlying().(*types.Pointer); points && MadeOfItself(named) {
		w.Decls = slices.Insert(w.Decls, 0, ast.Decl(decl)) // from others the interpreter comes to it without end
	} else {
		w.Decls = append(w.Decls, decl)
	}
	s, isStruct := named.Underlying().(*types.Struct)
	switch original := w.hiding(s); {
	case original != nil:
		spec.Type = w.namedType(p, original)
	case isStruct:
		spec.Type = w.structType(p, s)
	default:
		spec.Type = w.TypeExpr(p, named.Underlying())
	}
	w.promote(p, name, named)
}

// hasMethodOfItsName reports whether the interpreter would take what embeds a type for having
// two members of its name.
func (w *Writer) hasMethodOfItsName(o types.Object) bool {
	n, ok := o.Type().(*types.Named)
	if _, is := o.(*types.TypeName); !is || !ok {
		return false
	}
	s, _ := n.Underlying().(*types.Struct)
	for _, n := range []*types.Named{n, w.hiding(s)} {
		if n == nil {
			continue
		}
		if m, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), false, o.Pkg(), o.Name()); m != nil {
			return true
		}
	}
	return false
}

// hiding returns the type of a package with the fields of a struct, if some of them are not
// exported. Package reflect can make no type of these, and converts values of no other.
func (w *Writer) hiding(s *types.Struct) *types.Named {
	if s == nil {
		return nil
	}
	for f := range s.Fields() {
		if f.Exported() || f.Pkg().Path() == "main" {
			continue
		}
		for _, name := range f.Pkg().Scope().Names() {
			if o := f.Pkg().Scope().Lookup(name); o.Exported() && o.Type().Underlying() == s && w.front.Library.Has(w.front.Library.Importable(f.Pkg().Path(), name)) {
				n, _ := o.Type().(*types.Named)
				return n
			}
		}
	}
	return nil
}

// promote writes the methods that a struct has by embedding interfaces of packages.
// These are ordinary fields in the interpreter, because package reflect cannot
// embed them with their methods.
func (w *Writer) promote(p syntax.At, name string, t types.Type) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i := range s.NumFields() {
		f := s.Field(i)
		if !embedsCompiled(f) {
			continue
		}
		for m := range f.Type().Underlying().(*types.Interface).Methods() {
			_, index, _ := types.LookupFieldOrMethod(t, true, w.front.Types.Pkg, m.Name())
			if len(index) != 2 || index[0] != i || !m.Exported() {
				continue
			}
			sig := m.Signature()
			r := w.Temporary("r")
			names := make([]string, sig.Params().Len())
			for i := range names {
				names[i] = w.Temporary("a")
			}
			w.Decls = append(w.Decls, &ast.FuncDecl{Recv: p.Fields(p.Field(r, p.ID(name))), Name: p.ID(m.Name()), Type: w.FuncType(p, sig, names),
				Body: p.Block(Forward(p, p.Sel(p.Sel(p.ID(r), f.Name()), m.Name()), sig, names)...)})
		}
	}
}

// embedsCompiled reports whether a field is an embedded interface of a package.
func embedsCompiled(f *types.Var) bool {
	return f.Embedded() && types.IsInterface(f.Type()) && IsCompiled(f.Type())
}

// Forward calls f with the parameters of the enclosing function, and returns its
// results. The interpreter would take a returned call for the definition of its first
// result's type if that is a function.
func Forward(p syntax.At, f ast.Expr, sig *types.Signature, names []string) []ast.Stmt {
	call := p.Call(f, p.IDs(names...)...)
	if sig.Variadic() {
		call.Ellipsis = token.Pos(p)
	}
	n := sig.Results().Len()
	if n == 0 {
		return []ast.Stmt{p.Expr(call)}
	}
	if _, is := sig.Results().At(0).Type().Underlying().(*types.Signature); !is {
		return []ast.Stmt{p.Return(call)}
	}
	results := make([]string, n)
	for i := range results {
		results[i] = "result" + syntax.AliasMark + strconv.Itoa(i)
	}
	return []ast.Stmt{p.Assign(token.DEFINE, p.IDs(results...), []ast.Expr{call}), p.Return(p.IDs(results...)...)}
}
