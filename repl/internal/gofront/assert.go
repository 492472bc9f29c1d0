package gofront

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// Assertions of types are calls of functions that are written for each type:
// the interpreter's own assertions know some types, and of some only what they
// are made of.

// tracked is a function that goes through all types that implement an
// interface. It is held by a variable, and written again when there are more.
type tracked struct {
	iface   types.Type
	holder  string
	leaves  bool   // the interface, for any; otherwise it is one for any
	foreign string // type that makes values of packages implement the interface
}

// assertion lowers x.(T).
func (l *Lowering) assertion(x *ast.TypeAssertExpr) ast.Expr {
	p := At(x.Lparen)
	from, to := l.info.TypeOf(x.X), l.info.TypeOf(x.Type)
	v := l.dynamic(p, l.expr(x.X), from)
	if _, withOk := l.info.TypeOf(x).(*types.Tuple); withOk {
		return p.Call(p.ID(l.isA(p, to)), v)
	}
	return p.Call(p.ID(l.mustBe(p, from, to, false)), v)
}

// dynamic writes a value of interface t as one of an interface that compiled
// code knows, with its own type.
func (l *Lowering) dynamic(p At, x ast.Expr, t types.Type) ast.Expr {
	if !types.IsInterface(t) || compiled(t) {
		return x
	}
	return p.Call(p.ID(l.track(p, t, true)), x)
}

// writeOnce has a function written unless it is there, and returns its name,
// which the traces of panics leave out.
func (l *Lowering) writeOnce(key, hint string, write func(name string)) string {
	if name := l.writtenName(key); name != "" {
		return name
	}
	name := l.s.Types.fresh(SupportName + hint + AliasMark)
	l.written[key] = name
	write(name)
	return name
}

// isA is the name of a function that asserts that what an interface holds is
// of a type: func(any) (T, bool).
func (l *Lowering) isA(p At, t types.Type) string {
	if types.IsInterface(t) && !owns(t) {
		return l.track(p, t, false)
	}
	return l.writeOnce("is "+l.typeKey(t), "is", func(name string) {
		x, v, ok := l.temporary("x"), l.temporary("v"), l.temporary("ok")
		var list []ast.Stmt
		assert := func(from string) {
			list = append(list, p.assign(token.DEFINE, p.ids(v, ok), []ast.Expr{
				&ast.TypeAssertExpr{X: p.ID(from), Lparen: token.Pos(p), Type: l.wrapped(p, t), Rparen: token.Pos(p)}}),
				p.ret(p.ids(v, ok)...))
		}
		switch {
		case l.selfMade(t):
			list = append(list, p.ret(p.Support("Unown", p.int(l.ownType(t).ID), p.ID("false"), p.ID(x))))
		case isEmpty(t):
			list = append(list, p.ret(p.ID(x), p.binary(p.ID(x), token.NEQ, p.ID("nil"))))
		case isError(t):
			list = append(list, p.ret(p.Support("ToError", p.ID(x))))
		case isStringer(t):
			list = append(list, p.ret(p.Support("ToStringer", p.ID(x))))
		case ownable(t):
			inner, is, none := l.temporary("x"), l.temporary("ok"), l.temporary("none")
			list = append(list, // a variable of its own: the interpreter panics on an empty struct that comes from compiled code
				&ast.DeclStmt{Decl: p.variable(inner, p.ID("any"))}, &ast.DeclStmt{Decl: p.variable(is, p.ID("bool"))},
				p.assign(token.ASSIGN, p.ids(inner, is), []ast.Expr{p.Support("Unown", p.int(l.ownType(t).ID), p.ID(fmt.Sprint(loose(t))), p.ID(x))}),
				p.ifStmt(p.unary(token.NOT, p.ID(is)), &ast.DeclStmt{Decl: p.variable(none, l.typeExpr(p, t))}, p.ret(p.ids(none, "false")...)))
			assert(inner)
		default:
			switch t.Underlying().(type) {
			case *types.Basic, *types.Pointer:
				assert(x)
			default: // the interpreter takes what can be assigned for the same
				list = append(list, p.assign(token.DEFINE, p.ids(v, ok), []ast.Expr{
					&ast.TypeAssertExpr{X: p.ID(x), Lparen: token.Pos(p), Type: l.wrapped(p, t), Rparen: token.Pos(p)}}),
					p.ret(p.ID(v), p.binary(p.ID(ok), token.LAND, p.Support("SameType", p.ID(x), p.ID(v)))))
			}
		}
		l.Decls = append(l.Decls, &ast.FuncDecl{Name: p.ID(name), Body: p.Block(list...), Type: &ast.FuncType{Func: token.Pos(p),
			Params: p.fields(p.field(x, p.ID("any"))), Results: p.fields(p.field("", l.typeExpr(p, t)), p.field("", p.ID("bool")))}})
	})
}

