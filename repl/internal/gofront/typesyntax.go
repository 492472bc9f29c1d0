package gofront

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// through writes the way from x, of type t, through embedded fields to the
// field or method at an index.
func (w *Writer) through(p At, x ast.Expr, t types.Type, index []int) ast.Expr {
	for _, i := range index[:len(index)-1] {
		f := structOf(t).Field(i)
		if f.Pkg() == nil || f.Pkg().Path() != "main" {
			break // within compiled types the interpreter finds it
		}
		x, t = p.sel(x, w.fieldName(f)), f.Type()
	}
	return x
}

// typeExpr writes a type for the interpreter. Types of the session go by their
// inner names, an instance of a generic type by a name of its own, and
// generic types of other packages, which the interpreter does not have, by
// what they are made of.
func (w *Writer) typeExpr(p At, t types.Type) ast.Expr {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return w.basicType(p, t)
	case *types.Named:
		return w.namedType(p, t)
	case *types.Pointer:
		return &ast.StarExpr{Star: token.Pos(p), X: w.typeExpr(p, t.Elem())}
	case *types.Slice:
		return &ast.ArrayType{Lbrack: token.Pos(p), Elt: w.typeExpr(p, t.Elem())}
	case *types.Array:
		n := &ast.BasicLit{ValuePos: token.Pos(p), Kind: token.INT, Value: strconv.FormatInt(t.Len(), 10)}
		return &ast.ArrayType{Lbrack: token.Pos(p), Len: n, Elt: w.typeExpr(p, t.Elem())}
	case *types.Map:
		key := keyType(t)
		if hidesInterface(key) {
			w.fail(p, "the interpreter does not find keys of type %s in a map again, since there is an interface in it that a cell declares; let that be of type any", types.TypeString(t.Key(), shortNames))
		}
		return &ast.MapType{Map: token.Pos(p), Key: w.typeExpr(p, key), Value: w.typeExpr(p, t.Elem())}
	case *types.Chan:
		dir := map[types.ChanDir]ast.ChanDir{types.SendRecv: ast.SEND | ast.RECV, types.SendOnly: ast.SEND, types.RecvOnly: ast.RECV}[t.Dir()]
		return &ast.ChanType{Begin: token.Pos(p), Dir: dir, Value: w.wrapped(p, t.Elem())}
	case *types.Signature:
		return w.funcType(p, t, nil)
	case *types.Struct:
		return w.structType(p, t)
	case *types.Interface:
		return w.interfaceType(p, t)
	}
	w.fail(p, "the interpreter has no way to write the type %s", types.TypeString(t, shortNames))
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
func (w *Writer) wrapped(p At, t types.Type) ast.Expr {
	x := w.typeExpr(p, t)
	switch x.(type) {
	case *ast.StarExpr, *ast.FuncType, *ast.ChanType:
		return p.paren(x)
	}
	return x
}

func (w *Writer) basicType(p At, t *types.Basic) ast.Expr {
	switch t.Kind() {
	case types.UnsafePointer:
		return p.sel(w.packageName(p, "unsafe"), "Pointer")
	case types.UntypedNil, types.Invalid:
		return p.ID("any")
	}
	return p.ID(types.Default(t).(*types.Basic).Name())
}

func (w *Writer) namedType(p At, t *types.Named) ast.Expr {
	o := t.Obj()
	switch {
	case o.Pkg() == nil && o.Name() == "error":
		// The interpreter's own error knows only its own values; the compiled
		// one knows all.
		return p.sel(p.ID(SupportName), "error")
	case o.Pkg() == nil: // comparable
		return p.ID(o.Name())
	case o.Pkg().Path() == "main" && t.TypeArgs().Len() == 0:
		return p.ID(w.innerName(o))
	case t.TypeArgs().Len() > 0:
		if o.Pkg().Path() != "main" {
			if source := libraryType(o.Pkg().Path(), o.Name()); source != "" {
				return p.ID(w.instanceOfLibrary(p, t, source))
			}
			if t.NumMethods() > 0 {
				w.fail(p, "the interpreter does not have the generic type %s", types.TypeString(t, shortNames))
			}
			return w.typeExpr(p, t.Underlying())
		}
		return p.ID(w.instanceType(p, t))
	case !o.Exported():
		if _, isInterface := t.Underlying().(*types.Interface); !isInterface && t.NumMethods() == 0 {
			return w.typeExpr(p, t.Underlying())
		}
		w.fail(p, "%s.%s is not exported, so the interpreter cannot name the type of this", o.Pkg().Name(), o.Name())
		return p.ID("int")
	}
	if !w.front.Library.has(o.Pkg().Path(), o.Name()) {
		w.fail(p, "the interpreter does not have %s.%s", o.Pkg().Name(), o.Name())
	}
	return p.sel(w.packageName(p, o.Pkg().Path()), o.Name())
}

