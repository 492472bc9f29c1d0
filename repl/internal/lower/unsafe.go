package lower

import (
	"go/ast"

	"symmom/repl/internal/syntax"
)

// unsafely lowers the functions of package unsafe that the interpreter lacks; for
// others it returns nil.
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
		f := p.FuncType(p.Fields(), p.Fields(p.Field("", t)))
		assert := p.Assert(p.ID(v), p.Paren(l.TypeExpr(p, l.info.TypeOf(x))))
		return p.Call(p.Paren(p.FuncLit(f, p.Define(v, p.Support("Unsafe"+name, args...)), p.Return(assert))))
	}
	return nil
}
