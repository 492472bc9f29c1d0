package repr

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// Instance is an instance of a generic function or method, whose body has to be
// lowered.
type Instance struct {
	Source *gofront.Generic
	Tree   *ast.FuncDecl // parsed for this instance
	Name   string        // in the interpreter
	Params []string      // names of the type parameters
	Args   []types.Type  // their type arguments

	method *types.Named // for a method, the instance of its type
	at     syntax.At    // the method
}

// NextInstance removes and returns an instance that is still to be written.
func (w *Writer) NextInstance() (i Instance, ok bool) {
	if len(w.instances) == 0 {
		return Instance{}, false
	}
	i, w.instances = w.instances[0], w.instances[1:]
	if i.Tree == nil && !w.readMethod(&i) {
		return Instance{}, false
	}
	return i, true
}

// readMethod parses a method for an instance of its type.
func (w *Writer) readMethod(i *Instance) bool {
	if i.Tree = w.parseGeneric(i.at, i.Source); i.Tree == nil {
		return false
	}
	for k, id := range gofront.ReceiverParams(i.Tree) {
		if id.Name == "_" {
			id.Name = fmt.Sprintf("blank%s%d", syntax.AliasMark, k)
		}
		i.Params, i.Args = append(i.Params, id.Name), append(i.Args, i.method.TypeArgs().At(k))
	}
	return true
}

// parseGeneric parses the source of a generic declaration.
func (w *Writer) parseGeneric(p syntax.At, d *gofront.Generic) *ast.FuncDecl {
	f, err := d.Parse(w.front.Fset)
	if err != nil {
		w.Fail(p, "internal error: source of generic code: %v", err)
	}
	return f
}

// maxInstances bounds generic code that needs ever more instances of itself.
const maxInstances = 500

// Instance returns the name of an instance of a function. A new one is written
// later.
func (w *Writer) Instance(p syntax.At, key string, d *gofront.Generic, args []types.Type) string {
	var keys []string
	for _, t := range args {
		keys = append(keys, w.TypeKey(t))
	}
	key += "[" + strings.Join(keys, ",") + "]"
	if name := w.writtenName(key); name != "" {
		return name
	}
	if len(w.written) > maxInstances {
		w.Fail(p, "generic code that needs more than %d instances of itself", maxInstances)
		return "nil"
	}
	f := w.parseGeneric(p, d)
	if f == nil {
		return "nil"
	}
	name := w.state.fresh(f.Name.Name + syntax.AliasMark)
	w.written[key] = name
	i := Instance{Source: d, Tree: f, Name: name, Args: args}
	if f.Type.TypeParams != nil {
		for _, field := range f.Type.TypeParams.List {
			for _, id := range field.Names {
				i.Params = append(i.Params, id.Name)
			}
		}
	}
	w.instances = append(w.instances, i)
	return name
}

// instanceType returns the name of an instance of a generic type. A new one is
// declared, with its methods.
func (w *Writer) instanceType(p syntax.At, t *types.Named) string {
	var keys []string
	for i := range t.TypeArgs().Len() {
		keys = append(keys, w.TypeKey(t.TypeArgs().At(i)))
	}
	origin := t.Origin().Obj()
	key := "type " + w.InnerName(origin) + "[" + strings.Join(keys, ",") + "]"
	if name := w.writtenName(key); name != "" {
		return name
	}
	if len(w.written) > maxInstances {
		w.Fail(p, "a generic type that needs more than %d instances of itself", maxInstances)
		return "int"
	}
	name := w.state.fresh(origin.Name() + syntax.AliasMark)
	w.written[key] = name
	w.refuse(p, t)
	spec := &ast.TypeSpec{Name: p.ID(name)}
	w.Decls = append(w.Decls, &ast.GenDecl{TokPos: token.Pos(p), Tok: token.TYPE, Specs: []ast.Spec{spec}})
	spec.Type = w.TypeExpr(p, t.Underlying())
	w.promote(p, name, t)
	w.named[origin] = append(w.named[origin], t)
	for i := range t.Origin().NumMethods() {
		if m := t.Origin().Method(i); w.GenericSource(m) != nil {
			w.InstanceMethod(t, m)
		}
	}
	return name
}

// GenericSource returns the source of a generic function or method, or nil.
func (w *Writer) GenericSource(m *types.Func) *gofront.Generic {
	if d := w.generic[m]; d != nil {
		return d
	}
	if d := w.state.generic[m]; d != nil {
		return d
	}
	return gofront.SourceOf(m)
}

// InstancesOf returns the instances of a generic type.
func (w *Writer) InstancesOf(o *types.TypeName) []*types.Named {
	return append(w.state.named[o], w.named[o]...)
}

// InstanceMethod writes a method of an instance of a generic type, or replaces it.
func (w *Writer) InstanceMethod(t *types.Named, origin *types.Func) {
	d := w.GenericSource(origin)
	p := w.place(origin)
	var m *types.Func
	for i := range t.NumMethods() {
		if t.Method(i).Origin() == origin {
			m = t.Method(i)
		}
	}
	if d == nil || m == nil {
		return
	}
	typeName := w.instanceType(p, t)
	key := "method " + typeName + "." + m.Name()
	holder, ok := w.state.written[key]
	if !ok {
		holder, ok = w.written[key]
	}
	if !ok {
		holder = w.state.fresh(typeName + syntax.AliasMark + m.Name())
		w.written[key] = holder
		w.DeclareMethod(p, m.Name(), holder, m.Signature())
	}
	name := w.state.fresh(typeName + syntax.AliasMark + m.Name() + syntax.AliasMark)
	w.Prologue = append(w.Prologue, p.Set(p.ID(holder), p.ID(name)))
	w.instances = append(w.instances, Instance{Source: d, Name: name, method: t, at: p})
}

// instanceOfLibrary returns the name of an instance of a generic library type. A new
// one is declared. Its source is written as the interpreter needs it, except for the
// names of types.
func (w *Writer) instanceOfLibrary(p syntax.At, t *types.Named, source string) string {
	o := t.Obj()
	key := "type " + o.Pkg().Path() + "." + o.Name() + "["
	for arg := range t.TypeArgs().Types() {
		key += w.TypeKey(arg) + ","
	}
	if name := w.writtenName(key); name != "" {
		return name
	}
	name := w.state.fresh(o.Name() + syntax.AliasMark)
	w.written[key] = name
	f, err := parser.ParseFile(w.front.Fset, syntax.SupportPath+"/"+syntax.BaseName, "package main\n"+source, parser.SkipObjectResolution)
	if err != nil {
		w.Fail(p, "internal error: source of generic code: %v", err)
		return name
	}
	params := f.Decls[0].(*ast.GenDecl).Specs[0].(*ast.TypeSpec).TypeParams.List
	replace := func(c *astutil.Cursor) bool {
		if x, ok := c.Node().(*ast.IndexExpr); ok && syntax.IsNamed(x.X, o.Name()) { // a receiver, Name[T]
			c.Replace(p.ID(name))
			return false
		}
		for i, field := range params {
			if syntax.IsNamed(c.Node(), field.Names[0].Name) && c.Name() != "Names" && c.Name() != "Sel" {
				c.Replace(w.TypeExpr(p, t.TypeArgs().At(i)))
				return false
			}
		}
		return true
	}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok {
			spec := g.Specs[0].(*ast.TypeSpec)
			spec.Name, spec.TypeParams = p.ID(name), nil
		}
		w.Decls = append(w.Decls, astutil.Apply(d, replace, nil).(ast.Decl))
	}
	return name
}
