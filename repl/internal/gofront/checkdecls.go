package gofront

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"symmom/internal/text/words"
	"symmom/repl/internal/syntax"
)

// checkDecls checks consecutive declarations. A method of a type of an earlier cell
// is checked as a function with the receiver as its first parameter.
func (sc *Scope) checkDecls(u *Unit) (*Checked, error) {
	ch := &Checked{Unit: u}
	own := map[string]bool{}
	for _, d := range u.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			for _, name := range DeclaredNames(g) {
				own[name] = true
			}
		}
	}
	var late []*ast.FuncDecl
	decls := u.Decls[:0:0]
	for _, d := range u.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Body == nil {
			return nil, sc.ErrorAtPos(f.Name.Pos(), "missing function body")
		}
		if !ok || f.Recv == nil || ReceiverType(f) == nil || own[ReceiverType(f).Name] {
			decls = append(decls, d)
			continue
		}
		late = append(late, f)
	}
	for _, f := range late {
		m, err := sc.addMethod(f)
		if err != nil {
			return nil, err
		}
		ch.Methods = append(ch.Methods, m)
	}
	for i, f := range late {
		decls = append(decls, asFunctionDecl(f, i, sc.parameterConstraints(ch.Methods[i])))
	}
	extra := map[string]types.Object{}
	for _, m := range ch.Methods {
		sc.constraintNames(m, extra)
	}
	info, pkg, err := sc.run(decls, extra)
	if err != nil {
		return nil, err
	}
	ch.Info = info
	for i, m := range ch.Methods {
		m.Decl = decls[len(decls)-len(late)+i].(*ast.FuncDecl)
	}
	for _, d := range decls[:len(decls)-len(late)] {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil {
				fn := info.Defs[d.Name].(*types.Func)
				ch.Methods = append(ch.Methods, &Method{Decl: d, Base: receiverBase(fn), Func: fn})
			} else if d.Name.Name != "init" && d.Name.Name != "_" {
				ch.Objects = append(ch.Objects, sc.settleFunc(info.Defs[d.Name]))
			}
		case *ast.GenDecl:
			for _, name := range DeclaredNames(d) {
				if name == "_" {
					continue
				}
				o := pkg.Scope().Lookup(name)
				if d.Tok == token.VAR {
					o = sc.settle(o)
				}
				ch.Objects = append(ch.Objects, o)
			}
		}
	}
	return ch, nil
}

// settleFunc returns the existing function if it has the same signature, so that
// its callers call the new one.
func (sc *Scope) settleFunc(o types.Object) types.Object {
	if f, ok := sc.objects[o.Name()].(*types.Func); ok && types.Identical(f.Type(), o.Type()) && f.Signature().TypeParams() == nil {
		sc.Canon[o] = f
		return f
	}
	return o
}

