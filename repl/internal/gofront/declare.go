package gofront

import (
	"go/ast"
	"go/token"
	"go/types"
)

// nameParams gives names to parameters that have none, since some have one.
func nameParams(p At, params *ast.FieldList) {
	for _, f := range params.List {
		if len(f.Names) == 0 {
			f.Names = []*ast.Ident{p.ID("_")}
		}
	}
}

// declareMethod declares the variable that holds a method and the method that
// calls it.
func (w *Writer) declareMethod(p At, name, holder string, sig *types.Signature) {
	t := w.funcType(p, sig, nil)
	recv := w.typeExpr(p, sig.Recv().Type())
	t.Params.List = append([]*ast.Field{p.field("", recv)}, t.Params.List...)
	w.Decls = append(w.Decls, p.variable(holder, t))

	names := make([]string, sig.Params().Len())
	r := w.temporary("r")
	for i := range names {
		names[i] = w.temporary("a")
	}
	call := p.Call(p.ID(holder), append(p.ids(r), p.ids(names...)...)...)
	if sig.Variadic() {
		call.Ellipsis = token.Pos(p)
	}
	st := p.Expr(call)
	if sig.Results().Len() > 0 {
		st = p.ret(call)
	}
	w.Decls = append(w.Decls, &ast.FuncDecl{Recv: p.fields(p.field(r, w.typeExpr(p, sig.Recv().Type()))), Name: p.ID(name),
		Type: w.funcType(p, sig, names), Body: p.Block(st)})
}

// declareType declares a type under its inner name, from what go/types knows.
func (w *Writer) declareType(name string, o *types.TypeName) {
	named, ok := o.Type().(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		return
	}
	p := At(o.Pos())
	if w.selfMade(named) {
		w.declareSelfMade(p, name, named)
		return
	}
	w.refuseMutual(p, named)
	spec := &ast.TypeSpec{Name: p.ID(name)}
	w.Decls = append(w.Decls, &ast.GenDecl{TokPos: token.Pos(p), Tok: token.TYPE, Specs: []ast.Spec{spec}})
	spec.Type = w.typeExpr(p, named.Underlying())
	w.promote(p, name, named)
}

// promote writes the methods that a type has from the interfaces of packages
// that it embeds: they are fields like others in the interpreter, since package
// reflect does not support them otherwise.
func (w *Writer) promote(p At, name string, t *types.Named) {
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
			_, index, _ := types.LookupFieldOrMethod(t, true, w.front.Types.pkg, m.Name())
			if len(index) != 2 || index[0] != i || !m.Exported() {
				continue
			}
			sig := m.Signature()
			r := w.temporary("r")
			names := make([]string, sig.Params().Len())
			for i := range names {
				names[i] = w.temporary("a")
			}
			w.Decls = append(w.Decls, &ast.FuncDecl{Recv: p.fields(p.field(r, p.ID(name))), Name: p.ID(m.Name()), Type: w.funcType(p, sig, names),
				Body: p.Block(forward(p, p.sel(p.sel(p.ID(r), f.Name()), m.Name()), sig, names))})
		}
	}
}

// embedsCompiled says whether a field is an embedded interface of a package.
func embedsCompiled(f *types.Var) bool {
	return f.Embedded() && types.IsInterface(f.Type()) && compiled(f.Type())
}

// forward is a call of f with the parameters of the function around it, whose
// results it returns.
func forward(p At, f ast.Expr, sig *types.Signature, names []string) ast.Stmt {
	call := p.Call(f, p.ids(names...)...)
	if sig.Variadic() {
		call.Ellipsis = token.Pos(p)
	}
	if sig.Results().Len() > 0 {
		return p.ret(call)
	}
	return p.Expr(call)
}
