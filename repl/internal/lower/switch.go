package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// plainSwitch reports whether the interpreter's own type switch, which is faster,
// handles all types of a switch: basic types if the value is represented as in
// compiled code, types declared in cells if it is represented as in the interpreter.
func (l *Lowering) plainSwitch(s *ast.TypeSwitchStmt, from types.Type) bool {
	listed := 0
	for _, c := range s.Body.List {
		for _, x := range c.(*ast.CaseClause).List {
			listed++
			tv := l.info.Types[x]
			if tv.IsNil() {
				if !repr.IsCompiled(from) {
					return false // it confuses nil with other values
				}
				continue
			}
			if types.IsInterface(tv.Type) {
				return false
			}
			if !repr.IsCompiled(from) {
				if !repr.NeedsBox(tv.Type) {
					return false
				}
				continue
			}
			if _, basic := types.Unalias(tv.Type).(*types.Basic); !basic {
				return false
			}
		}
	}
	return listed > 0 // or else it has no value
}

func (l *Lowering) interpretedSwitch(s *ast.TypeSwitchStmt, x ast.Expr, bound string) (before []ast.Stmt, st ast.Stmt) {
	p := syntax.At(s.Switch)
	out := &ast.TypeSwitchStmt{Switch: s.Switch}
	v, y := l.Temporary("x"), l.expr(x)
	if !repr.IsCompiled(l.info.TypeOf(x)) { // an argument that was a call is wrapped twice
		name := l.Temporary("y")
		before = append(before, p.Define(name, y))
		y = p.ID(name)
	}
	assert := &ast.TypeAssertExpr{X: y, Lparen: token.Pos(p), Rparen: token.Pos(p)}
	out.Assign = p.Expr(assert)
	if bound != "" {
		out.Assign = p.Define(v, assert)
	}
	defer l.enter(false)()
	out.Body = &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}
	seen := map[string]bool{} // an instance of generic code may list a type twice
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		var list []ast.Expr
		for _, x := range c.List {
			key := "nil"
			if !l.info.Types[x].IsNil() {
				key = l.TypeKey(l.info.TypeOf(x))
			}
			if !seen[key] {
				seen[key] = true
				list = append(list, l.expr(x))
			}
		}
		if len(list) == 0 && len(c.List) > 0 {
			continue
		}
		if o := l.info.Implicits[c]; o != nil && bound != "" {
			l.SetLocal(o, v)
		}
		out.Body.List = append(out.Body.List, &ast.CaseClause{Case: c.Case, List: list, Colon: c.Colon, Body: l.clauseBody(c.Body)})
	}
	return before, out
}

// refuseFallthrough rejects a fallthrough that the interpreter, which moves default
// to the end, would continue in the wrong clause.
func (l *Lowering) refuseFallthrough(s *ast.SwitchStmt) {
	falls := func(i int) bool {
		body := s.Body.List[i].(*ast.CaseClause).Body
		if len(body) == 0 {
			return false
		}
		b, ok := body[len(body)-1].(*ast.BranchStmt)
		return ok && b.Tok == token.FALLTHROUGH
	}
	for i, c := range s.Body.List[:max(0, len(s.Body.List)-1)] {
		if c.(*ast.CaseClause).List == nil && (falls(i) || i > 0 && falls(i-1)) {
			l.Fail(syntax.At(c.Pos()), "the interpreter loses its way where fallthrough leads into or out of a default that is not the last clause; put the default last")
		}
	}
}
