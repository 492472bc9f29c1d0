package gofront

import (
	"go/ast"
	"go/token"
	"go/types"
)

// operand writes an operand of == so that it is equal where Go's is: other
// is the type of the other operand.
func (l *Lowering) operand(x ast.Expr, other types.Type) ast.Expr {
	p, t := At(x.Pos()), l.info.TypeOf(x)
	y := l.expr(x)
	switch {
	case isNilType(other) && l.intoInterface(x): // the interpreter asks what is converted
		return l.evaluated(y, t)
	case t == nil || other == nil || isNilType(t) || isNilType(other):
		return y
	case types.IsInterface(t) && !compiled(t):
		return l.dynamic(p, y, t)
	case types.IsInterface(t) || !types.IsInterface(other):
		return y
	}
	return l.convert(p, y, t, anyType)
}

// equal lowers == and !=.
func (l *Lowering) equal(x *ast.BinaryExpr) ast.Expr {
	a, b := l.info.TypeOf(x.X), l.info.TypeOf(x.Y)
	if isChan(a) && isChan(b) && !types.Identical(a, b) { // of other directions, or a name
		same := ast.Expr(At(x.OpPos).Support("SameChan", l.expr(x.X), l.expr(x.Y)))
		if x.Op == token.NEQ {
			same = At(x.OpPos).unary(token.NOT, same)
		}
		return same
	}
	y := &ast.BinaryExpr{X: l.operand(x.X, b), OpPos: x.OpPos, Op: x.Op, Y: l.operand(x.Y, a)}
	switch {
	case a == nil || b == nil || isNilType(a) || isNilType(b):
		return y
	case types.IsInterface(a) || types.IsInterface(b):
	case (hidesInterface(a) || hasBlank(a)) && ownable(a):
		y.X, y.Y = l.convert(At(x.OpPos), y.X, a, anyType), l.convert(At(x.OpPos), y.Y, b, anyType)
	default:
		if !types.Identical(a, b) { // a named type and what it is made of
			y.Y = At(x.OpPos).Call(l.wrapped(At(x.OpPos), a), y.Y)
		}
		return y
	}
	p := At(x.OpPos)
	same := ast.Expr(p.Support("Equal", y.X, y.Y)) // the interpreter mixes up two calls that are compared
	if x.Op == token.NEQ {
		same = p.unary(token.NOT, same)
	}
	return same
}
