package repr

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"symmom/repl/internal/boxed"
	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// In an interface of a package, such as io.Reader, a value of a cell's type is a
// wrapper: a struct of compiled code with the value in its box, and its methods. See
// package boxed.

// Enters reports whether a value of type from, when it becomes an interface to, has to
// be put into a new location of that type: into an interface that is declared in cells
// or into a wrapper.
func Enters(from, to types.Type) bool {
	if from == nil || to == nil || !types.IsInterface(to) || types.IsInterface(from) || IsNilType(from) {
		return false
	}
	return !IsCompiled(to) || !HoldsBoxes(to) && NeedsBox(from)
}

// returns reports whether a value of interface from may be a wrapper and a value of
// interface to a box.
func returns(from, to types.Type) bool {
	return from != nil && to != nil && types.IsInterface(from) && types.IsInterface(to) && IsCompiled(from) && IsCompiled(to) && !HoldsBoxes(from) && HoldsBoxes(to)
}

// Enter converts x, of type from, to an interface. In the interpreter an interface that
// is declared in cells refers to the location of the value, and would change with it, so
// the value is copied first:
//
//	func enter(v T) []I { w := v; return []I{w} }
//
// If the interface is of a package, the session makes the wrapper:
//
//	func enter(v T) []io.Reader {
//		w := v
//		list := make([]io.Reader, 1)
//		__repl.Wrap(id, w, list, "Read", func(b []byte) (int, error) { return w.Read(b) })
//		return list
//	}
//
// It is returned in a slice because for an argument that is a call, the interpreter
// refers to the location of the result, which the next call sets.
func (w *Writer) Enter(p syntax.At, x ast.Expr, from, to types.Type) ast.Expr {
	var methods []*types.Func
	key := "enter " + w.TypeKey(from) + " " + w.TypeKey(to)
	if IsCompiled(to) {
		methods = w.wrapped(p, from, to)
		for _, m := range methods {
			key += " " + m.Name()
		}
	}
	name := w.WriteOnce(key, "enter", func(name string) {
		v, copied, list := w.Temporary("v"), w.Temporary("w"), w.Temporary("list")
		slice := &ast.ArrayType{Lbrack: token.Pos(p), Elt: w.TypeExpr(p, to)}
		body := []ast.Stmt{p.Define(copied, p.ID(v))}
		if !IsCompiled(to) {
			body = append(body, p.Return(&ast.CompositeLit{Type: slice, Elts: p.IDs(copied)}))
		} else {
			args := []ast.Expr{p.Int(w.boxType(from).ID), p.ID(copied), p.ID(list)}
			for _, m := range methods {
				args = append(args, p.Quoted(m.Name()), w.bound(p, copied, from, m))
			}
			body = append(body, p.Define(list, p.Call(p.ID("make"), slice, p.Int(1))), p.Expr(p.Support("Wrap", args...)), p.Return(p.ID(list)))
		}
		w.Decls = append(w.Decls, p.FuncDecl(name, p.FuncType(p.Fields(p.Field(v, w.TypeExpr(p, from))), p.Fields(p.Field("", slice))), body...))
	})
	if hasSign(from) {
		value := func(t types.Type) *types.Tuple { return types.NewTuple(types.NewVar(token.NoPos, nil, "", t)) }
		name = w.Holder(p, name, types.NewSignatureType(nil, nil, nil, value(from), value(types.NewSlice(to)), false))
	}
	return p.Index(p.Call(p.ID(name), x), p.Int(0))
}

// wrapped returns the methods of type from that a wrapper for interface to has: those of
// the interface, and others that compiled code looks for in it.
func (w *Writer) wrapped(p syntax.At, from, to types.Type) []*types.Func {
	var out []*types.Func
	to = types.Unalias(to)
	names := boxed.Beyond(types.TypeString(to, nil))
	for m := range to.Underlying().(*types.Interface).Methods() {
		if !m.Exported() {
			w.Fail(p, "%s has methods that are not exported, so no value of the type %s, which a cell declares, can be in it here; take the value that is embedded",
				types.TypeString(to, gofront.ShortNames), TypeTitle(from))
		}
		if !slices.Contains(names, m.Name()) {
			names = append(names, m.Name())
		}
	}
	for _, name := range names {
		o, _, _ := types.LookupFieldOrMethod(from, false, w.front.Types.Pkg, name)
		if f, ok := o.(*types.Func); ok {
			out = append(out, f)
		}
	}
	return out
}

// bound writes a function that calls a method of the variable v, of type t.
func (w *Writer) bound(p syntax.At, v string, t types.Type, m *types.Func) ast.Expr {
	_, index, _ := types.LookupFieldOrMethod(t, false, w.front.Types.Pkg, m.Name())
	sig := m.Signature()
	names := make([]string, sig.Params().Len())
	for i := range names {
		names[i] = w.Temporary("a")
	}
	return p.FuncLit(w.FuncType(p, sig, names), Forward(p, p.Sel(w.Through(p, p.ID(v), t, index), m.Name()), sig, names)...)
}

// Key returns x, an interface of type t of a package, as a key of a map: a wrapper is
// not comparable, a pointer to the one that the session has for its value is.
func (w *Writer) Key(p syntax.At, x ast.Expr, t types.Type) ast.Expr {
	return p.Index(p.Call(p.ID(w.WriteOnce("key "+w.TypeKey(t), "key", func(name string) {
		v, list := w.Temporary("v"), w.Temporary("list")
		slice := &ast.ArrayType{Lbrack: token.Pos(p), Elt: w.TypeExpr(p, t)}
		w.Decls = append(w.Decls, p.FuncDecl(name, p.FuncType(p.Fields(p.Field(v, w.TypeExpr(p, t))), p.Fields(p.Field("", slice))),
			p.Define(list, &ast.CompositeLit{Type: slice, Elts: p.IDs(v)}), p.Expr(p.Support("Key", p.ID(list))), p.Return(p.ID(list))))
	})), x), p.Int(0))
}
