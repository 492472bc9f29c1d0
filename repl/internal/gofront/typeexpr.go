package gofront

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// typeExpr writes a type for the interpreter. Types of the session go by their
// inner names, an instance of a generic type by a name of its own, and
// generic types of other packages, which the interpreter does not have, by
// what they are made of.
func (l *Lowering) typeExpr(p At, t types.Type) ast.Expr {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return l.basicType(p, t)
	case *types.Named:
		return l.namedType(p, t)
	case *types.Pointer:
		return &ast.StarExpr{Star: token.Pos(p), X: l.typeExpr(p, t.Elem())}
	case *types.Slice:
		return &ast.ArrayType{Lbrack: token.Pos(p), Elt: l.typeExpr(p, t.Elem())}
	case *types.Array:
		n := &ast.BasicLit{ValuePos: token.Pos(p), Kind: token.INT, Value: strconv.FormatInt(t.Len(), 10)}
		return &ast.ArrayType{Lbrack: token.Pos(p), Len: n, Elt: l.typeExpr(p, t.Elem())}
	case *types.Map:
		key := keyType(t)
		if hidesInterface(key) {
			l.fail(p, "the interpreter does not find keys of type %s in a map again, since there is an interface in it that a cell declares; let that be of type any", types.TypeString(t.Key(), shortNames))
		}
		return &ast.MapType{Map: token.Pos(p), Key: l.typeExpr(p, key), Value: l.typeExpr(p, t.Elem())}
	case *types.Chan:
		dir := map[types.ChanDir]ast.ChanDir{types.SendRecv: ast.SEND | ast.RECV, types.SendOnly: ast.SEND, types.RecvOnly: ast.RECV}[t.Dir()]
		return &ast.ChanType{Begin: token.Pos(p), Dir: dir, Value: l.wrapped(p, t.Elem())}
	case *types.Signature:
		return l.funcType(p, t, nil)
	case *types.Struct:
		return l.structType(p, t)
	case *types.Interface:
		return l.interfaceType(p, t)
	}
	l.fail(p, "the interpreter has no way to write the type %s", types.TypeString(t, shortNames))
	return p.ID("int")
}

// keyType is the type of the keys of a map in the interpreter, which does not
// find values of its own interfaces again.
func keyType(t *types.Map) types.Type {
	if types.IsInterface(t.Key()) && !compiled(t.Key()) {
		return anyType
	}
	return t.Key()
}

// wrapped is a type in parentheses where it would be read differently.
func (l *Lowering) wrapped(p At, t types.Type) ast.Expr {
	x := l.typeExpr(p, t)
	switch x.(type) {
	case *ast.StarExpr, *ast.FuncType, *ast.ChanType:
		return p.paren(x)
	}
	return x
}

func (l *Lowering) basicType(p At, t *types.Basic) ast.Expr {
	switch t.Kind() {
	case types.UnsafePointer:
		return p.sel(l.packageName(p, "unsafe"), "Pointer")
	case types.UntypedNil, types.Invalid:
		return p.ID("any")
	}
	return p.ID(types.Default(t).(*types.Basic).Name())
}

func (l *Lowering) namedType(p At, t *types.Named) ast.Expr {
	o := t.Obj()
	switch {
	case o.Pkg() == nil && o.Name() == "error":
		// The interpreter's own error knows only its own values; the compiled
		// one knows all.
		return p.sel(p.ID(SupportName), "error")
	case o.Pkg() == nil: // comparable
		return p.ID(o.Name())
	case o.Pkg().Path() == "main" && t.TypeArgs().Len() == 0:
		return p.ID(l.innerName(o))
	case t.TypeArgs().Len() > 0:
		if o.Pkg().Path() != "main" {
			if source := libraryType(o.Pkg().Path(), o.Name()); source != "" {
				return p.ID(l.instanceOfLibrary(p, t, source))
			}
			if t.NumMethods() > 0 {
				l.fail(p, "the interpreter does not have the generic type %s", types.TypeString(t, shortNames))
			}
			return l.typeExpr(p, t.Underlying())
		}
		return p.ID(l.instanceType(p, t))
	case !o.Exported():
		if _, isInterface := t.Underlying().(*types.Interface); !isInterface && t.NumMethods() == 0 {
			return l.typeExpr(p, t.Underlying())
		}
		l.fail(p, "%s.%s is not exported, so the interpreter cannot name the type of this", o.Pkg().Name(), o.Name())
		return p.ID("int")
	}
	if !l.s.Library.has(o.Pkg().Path(), o.Name()) {
		l.fail(p, "the interpreter does not have %s.%s", o.Pkg().Name(), o.Name())
	}
	return p.sel(l.packageName(p, o.Pkg().Path()), o.Name())
}

