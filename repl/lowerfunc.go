package repl

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A function f is held by a variable: var f func(int) int, and each of its
// declarations is a function of its own that the variable is set to. So a
// function that is declared again with the same signature replaces the old
// one for all its callers. It calls itself directly.

// holdFunction declares the variable of a function, unless it is there.
func (l *lowering) holdFunction(f *types.Func) {
	if l.isTop(f) {
		return
	}
	if f.Signature().TypeParams().Len() > 0 {
		l.innerName(f)
		return
	}
	p := at(f.Pos())
	t := l.funcType(p, f.Signature(), nil)
	l.decls = append(l.decls, p.variable(l.innerName(f), t))
}

// noteGeneric keeps the source of a function where that is generic, before
// others are lowered that use it.
func (l *lowering) noteGeneric(f *ast.FuncDecl) {
	if o, ok := l.info.Defs[f.Name].(*types.Func); ok && o.Signature().TypeParams().Len() > 0 {
		l.generic[o] = l.genericOf(f)
	}
}

// lowerFunction lowers the declaration of a function.
func (l *lowering) lowerFunction(f *ast.FuncDecl) {
	o, ok := l.info.Defs[f.Name].(*types.Func)
	if !ok || o.Signature().TypeParams().Len() > 0 {
		return
	}
	p := at(f.Name.Pos())
	name := l.s.types.fresh(f.Name.Name + aliasMark)
	l.local[o] = name
	l.self, l.selfID, l.direct = o, name, l.usesItself(f, o)
	l.decls = append(l.decls, l.functionDecl(p, name, f.Type, f.Body, o.Signature(), nil))
	l.self = nil
	if n := f.Name.Name; n != "init" && n != "_" {
		l.body = append(l.body, p.set(p.id(l.innerName(o)), p.id(name)))
	}
}

func (l *lowering) usesItself(f *ast.FuncDecl, o types.Object) bool {
	found := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && l.info.Uses[id] == o
		return !found
	})
	return found
}

// functionDecl is a declaration under a name of its own. recv is the field of
// the receiver, which becomes the first parameter.
func (l *lowering) functionDecl(p at, name string, t *ast.FuncType, body *ast.BlockStmt, sig *types.Signature, recv *ast.Field) *ast.FuncDecl {
	ft := l.funcSyntax(t)
	if recv != nil {
		r := l.field(recv)
		if len(r.Names) == 0 {
			r.Names = []*ast.Ident{p.id("_")}
		}
		ft.Params.List = append([]*ast.Field{r}, ft.Params.List...)
	}
	nameParams(p, ft.Params)
	return &ast.FuncDecl{Name: p.id(name), Type: ft, Body: l.functionBody(body, t, ft, sig)}
}

// nameParams gives names to parameters that have none, since some have one.
func nameParams(p at, params *ast.FieldList) {
	for _, f := range params.List {
		if len(f.Names) == 0 {
			f.Names = []*ast.Ident{p.id("_")}
		}
	}
}

// funcSyntax lowers the type of a function together with its names.
func (l *lowering) funcSyntax(t *ast.FuncType) *ast.FuncType {
	out := &ast.FuncType{Func: t.Func, Params: &ast.FieldList{Opening: t.Pos(), Closing: t.End()}}
	for _, f := range t.Params.List {
		out.Params.List = append(out.Params.List, l.field(f))
	}
	if t.Results != nil {
		out.Results = &ast.FieldList{Opening: t.Results.Pos(), Closing: t.Results.End()}
		for _, f := range t.Results.List {
			out.Results.List = append(out.Results.List, l.field(f))
		}
	}
	return out
}

func (l *lowering) field(f *ast.Field) *ast.Field {
	out := &ast.Field{}
	for _, id := range f.Names {
		name := "_"
		if o := l.info.Defs[id]; o != nil {
			name = l.localName(o)
		}
		out.Names = append(out.Names, at(id.Pos()).id(name))
	}
	p := at(f.Type.Pos())
	if e, ok := f.Type.(*ast.Ellipsis); ok {
		out.Type = &ast.Ellipsis{Ellipsis: e.Ellipsis, Elt: l.typeExpr(p, l.info.TypeOf(e.Elt))}
		return out
	}
	out.Type = l.typeExpr(p, l.info.TypeOf(f.Type))
	return out
}

// A method M of T is a function in the variable T·M, and a method in the
// interpreter that calls it.

// holdMethod declares both, unless they are there.
func (l *lowering) holdMethod(m *method) {
	if m.fn.Signature().RecvTypeParams().Len() > 0 {
		return // see lowerMethod
	}
	if l.isTop(m.fn) {
		return
	}
	if m.decl.Name.Name == "_" {
		return
	}
	p := at(m.fn.Pos())
	if l.selfMade(m.base.Type()) {
		l.failSelfMade(p, m.base.Type())
	}
	holder := l.s.types.fresh(m.base.Name() + aliasMark + m.fn.Name())
	l.top[m.fn] = holder
	l.declareMethod(p, m.fn.Name(), holder, m.fn.Signature())
}

// declareMethod declares the variable that holds a method and the method that
// calls it.
func (l *lowering) declareMethod(p at, name, holder string, sig *types.Signature) {
	t := l.funcType(p, sig, nil)
	recv := l.typeExpr(p, sig.Recv().Type())
	t.Params.List = append([]*ast.Field{p.field("", recv)}, t.Params.List...)
	l.decls = append(l.decls, p.variable(holder, t))

	names := make([]string, sig.Params().Len())
	r := l.made("r")
	for i := range names {
		names[i] = l.made("a")
	}
	call := p.call(p.id(holder), append(p.ids(r), p.ids(names...)...)...)
	if sig.Variadic() {
		call.Ellipsis = token.Pos(p)
	}
	st := p.expr(call)
	if sig.Results().Len() > 0 {
		st = p.give(call)
	}
	l.decls = append(l.decls, &ast.FuncDecl{Recv: p.fields(p.field(r, l.typeExpr(p, sig.Recv().Type()))), Name: p.id(name),
		Type: l.funcType(p, sig, names), Body: p.block(st)})
}

// lowerMethod lowers the body of a method.
func (l *lowering) lowerMethod(m *method) {
	sig := m.fn.Signature()
	if m.decl.Name.Name == "_" {
		return
	}
	if sig.RecvTypeParams().Len() > 0 {
		l.generic[m.fn] = l.genericOf(m.decl)
		for _, named := range l.instancesOf(m.base) {
			l.instanceMethod(named, m.fn)
		}
		return
	}
	p := at(m.decl.Name.Pos())
	name := l.s.types.fresh(m.base.Name() + aliasMark + m.fn.Name() + aliasMark)
	var recv *ast.Field
	if m.decl.Recv != nil {
		recv = m.decl.Recv.List[0]
	}
	l.decls = append(l.decls, l.functionDecl(p, name, m.decl.Type, m.decl.Body, sig, recv))
	l.body = append(l.body, p.set(p.id(l.innerName(m.fn)), p.id(name)))
}
