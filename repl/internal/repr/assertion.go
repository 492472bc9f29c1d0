package repr

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/syntax"
)

// A type assertion becomes a call of a function that is written for each type: the
// interpreter's own assertions handle only some types, and know only the underlying
// type of some.

// dispatcher is a function with a case for each type that implements an interface. A
// variable holds it, so that it can be rewritten when types are added.
type dispatcher struct {
	iface   types.Type
	holder  string
	leaves  bool   // from the interface to any; otherwise from any to it
	adapter string // type by which values of packages implement the interface
}

// Dynamic converts a value of interface t to an interface that compiled code knows,
// with its dynamic type.
func (w *Writer) Dynamic(p syntax.At, x ast.Expr, t types.Type) ast.Expr {
	if !types.IsInterface(t) || IsCompiled(t) {
		return x
	}
	return p.Call(p.ID(w.dispatcher(p, t, true)), x)
}

// Asserter returns the name of a function that asserts that an interface holds a
// value of type t: func(any) (T, bool).
func (w *Writer) Asserter(p syntax.At, t types.Type) string {
	if types.IsInterface(t) && !HoldsBoxes(t) {
		return w.dispatcher(p, t, false)
	}
	return w.WriteOnce("is "+w.TypeKey(t), "is", func(name string) {
		x, v, ok := w.Temporary("x"), w.Temporary("v"), w.Temporary("ok")
		var list []ast.Stmt
		assert := func(from string) {
			list = append(list, p.Assign(token.DEFINE, p.IDs(v, ok), []ast.Expr{
				p.Assert(p.ID(from), w.ParenType(p, t))}),
				p.Return(p.IDs(v, ok)...))
		}
		switch {
		case IsEmpty(t):
			list = append(list, p.Return(p.Support("Return", p.ID(x)), p.Binary(p.ID(x), token.NEQ, p.ID("nil"))))
		case isError(t):
			list = append(list, p.Return(p.Support("ToError", p.ID(x))))
		case isStringer(t):
			list = append(list, p.Return(p.Support("ToStringer", p.ID(x))))
		case NeedsBox(t):
			inner, is, none := w.Temporary("x"), w.Temporary("ok"), w.Temporary("none")
			list = append(list, // a separate variable: the interpreter panics on an empty struct from compiled code
				&ast.DeclStmt{Decl: p.Var(inner, p.ID("any"))}, &ast.DeclStmt{Decl: p.Var(is, p.ID("bool"))},
				p.Assign(token.ASSIGN, p.IDs(inner, is), []ast.Expr{p.Support("Unbox", p.Int(w.boxType(t).ID), p.ID(fmt.Sprint(loose(t))), p.ID(x))}),
				p.If(p.Unary(token.NOT, p.ID(is)), &ast.DeclStmt{Decl: p.Var(none, w.TypeExpr(p, t))}, p.Return(p.IDs(none, "false")...)))
			assert(inner)
		default:
			switch t.Underlying().(type) {
			case *types.Basic, *types.Pointer:
				assert(x)
			default: // the interpreter accepts assignable types as the same
				list = append(list, p.Assign(token.DEFINE, p.IDs(v, ok), []ast.Expr{
					p.Assert(p.ID(x), w.ParenType(p, t))}),
					p.Return(p.ID(v), p.Binary(p.ID(ok), token.LAND, p.Support("SameType", p.ID(x), p.ID(v)))))
			}
		}
		w.Decls = append(w.Decls, p.FuncDecl(name, p.FuncType(p.Fields(p.Field(x, p.ID("any"))), p.Fields(p.Field("", w.TypeExpr(p, t)), p.Field("", p.ID("bool")))),
			list...))
	})
}

// loose reports whether a value outside a box can be of a type: compiled packages
// have no unnamed struct types that contain cells' types.
func loose(t types.Type) bool {
	t = types.Unalias(t)
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// MustAsserter returns the name of a function that panics if the assertion fails:
// func(any) T. One that accepts nil serves as a conversion.
func (w *Writer) MustAsserter(p syntax.At, from, t types.Type, nilToo bool) string {
	key := "must "
	if nilToo {
		key = "become "
	}
	title := TypeTitle(from)
	return w.WriteOnce(key+title+" "+w.TypeKey(t), "must", func(name string) {
		x, v, ok := w.Temporary("x"), w.Temporary("v"), w.Temporary("ok")
		cond := ast.Expr(p.Unary(token.NOT, p.ID(ok)))
		if nilToo {
			cond = p.Binary(p.Binary(p.ID(x), token.NEQ, p.ID("nil")), token.LAND, cond)
		}
		why := []ast.Expr{p.ID(x), p.Quoted(title), p.Quoted(TypeTitle(t))}
		if i, ok := t.Underlying().(*types.Interface); ok {
			for m := range i.Methods() {
				why = append(why, p.Quoted(m.Name()))
			}
		}
		list := []ast.Stmt{p.Assign(token.DEFINE, p.IDs(v, ok), []ast.Expr{p.Call(p.ID(w.Asserter(p, t)), p.ID(x))}),
			p.If(cond, p.Expr(p.Support("AssertionFailed", why...))), p.Return(p.ID(v))}
		w.Decls = append(w.Decls, p.FuncDecl(name, p.FuncType(p.Fields(p.Field(x, p.ID("any"))), p.Fields(p.Field("", w.TypeExpr(p, t)))),
			list...))
	})
}

// Holds returns the condition that an interface holds a value of type t.
func (w *Writer) Holds(p syntax.At, x string, t types.Type) ast.Expr {
	return p.Call(p.ID(w.WriteOnce("holds "+w.TypeKey(t), "holds", func(name string) {
		y, v, ok := w.Temporary("x"), w.Temporary("v"), w.Temporary("ok")
		w.Decls = append(w.Decls, p.FuncDecl(name, p.FuncType(p.Fields(p.Field(y, p.ID("any"))), p.Fields(p.Field("", p.ID("bool")))),
			p.Assign(token.DEFINE, p.IDs(v, ok), []ast.Expr{p.Call(p.ID(w.Asserter(p, t)), p.ID(y))}),
			p.Set(p.ID("_"), p.ID(v)),
			p.Return(p.ID(ok))))
	})), p.ID(x))
}
