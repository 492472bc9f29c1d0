package gofront

import (
	"go/ast"
	"go/token"
	"go/types"
)

// methodValue writes x.Method, where it is not called, as a function that
// calls it, with x evaluated now.
func (l *Lowering) methodValue(x *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	p := At(x.Pos())
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
	r := l.temporary("r")
	names := make([]string, sig.Params().Len())
	for i := range names {
		names[i] = l.temporary("a")
	}
	lit := &ast.FuncLit{Type: l.funcType(p, sig, names), Body: p.Block(forward(p, p.sel(p.ID(r), call.Sel.Name), sig, names))}
	outer := &ast.FuncType{Func: token.Pos(p), Params: p.fields(p.field(r, l.typeExpr(p, t))), Results: p.fields(p.field("", l.funcType(p, sig, nil)))}
	body := p.Block(p.ret(lit))
	if types.IsInterface(t) {
		body = p.Block(p.ifStmt(p.binary(p.ID(r), token.EQL, p.ID("nil")), p.Expr(p.Support("NilPointer"))), p.ret(lit))
	}
	bound := p.Call(&ast.FuncLit{Type: outer, Body: body}, recv)
	// The interpreter takes such a call for the argument of a compiled
	// function only when it comes out of a slice.
	list := &ast.CompositeLit{Type: &ast.ArrayType{Lbrack: token.Pos(p), Elt: l.funcType(p, sig, nil)}, Elts: []ast.Expr{bound}}
	return &ast.IndexExpr{X: list, Lbrack: token.Pos(p), Index: p.int(0), Rbrack: token.Pos(p)}
}

// methodExpr writes T.Method as a function.
func (l *Lowering) methodExpr(p At, sel *types.Selection) ast.Expr {
	sig := sel.Type().(*types.Signature)
	names := make([]string, sig.Params().Len())
	for i := range names {
		names[i] = l.temporary("a")
	}
	call := p.Call(p.sel(p.ID(names[0]), sel.Obj().Name()), p.ids(names[1:]...)...)
	if sig.Variadic() {
		call.Ellipsis = token.Pos(p)
	}
	st := p.Expr(call)
	if sig.Results().Len() > 0 {
		st = p.ret(call)
	}
	return l.closure(p, &ast.FuncLit{Type: l.funcType(p, sig, names), Body: p.Block(st)}, sig)
}
