package repr

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// Through selects the field or method at an index of x, of type t, up to its last
// step: it writes out the path through embedded fields.
func (w *Writer) Through(p syntax.At, x ast.Expr, t types.Type, index []int) ast.Expr {
	for _, i := range index[:len(index)-1] {
		f := StructOf(t).Field(i)
		if !gofront.InterpretedField(t, f) {
			break // inside compiled types the interpreter finds it
		}
		x, t = p.Sel(x, w.FieldName(t, f)), f.Type()
	}
	return x
}

// TypeExpr writes a type for the interpreter. Types of the session go by their
// inner names, instances of generic types by names of their own, and generic types
// of packages, which the interpreter does not have, by their underlying types.
func (w *Writer) TypeExpr(p syntax.At, t types.Type) ast.Expr {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return w.basicType(p, t)
	case *types.Named:
		return w.namedType(p, t)
	case *types.Pointer:
		return p.Star(w.TypeExpr(p, t.Elem()))
	case *types.Slice:
		return &ast.ArrayType{Lbrack: token.Pos(p), Elt: w.TypeExpr(p, t.Elem())}
	case *types.Array:
		n := &ast.BasicLit{ValuePos: token.Pos(p), Kind: token.INT, Value: strconv.FormatInt(t.Len(), 10)}
		return &ast.ArrayType{Lbrack: token.Pos(p), Len: n, Elt: w.TypeExpr(p, t.Elem())}
	case *types.Map:
		return &ast.MapType{Map: token.Pos(p), Key: w.TypeExpr(p, KeyType(t)), Value: w.TypeExpr(p, t.Elem())}
	case *types.Chan:
		dir := map[types.ChanDir]ast.ChanDir{types.SendRecv: ast.SEND | ast.RECV, types.SendOnly: ast.SEND, types.RecvOnly: ast.RECV}[t.Dir()]
		return &ast.ChanType{Begin: token.Pos(p), Dir: dir, Value: w.ParenType(p, t.Elem())}
	case *types.Signature:
		return w.FuncType(p, t, nil)
	case *types.Struct:
		if name := w.nameStruct(t); name != "" {
			return p.ID(name)
		}
		return w.structType(p, t)
	case *types.Interface:
		return w.interfaceType(p, t)
	}
	w.Fail(p, "the interpreter has no way to write the type %s", types.TypeString(t, gofront.ShortNames))
	return p.ID("int")
}

// KeyType returns the type of the keys of a map in the interpreter, which cannot
// look up values of its own interfaces.
func KeyType(t *types.Map) types.Type {
	if types.IsInterface(t.Key()) && !IsCompiled(t.Key()) {
		return AnyType
	}
	return t.Key()
}

// ParenType writes a type, in parentheses where it would be parsed differently.
func (w *Writer) ParenType(p syntax.At, t types.Type) ast.Expr {
	x := w.TypeExpr(p, t)
	switch x.(type) {
	case *ast.StarExpr, *ast.FuncType, *ast.ChanType:
		return p.Paren(x)
	}
	return x
}

func (w *Writer) basicType(p syntax.At, t *types.Basic) ast.Expr {
	switch t.Kind() {
	case types.UnsafePointer:
		return p.Sel(w.PackageName(p, "unsafe"), "Pointer")
	case types.UntypedNil, types.Invalid:
		return p.ID("any")
	}
	return p.ID(types.Default(t).(*types.Basic).Name())
}

func (w *Writer) namedType(p syntax.At, t *types.Named) ast.Expr {
	o := t.Obj()
	switch {
	case o.Pkg() == nil && o.Name() == "error":
		// The interpreter's own error accepts only its own values; the compiled one
		// accepts all.
		return p.Sel(p.ID(syntax.SupportName), "error")
	case o.Pkg() == nil: // comparable
		return p.ID(o.Name())
	case t.TypeArgs().Len() == 0 && gofront.Interpreted(o):
		return p.ID(w.InnerName(o))
	case t.TypeArgs().Len() > 0:
		if !gofront.Interpreted(o) {
			if source := gofront.LibraryType(o.Pkg().Path(), o.Name()); source != "" {
				return p.ID(w.instanceOfLibrary(p, t, source))
			}
			if t.NumMethods() > 0 {
				w.Fail(p, "the interpreter does not have the generic type %s", types.TypeString(t, gofront.ShortNames))
			}
			return w.TypeExpr(p, t.Underlying())
		}
		return p.ID(w.instanceType(p, t))
	case !o.Exported():
		if _, isInterface := t.Underlying().(*types.Interface); !isInterface && t.NumMethods() == 0 {
			return w.TypeExpr(p, t.Underlying())
		}
		w.Fail(p, "%s.%s is not exported, so the interpreter cannot name the type of this", o.Pkg().Name(), o.Name())
		return p.ID("int")
	}
	path, name := w.front.Library.Importable(o.Pkg().Path(), o.Name())
	if !w.front.Library.Has(path, name) {
		w.Fail(p, "the interpreter does not have %s.%s", o.Pkg().Name(), o.Name())
	}
	return p.Sel(w.PackageName(p, path), name)
}

