package repl

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
func (l *lowering) foreignType(p at, t *types.Interface) string {
	for m := range t.Methods() {
		if !m.Exported() || ownable(m.Type()) {
			return ""
		}
	}
	return l.writeOnce("foreign "+l.typeKey(t), "foreign", func(name string) {
		s := &ast.StructType{Struct: token.Pos(p), Fields: p.fields(p.field("Value", p.id("any")))}
		l.decls = append(l.decls, &ast.GenDecl{TokPos: token.Pos(p), Tok: token.TYPE, Specs: []ast.Spec{&ast.TypeSpec{Name: p.id(name), Type: s}}})
		for i := range t.NumMethods() {
			m, field := t.Method(i), "F"+strconv.Itoa(i)
			sig := m.Signature()
			s.Fields.List = append(s.Fields.List, p.field(field, l.funcType(p, sig, nil)))
			r := l.made("r")
			names := make([]string, sig.Params().Len())
			for i := range names {
				names[i] = l.made("a")
			}
			l.decls = append(l.decls, &ast.FuncDecl{Recv: p.fields(p.field(r, &ast.StarExpr{Star: token.Pos(p), X: p.id(name)})), Name: p.id(m.Name()),
				Type: l.funcType(p, sig, names), Body: p.block(forward(p, p.sel(p.id(r), field), sig, names))})
		}
	})
}

// foreignTo are these types whose values may be in an interface.
func (l *lowering) foreignTo(iface *types.Interface) []string {
	var out []string
	for _, m := range []map[string]*tracked{l.s.types.tracked, l.tracked} {
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
func (l *lowering) foreignValue(p at, f *tracked, iface *types.Interface, x, iv string) []ast.Stmt {
	list, has := l.made("m"), l.made("ok")
	names := []ast.Expr{p.id(x)}
	lit := &ast.CompositeLit{Type: p.id(f.foreign), Elts: []ast.Expr{&ast.KeyValueExpr{Key: p.id("Value"), Value: p.id(x)}}}
	var inner []ast.Stmt
	for i := range iface.NumMethods() {
		m := iface.Method(i)
		names = append(names, p.string(m.Name()))
		g, ok := l.made("f"), l.made("ok")
		inner = append(inner, p.assign(token.DEFINE, p.ids(g, ok), []ast.Expr{&ast.TypeAssertExpr{
			X:      &ast.IndexExpr{X: p.id(list), Lbrack: token.Pos(p), Index: p.int(i), Rbrack: token.Pos(p)},
			Lparen: token.Pos(p), Type: p.paren(l.funcType(p, m.Signature(), nil)), Rparen: token.Pos(p)}}),
			p.when(p.unary(token.NOT, p.id(ok)), p.give(p.ids(iv, "false")...)))
		lit.Elts = append(lit.Elts, &ast.KeyValueExpr{Key: p.id("F" + strconv.Itoa(i)), Value: p.id(g)})
	}
	w := l.made("w")
	inner = append(inner, p.define(w, p.unary(token.AND, lit)), p.set(p.id(iv), p.id(w)), p.give(p.ids(iv, "true")...))
	return []ast.Stmt{p.assign(token.DEFINE, p.ids(list, has), []ast.Expr{p.support("MethodsOf", names...)}), p.when(p.id(has), inner...)}
}
