package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"symmom/repl/internal/syntax"
)

// shift lowers x << y and x >> y. The type of a constant x is written out: otherwise
// the interpreter would use the type of the count if the count is itself a shift.
func (l *Lowering) shift(x *ast.BinaryExpr) ast.Expr {
	left := l.expr(x.X)
	if tv := l.info.Types[x.X]; tv.Value != nil {
		if t := l.info.TypeOf(x); isInteger(t) && !isInteger(tv.Type) { // 1.0 << n
			left = l.literal(syntax.At(x.X.Pos()), constant.ToInt(tv.Value), t)
		}
	}
	if lit, ok := left.(*ast.BasicLit); ok {
		p := syntax.At(x.X.Pos())
		left = p.Call(p.ID("int"), lit)
	}
	return &ast.BinaryExpr{X: left, OpPos: x.OpPos, Op: x.Op, Y: l.shiftCount(x.Y)}
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// shiftCount lowers a shift count. The interpreter treats a negative count, for which
// Go panics, as a large one, so counts that might be negative are checked.
func (l *Lowering) shiftCount(x ast.Expr) ast.Expr {
	if tv := l.info.Types[x]; tv.Value != nil && !isInteger(tv.Type) {
		return l.literal(syntax.At(x.Pos()), constant.ToInt(tv.Value), types.Typ[types.Uint])
	}
	y := l.expr(x)
	b, ok := l.info.TypeOf(x).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsUnsigned != 0 || b.Info()&types.IsInteger == 0 || l.notNegative(x) {
		if _, computed := y.(*ast.BinaryExpr); computed { // to which the interpreter would give the type of what is shifted
			y = syntax.At(x.Pos()).Call(syntax.At(x.Pos()).ID("uint"), y)
		}
		return y
	}
	p := syntax.At(x.Pos())
	return p.Support("ShiftCount", p.Call(p.ID("int64"), y))
}

// notNegative reports whether an integer is known not to be negative.
func (l *Lowering) notNegative(x ast.Expr) bool {
	if tv := l.info.Types[x]; tv.Value != nil {
		return true // checked by go/types
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return l.counters[l.info.Uses[x]]
	case *ast.CallExpr:
		id, ok := ast.Unparen(x.Fun).(*ast.Ident)
		return ok && l.info.Types[id].IsBuiltin() && (id.Name == "len" || id.Name == "cap")
	case *ast.BinaryExpr:
		switch x.Op {
		case token.AND:
			return l.notNegative(x.X) || l.notNegative(x.Y)
		case token.REM, token.SHR:
			return l.notNegative(x.X)
		case token.QUO:
			return l.notNegative(x.X) && l.notNegative(x.Y)
		}
	}
	return false
}

// noteCounters records the variables of a function that only count up, from a
// constant or over a range.
func (l *Lowering) noteCounters(body *ast.BlockStmt) {
	ups := map[types.Object]bool{}
	other := map[types.Object]bool{}
	changed := func(x ast.Expr) {
		if id, ok := ast.Unparen(x).(*ast.Ident); ok {
			other[l.info.Uses[id]] = true
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			a, ok := n.Init.(*ast.AssignStmt)
			post, up := n.Post.(*ast.IncDecStmt)
			if !ok || !up || a.Tok != token.DEFINE || len(a.Lhs) != 1 || post.Tok != token.INC || l.info.Types[a.Rhs[0]].Value == nil || negative(a.Rhs[0]) {
				break
			}
			if id, ok := a.Lhs[0].(*ast.Ident); ok {
				ups[l.info.Defs[id]] = true
			}
		case *ast.RangeStmt:
			id, ok := n.Key.(*ast.Ident)
			if !ok || n.Tok != token.DEFINE {
				break
			}
			switch t := l.info.TypeOf(n.X).Underlying().(type) {
			case *types.Basic, *types.Slice, *types.Array, *types.Pointer:
				ups[l.info.Defs[id]] = t != nil
			}
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				changed(x)
			}
		case *ast.IncDecStmt:
			if n.Tok == token.DEC {
				changed(n.X)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				changed(n.X)
			}
		}
		return true
	})
	for o := range ups {
		l.counters[o] = !other[o]
	}
}

func negative(x ast.Expr) bool {
	u, ok := ast.Unparen(x).(*ast.UnaryExpr)
	return !ok && !isNumber(x) || ok && u.Op == token.SUB
}

func isNumber(x ast.Expr) bool {
	_, ok := ast.Unparen(x).(*ast.BasicLit)
	return ok
}
