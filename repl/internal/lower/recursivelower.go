package lower

import (
	"go/ast"

	"symmom/repl/internal/syntax"
)

// underlying lowers an expression, with its value unwrapped if its type is
// recursive.
func (l *Lowering) underlying(x ast.Expr) ast.Expr {
	y := l.expr(x)
	if t := l.info.TypeOf(x); t != nil && !l.info.Types[x].IsType() && l.IsRecursive(t) {
		return l.UnwrapRecursive(syntax.At(x.Pos()), y, t)
	}
	return y
}