// funcType is the type of a function; names are those of its parameters, or
// nil.
func (l *Lowering) funcType(p At, t *types.Signature, names []string) *ast.FuncType {
	f := &ast.FuncType{Func: token.Pos(p), Params: p.fields()}
	for i := range t.Params().Len() {
		v := t.Params().At(i)
		var x ast.Expr
		if t.Variadic() && i == t.Params().Len()-1 {
			elem := types.Type(types.Typ[types.Byte])
			if s, ok := types.Unalias(v.Type()).Underlying().(*types.Slice); ok {
				elem = s.Elem()
			}
			x = &ast.Ellipsis{Ellipsis: token.Pos(p), Elt: l.typeExpr(p, elem)}
		} else {
			x = l.typeExpr(p, v.Type())
		}
		name := ""
		if names != nil {
			name = names[i]
		}
		f.Params.List = append(f.Params.List, p.field(name, x))
	}
	if n := t.Results().Len(); n > 0 {
		f.Results = p.fields()
		for i := range n {
			f.Results.List = append(f.Results.List, p.field("", l.typeExpr(p, t.Results().At(i).Type())))
		}
	}
	return f
}

func (l *Lowering) structType(p At, t *types.Struct) ast.Expr {
	s := &ast.StructType{Struct: token.Pos(p), Fields: p.fields()}
	for i := range t.NumFields() {
		v := t.Field(i)
		name := v.Name()
		if name == "_" { // of which there may be several
			name = fmt.Sprintf("blank%s%d", AliasMark, i)
		}
		f := p.field(name, l.typeExpr(p, v.Type()))
		if v.Embedded() && !embedsCompiled(v) {
			f.Names = nil
		}
		if tag := t.Tag(i); tag != "" {
			f.Tag = p.string(tag)
		}
		s.Fields.List = append(s.Fields.List, f)
	}
	return s
}

// fieldName is the name of a field in the interpreter. That of an embedded one
// is the inner name of its type.
func (l *Lowering) fieldName(v *types.Var) string {
	if !v.Embedded() || embedsCompiled(v) {
		return v.Name()
	}
	x := l.typeExpr(0, v.Type())
	if star, ok := x.(*ast.StarExpr); ok {
		x = star.X
	}
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return v.Name()
}

func (l *Lowering) interfaceType(p At, t *types.Interface) ast.Expr {
	s := &ast.InterfaceType{Interface: token.Pos(p), Methods: p.fields()}
	if !t.IsMethodSet() && t.NumMethods() == 0 {
		return s // a constraint; nothing holds values of it
	}
	for i := range t.NumMethods() {
		m := t.Method(i)
		s.Methods.List = append(s.Methods.List, p.field(m.Name(), l.funcType(p, m.Signature(), nil)))
	}
	return s
}

// typeKey tells types apart: the same key, the same type in the interpreter.
func (l *Lowering) typeKey(t types.Type) string {
	x := l.typeExpr(0, t)
	key := types.ExprString(x)
	ast.Inspect(x, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && f.Tag != nil { // which ExprString leaves out
			key += " " + f.Tag.Value
		}
		return true
	})
	return key
}

func shortNames(p *types.Package) string {
	if p.Path() == "main" {
		return ""
	}
	return p.Name()
}

// packageName makes sure that a package is imported in the interpreter, and
// returns its name there.
func (l *Lowering) packageName(p At, path string) *ast.Ident {
	name, ok := l.s.Types.Imported[path]
	for _, i := range l.Imports {
		if i.Path == path {
			name, ok = i.Name, true
		}
	}
	if !ok {
		name = fmt.Sprintf("%s%s%d", l.s.Library.Name(path), AliasMark, len(l.s.Types.Imported)+len(l.Imports)+1)
		l.Imports = append(l.Imports, innerImport{name, path})
	}
	return p.ID(name)
}

// zero is the zero value of a type. That of an interface of the cells is a
// variable that nothing sets: to the interpreter neither nil nor *new(T) is one
// of the interface that is nil.
func (l *Lowering) zero(p At, t types.Type) ast.Expr {
	if types.IsInterface(t) && !compiled(t) {
		return p.ID(l.writeOnce("nil "+l.typeKey(t), "nil", func(name string) {
			l.Decls = append(l.Decls, p.variable(name, l.typeExpr(p, t)))
		}))
	}
	return &ast.StarExpr{Star: token.Pos(p), X: p.Call(p.ID("new"), l.typeExpr(p, t))}
}