// loose says whether a value that is in no owned may be of a type: packages
// have no structures without a name.
func loose(t types.Type) bool {
	t = types.Unalias(t)
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// mustBe is the name of a function that panics when the assertion does not
// hold: func(any) T. One that lets nil pass is a conversion.
func (l *Lowering) mustBe(p At, from, t types.Type, nilToo bool) string {
	key := "must "
	if nilToo {
		key = "become "
	}
	title := typeTitle(from)
	return l.writeOnce(key+title+" "+l.typeKey(t), "must", func(name string) {
		x, v, ok := l.temporary("x"), l.temporary("v"), l.temporary("ok")
		cond := ast.Expr(p.unary(token.NOT, p.ID(ok)))
		if nilToo {
			cond = p.binary(p.binary(p.ID(x), token.NEQ, p.ID("nil")), token.LAND, cond)
		}
		why := []ast.Expr{p.ID(x), p.string(title), p.string(typeTitle(t))}
		if i, ok := t.Underlying().(*types.Interface); ok {
			for m := range i.Methods() {
				why = append(why, p.string(m.Name()))
			}
		}
		list := []ast.Stmt{p.assign(token.DEFINE, p.ids(v, ok), []ast.Expr{p.Call(p.ID(l.isA(p, t)), p.ID(x))}),
			p.ifStmt(cond, p.Expr(p.Support("NotA", why...))), p.ret(p.ID(v))}
		l.Decls = append(l.Decls, &ast.FuncDecl{Name: p.ID(name), Body: p.Block(list...), Type: &ast.FuncType{Func: token.Pos(p),
			Params: p.fields(p.field(x, p.ID("any"))), Results: p.fields(p.field("", l.typeExpr(p, t)))}})
	})
}

// track returns the name of the variable that holds the function from any to
// an interface, or from it to any.
func (l *Lowering) track(p At, t types.Type, leaves bool) string {
	key := fmt.Sprint("track ", leaves, " ", l.typeKey(t))
	for _, m := range []map[string]*tracked{l.s.Types.tracked, l.tracked} {
		if f := m[key]; f != nil {
			return f.holder
		}
	}
	f := &tracked{iface: t, holder: l.s.Types.fresh("dynamic" + AliasMark), leaves: leaves}
	if !leaves && !compiled(t) {
		f.foreign = l.foreignType(p, types.Unalias(t).Underlying().(*types.Interface))
	}
	l.tracked[key] = f
	l.Decls = append(l.Decls, p.variable(f.holder, l.trackedType(p, f, "")))
	return f.holder
}

func (l *Lowering) trackedType(p At, f *tracked, name string) *ast.FuncType {
	ft := &ast.FuncType{Func: token.Pos(p), Params: p.fields(), Results: p.fields()}
	if f.leaves {
		ft.Params.List = append(ft.Params.List, p.field(name, l.typeExpr(p, f.iface)))
		ft.Results.List = append(ft.Results.List, p.field("", p.ID("any")))
		return ft
	}
	ft.Params.List = append(ft.Params.List, p.field(name, p.ID("any")))
	ft.Results.List = append(ft.Results.List, p.field("", l.typeExpr(p, f.iface)), p.field("", p.ID("bool")))
	return ft
}

// finishOwn writes what goes through all types, where there are new ones.
func (l *Lowering) finishOwn() {
	for again := true; again && l.err == nil; {
		before := len(l.owned) + len(l.tracked) + len(l.written)
		l.writeInstances()
		for _, m := range []map[string]*tracked{l.s.Types.tracked, l.tracked} {
			for _, key := range slices.Sorted(maps.Keys(m)) {
				l.retrack(key, m[key])
			}
		}
		l.tellForms()
		for _, e := range l.allOwned() {
			l.tellMethods(e)
		}
		l.writeInstances()
		again = before != len(l.owned)+len(l.tracked)+len(l.written)
	}
}

// retrack writes a function for an interface again if there are types that it
// does not know.
func (l *Lowering) retrack(key string, f *tracked) {
	iface := types.Unalias(f.iface).Underlying().(*types.Interface)
	if f.leaves {
		for _, t := range l.ownNamed() {
			for _, t := range []types.Type{t, types.NewPointer(t)} {
				if types.Implements(t, iface) {
					l.ownType(t)
				}
			}
		}
	}
	var known []*ownEntry
	ids := ""
	for _, e := range l.allOwned() {
		if !types.IsInterface(e.typ) && types.Implements(e.typ, iface) && !l.orphaned(e.typ, iface) {
			known = append(known, e)
			ids += fmt.Sprint(" ", e.ID)
		}
	}
	var foreign []string
	if f.leaves {
		foreign = l.foreignTo(iface)
	}
	if ids += fmt.Sprint(";", foreign); l.writtenName("set "+key) == ids {
		return
	}
	l.written["set "+key] = ids
	p := l.start
	x := l.temporary("x")
	var list []ast.Stmt
	sw := p.Block()
	if f.leaves {
		v := l.temporary("v")
		for _, e := range known {
			sw.List = append(sw.List, &ast.CaseClause{Case: token.Pos(p), List: []ast.Expr{l.typeExpr(p, e.typ)}, Colon: token.Pos(p),
				Body: []ast.Stmt{p.ret(p.Support("Own", p.int(e.ID), p.ID(v)))}})
		}
		for _, name := range foreign {
			sw.List = append(sw.List, &ast.CaseClause{Case: token.Pos(p), List: []ast.Expr{&ast.StarExpr{X: p.ID(name)}}, Colon: token.Pos(p),
				Body: []ast.Stmt{p.ret(p.sel(p.ID(v), "Value"))}})
		}
		y := l.temporary("y") // an argument that is a call is wrapped twice
		list = append(list, p.define(y, p.ID(x)), p.ifStmt(p.binary(p.ID(y), token.EQL, p.ID("nil")), p.ret(p.ID("nil"))), &ast.TypeSwitchStmt{Switch: token.Pos(p), Body: sw, Assign: p.define(v,
			&ast.TypeAssertExpr{X: p.ID(y), Lparen: token.Pos(p), Rparen: token.Pos(p)})}, p.ret(p.Support("Concrete", p.ID(y))))
	} else {
		id, v, none := l.temporary("id"), l.temporary("v"), l.temporary("none")
		for _, e := range known {
			t := l.temporary("t")
			sw.List = append(sw.List, &ast.CaseClause{Case: token.Pos(p), List: []ast.Expr{p.int(e.ID)}, Colon: token.Pos(p), Body: []ast.Stmt{
				p.define(t, &ast.TypeAssertExpr{X: p.ID(v), Lparen: token.Pos(p), Type: l.wrapped(p, e.typ), Rparen: token.Pos(p)}),
				p.set(p.ID(none), p.ID(t)), p.ret(p.ids(none, "true")...)}})
		}
		list = append(list, &ast.DeclStmt{Decl: p.variable(none, l.typeExpr(p, f.iface))},
			&ast.DeclStmt{Decl: p.variable(id, p.ID("int"))}, &ast.DeclStmt{Decl: p.variable(v, p.ID("any"))},
			p.assign(token.ASSIGN, p.ids(id, v), []ast.Expr{p.Support("Whose", p.ID(x))}),
			p.ifStmt(p.binary(p.ID(v), token.EQL, p.ID("nil")), p.ret(p.ids(none, "false")...)),
			&ast.SwitchStmt{Switch: token.Pos(p), Tag: p.ID(id), Body: sw})
		if compiled(f.iface) {
			r, ok := l.temporary("r"), l.temporary("ok")
			list = append(list, p.assign(token.DEFINE, p.ids(r, ok), []ast.Expr{
				&ast.TypeAssertExpr{X: p.ID(x), Lparen: token.Pos(p), Type: l.typeExpr(p, f.iface), Rparen: token.Pos(p)}}), p.ret(p.ids(r, ok)...))
		} else {
			if f.foreign != "" {
				list = append(list, l.foreignValue(p, f, iface, x, none)...)
			}
			list = append(list, p.ret(p.ids(none, "false")...))
		}
	}
	lit := &ast.FuncLit{Type: l.trackedType(p, f, x), Body: p.Block(list...)}
	l.Prologue = append(l.Prologue, p.set(p.ID(f.holder), lit))
}

// orphaned says whether a type has a method of an interface only from a cell
// that failed.
func (l *Lowering) orphaned(t types.Type, iface *types.Interface) bool {
	for m := range iface.Methods() {
		o, _, _ := types.LookupFieldOrMethod(t, false, l.s.Types.pkg, m.Name())
		if f, ok := o.(*types.Func); ok && l.s.Types.Orphans[f.Origin()] {
			return true
		}
	}
	return false
}

// ownNamed are the types that cells have declared, other than interfaces.
func (l *Lowering) ownNamed() []types.Type {
	var out []types.Type
	for _, m := range []map[types.Object]string{l.s.Types.Inner, l.top} {
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
	for _, m := range []map[types.Object][]*types.Named{l.s.Types.named, l.named} {
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

// typeSwitch lowers a type switch: the value is held by a variable, and each
// clause asks the functions of its types.
func (l *Lowering) typeSwitch(s *ast.TypeSwitchStmt) []ast.Stmt {
	p := At(s.Switch)
	var out []ast.Stmt
	if s.Init != nil {
		out = append(out, l.stmt(s.Init)...)
	}
	var x ast.Expr
	bound := ""
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X
	case *ast.AssignStmt:
		x, bound = a.Rhs[0], a.Lhs[0].(*ast.Ident).Name
	}
	x = ast.Unparen(x).(*ast.TypeAssertExpr).X
	from := l.info.TypeOf(x)
	if l.plainSwitch(s, from) {
		before, st := l.interpretedSwitch(s, x, bound)
		return append(append(out, before...), st)
	}
	whole, v := l.temporary("x"), l.temporary("x")
	out = append(out, p.define(whole, l.expr(x)), p.define(v, l.dynamic(p, p.ID(whole), from)), p.set(p.ID("_"), p.ID(whole)))
	leave := l.enter(true, false)
	defer leave()
	body := &ast.BlockStmt{Lbrace: s.Body.Lbrace, Rbrace: s.Body.Rbrace}
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		q := At(c.Case)
		clause := &ast.CaseClause{Case: c.Case, Colon: c.Colon}
		var first []ast.Stmt
		var conds []ast.Expr
		for _, t := range c.List {
			if l.info.Types[t].IsNil() {
				conds = append(conds, q.binary(q.ID(v), token.EQL, q.ID("nil")))
				continue
			}
			conds = append(conds, l.holds(q, v, l.info.TypeOf(t)))
		}
		if len(conds) > 0 {
			clause.List = []ast.Expr{anyOf(conds)}
		}
		if o := l.info.Implicits[c]; o != nil && bound != "" {
			l.local[o] = whole
			if len(c.List) == 1 && !l.info.Types[c.List[0]].IsNil() {
				name, ok := l.temporary(bound), l.temporary("ok")
				l.local[o] = name
				first = append(first, q.assign(token.DEFINE, q.ids(name, ok), []ast.Expr{q.Call(q.ID(l.isA(q, l.info.TypeOf(c.List[0]))), q.ID(v))}),
					q.assign(token.ASSIGN, q.ids("_", "_"), q.ids(name, ok)))
			} else {
				name := l.temporary(bound)
				l.local[o] = name
				first = append(first, q.define(name, q.ID(whole)), q.set(q.ID("_"), q.ID(name)))
			}
		}
		clause.Body = append(first, l.clauseBody(c.Body)...)
		body.List = append(body.List, clause)
	}
	return append(out, &ast.SwitchStmt{Switch: s.Switch, Body: body})
}

// holds is the condition that an interface holds a value of a type.
func (l *Lowering) holds(p At, x string, t types.Type) ast.Expr {
	return p.Call(p.ID(l.writeOnce("holds "+l.typeKey(t), "holds", func(name string) {
		y, v, ok := l.temporary("x"), l.temporary("v"), l.temporary("ok")
		l.Decls = append(l.Decls, &ast.FuncDecl{Name: p.ID(name), Type: &ast.FuncType{Func: token.Pos(p),
			Params: p.fields(p.field(y, p.ID("any"))), Results: p.fields(p.field("", p.ID("bool")))},
			Body: p.Block(p.assign(token.DEFINE, p.ids(v, ok), []ast.Expr{p.Call(p.ID(l.isA(p, t)), p.ID(y))}),
				p.set(p.ID("_"), p.ID(v)), p.ret(p.ID(ok)))})
	})), p.ID(x))
}

// errorsAs lowers errors.As, which asks of each error what an assertion asks.
func (l *Lowering) errorsAs(x *ast.CallExpr) ast.Expr {
	p := At(x.Pos())
	ptr, ok := l.info.TypeOf(x.Args[1]).Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	name := l.writeOnce("as "+l.typeKey(ptr.Elem()), "as", func(name string) {
		err, to, e, v, ok := l.temporary("err"), l.temporary("target"), l.temporary("e"), l.temporary("v"), l.temporary("ok")
		set := &ast.FuncLit{Type: &ast.FuncType{Func: token.Pos(p), Params: p.fields(p.field(e, l.typeExpr(p, errorType))), Results: p.fields(p.field("", p.ID("bool")))},
			Body: p.Block(p.assign(token.DEFINE, p.ids(v, ok), []ast.Expr{p.Call(p.ID(l.isA(p, ptr.Elem())), p.ID(e))}),
				p.ifStmt(p.ID(ok), p.set(&ast.StarExpr{Star: token.Pos(p), X: p.ID(to)}, p.ID(v))), p.ret(p.ID(ok)))}
		l.Decls = append(l.Decls, &ast.FuncDecl{Name: p.ID(name), Type: &ast.FuncType{Func: token.Pos(p),
			Params:  p.fields(p.field(err, l.typeExpr(p, errorType)), p.field(to, l.typeExpr(p, ptr))),
			Results: p.fields(p.field("", p.ID("bool")))},
			Body: p.Block(p.ret(p.Support("ErrorsAs", p.ID(err), l.convert(p, p.ID(to), ptr, anyType), set)))})
	})
	return p.Call(p.ID(name), l.value(x.Args[0], errorType), l.expr(x.Args[1]))
}
