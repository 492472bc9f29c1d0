package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// methodValue lowers x.Method, if it is not called, to a function that calls the
// method, with x evaluated immediately.
func (l *Lowering) methodValue(x *ast.SelectorExpr, sel *types.Selection) ast.Expr {
	p := syntax.At(x.Pos())
	sig := sel.Type().(*types.Signature)
	call := l.selector(x).(*ast.SelectorExpr)
	recv, t := l.receiver(p, x, call.X)
	if _, made := recv.(*ast.CompositeLit); made { // the interpreter would build it in place of the slice below
		recv = l.evaluated(recv, t)
	}
	r := l.Temporary("r")
	names := make([]string, sig.Params().Len())
	for i := range names {
		names[i] = l.Temporary("a")
	}
	method, args := ast.Expr(p.Sel(p.ID(r), call.Sel.Name)), names
	if instead := l.instead(p, sel.Obj().(*types.Func), t); instead != nil {
		method, args = instead, append([]string{r}, names...)
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

// instead returns the function that is called instead of the method f of a receiver of type t,
// which it takes first: of package support, or one that an interrupt leaves behind. It returns
// nil if there is none.
func (l *Lowering) instead(p syntax.At, f *types.Func, t types.Type) ast.Expr {
	if name := syncMethods[f.FullName()]; name != "" && types.Identical(t, f.Signature().Recv().Type()) {
		return p.Sel(p.ID(syntax.SupportName), name)
	}
	if l.mayWait(f) {
		if name := l.awaiter(p, f, t); name != "" {
			return p.ID(name)
		}
	}
	return nil
}

// methodExpr writes T.Method as a function literal.
func (l *Lowering) methodExpr(p syntax.At, sel *types.Selection) ast.Expr {
	sig := sel.Type().(*types.Signature)
	names := make([]string, sig.Params().Len())
	for i := range names {
		names[i] = l.Temporary("a")
	}
	call := p.Call(p.Sel(p.ID(names[0]), sel.Obj().Name()), p.IDs(names[1:]...)...)
	if f, is := sel.Obj().(*types.Func); is {
		if instead := l.instead(p, f, sel.Recv()); instead != nil {
			call = p.Call(instead, p.IDs(names...)...)
		}
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
