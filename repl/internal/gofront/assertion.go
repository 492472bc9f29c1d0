package gofront

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// Assertions of types are calls of functions that are written for each type:
// the interpreter's own assertions know some types, and of some only what they
// are made of.

// tracked is a function that goes through all types that implement an
// interface. It is held by a variable, and written again when there are more.
type tracked struct {
	iface   types.Type
	holder  string
	leaves  bool   // the interface, for any; otherwise it is one for any
	foreign string // type that makes values of packages implement the interface
}

// dynamic writes a value of interface t as one of an interface that compiled
// code knows, with its own type.
func (w *Writer) dynamic(p At, x ast.Expr, t types.Type) ast.Expr {
	if !types.IsInterface(t) || compiled(t) {
		return x
	}
	return p.Call(p.ID(w.track(p, t, true)), x)
}

// isA is the name of a function that asserts that what an interface holds is
// of a type: func(any) (T, bool).
func (w *Writer) isA(p At, t types.Type) string {
	if types.IsInterface(t) && !owns(t) {
		return w.track(p, t, false)
	}
	return w.writeOnce("is "+w.typeKey(t), "is", func(name string) {
		x, v, ok := w.temporary("x"), w.temporary("v"), w.temporary("ok")
		var list []ast.Stmt
		assert := func(from string) {
			list = append(list, p.assign(token.DEFINE, p.ids(v, ok), []ast.Expr{
				&ast.TypeAssertExpr{X: p.ID(from), Lparen: token.Pos(p), Type: w.wrapped(p, t), Rparen: token.Pos(p)}}),
				p.ret(p.ids(v, ok)...))
		}
		switch {
		case w.selfMade(t):
			list = append(list, p.ret(p.Support("Unown", p.int(w.ownType(t).ID), p.ID("false"), p.ID(x))))
		case isEmpty(t):
			list = append(list, p.ret(p.ID(x), p.binary(p.ID(x), token.NEQ, p.ID("nil"))))
		case isError(t):
			list = append(list, p.ret(p.Support("ToError", p.ID(x))))
		case isStringer(t):
			list = append(list, p.ret(p.Support("ToStringer", p.ID(x))))
		case ownable(t):
			inner, is, none := w.temporary("x"), w.temporary("ok"), w.temporary("none")
			list = append(list, // a variable of its own: the interpreter panics on an empty struct that comes from compiled code
				&ast.DeclStmt{Decl: p.variable(inner, p.ID("any"))}, &ast.DeclStmt{Decl: p.variable(is, p.ID("bool"))},
				p.assign(token.ASSIGN, p.ids(inner, is), []ast.Expr{p.Support("Unown", p.int(w.ownType(t).ID), p.ID(fmt.Sprint(loose(t))), p.ID(x))}),
				p.ifStmt(p.unary(token.NOT, p.ID(is)), &ast.DeclStmt{Decl: p.variable(none, w.typeExpr(p, t))}, p.ret(p.ids(none, "false")...)))
			assert(inner)
		default:
			switch t.Underlying().(type) {
			case *types.Basic, *types.Pointer:
				assert(x)
			default: // the interpreter takes what can be assigned for the same
				list = append(list, p.assign(token.DEFINE, p.ids(v, ok), []ast.Expr{
					&ast.TypeAssertExpr{X: p.ID(x), Lparen: token.Pos(p), Type: w.wrapped(p, t), Rparen: token.Pos(p)}}),
					p.ret(p.ID(v), p.binary(p.ID(ok), token.LAND, p.Support("SameType", p.ID(x), p.ID(v)))))
			}
		}
		w.Decls = append(w.Decls, &ast.FuncDecl{Name: p.ID(name), Body: p.Block(list...), Type: &ast.FuncType{Func: token.Pos(p),
			Params: p.fields(p.field(x, p.ID("any"))), Results: p.fields(p.field("", w.typeExpr(p, t)), p.field("", p.ID("bool")))}})
	})
}

// loose says whether a value that is in no owned may be of a type: packages
// have no structures without a name.
func loose(t types.Type) bool {
	t = types.Unalias(t)
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// mustBe is the name of a function that panics when the assertion does not
// hold: func(any) T. One that lets nil pass is a conversion.
func (w *Writer) mustBe(p At, from, t types.Type, nilToo bool) string {
	key := "must "
	if nilToo {
		key = "become "
	}
	title := typeTitle(from)
	return w.writeOnce(key+title+" "+w.typeKey(t), "must", func(name string) {
		x, v, ok := w.temporary("x"), w.temporary("v"), w.temporary("ok")
		cond := ast.Expr(p.unary(token.NOT, p.ID(ok)))
		if nilToo {
			cond = p.binary(p.binary(p.ID(x), token.NEQ, p.ID("nil")), token.LAND, cond)
		}
		why := []ast.Expr{p.ID(x), p.string(title), p.string(typeTitle(t))}
		if i, ok := t.Underlying().(*types.Interface); ok {
			for m := range i.Methods() {
				why = append(why, p.string(m.Name()))
			}
		}
		list := []ast.Stmt{p.assign(token.DEFINE, p.ids(v, ok), []ast.Expr{p.Call(p.ID(w.isA(p, t)), p.ID(x))}),
			p.ifStmt(cond, p.Expr(p.Support("NotA", why...))), p.ret(p.ID(v))}
		w.Decls = append(w.Decls, &ast.FuncDecl{Name: p.ID(name), Body: p.Block(list...), Type: &ast.FuncType{Func: token.Pos(p),
			Params: p.fields(p.field(x, p.ID("any"))), Results: p.fields(p.field("", w.typeExpr(p, t)))}})
	})
}

// holds is the condition that an interface holds a value of a type.
func (w *Writer) holds(p At, x string, t types.Type) ast.Expr {
	return p.Call(p.ID(w.writeOnce("holds "+w.typeKey(t), "holds", func(name string) {
		y, v, ok := w.temporary("x"), w.temporary("v"), w.temporary("ok")
		w.Decls = append(w.Decls, &ast.FuncDecl{Name: p.ID(name), Type: &ast.FuncType{Func: token.Pos(p),
			Params: p.fields(p.field(y, p.ID("any"))), Results: p.fields(p.field("", p.ID("bool")))},
			Body: p.Block(p.assign(token.DEFINE, p.ids(v, ok), []ast.Expr{p.Call(p.ID(w.isA(p, t)), p.ID(y))}),
				p.set(p.ID("_"), p.ID(v)), p.ret(p.ID(ok)))})
	})), p.ID(x))
}
