package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/syntax"
)

// isLookup reports whether an assignment takes the element of a map and whether there is
// one, and keeps the element.
func (l *Lowering) isLookup(s *ast.AssignStmt) bool {
	if len(s.Lhs) != 2 || len(s.Rhs) != 1 || isBlank(s.Lhs[0]) {
		return false
	}
	_, index := ast.Unparen(s.Rhs[0]).(*ast.IndexExpr)
	return index
}

// noteLookups records those of a function whose variables are new and seen by no function
// literal or pointer: these can be set again where they are.
func (l *Lowering) noteLookups(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || s.Tok != token.DEFINE || !l.isLookup(s) {
			return true
		}
		vars := map[types.Object]bool{}
		for _, x := range s.Lhs {
			if o := l.info.Defs[x.(*ast.Ident)]; o != nil {
				vars[o] = true
			}
		}
		l.unseen[s] = (len(vars) == 2 || len(vars) == 1 && isBlank(s.Lhs[1])) && !capturedIn(body, vars, l.info)
		return true
	})
}

// lookup follows out, which defines the two variables of such an assignment s. The
// interpreter leaves the first one as it is if the key is not in the map, which in a loop is
// as it was in the iteration before:
//
//	v, ok := m[k]   is   v, ok := m[k]; if !ok { v = 0 }
func (l *Lowering) lookup(s, out *ast.AssignStmt) []ast.Stmt {
	list := []ast.Stmt{out}
	if !l.isLookup(s) {
		return list
	}
	p := syntax.At(s.TokPos)
	if isBlank(out.Lhs[1]) {
		out.Lhs[1] = p.ID(l.Temporary("ok"))
	}
	elem := l.info.TypeOf(s.Rhs[0]).(*types.Tuple).At(0).Type()
	return append(list, p.If(p.Unary(token.NOT, out.Lhs[1]), p.Set(out.Lhs[0], l.Zero(p, elem))))
}
