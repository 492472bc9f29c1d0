package repl

import (
	"go/ast"
	"go/token"
	"go/types"
)

// plainSwitch says whether the interpreter's own type switch, which is faster,
// knows all types of one: those that no cell has declared, of a value in the
// form of compiled code, or those that cells have, in that of the interpreter.
func (l *lowering) plainSwitch(s *ast.TypeSwitchStmt, from types.Type) bool {
	for _, c := range s.Body.List {
		for _, x := range c.(*ast.CaseClause).List {
			tv := l.info.Types[x]
			if tv.IsNil() {
				if !compiled(from) {
					return false // it takes what is nil for something else
				}
				continue
			}
			if types.IsInterface(tv.Type) {
				return false
			}
			if !compiled(from) {
				if !ownable(tv.Type) {
					return false
				}
				continue
			}
			if _, basic := types.Unalias(tv.Type).(*types.Basic); !basic {
				return false
			}
		}
	}
	return true
}

func (l *lowering) interpretedSwitch(s *ast.TypeSwitchStmt, x ast.Expr, bound string) ast.Stmt {
	p := at(s.Switch)
	out := &ast.TypeSwitchStmt{Switch: s.Switch}
	v := l.made("x")
	assert := &ast.TypeAssertExpr{X: l.expr(x), Lparen: token.Pos(p), Rparen: token.Pos(p)}
	out.Assign = p.expr(assert)
	if bound != "" {
		out.Assign = p.define(v, assert)
	}
	defer l.enter(true, false)()
	out.Body = &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		if o := l.info.Implicits[c]; o != nil && bound != "" {
			l.local[o] = v
		}
		out.Body.List = append(out.Body.List, &ast.CaseClause{Case: c.Case, List: l.exprs(c.List), Colon: c.Colon, Body: l.clauseBody(c.Body)})
	}
	return out
}
