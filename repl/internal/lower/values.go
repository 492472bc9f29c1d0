package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// value lowers an expression and converts it to type to.
func (l *Lowering) value(x ast.Expr, to types.Type) ast.Expr {
	if to != nil && types.IsInterface(to) && !repr.IsCompiled(to) && l.isNil(x) {
		return l.Zero(syntax.At(x.Pos()), to)
	}
	y := l.Convert(syntax.At(x.Pos()), l.expr(x), l.info.TypeOf(x), to)
	if to != nil && repr.IsEmpty(to) {
		return intoAny(y)
	}
	if _, made := y.(*ast.CompositeLit); made && to != nil && types.IsInterface(to) && !repr.IsCompiled(to) {
		// The interpreter would build it in place of the interface; it does not convert
		// what a function returns if the type has no name.
		if _, named := types.Unalias(l.info.TypeOf(x)).(*types.Named); named {
			return l.evaluated(y, l.info.TypeOf(x))
		}
	}
	return y
}

// intoAny converts the result of an operator. The interpreter would otherwise write
// it to a variable of type any as if the variable had the type of the result.
func intoAny(x ast.Expr) ast.Expr {
	switch y := ast.Unparen(x).(type) {
	case *ast.UnaryExpr:
		if p := syntax.At(y.OpPos); y.Op == token.NOT || y.Op == token.SUB || y.Op == token.XOR {
			return p.Call(p.ID("any"), y)
		}
	case *ast.BinaryExpr:
		if p := syntax.At(y.OpPos); y.Op == token.SHL || y.Op == token.SHR || y.Op == token.REM {
			return p.Call(p.ID("any"), y)
		}
	}
	return x
}

// valueList lowers the right side of an assignment to locations of the types to:
// either one value each or a call that returns all of them.
func (l *Lowering) valueList(list []ast.Expr, to []types.Type) []ast.Expr {
	if len(list) == 1 && len(to) > 1 {
		from, ok := l.info.TypeOf(list[0]).(*types.Tuple)
		x := l.expr(list[0])
		if _, call := ast.Unparen(x).(*ast.CallExpr); ok && call {
			x = l.ConvertAll(syntax.At(list[0].Pos()), x, from, to)
		}
		return []ast.Expr{x}
	}
	out := make([]ast.Expr, len(list))
	for i, x := range list {
		var t types.Type
		if i < len(to) {
			t = to[i]
		}
		out[i] = l.value(x, t)
	}
	return out
}

func (l *Lowering) typesOf(list []ast.Expr) []types.Type {
	var out []types.Type
	for _, x := range list {
		if isBlank(x) {
			out = append(out, nil)
			continue
		}
		out = append(out, l.info.TypeOf(x))
	}
	return out
}

// isNil reports whether an expression is nil, or one converted to an interface.
func (l *Lowering) isNil(x ast.Expr) bool {
	x = ast.Unparen(x)
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return repr.IsNilType(l.info.TypeOf(x))
	}
	tv := l.info.Types[call.Fun]
	return tv.IsType() && types.IsInterface(tv.Type) && len(call.Args) == 1 && l.isNil(call.Args[0])
}
