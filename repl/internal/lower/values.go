package lower

import (
	"go/ast"
	"go/types"

	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// value lowers an expression and converts it to type to.
func (l *Lowering) value(x ast.Expr, to types.Type) ast.Expr {
	if from := l.info.TypeOf(x); from != nil && to != nil && repr.IsNilType(from) && types.IsInterface(to) && !repr.IsCompiled(to) {
		return l.Zero(syntax.At(x.Pos()), to)
	}
	return l.Convert(syntax.At(x.Pos()), l.expr(x), l.info.TypeOf(x), to)
}

// valueList lowers the right side of an assignment to locations of the types to:
// one value each, or a call that returns all.
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
