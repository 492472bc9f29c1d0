package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// intoInterface reports whether an operand of && or || is converted to an interface.
// The interpreter would treat the operand of the conversion as the condition.
func (l *Lowering) intoInterface(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			tv := l.info.Types[n.Fun]
			found = found || tv.IsType() && types.IsInterface(tv.Type)
		case *ast.FuncLit:
			return false
		}
		return !found
	})
	return found
}

// argumentsFirst lowers a call of an interface method so that its arguments are
// evaluated before the method is looked up. The interpreter looks it up first, and
// panics too early if the interface is nil. argumentsFirst returns nil if the order
// does not matter.
func (l *Lowering) argumentsFirst(x *ast.CallExpr, out *ast.CallExpr) ast.Expr {
	sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !ok || !slices.ContainsFunc(x.Args, l.callsFunction) {
		return nil
	}
	fun, ok := out.Fun.(*ast.SelectorExpr)
	method := l.info.Selections[sel]
	if !ok || method == nil || method.Kind() != types.MethodVal || len(method.Index()) > 1 || !types.IsInterface(method.Recv()) {
		return nil
	}
	sig := method.Type().(*types.Signature)
	if len(x.Args) < sig.Params().Len() || sig.Variadic() && !x.Ellipsis.IsValid() {
		return nil
	}
	vars := []*types.Var{types.NewParam(token.NoPos, nil, "", method.Recv())}
	for v := range sig.Params().Variables() {
		vars = append(vars, types.NewParam(token.NoPos, nil, "", v.Type()))
	}
	p := syntax.At(x.Lparen)
	whole := types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), sig.Results(), false)
	name := l.WriteOnce("late "+l.TypeKey(method.Recv())+"."+sel.Sel.Name, "late", func(name string) {
		var params, results []*ast.Field
		var args []ast.Expr
		for _, v := range vars {
			a := l.Temporary("a")
			params = append(params, p.Field(a, l.TypeExpr(p, v.Type())))
			args = append(args, p.ID(a))
		}
		for v := range sig.Results().Variables() {
			results = append(results, p.Field("", l.TypeExpr(p, v.Type())))
		}
		call := p.Call(p.Sel(args[0], fun.Sel.Name), args[1:]...)
		if sig.Variadic() {
			call.Ellipsis = token.Pos(p)
		}
		var body ast.Stmt = p.Return(call)
		if len(results) == 0 {
			body = p.Expr(call)
		}
		l.Decls = append(l.Decls, p.FuncDecl(name, p.FuncType(p.Fields(params...), p.Fields(results...)), body))
	})
	if repr.TakesSigned(whole) {
		name = l.Holder(p, name, whole)
	}
	return p.Call(p.ID(name), append([]ast.Expr{fun.X}, out.Args...)...)
}

// callsFunction reports whether an expression calls anything except builtin
// functions.
func (l *Lowering) callsFunction(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			tv := l.info.Types[n.Fun]
			found = found || !tv.IsType() && !tv.IsBuiltin()
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.FuncLit:
			return false
		}
		return !found
	})
	return found
}
