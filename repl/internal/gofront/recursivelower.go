package gofront

import "go/ast"

// inner lowers an expression to what its type is made of.
func (l *Lowering) inner(x ast.Expr) ast.Expr {
	y := l.expr(x)
	if t := l.info.TypeOf(x); t != nil && !l.info.Types[x].IsType() && l.selfMade(t) {
		return l.unbox(At(x.Pos()), y, t)
	}
	return y
}
