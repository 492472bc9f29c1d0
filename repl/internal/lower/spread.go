package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/syntax"
)

// In g(f()) the interpreter passes all results of f as if each were for the first
// parameter of g. If any of them are interfaces, or if they leave nothing for the last
// parameter of a variadic function, they are assigned to variables first:
//
//		func() int { a, b := f(); return g(a, b) }()

// several returns the types of the results if the only argument of a call is a call
// with several results, or nil.
func (l *Lowering) several(x *ast.CallExpr) *types.Tuple {
	if len(x.Args) != 1 {
		return nil
	}
	t, _ := l.info.TypeOf(x.Args[0]).(*types.Tuple)
	return t
}

// namedResults assigns the results of the call that is the only argument to
// variables, and returns the call with these as arguments.
func (l *Lowering) namedResults(x *ast.CallExpr, given *types.Tuple) (ast.Stmt, *ast.CallExpr) {
	p := syntax.At(x.Args[0].Pos())
	out := &ast.CallExpr{Fun: x.Fun, Lparen: x.Lparen, Rparen: x.Rparen}
	var names []ast.Expr
	for v := range given.Variables() {
		id := l.variableOf(p, v.Type())
		out.Args = append(out.Args, id)
		names = append(names, p.ID(l.LocalName(l.info.Uses[id])))
	}
	l.info.Types[out] = l.info.Types[x]
	return p.Assign(token.DEFINE, names, []ast.Expr{l.expr(x.Args[0])}), out
}

// spread lowers g(f()) if necessary, or returns nil.
func (l *Lowering) spread(x *ast.CallExpr) ast.Expr {
	given := l.several(x)
	if given == nil {
		return nil
	}
	sig, ok := l.info.TypeOf(x.Fun).Underlying().(*types.Signature)
	noRest := ok && sig.Variadic() && given.Len() == sig.Params().Len()-1
	if !ok || !anyInterface(given) && !anyInterface(sig.Params()) && !noRest {
		return nil
	}
	p := syntax.At(x.Pos())
	var list []ast.Stmt
	if hasCall(x.Fun) { // the function is evaluated first
		id := l.variableOf(p, sig)
		fun := l.expr(x.Fun)
		if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok && l.info.Selections[sel] != nil && l.info.Selections[sel].Kind() == types.MethodVal {
			fun = l.methodValue(sel, l.info.Selections[sel])
		}
		list = append(list, p.Define(l.LocalName(l.info.Uses[id]), fun))
		y := *x
		y.Fun = id
		l.info.Types[&y] = l.info.Types[x]
		x = &y
	}
	first, call := l.namedResults(x, given)
	list = append(list, first)
	results := p.Fields()
	for v := range sig.Results().Variables() {
		results.List = append(results.List, p.Field("", l.TypeExpr(p, v.Type())))
	}
	if y := l.call(call); len(results.List) > 0 {
		list = append(list, p.Return(y))
	} else {
		list = append(list, p.Expr(y))
	}
	return p.Call(p.Paren(p.FuncLit(p.FuncType(p.Fields(), results), list...)))
}

// spreadRest makes out, the lowered form of x, pass the last arguments of a variadic
// function in a slice if the function is a value. If the value was once in a field, the
// interpreter would look for a parameter for each argument.
//
//	t.f(a, b, c)   is   t.f(a, []T{b, c}...)
func (l *Lowering) spreadRest(x, out *ast.CallExpr) {
	t := l.info.TypeOf(x.Fun)
	if t == nil || out.Ellipsis.IsValid() || l.callee(x) != nil || l.several(x) != nil {
		return
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || !sig.Variadic() {
		return
	}
	last := sig.Params().Len() - 1
	p := syntax.At(x.Args[last].Pos())
	rest := &ast.CompositeLit{Type: l.TypeExpr(p, sig.Params().At(last).Type()), Lbrace: token.Pos(p), Elts: out.Args[last:], Rbrace: token.Pos(p)}
	out.Args, out.Ellipsis = append(out.Args[:last:last], rest), x.Rparen
}

func anyInterface(t *types.Tuple) bool {
	for v := range t.Variables() {
		u := v.Type()
		if s, ok := u.(*types.Slice); ok { // variadic function
			u = s.Elem()
		}
		if types.IsInterface(u) {
			return true
		}
	}
	return false
}

func hasCall(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		_, is := n.(*ast.CallExpr)
		found = found || is
		return !found
	})
	return found
}

// spreadVariable makes out pass a slice as the last arguments if x does. Of a variable of
// a package, such as os.Args, the interpreter would pass the slice as one of them.
func (l *Lowering) spreadVariable(x, out *ast.CallExpr) {
	if out.Ellipsis = x.Ellipsis; !x.Ellipsis.IsValid() || len(out.Args) != len(x.Args) {
		return
	}
	last := len(x.Args) - 1
	sel, ok := ast.Unparen(x.Args[last]).(*ast.SelectorExpr)
	if !ok || l.info.Selections[sel] != nil {
		return
	}
	if _, still := out.Args[last].(*ast.SelectorExpr); still {
		out.Args[last] = l.evaluated(out.Args[last], l.info.TypeOf(sel))
	}
}
