package lower

import (
	"go/ast"
	"go/types"
)

// fails reports whether a location may panic although others that are evaluated before did
// not: the locations before it must be set then.
func (l *Lowering) fails(x ast.Expr, before []ast.Expr) bool {
	known := func(y ast.Expr) bool {
		text, found := types.ExprString(y), false
		for _, b := range before {
			ast.Inspect(b, func(n ast.Node) bool {
				e, is := n.(ast.Expr)
				found = found || is && types.ExprString(e) == text
				return !found
			})
		}
		return found
	}
	pointer := func(y ast.Expr) bool {
		_, is := l.info.TypeOf(y).Underlying().(*types.Pointer)
		return is && !known(y)
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.IndexExpr:
		switch l.info.TypeOf(x.X).Underlying().(type) {
		case *types.Array:
			return l.info.Types[x.Index].Value == nil && !known(x) || l.fails(x.X, before)
		case *types.Map:
			return !known(x.X)
		}
		return !known(x)
	case *ast.SelectorExpr:
		return l.info.Selections[x] != nil && (pointer(x.X) || len(l.info.Selections[x].Index()) > 1 || l.fails(x.X, before))
	case *ast.StarExpr:
		return pointer(x.X)
	}
	return false
}
