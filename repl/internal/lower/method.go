package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// methodValue lowers x.Method, if it is not called, to a function that calls the
// method, with x evaluated immediately.
func (l *Lowering) methodValue(x *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	p := syntax.At(x.Pos())
	sig := sel.Type().(*types.Signature)
	call := l.selector(x).(*ast.SelectorExpr)
	recv, t := call.X, l.info.TypeOf(x.X)
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		f := repr.StructOf(t).Field(i)
		if !gofront.InterpretedField(t, f) {
			break
		}
		t = f.Type()
	}
	m := sel.Obj().(*types.Func).Signature()
	_, wants := m.Recv().Type().Underlying().(*types.Pointer)
	_, has := t.Underlying().(*types.Pointer)
	switch {
	case wants && !has:
		recv, t = p.Unary(token.AND, recv), types.NewPointer(t)
	case !wants && has && !types.IsInterface(m.Recv().Type()): // a copy of what the pointer points to
		t = t.Underlying().(*types.Pointer).Elem()
		recv = l.pointed(p.Star(recv), t)
	}
	if _, made := recv.(*ast.CompositeLit); made { // the interpreter would build it in place of the slice below
		recv = l.evaluated(recv, t)
	}
	r := l.Temporary("r")
	names := make([]string, sig.Params().Len())
	for i := range names {
		names[i] = l.Temporary("a")
	}
	method, args := ast.Expr(p.Sel(p.ID(r), call.Sel.Name)), names
	if f := sel.Obj().(*types.Func); syncMethods[f.FullName()] != "" && types.Identical(t, f.Signature().Recv().Type()) {
		method, args = p.Sel(p.ID(syntax.SupportName), syncMethods[f.FullName()]), append([]string{r}, names...)
	}
	forward := repr.Forward(p, method, sig, args)
	if f := sel.Obj().(*types.Func); mayEnd(f) {
		given := append([]ast.Expr{l.Dynamic(p, p.ID(r), t), p.Quoted(f.Name())}, p.IDs(names...)...)
		forward = append([]ast.Stmt{p.If(p.Support("Ends", given...), p.Return())}, forward...)
	}
	lit := p.FuncLit(l.FuncType(p, sig, names), forward...)
	outer := p.FuncType(p.Fields(p.Field(r, l.TypeExpr(p, t))), p.Fields(p.Field("", l.FuncType(p, sig, nil))))
	body := p.Block(p.Return(lit))
	if types.IsInterface(t) {
		body = p.Block(p.If(p.Binary(p.ID(r), token.EQL, p.ID("nil")), p.Expr(p.Support("NilPointer"))), p.Return(lit))
	}
	bound := p.Call(&ast.FuncLit{Type: outer, Body: body}, recv)
	// The interpreter accepts such a call as an argument of a compiled function only
	// if it is taken out of a slice.
	list := &ast.CompositeLit{Type: &ast.ArrayType{Lbrack: token.Pos(p), Elt: l.FuncType(p, sig, nil)}, Elts: []ast.Expr{bound}}
	return p.Index(list, p.Int(0))
}

// methodExpr writes T.Method as a function literal.
func (l *Lowering) methodExpr(p syntax.At, sel *types.Selection) ast.Expr {
	sig := sel.Type().(*types.Signature)
	names := make([]string, sig.Params().Len())
	for i := range names {
		names[i] = l.Temporary("a")
	}
	call := p.Call(p.Sel(p.ID(names[0]), sel.Obj().Name()), p.IDs(names[1:]...)...)
	if f, is := sel.Obj().(*types.Func); is && syncMethods[f.FullName()] != "" && types.Identical(sel.Recv(), f.Signature().Recv().Type()) {
		call = p.Support(syncMethods[f.FullName()], p.IDs(names...)...)
	}
	if sig.Variadic() {
		call.Ellipsis = token.Pos(p)
	}
	body := []ast.Stmt{p.Expr(call)}
	if n := sig.Results().Len(); n > 0 {
		body = []ast.Stmt{p.Return(call)}
		if _, is := sig.Results().At(0).Type().Underlying().(*types.Signature); is { // see returned
			results := make([]string, n)
			for i := range results {
				results[i] = l.Temporary("v")
			}
			body = []ast.Stmt{p.Assign(token.DEFINE, p.IDs(results...), []ast.Expr{call}), p.Return(p.IDs(results...)...)}
		}
	}
	return l.closure(p, p.FuncLit(l.FuncType(p, sig, names), body...), sig)
}
