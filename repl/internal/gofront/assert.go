package gofront

import (
	"go/ast"
	"go/token"
	"go/types"
)

// assertion lowers x.(T).
func (l *Lowering) assertion(x *ast.TypeAssertExpr) ast.Expr {
	p := At(x.Lparen)
	from, to := l.info.TypeOf(x.X), l.info.TypeOf(x.Type)
	v := l.dynamic(p, l.expr(x.X), from)
	if _, withOk := l.info.TypeOf(x).(*types.Tuple); withOk {
		return p.Call(p.ID(l.isA(p, to)), v)
	}
	return p.Call(p.ID(l.mustBe(p, from, to, false)), v)
}

// typeSwitch lowers a type switch: the value is held by a variable, and each
// clause asks the functions of its types.
func (l *Lowering) typeSwitch(s *ast.TypeSwitchStmt) []ast.Stmt {
	p := At(s.Switch)
	var out []ast.Stmt
	if s.Init != nil {
		out = append(out, l.stmt(s.Init)...)
	}
	var x ast.Expr
	bound := ""
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X
	case *ast.AssignStmt:
		x, bound = a.Rhs[0], a.Lhs[0].(*ast.Ident).Name
	}
	x = ast.Unparen(x).(*ast.TypeAssertExpr).X
	from := l.info.TypeOf(x)
	if l.plainSwitch(s, from) {
		before, st := l.interpretedSwitch(s, x, bound)
		return append(append(out, before...), st)
	}
	whole, v := l.temporary("x"), l.temporary("x")
	out = append(out, p.define(whole, l.expr(x)), p.define(v, l.dynamic(p, p.ID(whole), from)), p.set(p.ID("_"), p.ID(whole)))
	leave := l.enter(true, false)
	defer leave()
	body := &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		q := At(c.Case)
		clause := &ast.CaseClause{Case: c.Case, Colon: c.Colon}
		var first []ast.Stmt
		var conds []ast.Expr
		for _, t := range c.List {
			if l.info.Types[t].IsNil() {
				conds = append(conds, q.binary(q.ID(v), token.EQL, q.ID("nil")))
				continue
			}
			conds = append(conds, l.holds(q, v, l.info.TypeOf(t)))
		}
		if len(conds) > 0 {
			clause.List = []ast.Expr{anyOf(conds)}
		}
		if o := l.info.Implicits[c]; o != nil && bound != "" {
			l.setLocal(o, whole)
			if len(c.List) == 1 && !l.info.Types[c.List[0]].IsNil() {
				name, ok := l.temporary(bound), l.temporary("ok")
				l.setLocal(o, name)
				first = append(first, q.assign(token.DEFINE, q.ids(name, ok), []ast.Expr{q.Call(q.ID(l.isA(q, l.info.TypeOf(c.List[0]))), q.ID(v))}),
					q.assign(token.ASSIGN, q.ids("_", "_"), q.ids(name, ok)))
			} else {
				name := l.temporary(bound)
				l.setLocal(o, name)
				first = append(first, q.define(name, q.ID(whole)), q.set(q.ID("_"), q.ID(name)))
			}
		}
		clause.Body = append(first, l.clauseBody(c.Body)...)
		body.List = append(body.List, clause)
	}
	return append(out, &ast.SwitchStmt{Switch: s.Switch, Body: body})
}

// errorsAs lowers errors.As, which asks of each error what an assertion asks.
func (l *Lowering) errorsAs(x *ast.CallExpr) ast.Expr {
	p := At(x.Pos())
	ptr, ok := l.info.TypeOf(x.Args[1]).Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	name := l.writeOnce("as "+l.typeKey(ptr.Elem()), "as", func(name string) {
		err, to, e, v, ok := l.temporary("err"), l.temporary("target"), l.temporary("e"), l.temporary("v"), l.temporary("ok")
		set := &ast.FuncLit{Type: &ast.FuncType{Func: token.Pos(p), Params: p.fields(p.field(e, l.typeExpr(p, errorType))), Results: p.fields(p.field("", p.ID("bool")))},
			Body: p.Block(p.assign(token.DEFINE, p.ids(v, ok), []ast.Expr{p.Call(p.ID(l.isA(p, ptr.Elem())), p.ID(e))}),
				p.ifStmt(p.ID(ok), p.set(&ast.StarExpr{Star: token.Pos(p), X: p.ID(to)}, p.ID(v))), p.ret(p.ID(ok)))}
		l.Decls = append(l.Decls, &ast.FuncDecl{Name: p.ID(name), Type: &ast.FuncType{Func: token.Pos(p),
			Params:  p.fields(p.field(err, l.typeExpr(p, errorType)), p.field(to, l.typeExpr(p, ptr))),
			Results: p.fields(p.field("", p.ID("bool")))},
			Body: p.Block(p.ret(p.Support("ErrorsAs", p.ID(err), l.convert(p, p.ID(to), ptr, anyType), set)))})
	})
	return p.Call(p.ID(name), l.value(x.Args[0], errorType), l.expr(x.Args[1]))
}
