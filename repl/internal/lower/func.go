package lower

import (
	"go/ast"
	"go/types"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// A function f is held by a variable, var f func(int) int. Each declaration of f
// becomes a function with a unique name that is assigned to the variable, so
// declaring f again with the same signature replaces it for all its callers.
// Recursive calls are direct.

// holdFunction declares the variable of a function if necessary.
func (l *Lowering) holdFunction(f *types.Func) {
	if l.IsTop(f) {
		return
	}
	if f.Signature().TypeParams().Len() > 0 {
		l.InnerName(f)
		return
	}
	p := syntax.At(f.Pos())
	t := l.FuncType(p, f.Signature(), nil)
	l.Decls = append(l.Decls, p.Var(l.InnerName(f), t))
}

// noteGeneric stores the source of a generic function before functions that use it
// are lowered.
func (l *Lowering) noteGeneric(f *ast.FuncDecl) {
	if o, ok := l.info.Defs[f.Name].(*types.Func); ok && o.Signature().TypeParams().Len() > 0 {
		l.AddGeneric(o, l.genericOf(f))
	}
}

// lowerFunction lowers the declaration of a function.
func (l *Lowering) lowerFunction(f *ast.FuncDecl) {
	o, ok := l.info.Defs[f.Name].(*types.Func)
	if !ok || o.Signature().TypeParams().Len() > 0 {
		return
	}
	p := syntax.At(f.Name.Pos())
	name := l.Fresh(f.Name.Name + syntax.AliasMark)
	l.SetLocal(o, name)
	l.self, l.selfID, l.direct = o, name, l.usesItself(f, o)
	l.Decls = append(l.Decls, l.functionDecl(p, name, f.Type, f.Body, o.Signature(), nil))
	l.self = nil
	if n := f.Name.Name; n != "init" && n != "_" {
		l.Body = append(l.Body, p.Set(p.ID(l.InnerName(o)), p.ID(name)))
	}
}

func (l *Lowering) usesItself(f *ast.FuncDecl, o types.Object) bool {
	found := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && l.info.Uses[id] == o
		return !found
	})
	return found
}

// functionDecl writes a declaration under a unique name. recv is the receiver field,
// which becomes the first parameter.
func (l *Lowering) functionDecl(p syntax.At, name string, t *ast.FuncType, body *ast.BlockStmt, sig *types.Signature, recv *ast.Field) *ast.FuncDecl {
	ft := l.funcSyntax(t)
	if recv != nil {
		r := l.field(recv)
		if len(r.Names) == 0 {
			r.Names = []*ast.Ident{p.ID("_")}
		}
		ft.Params.List = append([]*ast.Field{r}, ft.Params.List...)
	}
	return &ast.FuncDecl{Name: p.ID(name), Type: ft, Body: l.functionBody(body, ft, sig)}
}

// funcSyntax lowers the type of a function, including its names.
func (l *Lowering) funcSyntax(t *ast.FuncType) *ast.FuncType {
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

func (l *Lowering) field(f *ast.Field) *ast.Field {
	out := &ast.Field{}
	for _, id := range f.Names {
		name := "_"
		if o := l.info.Defs[id]; o != nil {
			name = l.LocalName(o)
		}
		out.Names = append(out.Names, syntax.At(id.Pos()).ID(name))
	}
	p := syntax.At(f.Type.Pos())
	if e, ok := f.Type.(*ast.Ellipsis); ok {
		out.Type = &ast.Ellipsis{Ellipsis: e.Ellipsis, Elt: l.TypeExpr(p, l.info.TypeOf(e.Elt))}
		return out
	}
	out.Type = l.TypeExpr(p, l.info.TypeOf(f.Type))
	return out
}

// passNoRest passes nil for the last parameter of a variadic function of cells to which a
// call gives nothing. The interpreter would pass an empty slice.
func (l *Lowering) passNoRest(x, out *ast.CallExpr) {
	t := l.info.TypeOf(x.Fun)
	if f := l.callee(x); t == nil || f != nil && !gofront.Interpreted(f) && l.instanceOf(x.Fun) == nil {
		return
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || !sig.Variadic() || len(out.Args) != len(x.Args) {
		return
	}
	p, last := syntax.At(x.Rparen), sig.Params().Len()-1
	none := p.Call(p.Paren(l.TypeExpr(p, sig.Params().At(last).Type())), p.ID("nil"))
	if x.Ellipsis.IsValid() && repr.IsNilType(l.info.TypeOf(x.Args[last])) { // f(nil...), which it does not compile
		out.Args[last] = none
		return
	}
	if len(x.Args) != last {
		return
	}
	if l.several(x) != nil { // see spread
		return
	}
	out.Args = append(out.Args, none)
	out.Ellipsis = x.Rparen
}

// A method M of T becomes a function in the variable T·M and a method in the
// interpreter that calls it.

// holdMethod declares both if necessary.
func (l *Lowering) holdMethod(m *gofront.Method) {
	if m.Func.Signature().RecvTypeParams().Len() > 0 {
		return // see lowerMethod
	}
	if l.IsTop(m.Func) {
		return
	}
	if m.Decl.Name.Name == "_" {
		return
	}
	p := syntax.At(m.Func.Pos())
	l.RefuseMethods(p, m.Base.Type())
	holder := l.Fresh(m.Base.Name() + syntax.AliasMark + m.Func.Name())
	l.SetInnerName(m.Func, holder)
	l.DeclareMethod(p, m.Func.Name(), holder, m.Func.Signature())
}

// lowerMethod lowers the body of a method.
func (l *Lowering) lowerMethod(m *gofront.Method) {
	sig := m.Func.Signature()
	if m.Decl.Name.Name == "_" {
		return
	}
	if sig.RecvTypeParams().Len() > 0 {
		l.AddGeneric(m.Func, l.genericOf(m.Decl))
		for _, named := range l.InstancesOf(m.Base) {
			l.InstanceMethod(named, m.Func)
		}
		return
	}
	p := syntax.At(m.Decl.Name.Pos())
	name := l.Fresh(m.Base.Name() + syntax.AliasMark + m.Func.Name() + syntax.AliasMark)
	var recv *ast.Field
	if m.Decl.Recv != nil {
		recv = m.Decl.Recv.List[0]
	}
	l.Decls = append(l.Decls, l.functionDecl(p, name, m.Decl.Type, m.Decl.Body, sig, recv))
	l.Body = append(l.Body, p.Set(p.ID(l.InnerName(m.Func)), p.ID(name)))
}
