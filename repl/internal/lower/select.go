package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"symmom/repl/internal/syntax"
)

// selection lowers a select statement. The session chooses the case: in the
// interpreter, all goroutines that run the same select statement share its list of
// cases and take values from each other's channels.
//
//	var v T
//	i, ok := __repl.Select(false, c, &v, false)
//	switch i {
//	case 0: x := v; body
//	}
func (l *Lowering) selection(s *ast.SelectStmt) []ast.Stmt {
	p := syntax.At(s.Select)
	i, ok := l.Temporary("i"), l.Temporary("ok")
	var before []ast.Stmt
	var args []ast.Expr
	hasDefault := false
	sw := &ast.SwitchStmt{Switch: s.Select, Tag: p.ID(i), Body: &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}}
	places := make([]string, len(s.Body.List)) // variables for received values
	for k, c := range s.Body.List {
		comm := c.(*ast.CommClause).Comm
		if comm == nil {
			hasDefault = true
			continue
		}
		q, name := syntax.At(comm.Pos()), l.Temporary("v")
		channel, value := l.communication(comm)
		elem := l.info.TypeOf(channel).Underlying().(*types.Chan).Elem()
		place := &ast.ValueSpec{Names: []*ast.Ident{q.ID(name)}, Type: l.TypeExpr(q, elem)}
		ch := l.Temporary("c")
		before = append(before, q.Define(ch, l.expr(channel)))
		if value != nil {
			place.Values = []ast.Expr{l.value(value, elem)}
		} else {
			places[k] = name
		}
		before = append(before, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: comm.Pos(), Tok: token.VAR, Specs: []ast.Spec{place}}})
		args = append(args, q.ID(ch), q.Unary(token.AND, q.ID(name)), q.ID(strconv.FormatBool(value != nil)))
	}
	args = append([]ast.Expr{p.ID(strconv.FormatBool(hasDefault))}, args...)
	before = append(before, p.Assign(token.DEFINE, p.IDs(i, ok), []ast.Expr{p.Support("Select", args...)}),
		p.Assign(token.ASSIGN, p.IDs("_", "_"), p.IDs(i, ok)))
	defer l.enter(false)()
	n := 0
	for k, c := range s.Body.List {
		c := c.(*ast.CommClause)
		clause := &ast.CaseClause{Case: c.Case, Colon: c.Colon}
		if c.Comm != nil {
			clause.List = []ast.Expr{p.Int(n)}
			clause.Body = l.received(c.Comm, places[k], ok)
			n++
		}
		clause.Body = append(clause.Body, l.clauseBody(c.Body)...)
		sw.Body.List = append(sw.Body.List, clause)
	}
	return append(before, sw)
}

// communication returns the channel of a clause and the value sent to it, or nil if
// the clause receives.
func (l *Lowering) communication(comm ast.Stmt) (channel, value ast.Expr) {
	switch comm := comm.(type) {
	case *ast.SendStmt:
		return comm.Chan, comm.Value
	case *ast.ExprStmt:
		return ast.Unparen(comm.X).(*ast.UnaryExpr).X, nil
	}
	return ast.Unparen(comm.(*ast.AssignStmt).Rhs[0]).(*ast.UnaryExpr).X, nil
}

// received assigns the value received by a clause of a select, which is in the
// variable v.
func (l *Lowering) received(s ast.Stmt, v, ok string) []ast.Stmt {
	a, is := s.(*ast.AssignStmt)
	if !is {
		return nil
	}
	p := syntax.At(a.TokPos)
	channel, _ := l.communication(s)
	from := l.info.TypeOf(channel).Underlying().(*types.Chan).Elem()
	var out []ast.Stmt
	for i, x := range a.Lhs {
		y := ast.Expr(p.ID([]string{v, ok}[i]))
		if isBlank(x) {
			continue
		}
		if id, name := x.(*ast.Ident); name && a.Tok == token.DEFINE { // each iteration of a loop has a new variable
			local := l.LocalName(l.info.Defs[id])
			out = append(out, p.Define(local, y), p.Set(p.ID("_"), p.ID(local)))
			continue
		}
		if i == 0 {
			y = l.Convert(p, y, from, l.info.TypeOf(x))
		}
		out = append(out, p.Set(l.expr(x), y))
	}
	return out
}
