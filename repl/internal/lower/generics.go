package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// Generic code is written out for each list of type arguments, because the
// interpreter cannot infer many of them and infers some wrongly. For each instance
// the source is parsed again and type-checked with its type parameters standing for
// the type arguments.

// genericOf returns the source of a generic declaration.
func (l *Lowering) genericOf(f *ast.FuncDecl) *gofront.Generic {
	end := f.Body.Rbrace + 1
	start := f.Type.Func
	d := &gofront.Generic{Text: l.c.SourceOf(l.lowerer.front.Fset, start, end), Objects: map[string]types.Object{}, Imports: map[string]string{}}
	pos := l.lowerer.front.Fset.Position(start)
	d.File, d.Line, d.Column = pos.Filename, pos.Line, pos.Column
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := l.info.Uses[id].(type) {
		case nil:
		case *types.PkgName:
			d.Imports[id.Name] = o.Imported().Path()
		default:
			_, constant := o.(*types.Const)
			if l.IsTop(o) || constant && o.Parent() != types.Universe && l.scope.IsTop(o) ||
				o.Pkg() != nil && o.Pkg().Path() != "main" && o.Parent() == o.Pkg().Scope() {
				d.Objects[id.Name] = l.Canonical(o)
			}
		}
		return true
	})
	return d
}

// instanceOf returns the name of the instance denoted by x, an identifier or a
// selector, or nil if x is not an instance of a function.
func (l *Lowering) instanceOf(x ast.Expr) ast.Expr {
	var id *ast.Ident
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	inst, ok := l.info.Instances[id]
	f, isFunc := l.info.Uses[id].(*types.Func)
	if !isFunc || !ok && !gofront.FromSource(f) {
		return nil
	}
	p := syntax.At(x.Pos())
	f = f.Origin()
	var args []types.Type
	for i := range inst.TypeArgs.Len() {
		args = append(args, inst.TypeArgs.At(i))
	}
	key, d := "", l.GenericSource(f)
	if f.Pkg() != nil && f.Pkg().Path() != "main" {
		key = f.FullName()
		d = gofront.LibrarySource(f.Pkg().Path(), f.Name())
	} else {
		key = l.InnerName(f)
	}
	if d == nil {
		l.Fail(p, "the interpreter does not have the generic function %s; write it out", f.FullName())
		return p.ID("nil")
	}
	name := l.Instance(p, key, d, args)
	if l.inside == "" {
		l.asked[name] = true
	}
	return p.ID(name)
}

// instanceNamed returns the name of the instance denoted by x, with or without type
// arguments, or nil.
func (l *Lowering) instanceNamed(x ast.Expr) ast.Expr {
	switch y := ast.Unparen(x).(type) {
	case *ast.IndexExpr:
		x = y.X
	case *ast.IndexListExpr:
		x = y.X
	}
	return l.instanceOf(x)
}

// instanceValue lowers an instance that is used as a value to a function literal that
// calls it, because the interpreter cannot store declared functions.
func (l *Lowering) instanceValue(p syntax.At, f ast.Expr, sig *types.Signature) ast.Expr {
	if id, ok := f.(*ast.Ident); ok && repr.TakesSigned(sig) {
		return p.ID(l.Holder(p, id.Name, sig))
	}
	names := make([]string, sig.Params().Len())
	for i := range names {
		names[i] = l.Temporary("a")
	}
	return l.closure(p, p.FuncLit(l.FuncType(p, sig, names), repr.Forward(p, f, sig, names)...), sig)
}

// writeInstance lowers an instance.
func (l *Lowering) writeInstance(i repr.Instance) {
	d, f := i.Source, i.Tree
	extra := map[string]types.Object{}
	maps.Copy(extra, d.Objects)
	for k, n := range i.Params {
		if n != "_" {
			extra[n] = types.NewTypeName(token.NoPos, nil, n, i.Args[k])
		}
	}
	t := *f.Type
	t.TypeParams = nil
	if f.Recv != nil {
		recv := *f.Recv.List[0]
		if len(recv.Names) == 0 {
			recv.Names = []*ast.Ident{syntax.At(f.Pos()).ID("_")}
		}
		t.Params = &ast.FieldList{Opening: t.Params.Opening, Closing: t.Params.Closing, List: append([]*ast.Field{&recv}, t.Params.List...)}
	}
	fn := &ast.FuncDecl{Name: syntax.At(f.Name.Pos()).ID("instance" + syntax.AliasMark), Type: &t, Body: f.Body}
	info := l.lowerer.front.CheckInstance(l.c, fn, d, extra)
	o, ok := info.Defs[fn.Name].(*types.Func)
	if !ok {
		l.Fail(syntax.At(f.Pos()), "internal error: no instance of %s", f.Name.Name)
		return
	}
	before, self, selfID, fnBefore, inside := l.info, l.self, l.selfID, l.fn, l.inside
	l.info, l.self, l.fn, l.direct, l.inside = info, nil, nil, true, d.Package
	failed := l.Err()
	if d.Package != "" {
		if what := l.lowerer.front.Lacks(info); what != "" {
			l.Fail(syntax.At(f.Pos()), "%s needs %s, which cells do not have", f.Name.Name, what)
		}
	}
	decl := l.functionDecl(syntax.At(f.Name.Pos()), i.Name, &t, fn.Body, o.Signature(), nil)
	if err := l.Err(); err != nil && failed == nil && d.Package != "" && !l.asked[i.Name] && l.Forgive() {
		// Not everything in a package can run here; what a cell did not ask for itself
		// says so when it is called.
		p := syntax.At(f.Name.Pos())
		decl.Body = p.Block(p.Expr(p.Call(p.ID("panic"), p.Support("PanicValue", p.Quoted(gofront.Message(err))))))
	}
	l.Decls = append(l.Decls, decl)
	l.info, l.self, l.selfID, l.fn, l.inside = before, self, selfID, fnBefore, inside
}
