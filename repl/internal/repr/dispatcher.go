package repr

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"symmom/repl/internal/syntax"
)

// dispatcher returns the name of the variable that holds the function that converts
// an any to an interface, or the interface to an any.
func (w *Writer) dispatcher(p syntax.At, t types.Type, leaves bool) string {
	key := fmt.Sprint("track ", leaves, " ", w.TypeKey(t))
	for _, m := range []map[string]*dispatcher{w.state.dispatchers, w.dispatchers} {
		if f := m[key]; f != nil {
			return f.holder
		}
	}
	f := &dispatcher{iface: t, holder: w.state.fresh("dynamic" + syntax.AliasMark), leaves: leaves}
	if !leaves && !IsCompiled(t) {
		f.adapter = w.declareAdapter(p, types.Unalias(t).Underlying().(*types.Interface))
	}
	w.dispatchers[key] = f
	w.Decls = append(w.Decls, p.Var(f.holder, w.dispatcherType(p, f, "")))
	return f.holder
}

func (w *Writer) dispatcherType(p syntax.At, f *dispatcher, name string) *ast.FuncType {
	ft := p.FuncType(p.Fields(), p.Fields())
	if f.leaves {
		ft.Params.List = append(ft.Params.List, p.Field(name, w.TypeExpr(p, f.iface)))
		ft.Results.List = append(ft.Results.List, p.Field("", p.ID("any")))
		return ft
	}
	ft.Params.List = append(ft.Params.List, p.Field(name, p.ID("any")))
	ft.Results.List = append(ft.Results.List, p.Field("", w.TypeExpr(p, f.iface)), p.Field("", p.ID("bool")))
	return ft
}

// updateDispatcher rewrites a dispatcher if there are types that it does not handle.
func (w *Writer) updateDispatcher(key string, f *dispatcher) {
	iface := types.Unalias(f.iface).Underlying().(*types.Interface)
	if f.leaves {
		for _, t := range w.cellTypes() {
			for _, t := range []types.Type{t, types.NewPointer(t)} {
				if types.Implements(t, iface) {
					w.boxType(t)
				}
			}
		}
	}
	var known []*boxedType
	ids := ""
	for _, e := range w.boxedTypes() {
		if !types.IsInterface(e.typ) && types.Implements(e.typ, iface) && !w.orphaned(e.typ, iface) {
			known = append(known, e)
			ids += fmt.Sprint(" ", e.ID)
		}
	}
	var adapters []string
	if f.leaves {
		adapters = w.adaptersTo(iface)
	}
	if ids += fmt.Sprint(";", adapters); w.writtenName("set "+key) == ids {
		return
	}
	w.written["set "+key] = ids
	p := w.start
	x := w.Temporary("x")
	var list []ast.Stmt
	sw := p.Block()
	if f.leaves {
		v := w.Temporary("v")
		for _, e := range known {
			sw.List = append(sw.List, &ast.CaseClause{Case: token.Pos(p), List: []ast.Expr{w.TypeExpr(p, e.typ)}, Colon: token.Pos(p),
				Body: []ast.Stmt{p.Return(p.Support("Box", p.Int(e.ID), p.ID(v)))}})
		}
		for _, name := range adapters {
			sw.List = append(sw.List, &ast.CaseClause{Case: token.Pos(p), List: []ast.Expr{&ast.StarExpr{X: p.ID(name)}}, Colon: token.Pos(p),
				Body: []ast.Stmt{p.Return(p.Sel(p.ID(v), "Value"))}})
		}
		y := w.Temporary("y") // an argument that is a call is wrapped twice
		list = append(list, p.Define(y, p.ID(x)), p.If(p.Binary(p.ID(y), token.EQL, p.ID("nil")), p.Return(p.ID("nil"))), &ast.TypeSwitchStmt{Switch: token.Pos(p), Body: sw, Assign: p.Define(v,
			&ast.TypeAssertExpr{X: p.ID(y), Lparen: token.Pos(p), Rparen: token.Pos(p)})}, p.Return(p.Support("Concrete", p.ID(y))))
	} else {
		id, v, none := w.Temporary("id"), w.Temporary("v"), w.Temporary("none")
		for _, e := range known {
			t := w.Temporary("t")
			given := ast.Expr(p.ID(t))
			if IsCompiled(f.iface) {
				given = w.Enter(p, given, e.typ, f.iface)
			}
			sw.List = append(sw.List, &ast.CaseClause{Case: token.Pos(p), List: []ast.Expr{p.Int(e.ID)}, Colon: token.Pos(p), Body: []ast.Stmt{
				p.Define(t, p.Assert(p.ID(v), w.ParenType(p, e.typ))),
				p.Set(p.ID(none), given), p.Return(p.IDs(none, "true")...)}})
		}
		list = append(list, &ast.DeclStmt{Decl: p.Var(none, w.TypeExpr(p, f.iface))},
			&ast.DeclStmt{Decl: p.Var(id, p.ID("int"))}, &ast.DeclStmt{Decl: p.Var(v, p.ID("any"))},
			p.Assign(token.ASSIGN, p.IDs(id, v), []ast.Expr{p.Support("TypeID", p.ID(x))}),
			p.If(p.Binary(p.ID(v), token.EQL, p.ID("nil")), p.Return(p.IDs(none, "false")...)),
			&ast.SwitchStmt{Switch: token.Pos(p), Tag: p.ID(id), Body: sw})
		if IsCompiled(f.iface) {
			r, ok := w.Temporary("r"), w.Temporary("ok")
			list = append(list, p.If(p.Binary(p.ID(id), token.GEQ, p.Int(0)), p.Return(p.IDs(none, "false")...)), p.Assign(token.DEFINE, p.IDs(r, ok), []ast.Expr{
				p.Assert(p.ID(x), w.TypeExpr(p, f.iface))}), p.Return(p.IDs(r, ok)...))
		} else {
			if f.adapter != "" {
				list = append(list, w.adapt(p, f, iface, x, none)...)
			}
			list = append(list, p.Return(p.IDs(none, "false")...))
		}
	}
	lit := p.FuncLit(w.dispatcherType(p, f, x), list...)
	w.Prologue = append(w.Prologue, p.Set(p.ID(f.holder), lit))
}

// orphaned reports whether a type implements an interface only by methods of a cell
// that failed.
func (w *Writer) orphaned(t types.Type, iface *types.Interface) bool {
	for m := range iface.Methods() {
		o, _, _ := types.LookupFieldOrMethod(t, false, w.front.Types.Pkg, m.Name())
		if f, ok := o.(*types.Func); ok && w.front.Types.Orphans[f.Origin()] {
			return true
		}
	}
	return false
}

// cellTypes returns the types declared by cells, except interfaces.
func (w *Writer) cellTypes() []types.Type {
	var out []types.Type
	for _, m := range []map[types.Object]string{w.state.inner, w.top} {
		for o := range m {
			tn, ok := o.(*types.TypeName)
			if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) {
				continue
			}
			if n, ok := tn.Type().(*types.Named); ok && n.TypeParams().Len() == 0 {
				out = append(out, n)
			}
		}
	}
	for _, m := range []map[types.Object][]*types.Named{w.state.named, w.named} {
		for _, list := range m {
			for _, n := range list {
				if !types.IsInterface(n) {
					out = append(out, n)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b types.Type) int { return int(a.(*types.Named).Obj().Pos() - b.(*types.Named).Obj().Pos()) })
	return out
}
