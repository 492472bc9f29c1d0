package gofront

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Types that are made of themselves without a struct between, such as
//
//	type state func(*lexer) state
//	type tree map[string]tree
//
// Package reflect cannot make these, nor can the interpreter. There they are
// interfaces, which hold a func(*lexer) state, a map[string]tree, or nil. What
// becomes of such a type is put in by a function, what is used as that which
// the type is made of is taken out by another.

// selfMade says whether a type is one of these.
func (w *Writer) selfMade(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "main" {
		return false
	}
	known, is := w.state.selfMade[n]
	if !is {
		known = inItself(n.Underlying(), n, map[types.Type]bool{})
		w.state.selfMade[n] = known
	}
	return known
}

// declareSelfMade declares one.
func (w *Writer) declareSelfMade(p At, name string, t *types.Named) {
	if t.NumMethods() > 0 {
		w.failSelfMade(p, t)
	}
	empty := &ast.InterfaceType{Interface: token.Pos(p), Methods: p.fields()}
	w.Decls = append(w.Decls, &ast.GenDecl{TokPos: token.Pos(p), Tok: token.TYPE, Specs: []ast.Spec{&ast.TypeSpec{Name: p.ID(name), Type: empty}}})
}

func (w *Writer) failSelfMade(p At, t types.Type) {
	w.fail(p, "the interpreter cannot hold a type with methods that is made of itself without a struct; put it in one: type %s struct { of %s }",
		types.TypeString(t, shortNames), types.TypeString(t.Underlying(), shortNames))
}

// inItself says whether a type is reached without a struct or an interface
// between.
func inItself(t types.Type, of *types.Named, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if types.Identical(t, of) {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return inItself(u.Elem(), of, seen)
	case *types.Slice:
		return inItself(u.Elem(), of, seen)
	case *types.Array:
		return inItself(u.Elem(), of, seen)
	case *types.Chan:
		return inItself(u.Elem(), of, seen)
	case *types.Map:
		return inItself(u.Key(), of, seen) || inItself(u.Elem(), of, seen)
	case *types.Signature:
		for _, list := range []*types.Tuple{u.Params(), u.Results()} {
			for v := range list.Variables() {
				if inItself(v.Type(), of, seen) {
					return true
				}
			}
		}
	}
	return false
}

// boxes says whether a value of type from changes its form in a place of type
// to because one of the two is made of itself.
func (w *Writer) boxes(from, to types.Type) bool {
	if from == nil || to == nil || isNilType(from) || types.IsInterface(from) || types.IsInterface(to) {
		return false
	}
	return w.selfMade(from) != w.selfMade(to)
}

// box puts x in: it is of what type t is made of.
func (w *Writer) box(p At, x ast.Expr, t types.Type) ast.Expr {
	return p.Call(p.ID(w.writeOnce("box "+w.typeKey(t), "box", func(name string) {
		v := w.temporary("v")
		w.Decls = append(w.Decls, &ast.FuncDecl{Name: p.ID(name), Type: &ast.FuncType{Func: token.Pos(p),
			Params: p.fields(p.field(v, w.typeExpr(p, t.Underlying()))), Results: p.fields(p.field("", w.typeExpr(p, t)))},
			Body: p.Block(p.ifStmt(p.binary(p.ID(v), token.EQL, p.ID("nil")), p.ret(p.ID("nil"))), p.ret(p.ID(v)))})
	})), x)
}

// unbox takes out what a value of type t is made of.
func (w *Writer) unbox(p At, x ast.Expr, t types.Type) ast.Expr {
	return p.Call(p.ID(w.writeOnce("unbox "+w.typeKey(t), "unbox", func(name string) {
		x, v, ok := w.temporary("x"), w.temporary("v"), w.temporary("ok")
		w.Decls = append(w.Decls, &ast.FuncDecl{Name: p.ID(name), Type: &ast.FuncType{Func: token.Pos(p),
			Params: p.fields(p.field(x, w.typeExpr(p, t))), Results: p.fields(p.field("", w.typeExpr(p, t.Underlying())))},
			Body: p.Block(p.assign(token.DEFINE, p.ids(v, ok), []ast.Expr{&ast.TypeAssertExpr{X: p.ID(x), Lparen: token.Pos(p),
				Type: w.wrapped(p, t.Underlying()), Rparen: token.Pos(p)}}), p.set(p.ID("_"), p.ID(ok)), p.ret(p.ID(v)))})
	})), x)
}

// boxed puts in what the interpreter makes of an expression of type t.
func (w *Writer) boxed(p At, x ast.Expr, t types.Type) ast.Expr {
	if t != nil && w.selfMade(t) {
		return w.box(p, x, t)
	}
	return x
}

// rebox converts x where one of the types is made of itself.
func (w *Writer) rebox(p At, x ast.Expr, from, to types.Type) ast.Expr {
	if w.selfMade(from) {
		x = w.unbox(p, x, from)
	}
	if w.selfMade(to) {
		return w.box(p, p.Call(w.wrapped(p, to.Underlying()), x), to)
	}
	return p.Call(w.wrapped(p, to), x)
}
