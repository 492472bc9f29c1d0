package gofront

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// Generic code is written out for the types that it is used with: the
// interpreter finds no types for many calls, and gets some wrong. The source
// is parsed anew for each instance and checked with its type parameters
// standing for the types.

// genericDecl is the source of a generic function, or of a method of a
// generic type.
type genericDecl struct {
	text    string
	file    string // and where it stood
	line    int
	column  int
	objects map[string]types.Object // what its names stand for
	imports map[string]string
}

// genericOf keeps the source of a declaration.
func (l *Lowering) genericOf(f *ast.FuncDecl) *genericDecl {
	fset := l.s.fset
	file := fset.File(f.Pos())
	end := f.Body.Rbrace + 1
	start := f.Type.Func
	d := &genericDecl{text: l.c.texts[file][file.Offset(start):file.Offset(end)], objects: map[string]types.Object{}, imports: map[string]string{}}
	pos := fset.Position(start)
	d.file, d.line, d.column = pos.Filename, pos.Line, pos.Column
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := l.info.Uses[id].(type) {
		case nil:
		case *types.PkgName:
			d.imports[id.Name] = o.Imported().Path()
		default:
			_, constant := o.(*types.Const)
			if l.isTop(o) || constant && o.Parent() != types.Universe && l.scope.isTop(o) ||
				o.Pkg() != nil && o.Pkg().Path() != "main" && o.Parent() == o.Pkg().Scope() {
				d.objects[id.Name] = l.canonical(o)
			}
		}
		return true
	})
	return d
}

// instanceOf returns the name of the instance that x, an identifier or a
// selector, stands for, or nil when it is no instance of a function.
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
	if !ok || !isFunc {
		return nil
	}
	p := At(x.Pos())
	f = f.Origin()
	var args []types.Type
	for i := range inst.TypeArgs.Len() {
		args = append(args, inst.TypeArgs.At(i))
	}
	key, d := "", l.generic[f]
	if d == nil {
		d = l.s.Types.generic[f]
	}
	if f.Pkg() != nil && f.Pkg().Path() != "main" {
		key = f.FullName()
		d = librarySource(f.Pkg().Path(), f.Name())
	} else {
		key = l.innerName(f)
	}
	if d == nil {
		l.fail(p, "the interpreter does not have the generic function %s; write it out", f.FullName())
		return p.ID("nil")
	}
	return p.ID(l.instance(p, key, d, args))
}

// instanceNamed is the name of the instance that x stands for with or without
// the types, or nil.
func (l *Lowering) instanceNamed(x ast.Expr) ast.Expr {
	switch y := ast.Unparen(x).(type) {
	case *ast.IndexExpr:
		x = y.X
	case *ast.IndexListExpr:
		x = y.X
	}
	return l.instanceOf(x)
}

// instanceValue writes an instance that is not called as a function that calls
// it: the interpreter keeps none that is declared.
func (l *Lowering) instanceValue(p At, f ast.Expr, sig *types.Signature) ast.Expr {
	if id, ok := f.(*ast.Ident); ok && signed(sig) {
		return p.ID(l.held(p, id.Name, sig))
	}
	names := make([]string, sig.Params().Len())
	for i := range names {
		names[i] = l.temporary("a")
	}
	return l.closure(p, &ast.FuncLit{Type: l.funcType(p, sig, names), Body: p.Block(forward(p, f, sig, names))}, sig)
}

// maxInstances bounds generic code that needs ever new instances of itself.
const maxInstances = 500

// instance returns the name of an instance of a function, which is written
// later if it is new.
func (l *Lowering) instance(p At, key string, d *genericDecl, args []types.Type) string {
	var keys []string
	for _, t := range args {
		keys = append(keys, l.typeKey(t))
	}
	key += "[" + strings.Join(keys, ",") + "]"
	if name := l.writtenFor(key); name != "" {
		return name
	}
	if len(l.written) > maxInstances {
		l.fail(p, "generic code that needs more than %d instances of itself", maxInstances)
		return "nil"
	}
	f := l.parseGeneric(p, d)
	if f == nil {
		return "nil"
	}
	name := l.s.Types.fresh(f.Name.Name + AliasMark)
	l.written[key] = name
	l.instances = append(l.instances, func() {
		var names []string
		for _, field := range f.Type.TypeParams.List {
			for _, id := range field.Names {
				names = append(names, id.Name)
			}
		}
		l.writeInstance(d, f, name, names, args)
	})
	return name
}

// parseGeneric parses the source of a generic declaration again.
func (l *Lowering) parseGeneric(p At, d *genericDecl) *ast.FuncDecl {
	text := fmt.Sprintf("package main;/*line :%d:%d*/%s\n", d.line, d.column, d.text)
	f, err := parser.ParseFile(l.s.fset, d.file, text, parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		l.fail(p, "internal error: source of generic code: %v", err)
		return nil
	}
	return f.Decls[0].(*ast.FuncDecl)
}

