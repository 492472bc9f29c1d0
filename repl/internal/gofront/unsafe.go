package gofront

import (
	"go/ast"
	"go/token"
)

// unsafely lowers the functions of package unsafe that the interpreter does not
// have, or returns nil.
func (l *Lowering) unsafely(x *ast.CallExpr, name string) ast.Expr {
	p := At(x.Pos())
	args := l.exprs(x.Args)
	if len(args) == 2 {
		args[1] = p.Call(p.ID("int"), args[1])
	}
	switch name {
	case "Add", "String", "StringData":
		return p.Support("Unsafe"+name, args...)
	case "Slice", "SliceData":
		v, t := l.temporary("v"), l.typeExpr(p, l.info.TypeOf(x))
		f := &ast.FuncType{Func: token.Pos(p), Params: p.fields(), Results: p.fields(p.field("", t))}
		assert := &ast.TypeAssertExpr{X: p.ID(v), Lparen: token.Pos(p), Type: p.paren(l.typeExpr(p, l.info.TypeOf(x))), Rparen: token.Pos(p)}
		return p.Call(p.paren(&ast.FuncLit{Type: f, Body: p.Block(p.define(v, p.Support("Unsafe"+name, args...)), p.ret(assert))}))
	}
	return nil
}
