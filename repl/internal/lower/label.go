package lower

import (
	"go/ast"
	"go/token"

	"symmom/repl/internal/syntax"
)

// labeled lowers a labeled statement. The label stays with the statement that break
// and continue refer to; goto gets a separate label, before the statements that
// lowering inserts in front of it. The interpreter confuses labels and variables of
// the same name, so labels are renamed.
func (l *Lowering) labeled(s *ast.LabeledStmt) []ast.Stmt {
	var list []ast.Stmt
	switch inner := s.Stmt.(type) {
	case *ast.ForStmt:
		list = l.forLoop(inner, s.Label.Name)
	case *ast.RangeStmt:
		list = l.rangeLoop(inner, s.Label.Name)
	default:
		list = l.stmt(inner)
	}
	for i, st := range list {
		switch st.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			list[i] = &ast.LabeledStmt{Label: l.label(s.Label, token.BREAK), Colon: s.Colon, Stmt: st}
		default:
			continue
		}
		break
	}
	if l.gotos[l.info.Defs[s.Label]] {
		target := &ast.LabeledStmt{Label: l.label(s.Label, token.GOTO), Colon: s.Colon, Stmt: syntax.At(s.Colon).Block()}
		list = append([]ast.Stmt{target}, list...)
	}
	return list
}

// label returns the new name of a label, for break and continue or for goto.
func (l *Lowering) label(id *ast.Ident, tok token.Token) *ast.Ident {
	o := l.info.Uses[id]
	if o == nil {
		o = l.info.Defs[id]
	}
	name := l.LocalName(o)
	if tok == token.GOTO {
		name += syntax.LocalMark
	}
	return syntax.At(id.Pos()).ID(name)
}

// noteGotos records the targets of a function's goto statements.
func (l *Lowering) noteGotos(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			l.gotos[l.info.Uses[b.Label]] = true
		}
		return true
	})
}