// writeInstance lowers an instance: f is a fresh tree, a method or a function,
// names its type parameters.
func (l *Lowering) writeInstance(d *genericDecl, f *ast.FuncDecl, name string, names []string, args []types.Type) {
	extra := map[string]types.Object{}
	for n, o := range d.objects {
		extra[n] = o
	}
	for i, n := range names {
		if n != "_" {
			extra[n] = types.NewTypeName(token.NoPos, nil, n, args[i])
		}
	}
	t := *f.Type
	t.TypeParams = nil
	if f.Recv != nil {
		recv := *f.Recv.List[0]
		if len(recv.Names) == 0 {
			recv.Names = []*ast.Ident{At(f.Pos()).ID("_")}
		}
		t.Params = &ast.FieldList{Opening: t.Params.Opening, Closing: t.Params.Closing, List: append([]*ast.Field{&recv}, t.Params.List...)}
	}
	fn := &ast.FuncDecl{Name: At(f.Name.Pos()).ID("instance" + AliasMark), Type: &t, Body: f.Body}
	sc := &Scope{s: l.s, Cell: l.c, Imports: d.imports, instance: true}
	info, _, _ := sc.run([]ast.Decl{fn}, extra) // what is wrong for these types alone, such as a case twice, is not wrong in Go
	o, ok := info.Defs[fn.Name].(*types.Func)
	if !ok {
		l.fail(At(f.Pos()), "internal error: no instance of %s", f.Name.Name)
		return
	}
	before, self, selfID, fnBefore := l.info, l.self, l.selfID, l.fn
	l.info, l.self, l.fn, l.direct = info, nil, nil, true
	l.Decls = append(l.Decls, l.functionDecl(At(f.Name.Pos()), name, &t, fn.Body, o.Signature(), nil))
	l.info, l.self, l.selfID, l.fn = before, self, selfID, fnBefore
}

// instanceType returns the name of an instance of a generic type, and declares
// it with its methods when it is new.
func (l *Lowering) instanceType(p At, t *types.Named) string {
	var keys []string
	for i := range t.TypeArgs().Len() {
		keys = append(keys, l.typeKey(t.TypeArgs().At(i)))
	}
	origin := t.Origin().Obj()
	key := "type " + l.innerName(origin) + "[" + strings.Join(keys, ",") + "]"
	if name := l.writtenFor(key); name != "" {
		return name
	}
	if len(l.written) > maxInstances {
		l.fail(p, "a generic type that needs more than %d instances of itself", maxInstances)
		return "int"
	}
	name := l.s.Types.fresh(origin.Name() + AliasMark)
	l.written[key] = name
	if l.selfMade(t) {
		l.declareSelfMade(p, name, t)
		return name
	}
	l.refuseMutual(p, t)
	spec := &ast.TypeSpec{Name: p.ID(name)}
	l.Decls = append(l.Decls, &ast.GenDecl{TokPos: token.Pos(p), Tok: token.TYPE, Specs: []ast.Spec{spec}})
	spec.Type = l.typeExpr(p, t.Underlying())
	l.promote(p, name, t)
	l.named[origin] = append(l.named[origin], t)
	for i := range t.Origin().NumMethods() {
		if m := t.Origin().Method(i); l.genericSource(m) != nil {
			l.instanceMethod(t, m)
		}
	}
	return name
}

func (l *Lowering) genericSource(m *types.Func) *genericDecl {
	if d := l.generic[m]; d != nil {
		return d
	}
	return l.s.Types.generic[m]
}

func (l *Lowering) instancesOf(o *types.TypeName) []*types.Named {
	return append(l.s.Types.named[o], l.named[o]...)
}

// instanceMethod writes a method of an instance of a generic type, or writes
// it anew.
func (l *Lowering) instanceMethod(t *types.Named, origin *types.Func) {
	d := l.genericSource(origin)
	p := At(origin.Pos())
	var m *types.Func
	for i := range t.NumMethods() {
		if t.Method(i).Origin() == origin {
			m = t.Method(i)
		}
	}
	if d == nil || m == nil {
		return
	}
	typeName := l.instanceType(p, t)
	key := "method " + typeName + "." + m.Name()
	holder, ok := l.s.Types.written[key]
	if !ok {
		holder, ok = l.written[key]
	}
	if !ok {
		holder = l.s.Types.fresh(typeName + AliasMark + m.Name())
		l.written[key] = holder
		l.declareMethod(p, m.Name(), holder, m.Signature())
	}
	name := l.s.Types.fresh(typeName + AliasMark + m.Name() + AliasMark)
	l.Prologue = append(l.Prologue, p.set(p.ID(holder), p.ID(name)))
	l.instances = append(l.instances, func() {
		f := l.parseGeneric(p, d)
		if f == nil {
			return
		}
		var names []string
		var args []types.Type
		for i, id := range receiverParams(f) {
			if id.Name == "_" {
				id.Name = fmt.Sprintf("blank%s%d", AliasMark, i)
			}
			names, args = append(names, id.Name), append(args, t.TypeArgs().At(i))
		}
		l.writeInstance(d, f, name, names, args)
	})
}

// writtenFor is the name of what was written for a key, in this cell or before;
// "" where nothing was.
func (l *Lowering) writtenFor(key string) string {
	if name, ok := l.s.Types.written[key]; ok {
		return name
	}
	return l.written[key]
}
