package repr

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// Recursive types are types that refer to themselves without a struct that has a name in
// between, such as
//
//		type state func(*lexer) state
//		type tree map[string]tree
//
// Package reflect cannot make these, nor can the interpreter. There they are
// interfaces that hold a func(*lexer) state, a map[string]tree, or nil. A function
// wraps a value that becomes of such a type, another unwraps it where it is used as
// its underlying type.

// IsRecursive reports whether a type is recursive.
func (w *Writer) IsRecursive(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !gofront.Interpreted(n.Obj()) {
		return false
	}
	known, is := w.state.recursive[n]
	if !is {
		_, isStruct := n.Underlying().(*types.Struct)
		known = !isStruct && inItself(n.Underlying(), n, map[types.Type]bool{})
		w.state.recursive[n] = known
	}
	return known
}

// declareRecursive declares a recursive type.
func (w *Writer) declareRecursive(p syntax.At, name string, t *types.Named) {
	_, isArray := t.Underlying().(*types.Array)
	switch {
	case t.NumMethods() > 0:
		w.FailRecursive(p, t)
	case isArray: // whose elements could not be set in an interface
		w.Fail(p, "the interpreter cannot hold an array that is made of itself without a struct; put it in one: type %s struct { of %s }",
			types.TypeString(t, gofront.ShortNames), types.TypeString(t.Underlying(), gofront.ShortNames))
	}
	empty := &ast.InterfaceType{Interface: token.Pos(p), Methods: p.Fields()}
	w.Decls = append(w.Decls, p.TypeDecl(name, empty))
}

// FailRecursive refuses a recursive type with methods.
func (w *Writer) FailRecursive(p syntax.At, t types.Type) {
	w.Fail(p, "the interpreter cannot hold a type with methods that is made of itself without a struct; put it in one: type %s struct { of %s }",
		types.TypeString(t, gofront.ShortNames), types.TypeString(t.Underlying(), gofront.ShortNames))
}

// inItself reports whether a type refers to another without a struct that has a name or an
// interface in between.
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
	case *types.Struct:
		for f := range u.Fields() {
			if t == u && inItself(f.Type(), of, seen) {
				return true
			}
		}
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

// rewraps reports whether converting a value changes its form because one of the
// types is recursive.
func (w *Writer) rewraps(from, to types.Type) bool {
	if from == nil || to == nil || IsNilType(from) || types.IsInterface(from) || types.IsInterface(to) {
		return false
	}
	return w.IsRecursive(from) != w.IsRecursive(to)
}

// WrapRecursive converts x, of the underlying type of t, to t.
func (w *Writer) WrapRecursive(p syntax.At, x ast.Expr, t types.Type) ast.Expr {
	return p.Call(p.ID(w.WriteOnce("box "+w.TypeKey(t), "box", func(name string) {
		v := w.Temporary("v")
		w.Decls = append(w.Decls, p.FuncDecl(name, p.FuncType(p.Fields(p.Field(v, w.TypeExpr(p, t.Underlying()))), p.Fields(p.Field("", w.TypeExpr(p, t)))),
			p.If(p.Binary(p.ID(v), token.EQL, p.ID("nil")), p.Return(p.ID("nil"))),
			p.Return(p.ID(v))))
	})), x)
}

// UnwrapRecursive converts x, of type t, to its underlying type.
func (w *Writer) UnwrapRecursive(p syntax.At, x ast.Expr, t types.Type) ast.Expr {
	return p.Call(p.ID(w.WriteOnce("unbox "+w.TypeKey(t), "unbox", func(name string) {
		x, v, ok := w.Temporary("x"), w.Temporary("v"), w.Temporary("ok")
		w.Decls = append(w.Decls, p.FuncDecl(name, p.FuncType(p.Fields(p.Field(x, w.TypeExpr(p, t))), p.Fields(p.Field("", w.TypeExpr(p, t.Underlying())))),
			p.Assign(token.DEFINE, p.IDs(v, ok), []ast.Expr{p.Assert(p.ID(x), w.ParenType(p, t.Underlying()))}),
			p.Set(p.ID("_"), p.ID(ok)),
			p.Return(p.ID(v))))
	})), x)
}

// WrapIfRecursive wraps what the interpreter makes of an expression of type t, if t
// is recursive.
func (w *Writer) WrapIfRecursive(p syntax.At, x ast.Expr, t types.Type) ast.Expr {
	if t != nil && w.IsRecursive(t) {
		return w.WrapRecursive(p, x, t)
	}
	return x
}

// rewrap converts x if one of the types is recursive.
func (w *Writer) rewrap(p syntax.At, x ast.Expr, from, to types.Type) ast.Expr {
	if w.IsRecursive(from) {
		x = w.UnwrapRecursive(p, x, from)
	}
	if w.IsRecursive(to) {
		return w.WrapRecursive(p, p.Call(w.ParenType(p, to.Underlying()), x), to)
	}
	return p.Call(w.ParenType(p, to), x)
}
