package lower

import (
	"go/ast"
	"go/token"

	"symmom/repl/internal/breath"
	"symmom/repl/internal/syntax"
)

// ticks is the number of iterations and calls between two breaths. In between, nested
// calls must fit on a browser's stack.
const ticks = 100

// breathing returns what begins the body of each loop and function in a browser, see
// package breath:
//
//	if tick++; tick > ticks { tick = 0; __repl.Breathe() }
//
// It stands where the first statement of the body does: a function's first statement
// tells where it begins in the report of a panic.
func breathing(body *ast.BlockStmt) []ast.Stmt {
	if !breath.Needed {
		return nil
	}
	p := syntax.At(body.Lbrace)
	if len(body.List) > 0 {
		p = syntax.At(body.List[0].Pos())
	}
	count := &ast.IncDecStmt{X: p.ID(syntax.TickName), TokPos: token.Pos(p), Tok: token.INC}
	return []ast.Stmt{count, p.If(p.Binary(p.ID(syntax.TickName), token.GTR, p.Int(ticks)),
		p.Set(p.ID(syntax.TickName), p.Int(0)), p.Expr(p.Support("Breathe")))}
}
