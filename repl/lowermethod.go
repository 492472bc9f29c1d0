package repl

import (
	"go/ast"
	"go/token"
	"go/types"
)

// methodValue writes x.Method, where it is not called, as a function that
// calls it, with x evaluated now.
func (l *lowering) methodValue(x *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	p := at(x.Pos())
	sig := sel.Type().(*types.Signature)
	call := l.selector(x).(*ast.SelectorExpr)
	recv, t := call.X, l.info.TypeOf(x.X)
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		f := structOf(t).Field(i)
		if f.Pkg() == nil || f.Pkg().Path() != "main" {
			break
		}
		t = f.Type()
	}
	m := sel.Obj().(*types.Func).Signature()
	_, wants := m.Recv().Type().Underlying().(*types.Pointer)
	_, has := t.Underlying().(*types.Pointer)
	switch {
	case wants && !has:
		recv, t = p.unary(token.AND, recv), types.NewPointer(t)
	case !wants && has && !types.IsInterface(m.Recv().Type()): // a copy of what it points to
		t = t.Underlying().(*types.Pointer).Elem()
		recv = l.pointed(&ast.StarExpr{Star: token.Pos(p), X: recv}, t)
	}
	r := l.made("r")
	names := make([]string, sig.Params().Len())
	for i := range names {
		names[i] = l.made("a")
	}
	lit := &ast.FuncLit{Type: l.funcType(p, sig, names), Body: p.block(forward(p, p.sel(p.id(r), call.Sel.Name), sig, names))}
	outer := &ast.FuncType{Func: token.Pos(p), Params: p.fields(p.field(r, l.typeExpr(p, t))), Results: p.fields(p.field("", l.funcType(p, sig, nil)))}
	body := p.block(p.give(lit))
	if types.IsInterface(t) {
		body = p.block(p.when(p.binary(p.id(r), token.EQL, p.id("nil")), p.expr(p.support("NilPointer"))), p.give(lit))
	}
	bound := p.call(&ast.FuncLit{Type: outer, Body: body}, recv)
	// The interpreter takes such a call for the argument of a compiled
	// function only when it comes out of a slice.
	list := &ast.CompositeLit{Type: &ast.ArrayType{Lbrack: token.Pos(p), Elt: l.funcType(p, sig, nil)}, Elts: []ast.Expr{bound}}
	return &ast.IndexExpr{X: list, Lbrack: token.Pos(p), Index: p.int(0), Rbrack: token.Pos(p)}
}

// forward is a call of f with the parameters of the function around it, whose
// results it returns.
func forward(p at, f ast.Expr, sig *types.Signature, names []string) ast.Stmt {
	call := p.call(f, p.ids(names...)...)
	if sig.Variadic() {
		call.Ellipsis = token.Pos(p)
	}
	if sig.Results().Len() > 0 {
		return p.give(call)
	}
	return p.expr(call)
}

// methodExpr writes T.Method as a function.
func (l *lowering) methodExpr(p at, sel *types.Selection) ast.Expr {
	sig := sel.Type().(*types.Signature)
	names := make([]string, sig.Params().Len())
	for i := range names {
		names[i] = l.made("a")
	}
	call := p.call(p.sel(p.id(names[0]), sel.Obj().Name()), p.ids(names[1:]...)...)
	if sig.Variadic() {
		call.Ellipsis = token.Pos(p)
	}
	st := p.expr(call)
	if sig.Results().Len() > 0 {
		st = p.give(call)
	}
	return l.closure(p, &ast.FuncLit{Type: l.funcType(p, sig, names), Body: p.block(st)}, sig)
}
