package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// operand lowers an operand of == such that the comparison gives Go's result. other
// is the type of the other operand.
func (l *Lowering) operand(x ast.Expr, other types.Type) ast.Expr {
	p, t := syntax.At(x.Pos()), l.info.TypeOf(x)
	y := l.expr(x)
	switch {
	case repr.IsNilType(other) && l.intoInterface(x): // the interpreter would compare the operand of the conversion
		return l.evaluated(y, t)
	case t == nil || other == nil || repr.IsNilType(t) || repr.IsNilType(other):
		return y
	case types.IsInterface(t) && !repr.IsCompiled(t):
		return l.Dynamic(p, y, t)
	case types.IsInterface(t) || !types.IsInterface(other):
		return y
	}
	return l.Convert(p, y, t, repr.AnyType)
}

// equal lowers == and !=.
func (l *Lowering) equal(x *ast.BinaryExpr) ast.Expr {
	if repr.IsNilType(l.info.TypeOf(x.X)) { // for nil != v the interpreter tests nil
		x = &ast.BinaryExpr{X: x.Y, OpPos: x.OpPos, Op: x.Op, Y: ast.Unparen(x.X)}
	}
	a, b := l.info.TypeOf(x.X), l.info.TypeOf(x.Y)
	if repr.IsChan(a) && repr.IsChan(b) && !types.Identical(a, b) { // with different directions, or one of a named type
		same := ast.Expr(syntax.At(x.OpPos).Support("SameChan", l.expr(x.X), l.expr(x.Y)))
		if x.Op == token.NEQ {
			same = syntax.At(x.OpPos).Unary(token.NOT, same)
		}
		return same
	}
	y := &ast.BinaryExpr{X: l.operand(x.X, b), OpPos: x.OpPos, Op: x.Op, Y: l.operand(x.Y, a)}
	switch {
	case a == nil || b == nil || repr.IsNilType(a) || repr.IsNilType(b):
		return y
	case types.IsInterface(a) || types.IsInterface(b):
	case (repr.HidesInterface(a) || repr.HasBlank(a)) && repr.NeedsBox(a), repr.HoldsWrapper(a):
		y.X, y.Y = l.Convert(syntax.At(x.OpPos), y.X, a, repr.AnyType), l.Convert(syntax.At(x.OpPos), y.Y, b, repr.AnyType)
	default:
		if !types.Identical(a, b) { // a named type and its underlying type
			y.Y = syntax.At(x.OpPos).Call(l.ParenType(syntax.At(x.OpPos), a), y.Y)
		}
		return y
	}
	p := syntax.At(x.OpPos)
	same := ast.Expr(p.Support("Equal", y.X, y.Y)) // the interpreter confuses two calls in a comparison
	if x.Op == token.NEQ {
		same = p.Unary(token.NOT, same)
	}
	return same
}
