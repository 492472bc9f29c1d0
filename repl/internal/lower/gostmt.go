package lower

import (
	"go/ast"
	"go/types"

	"symmom/repl/internal/syntax"
)

// goroutine lowers a go statement. The function and its arguments are evaluated
// immediately; the call runs in a goroutine whose panics are reported.
func (l *Lowering) goroutine(s *ast.GoStmt) []ast.Stmt {
	p := syntax.At(s.Go)
	before, call := l.hoisted(s.Call)
	where := p.Quoted(l.lowerer.front.Fset.Position(s.Go).String())
	start := p.Expr(p.Support("Go", where, p.Function(call)))
	return []ast.Stmt{p.Block(append(before, p.Expr(p.Call(p.Function(start))))...)}
}

// hoisted lowers a call to statements that evaluate its operands and the call itself.
func (l *Lowering) hoisted(c *ast.CallExpr) ([]ast.Stmt, ast.Stmt) {
	p := syntax.At(c.Pos())
	if given := l.several(c); given != nil && !hasCall(c.Fun) {
		first, call := l.namedResults(c, given)
		before, st := l.hoisted(call)
		return append([]ast.Stmt{first}, before...), st
	}
	call, ok := l.expr(c).(*ast.CallExpr)
	if !ok {
		return nil, p.Expr(l.expr(c))
	}
	var before []ast.Stmt
	keep := func(x ast.Expr) ast.Expr {
		switch y := ast.Unparen(x).(type) {
		case *ast.BasicLit, *ast.FuncLit:
			return x
		case *ast.Ident:
			if y.Name == "nil" || y.Name == "true" || y.Name == "false" {
				return x
			}
		}
		name := l.Temporary("v")
		before = append(before, p.Define(name, x))
		return p.ID(name)
	}
	tv := l.info.Types[c.Fun]
	if !tv.IsBuiltin() && !isSupport(call.Fun) {
		if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && l.info.Selections[sel] != nil && l.info.Selections[sel].Kind() == types.MethodVal {
			call.Fun = l.methodValue(sel, l.info.Selections[sel])
			if len(call.Args) > len(c.Args) { // the receiver is the first, see argumentsFirst
				call.Args, call.Ellipsis = call.Args[1:], c.Ellipsis
			}
		}
		call.Fun = keep(call.Fun)
	}
	for i, a := range call.Args {
		if i < len(c.Args) && l.info.Types[c.Args[i]].IsType() {
			continue
		}
		if i < len(c.Args) {
			if _, several := l.info.TypeOf(c.Args[i]).(*types.Tuple); several { // f(g()) with several results
				continue
			}
		}
		call.Args[i] = keep(a)
	}
	return before, p.Expr(call)
}

func isSupport(x ast.Expr) bool {
	sel, ok := x.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == syntax.SupportName
}
