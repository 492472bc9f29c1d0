package gofront

import (
	"go/ast"
	"go/token"
	"go/types"
)

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
func (l *Lowering) enclosed(p At, x ast.Expr, from, to types.Type) ast.Expr {
	name := l.writeOnce("enter "+l.typeKey(from)+" "+l.typeKey(to), "enter", func(name string) {
		v, w := l.temporary("v"), l.temporary("w")
		list := &ast.ArrayType{Lbrack: token.Pos(p), Elt: l.typeExpr(p, to)}
		l.Decls = append(l.Decls, &ast.FuncDecl{Name: p.ID(name), Type: &ast.FuncType{Func: token.Pos(p),
			Params: p.fields(p.field(v, l.typeExpr(p, from))), Results: p.fields(p.field("", list))},
			Body: p.Block(p.define(w, p.ID(v)), p.ret(&ast.CompositeLit{Type: list, Elts: p.ids(w)}))})
	})
	if hasSign(from) {
		value := func(t types.Type) *types.Tuple { return types.NewTuple(types.NewVar(token.NoPos, nil, "", t)) }
		name = l.held(p, name, types.NewSignatureType(nil, nil, nil, value(from), value(types.NewSlice(to)), false))
	}
	return &ast.IndexExpr{X: p.Call(p.ID(name), x), Lbrack: token.Pos(p), Index: p.int(0), Rbrack: token.Pos(p)}
}