func receiverBase(fn *types.Func) *types.TypeName {
	t := types.Unalias(fn.Signature().Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// asFunctionDecl converts a method to a function: the receiver becomes the first
// parameter, and its type parameters become type parameters of the function.
func asFunctionDecl(f *ast.FuncDecl, number int, constraints []string) *ast.FuncDecl {
	p := syntax.At(f.Name.Pos())
	recv := *f.Recv.List[0]
	if len(recv.Names) == 0 {
		recv.Names = []*ast.Ident{p.ID("_")}
	}
	t := *f.Type
	t.Params = &ast.FieldList{Opening: f.Type.Params.Opening, Closing: f.Type.Params.Closing,
		List: append([]*ast.Field{&recv}, f.Type.Params.List...)}
	for i, name := range ReceiverParams(f) {
		if t.TypeParams == nil {
			t.TypeParams = p.Fields()
		}
		t.TypeParams.List = append(t.TypeParams.List, p.Field(name.Name, p.ID(constraints[i])))
	}
	return &ast.FuncDecl{Doc: f.Doc, Name: p.ID(methodName(number, f)), Type: &t, Body: f.Body}
}

func methodName(number int, f *ast.FuncDecl) string {
	return fmt.Sprintf("%s%sm%d", f.Name.Name, syntax.AliasMark, number)
}

// ReceiverParams returns the names that a receiver gives to the type parameters.
func ReceiverParams(f *ast.FuncDecl) []*ast.Ident {
	t := ast.Unparen(f.Recv.List[0].Type)
	if s, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(s.X)
	}
	var list []ast.Expr
	switch t := t.(type) {
	case *ast.IndexExpr:
		list = []ast.Expr{t.Index}
	case *ast.IndexListExpr:
		list = t.Indices
	}
	var out []*ast.Ident
	for _, x := range list {
		if id, ok := x.(*ast.Ident); ok {
			out = append(out, id)
		}
	}
	return out
}

// parameterConstraints returns names for the constraints of the type parameters of
// a method's receiver.
func (sc *Scope) parameterConstraints(m *Method) []string {
	var out []string
	for i := range ReceiverParams(m.Decl) {
		out = append(out, fmt.Sprintf("%s%sc%d", m.Base.Name(), syntax.AliasMark, i))
	}
	return out
}

func (sc *Scope) constraintNames(m *Method, extra map[string]types.Object) {
	named, ok := m.Base.Type().(*types.Named)
	if !ok {
		return
	}
	for i, name := range sc.parameterConstraints(m) {
		if i < named.TypeParams().Len() {
			extra[name] = types.NewTypeName(token.NoPos, nil, name, named.TypeParams().At(i).Constraint())
		}
	}
}

// addMethod adds the method that f declares to a type of the session. An existing
// method must have the same signature.
func (sc *Scope) addMethod(f *ast.FuncDecl) (*Method, error) {
	id := ReceiverType(f)
	base, ok := sc.objects[id.Name].(*types.TypeName)
	if !ok {
		return nil, sc.ErrorAtPos(id.Pos(), sc.explain("undefined: "+id.Name))
	}
	named, ok := types.Unalias(base.Type()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "main" {
		return nil, sc.ErrorAtPos(id.Pos(), "cannot define new methods on non-local type "+id.Name)
	}
	base = named.Obj()
	m := &Method{Decl: f, Base: base}
	if n := len(ReceiverParams(f)); n != named.TypeParams().Len() {
		return nil, sc.ErrorAtPos(id.Pos(), fmt.Sprintf("receiver declares %s, but the receiver base type %s declares %d",
			words.Plural(n, "type parameter"), base.Name(), named.TypeParams().Len()))
	}
	// The signature alone, with an empty body.
	head := asFunctionDecl(f, 0, sc.parameterConstraints(m))
	p := syntax.At(f.Body.Lbrace)
	head.Body = p.Block(p.Expr(p.Call(p.ID("panic"), p.Int(0))))
	extra := map[string]types.Object{}
	sc.constraintNames(m, extra)
	info, _, err := sc.run([]ast.Decl{head}, extra)
	if err != nil {
		return nil, err
	}
	sig := info.Defs[head.Name].(*types.Func).Signature()
	sig, err = methodSignature(named, sig)
	if err != nil {
		return nil, sc.ErrorAtPos(f.Name.Pos(), err.Error())
	}
	if st, ok := named.Underlying().(*types.Struct); ok {
		for i := range st.NumFields() {
			if st.Field(i).Name() == f.Name.Name {
				return nil, sc.ErrorAtPos(f.Name.Pos(), fmt.Sprintf("field and method with the same name %s", f.Name.Name))
			}
		}
	}
	for i := range named.NumMethods() {
		old := named.Method(i)
		if old.Name() != f.Name.Name {
			continue
		}
		same := types.Identical(old.Signature().Recv().Type(), sig.Recv().Type()) && types.Identical(old.Type(), sig)
		if sig.RecvTypeParams().Len() > 0 {
			same = sameText(old.Signature(), sig)
		}
		if !same {
			return nil, sc.ErrorAtPos(f.Name.Pos(), fmt.Sprintf("method %s.%s exists already with another signature, and values of the type rely on it: "+
				"run the declaration of type %s again, which makes a new type, and then its methods", id.Name, f.Name.Name, id.Name))
		}
		m.Func = old
		if sc.s.Types.Orphans[old] {
			delete(sc.s.Types.Orphans, old)
			sc.orphans = append(sc.orphans, old)
		}
		return m, nil
	}
	if sc.used[base] || sc.s.Lowered.Instantiated(base) {
		return nil, sc.ErrorAtPos(f.Name.Pos(), fmt.Sprintf("%s is a generic type that was used without this method, and go/types cannot add one then: "+
			"run the declaration of type %[1]s again, with its methods directly below it", id.Name))
	}
	m.Func = types.NewFunc(f.Name.Pos(), base.Pkg(), f.Name.Name, sig)
	named.AddMethod(m.Func)
	sc.orphans = append(sc.orphans, m.Func)
	return m, nil
}

func sameText(a, b *types.Signature) bool {
	return types.TypeString(a, ShortNames) == types.TypeString(b, ShortNames) &&
		types.TypeString(a.Recv().Type(), ShortNames) == types.TypeString(b.Recv().Type(), ShortNames)
}

// methodSignature converts the signature of a function with the receiver as its first
// parameter to the signature of the method.
func methodSignature(named *types.Named, sig *types.Signature) (*types.Signature, error) {
	var params []*types.TypeParam
	if n := sig.TypeParams().Len(); n > 0 {
		// A type parameter can be bound only once, so the method gets new ones.
		var args []types.Type
		for i := range n {
			old := sig.TypeParams().At(i)
			o := types.NewTypeName(old.Obj().Pos(), named.Obj().Pkg(), old.Obj().Name(), nil)
			params = append(params, types.NewTypeParam(o, old.Constraint()))
			args = append(args, params[i])
		}
		t, err := types.Instantiate(nil, sig, args, false)
		if err != nil {
			return nil, err
		}
		sig = t.(*types.Signature)
	}
	var rest []*types.Var
	for i := 1; i < sig.Params().Len(); i++ {
		rest = append(rest, sig.Params().At(i))
	}
	recv := types.NewParam(token.NoPos, named.Obj().Pkg(), sig.Params().At(0).Name(), sig.Params().At(0).Type())
	return types.NewSignatureType(recv, params, nil, types.NewTuple(rest...), sig.Results(), sig.Variadic()), nil
}
