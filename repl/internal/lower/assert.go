package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// assertion lowers x.(T).
func (l *Lowering) assertion(x *ast.TypeAssertExpr) ast.Expr {
	p := syntax.At(x.Lparen)
	from, to := l.info.TypeOf(x.X), l.info.TypeOf(x.Type)
	v := l.Dynamic(p, l.expr(x.X), from)
	if _, withOk := l.info.TypeOf(x).(*types.Tuple); withOk {
		return p.Call(p.ID(l.Asserter(p, to)), v)
	}
	return p.Call(p.ID(l.MustAsserter(p, from, to, false)), v)
}

// typeSwitch lowers a type switch. A variable holds the value, and each clause calls
// the assertion functions of its types.
func (l *Lowering) typeSwitch(s *ast.TypeSwitchStmt) []ast.Stmt {
	p := syntax.At(s.Switch)
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
	whole, v := l.Temporary("x"), l.Temporary("x")
	out = append(out, p.Define(whole, l.expr(x)), p.Define(v, l.Dynamic(p, p.ID(whole), from)), p.Set(p.ID("_"), p.ID(whole)))
	leave := l.enter(false)
	defer leave()
	body := &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		q := syntax.At(c.Case)
		clause := &ast.CaseClause{Case: c.Case, Colon: c.Colon}
		var first []ast.Stmt
		var conds []ast.Expr
		for _, t := range c.List {
			if l.info.Types[t].IsNil() {
				conds = append(conds, q.Binary(q.ID(v), token.EQL, q.ID("nil")))
				continue
			}
			conds = append(conds, l.Holds(q, v, l.info.TypeOf(t)))
		}
		if len(conds) > 0 {
			clause.List = []ast.Expr{anyOf(conds)}
		}
		if o := l.info.Implicits[c]; o != nil && bound != "" {
			l.SetLocal(o, whole)
			if len(c.List) == 1 && !l.info.Types[c.List[0]].IsNil() {
				name, ok := l.Temporary(bound), l.Temporary("ok")
				l.SetLocal(o, name)
				first = append(first, q.Assign(token.DEFINE, q.IDs(name, ok), []ast.Expr{q.Call(q.ID(l.Asserter(q, l.info.TypeOf(c.List[0]))), q.ID(v))}),
					q.Assign(token.ASSIGN, q.IDs("_", "_"), q.IDs(name, ok)))
			} else {
				name := l.Temporary(bound)
				l.SetLocal(o, name)
				first = append(first, q.Define(name, q.ID(whole)), q.Set(q.ID("_"), q.ID(name)))
			}
		}
		clause.Body = append(first, l.clauseBody(c.Body)...)
		body.List = append(body.List, clause)
	}
	return append(out, &ast.SwitchStmt{Switch: s.Switch, Body: body})
}

// errorsAs lowers errors.As, which checks each error in the chain as a type assertion
// does.
func (l *Lowering) errorsAs(x *ast.CallExpr) ast.Expr {
	p := syntax.At(x.Pos())
	ptr, ok := l.info.TypeOf(x.Args[1]).Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	name := l.WriteOnce("as "+l.TypeKey(ptr.Elem()), "as", func(name string) {
		err, to, e, v, ok := l.Temporary("err"), l.Temporary("target"), l.Temporary("e"), l.Temporary("v"), l.Temporary("ok")
		set := p.FuncLit(p.FuncType(p.Fields(p.Field(e, l.TypeExpr(p, repr.ErrorType))), p.Fields(p.Field("", p.ID("bool")))),
			p.Assign(token.DEFINE, p.IDs(v, ok), []ast.Expr{p.Call(p.ID(l.Asserter(p, ptr.Elem())), p.ID(e))}),
			p.If(p.ID(ok), p.Set(p.Star(p.ID(to)), p.ID(v))),
			p.Return(p.ID(ok)))
		l.Decls = append(l.Decls, p.FuncDecl(name, p.FuncType(p.Fields(p.Field(err, l.TypeExpr(p, repr.ErrorType)), p.Field(to, l.TypeExpr(p, ptr))), p.Fields(p.Field("", p.ID("bool")))),
			p.Return(p.Support("ErrorsAs", p.ID(err), l.Convert(p, p.ID(to), ptr, repr.AnyType), set))))
	})
	return p.Call(p.ID(name), l.value(x.Args[0], repr.ErrorType), l.expr(x.Args[1]))
}
