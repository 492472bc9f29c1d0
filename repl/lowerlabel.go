package repl

import (
	"go/ast"
	"go/token"
	"go/types"
)

// labeled lowers a statement with a label, which stays at the statement that
// break and continue mean. A goto goes to a label of its own, before what the
// statement was given ahead of it. The interpreter mixes up labels and
// variables of one name, so labels get new names.
func (l *lowering) labeled(s *ast.LabeledStmt) []ast.Stmt {
	var list []ast.Stmt
	switch inner := s.Stmt.(type) {
	case *ast.ForStmt:
		list = l.forLoop(inner, s.Label.Name)
	case *ast.RangeStmt:
		list = l.rangeLoop(inner, s.Label.Name)
	case *ast.SelectStmt:
		before, st := l.selection(inner, l.label(s.Label, token.BREAK).Name)
		list = append(before, st)
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
		target := &ast.LabeledStmt{Label: l.label(s.Label, token.GOTO), Colon: s.Colon, Stmt: at(s.Colon).block()}
		list = append([]ast.Stmt{target}, list...)
	}
	return list
}

// label is the new name of a label, for break and continue or for goto.
func (l *lowering) label(id *ast.Ident, tok token.Token) *ast.Ident {
	o := l.info.Uses[id]
	if o == nil {
		o = l.info.Defs[id]
	}
	name := l.localName(o)
	if tok == token.GOTO {
		name += localMark
	}
	return at(id.Pos()).id(name)
}

// noteGotos remembers the labels to which a function goes.
func (l *lowering) noteGotos(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			l.gotos[l.info.Uses[b.Label]] = true
		}
		return true
	})
}

// received lowers what a clause of a select does. Values that go to a place
// other than a new variable are set there by first, in the clause: the
// interpreter takes new variables only.
func (l *lowering) received(s ast.Stmt) (comm ast.Stmt, first []ast.Stmt) {
	a, ok := s.(*ast.AssignStmt)
	if !ok {
		return l.simple(s), nil
	}
	p := at(a.TokPos)
	arrow, ok := ast.Unparen(a.Rhs[0]).(*ast.UnaryExpr)
	if !ok {
		return l.simple(s), nil
	}
	from := l.info.TypeOf(arrow.X).Underlying().(*types.Chan).Elem()
	var names []string
	for i, x := range a.Lhs {
		name := l.made("v")
		names = append(names, name)
		if isBlank(x) {
			first = append(first, p.set(p.id("_"), p.id(name)))
			continue
		}
		v := ast.Expr(p.id(name))
		if id, ok := x.(*ast.Ident); ok && a.Tok == token.DEFINE { // a new variable in each round of a loop
			first = append(first, p.define(l.localName(l.info.Defs[id]), v), p.set(p.id("_"), p.id(l.localName(l.info.Defs[id]))))
			continue
		}
		if i == 0 {
			v = l.convert(p, v, from, l.info.TypeOf(x))
		}
		first = append(first, p.set(l.expr(x), v))
	}
	return p.assign(token.DEFINE, p.ids(names...), []ast.Expr{l.arrow(arrow)}), first
}
