package gofront

import (
	"go/ast"
	"go/token"
	"go/types"
)

// converts says whether a value of type from changes its form in a place of
// type to.
func (w *Writer) converts(from, to types.Type) bool {
	if w.boxes(from, to) || enters(from, to) {
		return true
	}
	if from == nil || to == nil || !types.IsInterface(to) || !compiled(to) && (!types.IsInterface(from) || !compiled(from)) {
		return false
	}
	if b, ok := from.(*types.Basic); ok && (b.Kind() == types.UntypedNil || b.Kind() == types.Invalid) {
		return false
	}
	if types.IsInterface(from) {
		return compiled(from) != compiled(to) && (!compiled(to) || owns(to)) || returns(from, to)
	}
	return owns(to) && ownable(from)
}

// wraps says whether the interpreter has to put a value of type from into an
// interface of its own, which it does where a function returns one.
func wraps(from, to types.Type) bool {
	return types.IsInterface(to) && !compiled(to) && !types.IsInterface(from)
}

// convert writes x, of type from, as what a place of type to holds.
func (w *Writer) convert(p At, x ast.Expr, from, to types.Type) ast.Expr {
	switch {
	case !w.converts(from, to):
		return x
	case w.boxes(from, to):
		return w.rebox(p, x, from, to)
	case enters(from, to):
		if _, made := x.(*ast.CompositeLit); made { // in a place of its own
			return x
		}
		return w.enclosed(p, x, from, to)
	case returns(from, to):
		w.returning[w.typeKey(from)] = from
		return p.Support("Return", x)
	case !types.IsInterface(from):
		e := w.ownType(from)
		switch {
		case isError(to):
			return p.Support("OwnError", p.int(e.ID), x)
		case isStringer(to):
			return p.Support("OwnStringer", p.int(e.ID), x)
		}
		return p.Support("Own", p.int(e.ID), x)
	case !compiled(to):
		return p.Call(p.ID(w.mustBe(p, from, to, true)), x)
	}
	x = w.dynamic(p, x, from)
	if isEmpty(to) {
		return x
	}
	return p.Call(p.ID(w.mustBe(p, from, to, true)), x)
}

// convertAll writes a call that gives several values as one that gives what
// places of the types to hold.
func (w *Writer) convertAll(p At, x ast.Expr, from *types.Tuple, to []types.Type) ast.Expr {
	changes := false
	for i := range from.Len() {
		changes = changes || i < len(to) && to[i] != nil && (w.converts(from.At(i).Type(), to[i]) || wraps(from.At(i).Type(), to[i]))
	}
	if !changes {
		return x
	}
	var names, out []ast.Expr
	f := &ast.FuncType{Func: token.Pos(p), Params: p.fields(), Results: p.fields()}
	for i := range from.Len() {
		name := w.temporary("v")
		names = append(names, p.ID(name))
		t := from.At(i).Type()
		y := ast.Expr(p.ID(name))
		if to[i] != nil && (w.converts(t, to[i]) || wraps(t, to[i])) {
			y, t = w.convert(p, y, t, to[i]), to[i]
		}
		f.Results.List = append(f.Results.List, p.field("", w.typeExpr(p, t)))
		out = append(out, y)
	}
	return p.Call(p.paren(&ast.FuncLit{Type: f, Body: p.Block(p.assign(token.DEFINE, names, []ast.Expr{x}), p.ret(out...))}))
}

// enters says whether a value of type from becomes one of an interface to that
// a cell declares.
func enters(from, to types.Type) bool {
	return from != nil && to != nil && types.IsInterface(to) && !types.IsInterface(from) && !isNilType(from) && !compiled(to)
}

// enclosed puts x, of type from, into an interface that a cell declares. In the
// interpreter such an interface refers to the place that the value comes from,
// and would change with it; so the value is copied to a place of its own:
//
//	func enter(v T) []I { w := v; return []I{w} }
//
// It comes out of a slice because the interpreter has an argument that is a
// call refer to the place of the result, which the next call sets.
func (w *Writer) enclosed(p At, x ast.Expr, from, to types.Type) ast.Expr {
	name := w.writeOnce("enter "+w.typeKey(from)+" "+w.typeKey(to), "enter", func(name string) {
		v, copied := w.temporary("v"), w.temporary("w")
		list := &ast.ArrayType{Lbrack: token.Pos(p), Elt: w.typeExpr(p, to)}
		w.Decls = append(w.Decls, &ast.FuncDecl{Name: p.ID(name), Type: &ast.FuncType{Func: token.Pos(p),
			Params: p.fields(p.field(v, w.typeExpr(p, from))), Results: p.fields(p.field("", list))},
			Body: p.Block(p.define(copied, p.ID(v)), p.ret(&ast.CompositeLit{Type: list, Elts: p.ids(copied)}))})
	})
	if hasSign(from) {
		value := func(t types.Type) *types.Tuple { return types.NewTuple(types.NewVar(token.NoPos, nil, "", t)) }
		name = w.held(p, name, types.NewSignatureType(nil, nil, nil, value(from), value(types.NewSlice(to)), false))
	}
	return &ast.IndexExpr{X: p.Call(p.ID(name), x), Lbrack: token.Pos(p), Index: p.int(0), Rbrack: token.Pos(p)}
}
