package lower

import (
	"go/ast"
	"go/token"

	"symmom/repl/internal/syntax"
)

// unsafely lowers the functions of package unsafe that the interpreter lacks;
// otherwise it returns nil.
func (l *Lowering) unsafely(x *ast.CallExpr, name string) ast.Expr {
	p := syntax.At(x.Pos())
	args := l.exprs(x.Args)
	if len(args) == 2 {
		args[1] = p.Call(p.ID("int"), args[1])
	}
	switch name {
	case "Add", "String", "StringData":
		return p.Support("Unsafe"+name, args...)
	case "Slice", "SliceData":
		v, t := l.Temporary("v"), l.TypeExpr(p, l.info.TypeOf(x))
		f := &ast.FuncType{Func: token.Pos(p), Params: p.Fields(), Results: p.Fields(p.Field("", t))}
		assert := &ast.TypeAssertExpr{X: p.ID(v), Lparen: token.Pos(p), Type: p.Paren(l.TypeExpr(p, l.info.TypeOf(x))), Rparen: token.Pos(p)}
		return p.Call(p.Paren(&ast.FuncLit{Type: f, Body: p.Block(p.Define(v, p.Support("Unsafe"+name, args...)), p.Return(assert))}))
	}
	return nil
}
