package gofront

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// track returns the name of the variable that holds the function from any to
// an interface, or from it to any.
func (w *Writer) track(p At, t types.Type, leaves bool) string {
	key := fmt.Sprint("track ", leaves, " ", w.typeKey(t))
	for _, m := range []map[string]*tracked{w.state.tracked, w.tracked} {
		if f := m[key]; f != nil {
			return f.holder
		}
	}
	f := &tracked{iface: t, holder: w.state.fresh("dynamic" + AliasMark), leaves: leaves}
	if !leaves && !compiled(t) {
		f.foreign = w.foreignType(p, types.Unalias(t).Underlying().(*types.Interface))
	}
	w.tracked[key] = f
	w.Decls = append(w.Decls, p.variable(f.holder, w.trackedType(p, f, "")))
	return f.holder
}

func (w *Writer) trackedType(p At, f *tracked, name string) *ast.FuncType {
	ft := &ast.FuncType{Func: token.Pos(p), Params: p.fields(), Results: p.fields()}
	if f.leaves {
		ft.Params.List = append(ft.Params.List, p.field(name, w.typeExpr(p, f.iface)))
		ft.Results.List = append(ft.Results.List, p.field("", p.ID("any")))
		return ft
	}
	ft.Params.List = append(ft.Params.List, p.field(name, p.ID("any")))
	ft.Results.List = append(ft.Results.List, p.field("", w.typeExpr(p, f.iface)), p.field("", p.ID("bool")))
	return ft
}

// retrack writes a function for an interface again if there are types that it
// does not know.
func (w *Writer) retrack(key string, f *tracked) {
	iface := types.Unalias(f.iface).Underlying().(*types.Interface)
	if f.leaves {
		for _, t := range w.ownNamed() {
			for _, t := range []types.Type{t, types.NewPointer(t)} {
				if types.Implements(t, iface) {
					w.ownType(t)
				}
			}
		}
	}
	var known []*ownEntry
	ids := ""
	for _, e := range w.allOwned() {
		if !types.IsInterface(e.typ) && types.Implements(e.typ, iface) && !w.orphaned(e.typ, iface) {
			known = append(known, e)
			ids += fmt.Sprint(" ", e.ID)
		}
	}
	var foreign []string
	if f.leaves {
		foreign = w.foreignTo(iface)
	}
	if ids += fmt.Sprint(";", foreign); w.writtenName("set "+key) == ids {
		return
	}
	w.written["set "+key] = ids
	p := w.start
	x := w.temporary("x")
	var list []ast.Stmt
	sw := p.Block()
	if f.leaves {
		v := w.temporary("v")
		for _, e := range known {
			sw.List = append(sw.List, &ast.CaseClause{Case: token.Pos(p), List: []ast.Expr{w.typeExpr(p, e.typ)}, Colon: token.Pos(p),
				Body: []ast.Stmt{p.ret(p.Support("Own", p.int(e.ID), p.ID(v)))}})
		}
		for _, name := range foreign {
			sw.List = append(sw.List, &ast.CaseClause{Case: token.Pos(p), List: []ast.Expr{&ast.StarExpr{X: p.ID(name)}}, Colon: token.Pos(p),
				Body: []ast.Stmt{p.ret(p.sel(p.ID(v), "Value"))}})
		}
		y := w.temporary("y") // an argument that is a call is wrapped twice
		list = append(list, p.define(y, p.ID(x)), p.ifStmt(p.binary(p.ID(y), token.EQL, p.ID("nil")), p.ret(p.ID("nil"))), &ast.TypeSwitchStmt{Switch: token.Pos(p), Body: sw, Assign: p.define(v,
			&ast.TypeAssertExpr{X: p.ID(y), Lparen: token.Pos(p), Rparen: token.Pos(p)})}, p.ret(p.Support("Concrete", p.ID(y))))
	} else {
		id, v, none := w.temporary("id"), w.temporary("v"), w.temporary("none")
		for _, e := range known {
			t := w.temporary("t")
			sw.List = append(sw.List, &ast.CaseClause{Case: token.Pos(p), List: []ast.Expr{p.int(e.ID)}, Colon: token.Pos(p), Body: []ast.Stmt{
				p.define(t, &ast.TypeAssertExpr{X: p.ID(v), Lparen: token.Pos(p), Type: w.wrapped(p, e.typ), Rparen: token.Pos(p)}),
				p.set(p.ID(none), p.ID(t)), p.ret(p.ids(none, "true")...)}})
		}
		list = append(list, &ast.DeclStmt{Decl: p.variable(none, w.typeExpr(p, f.iface))},
			&ast.DeclStmt{Decl: p.variable(id, p.ID("int"))}, &ast.DeclStmt{Decl: p.variable(v, p.ID("any"))},
			p.assign(token.ASSIGN, p.ids(id, v), []ast.Expr{p.Support("Whose", p.ID(x))}),
			p.ifStmt(p.binary(p.ID(v), token.EQL, p.ID("nil")), p.ret(p.ids(none, "false")...)),
			&ast.SwitchStmt{Switch: token.Pos(p), Tag: p.ID(id), Body: sw})
		if compiled(f.iface) {
			r, ok := w.temporary("r"), w.temporary("ok")
			list = append(list, p.assign(token.DEFINE, p.ids(r, ok), []ast.Expr{
				&ast.TypeAssertExpr{X: p.ID(x), Lparen: token.Pos(p), Type: w.typeExpr(p, f.iface), Rparen: token.Pos(p)}}), p.ret(p.ids(r, ok)...))
		} else {
			if f.foreign != "" {
				list = append(list, w.foreignValue(p, f, iface, x, none)...)
			}
			list = append(list, p.ret(p.ids(none, "false")...))
		}
	}
	lit := &ast.FuncLit{Type: w.trackedType(p, f, x), Body: p.Block(list...)}
	w.Prologue = append(w.Prologue, p.set(p.ID(f.holder), lit))
}

// orphaned says whether a type has a method of an interface only from a cell
// that failed.
func (w *Writer) orphaned(t types.Type, iface *types.Interface) bool {
	for m := range iface.Methods() {
		o, _, _ := types.LookupFieldOrMethod(t, false, w.front.Types.pkg, m.Name())
		if f, ok := o.(*types.Func); ok && w.front.Types.Orphans[f.Origin()] {
			return true
		}
	}
	return false
}

// ownNamed are the types that cells have declared, other than interfaces.
func (w *Writer) ownNamed() []types.Type {
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