// funcType is the type of a function; names are those of its parameters, or
// nil.
func (w *Writer) funcType(p At, t *types.Signature, names []string) *ast.FuncType {
	f := &ast.FuncType{Func: token.Pos(p), Params: p.fields()}
	for i := range t.Params().Len() {
		v := t.Params().At(i)
		var x ast.Expr
		if t.Variadic() && i == t.Params().Len()-1 {
			elem := types.Type(types.Typ[types.Byte])
			if s, ok := types.Unalias(v.Type()).Underlying().(*types.Slice); ok {
				elem = s.Elem()
			}
			x = &ast.Ellipsis{Ellipsis: token.Pos(p), Elt: w.typeExpr(p, elem)}
		} else {
			x = w.typeExpr(p, v.Type())
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
			f.Results.List = append(f.Results.List, p.field("", w.typeExpr(p, t.Results().At(i).Type())))
		}
	}
	return f
}

func (w *Writer) structType(p At, t *types.Struct) ast.Expr {
	s := &ast.StructType{Struct: token.Pos(p), Fields: p.fields()}
	for i := range t.NumFields() {
		v := t.Field(i)
		name := v.Name()
		if name == "_" { // of which there may be several
			name = fmt.Sprintf("blank%s%d", AliasMark, i)
		}
		f := p.field(name, w.typeExpr(p, v.Type()))
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
func (w *Writer) fieldName(v *types.Var) string {
	if !v.Embedded() || embedsCompiled(v) {
		return v.Name()
	}
	x := w.typeExpr(0, v.Type())
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

func (w *Writer) interfaceType(p At, t *types.Interface) ast.Expr {
	s := &ast.InterfaceType{Interface: token.Pos(p), Methods: p.fields()}
	if !t.IsMethodSet() && t.NumMethods() == 0 {
		return s // a constraint; nothing holds values of it
	}
	for i := range t.NumMethods() {
		m := t.Method(i)
		s.Methods.List = append(s.Methods.List, p.field(m.Name(), w.funcType(p, m.Signature(), nil)))
	}
	return s
}

// typeKey tells types apart: the same key, the same type in the interpreter.
func (w *Writer) typeKey(t types.Type) string {
	x := w.typeExpr(0, t)
	key := types.ExprString(x)
	ast.Inspect(x, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && f.Tag != nil { // which ExprString leaves out
			key += " " + f.Tag.Value
		}
		return true
	})
	return key
}

// packageName makes sure that a package is imported in the interpreter, and
// returns its name there.
func (w *Writer) packageName(p At, path string) *ast.Ident {
	name, ok := w.state.imported[path]
	for _, i := range w.Imports {
		if i.Path == path {
			name, ok = i.Name, true
		}
	}
	if !ok {
		name = fmt.Sprintf("%s%s%d", w.front.Library.Name(path), AliasMark, len(w.state.imported)+len(w.Imports)+1)
		w.Imports = append(w.Imports, Import{name, path})
	}
	return p.ID(name)
}

// zero is the zero value of a type. That of an interface of the cells is a
// variable that nothing sets: to the interpreter neither nil nor *new(T) is one
// of the interface that is nil.
func (w *Writer) zero(p At, t types.Type) ast.Expr {
	if types.IsInterface(t) && !compiled(t) {
		return p.ID(w.writeOnce("nil "+w.typeKey(t), "nil", func(name string) {
			w.Decls = append(w.Decls, p.variable(name, w.typeExpr(p, t)))
		}))
	}
	return &ast.StarExpr{Star: token.Pos(p), X: p.Call(p.ID("new"), w.typeExpr(p, t))}
}
