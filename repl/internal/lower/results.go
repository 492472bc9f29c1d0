package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"symmom/repl/internal/syntax"
)

// setResults sets variables to the values that returned made: to what one call returns,
// or one by one, because the interpreter does not assign nil beside other values.
func setResults(p syntax.At, names []string, values []ast.Expr) []ast.Stmt {
	if len(values) != len(names) {
		return []ast.Stmt{p.Assign(token.ASSIGN, p.IDs(names...), values)}
	}
	var out []ast.Stmt
	for i, name := range names {
		out = append(out, p.Set(p.ID(name), values[i]))
	}
	return out
}

// returned lowers the results of a return statement. The interpreter sets one
// result after the other, although a later value may need an earlier result; it
// computes a value in place of its result, which fails if that or the first is an
// interface; and it puts what a builtin function returns in place of the first, and
// nothing in place of what one in a field returns. Such values are evaluated beforehand.
func (l *Lowering) returned(s *ast.ReturnStmt, root *function) (before []ast.Stmt, values []ast.Expr) {
	var to []types.Type
	named := root.out != nil || l.fn.yield != nil
	if root.results != nil {
		for v := range root.results.Variables() {
			to = append(to, v.Type())
			named = named || v.Name() != ""
		}
	}
	values = l.valueList(s.Results, to)
	first := len(values) > 1 && (named || root.direct && l.mentionsTop(s.Results))
	interfaces := slices.ContainsFunc(to, types.IsInterface)
	for i, x := range values {
		first = first || i < len(to) && definesFunc(x, to[i]) || interfaces && computed(x) || (interfaces || len(values) > 1) && i < len(s.Results) && (l.callsBuiltin(s.Results[i]) || l.callsField(s.Results[i]))
		if _, made := x.(*ast.CompositeLit); made && (root.out != nil || l.fn.yield != nil) { // see single
			first = true
		}
	}
	if len(values) == 1 && len(to) > 1 && (definesFunc(values[0], to[0]) || l.becomeOthers(s.Results[0], to)) {
		p, names := syntax.At(s.Return), make([]string, len(to))
		for i := range names {
			names[i] = l.Temporary("v")
		}
		return []ast.Stmt{p.Assign(token.DEFINE, p.IDs(names...), values)}, p.IDs(names...)
	}
	if !first {
		return nil, values
	}
	for i, x := range values {
		if !literal(x) {
			p, name := syntax.At(x.Pos()), l.Temporary("v")
			before = append(before, p.Define(name, x))
			values[i] = p.ID(name)
		}
	}
	return before, values
}

// becomeOthers reports whether what a call returns gets other types by being returned, which
// the interpreter does for the first value alone, and forgets the others.
func (l *Lowering) becomeOthers(call ast.Expr, to []types.Type) bool {
	given, _ := l.info.TypeOf(call).(*types.Tuple)
	for i, t := range to {
		if given != nil && !types.Identical(given.At(i).Type(), t) {
			return true
		}
	}
	return false
}

// definesFunc reports whether the interpreter, where a function returns x, takes x for the
// definition of its type t, and later the functions of this type for generic ones.
func definesFunc(x ast.Expr, t types.Type) bool {
	if _, is := t.Underlying().(*types.Signature); !is {
		return false
	}
	switch ast.Unparen(x).(type) {
	case *ast.CallExpr, *ast.IndexExpr, *ast.StarExpr:
		return true
	}
	return false
}

// callsField reports whether an expression is a call of a function in a field.
func (l *Lowering) callsField(x ast.Expr) bool {
	c, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	return ok && l.info.Selections[f] != nil && l.info.Selections[f].Kind() == types.FieldVal
}

// callsBuiltin reports whether an expression is a call of a builtin function.
func (l *Lowering) callsBuiltin(x ast.Expr) bool {
	c, ok := ast.Unparen(x).(*ast.CallExpr)
	return ok && l.info.Types[c.Fun].IsBuiltin()
}

// mentionsTop reports whether one of several values contains a variable of the top
// level.
func (l *Lowering) mentionsTop(list []ast.Expr) bool {
	found := false
	for _, x := range list {
		ast.Inspect(x, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				v, is := l.info.Uses[id].(*types.Var)
				found = found || is && l.IsTop(v)
			}
			return !found
		})
	}
	return found
}

// computed reports whether a lowered expression is an operation.
func computed(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.UnaryExpr:
		return x.Op != token.AND && x.Op != token.ARROW && !literal(x)
	}
	return false
}

// toOuter returns a definition without the parameters and results among its variables, and
// the statements that assign to these: in a function with defer statements they are outside
// of its body, where the definition would make new ones. For others it returns no statements.
func (l *Lowering) toOuter(s *ast.AssignStmt) (defined *ast.AssignStmt, after []ast.Stmt) {
	p := syntax.At(s.TokPos)
	defined = &ast.AssignStmt{Lhs: slices.Clone(s.Lhs), TokPos: s.TokPos, Tok: s.Tok, Rhs: s.Rhs}
	l.unseen[defined] = l.unseen[s]
	for i, x := range s.Lhs {
		v, ok := l.info.Uses[x.(*ast.Ident)].(*types.Var)
		if !ok || v.Kind() != types.ParamVar && v.Kind() != types.ResultVar && v.Kind() != types.RecvVar {
			continue
		}
		id := l.variableOf(p, v.Type())
		l.info.Defs[id] = l.info.Uses[id]
		defined.Lhs[i] = id
		after = append(after, p.Set(l.expr(x), l.expr(id)))
	}
	return defined, after
}
