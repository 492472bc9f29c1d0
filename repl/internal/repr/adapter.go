package repr

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"symmom/repl/internal/syntax"
)

// A value of a package in an any or an error may implement an interface that is
// declared in cells. The interpreter cannot convert it, so it is put into an
// adapter: a type of the interpreter whose methods call those of the value.

// declareAdapter declares an adapter and returns its name, "" if values of packages
// cannot implement the interface.
func (w *Writer) declareAdapter(p syntax.At, t *types.Interface) string {
	for m := range t.Methods() {
		if !m.Exported() || NeedsBox(m.Type()) {
			return ""
		}
	}
	return w.WriteOnce("foreign "+w.TypeKey(t), "foreign", func(name string) {
		s := &ast.StructType{Struct: token.Pos(p), Fields: p.Fields(p.Field("Value", p.ID("any")))}
		w.Decls = append(w.Decls, p.TypeDecl(name, s))
		for i := range t.NumMethods() {
			m, field := t.Method(i), "F"+strconv.Itoa(i)
			sig := m.Signature()
			s.Fields.List = append(s.Fields.List, p.Field(field, w.FuncType(p, sig, nil)))
			r := w.Temporary("r")
			names := make([]string, sig.Params().Len())
			for i := range names {
				names[i] = w.Temporary("a")
			}
			w.Decls = append(w.Decls, &ast.FuncDecl{Recv: p.Fields(p.Field(r, p.Star(p.ID(name)))), Name: p.ID(m.Name()),
				Type: w.FuncType(p, sig, names), Body: p.Block(Forward(p, p.Sel(p.ID(r), field), sig, names)...)})
		}
	})
}

// adaptersTo returns the adapters whose values can be in an interface.
func (w *Writer) adaptersTo(iface *types.Interface) []string {
	var out []string
	for _, m := range []map[string]*dispatcher{w.state.dispatchers, w.dispatchers} {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if f := m[key]; f.adapter != "" && types.Implements(f.iface, iface) && !slices.Contains(out, f.adapter) {
				out = append(out, f.adapter)
			}
		}
	}
	return out
}

// adapt puts x into an adapter, if it has the methods, and returns that as the
// interface.
func (w *Writer) adapt(p syntax.At, f *dispatcher, iface *types.Interface, x, iv string) []ast.Stmt {
	list, has := w.Temporary("m"), w.Temporary("ok")
	names := []ast.Expr{p.ID(x)}
	lit := &ast.CompositeLit{Type: p.ID(f.adapter), Elts: []ast.Expr{&ast.KeyValueExpr{Key: p.ID("Value"), Value: p.ID(x)}}}
	var inner []ast.Stmt
	for i := range iface.NumMethods() {
		m := iface.Method(i)
		names = append(names, p.Quoted(m.Name()))
		g, ok := w.Temporary("f"), w.Temporary("ok")
		inner = append(inner, p.Assign(token.DEFINE, p.IDs(g, ok), []ast.Expr{p.Assert(p.Index(p.ID(list), p.Int(i)), p.Paren(w.FuncType(p, m.Signature(), nil)))}),
			p.If(p.Unary(token.NOT, p.ID(ok)), p.Return(p.IDs(iv, "false")...)))
		lit.Elts = append(lit.Elts, &ast.KeyValueExpr{Key: p.ID("F" + strconv.Itoa(i)), Value: p.ID(g)})
	}
	made := w.Temporary("w")
	inner = append(inner, p.Define(made, p.Unary(token.AND, lit)), p.Set(p.ID(iv), p.ID(made)), p.Return(p.IDs(iv, "true")...))
	return []ast.Stmt{p.Assign(token.DEFINE, p.IDs(list, has), []ast.Expr{p.Support("MethodsOf", names...)}), p.If(p.ID(has), inner...)}
}
