package gofront

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
)

// A value of a package that is found in an any or an error may implement an
// interface that a cell declares. The interpreter cannot make it one; a type
// of the interpreter's with the same methods, which call those of the value,
// can.

// foreignType declares such a type. Its name is "" where no package can
// implement the interface.
func (w *Writer) foreignType(p At, t *types.Interface) string {
	for m := range t.Methods() {
		if !m.Exported() || ownable(m.Type()) {
			return ""
		}
	}
	return w.writeOnce("foreign "+w.typeKey(t), "foreign", func(name string) {
		s := &ast.StructType{Struct: token.Pos(p), Fields: p.fields(p.field("Value", p.ID("any")))}
		w.Decls = append(w.Decls, &ast.GenDecl{TokPos: token.Pos(p), Tok: token.TYPE, Specs: []ast.Spec{&ast.TypeSpec{Name: p.ID(name), Type: s}}})
		for i := range t.NumMethods() {
			m, field := t.Method(i), "F"+strconv.Itoa(i)
			sig := m.Signature()
			s.Fields.List = append(s.Fields.List, p.field(field, w.funcType(p, sig, nil)))
			r := w.temporary("r")
			names := make([]string, sig.Params().Len())
			for i := range names {
				names[i] = w.temporary("a")
			}
			w.Decls = append(w.Decls, &ast.FuncDecl{Recv: p.fields(p.field(r, &ast.StarExpr{Star: token.Pos(p), X: p.ID(name)})), Name: p.ID(m.Name()),
				Type: w.funcType(p, sig, names), Body: p.Block(forward(p, p.sel(p.ID(r), field), sig, names))})
		}
	})
}

// foreignTo are these types whose values may be in an interface.
func (w *Writer) foreignTo(iface *types.Interface) []string {
	var out []string
	for _, m := range []map[string]*tracked{w.state.tracked, w.tracked} {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if f := m[key]; f.foreign != "" && types.Implements(f.iface, iface) && !slices.Contains(out, f.foreign) {
				out = append(out, f.foreign)
			}
		}
	}
	return out
}

// foreignValue makes of x, where it has the methods, a value of the type, and
// returns that as the interface.
func (w *Writer) foreignValue(p At, f *tracked, iface *types.Interface, x, iv string) []ast.Stmt {
	list, has := w.temporary("m"), w.temporary("ok")
	names := []ast.Expr{p.ID(x)}
	lit := &ast.CompositeLit{Type: p.ID(f.foreign), Elts: []ast.Expr{&ast.KeyValueExpr{Key: p.ID("Value"), Value: p.ID(x)}}}
	var inner []ast.Stmt
	for i := range iface.NumMethods() {
		m := iface.Method(i)
		names = append(names, p.string(m.Name()))
		g, ok := w.temporary("f"), w.temporary("ok")
		inner = append(inner, p.assign(token.DEFINE, p.ids(g, ok), []ast.Expr{&ast.TypeAssertExpr{
			X:      &ast.IndexExpr{X: p.ID(list), Lbrack: token.Pos(p), Index: p.int(i), Rbrack: token.Pos(p)},
			Lparen: token.Pos(p), Type: p.paren(w.funcType(p, m.Signature(), nil)), Rparen: token.Pos(p)}}),
			p.ifStmt(p.unary(token.NOT, p.ID(ok)), p.ret(p.ids(iv, "false")...)))
		lit.Elts = append(lit.Elts, &ast.KeyValueExpr{Key: p.ID("F" + strconv.Itoa(i)), Value: p.ID(g)})
	}
	made := w.temporary("w")
	inner = append(inner, p.define(made, p.unary(token.AND, lit)), p.set(p.ID(iv), p.ID(made)), p.ret(p.ids(iv, "true")...))
	return []ast.Stmt{p.assign(token.DEFINE, p.ids(list, has), []ast.Expr{p.Support("MethodsOf", names...)}), p.ifStmt(p.ID(has), inner...)}
}