// FuncType writes the type of a function. names are those of its parameters, or
// nil.
func (w *Writer) FuncType(p syntax.At, t *types.Signature, names []string) *ast.FuncType {
	f := p.FuncType(p.Fields(), nil)
	for i := range t.Params().Len() {
		v := t.Params().At(i)
		var x ast.Expr
		if t.Variadic() && i == t.Params().Len()-1 {
			elem := types.Type(types.Typ[types.Byte])
			if s, ok := types.Unalias(v.Type()).Underlying().(*types.Slice); ok {
				elem = s.Elem()
			}
			x = &ast.Ellipsis{Ellipsis: token.Pos(p), Elt: w.TypeExpr(p, elem)}
		} else {
			x = w.TypeExpr(p, v.Type())
		}
		name := ""
		if names != nil {
			name = names[i]
		}
		f.Params.List = append(f.Params.List, p.Field(name, x))
	}
	if n := t.Results().Len(); n > 0 {
		f.Results = p.Fields()
		for i := range n {
			f.Results.List = append(f.Results.List, p.Field("", w.TypeExpr(p, t.Results().At(i).Type())))
		}
	}
	return f
}

func (w *Writer) structType(p syntax.At, t *types.Struct) *ast.StructType {
	s := &ast.StructType{Struct: token.Pos(p), Fields: p.Fields()}
	for i := range t.NumFields() {
		v := t.Field(i)
		name := fieldName(t, v)
		if v.Name() == "_" { // of which there may be several
			name = fmt.Sprintf("blank%s%d", syntax.AliasMark, i)
		}
		f := p.Field(name, w.TypeExpr(p, v.Type()))
		if v.Embedded() && !embedsCompiled(v) {
			f.Names = nil
		}
		if tag := t.Tag(i); tag != "" {
			f.Tag = p.Quoted(tag)
		}
		s.Fields.List = append(s.Fields.List, f)
	}
	return s
}

// FieldName returns the name of a field of t in the interpreter. The name of an embedded
// field is the inner name of its type.
func (w *Writer) FieldName(t types.Type, v *types.Var) string {
	if !v.Embedded() || embedsCompiled(v) {
		return fieldName(StructOf(t), v)
	}
	x := w.TypeExpr(w.start, v.Type())
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

// fieldName returns the name in the interpreter of a field that is not embedded. Beside an
// embedded type, which may have a method of that name, it is another: the interpreter takes
// a field and a method within an embedded field for equally deep.
func fieldName(s *types.Struct, v *types.Var) string {
	if isRenamed(s, v) {
		return v.Name() + syntax.AliasMark
	}
	return v.Name()
}

func (w *Writer) interfaceType(p syntax.At, t *types.Interface) ast.Expr {
	s := &ast.InterfaceType{Interface: token.Pos(p), Methods: p.Fields()}
	if !t.IsMethodSet() && t.NumMethods() == 0 {
		return s // a constraint, which has no values
	}
	for i := range t.NumMethods() {
		m := t.Method(i)
		s.Methods.List = append(s.Methods.List, p.Field(m.Name(), w.FuncType(p, m.Signature(), nil)))
	}
	return s
}

// TypeKey identifies a type: equal keys mean equal types in the interpreter.
func (w *Writer) TypeKey(t types.Type) string {
	return syntaxKey(w.TypeExpr(w.start, t)) // it may declare an instance, in a place that the interpreter knows
}

func syntaxKey(x ast.Expr) string {
	key := types.ExprString(x)
	ast.Inspect(x, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && f.Tag != nil { // which ExprString leaves out
			key += " " + f.Tag.Value
		}
		return true
	})
	return key
}

// PackageName returns the name of a package in the interpreter, and adds it to the
// imports if necessary.
func (w *Writer) PackageName(p syntax.At, path string) *ast.Ident {
	name, ok := w.state.imported[path]
	for _, i := range w.Imports {
		if i.Path == path {
			name, ok = i.Name, true
		}
	}
	if !ok {
		name = fmt.Sprintf("%s%s%d", w.front.Library.Name(path), syntax.AliasMark, len(w.state.imported)+len(w.Imports)+1)
		w.Imports = append(w.Imports, Import{name, path})
	}
	return p.ID(name)
}

// Zero writes the zero value of a type. For an interface declared in cells it is a
// variable that is never set: to the interpreter neither nil nor *new(T) is a nil
// value of the interface.
func (w *Writer) Zero(p syntax.At, t types.Type) ast.Expr {
	if types.IsInterface(t) && !IsCompiled(t) {
		return p.ID(w.WriteOnce("nil "+w.TypeKey(t), "nil", func(name string) {
			w.Decls = append(w.Decls, p.Var(name, w.TypeExpr(p, t)))
		}))
	}
	return p.Star(p.Call(p.ID("new"), w.TypeExpr(p, t)))
}
