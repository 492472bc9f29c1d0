package repr

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/syntax"
)

// NonNil lowers a dereference so that it panics if the pointer is nil. In the
// interpreter, dereferencing a nil pointer to an interface declared in cells yields
// nil.
func (w *Writer) NonNil(p syntax.At, x ast.Expr, t types.Type) ast.Expr {
	if !PointsToInterface(t) {
		return x
	}
	return p.Call(p.ID(w.WriteOnce("present "+w.TypeKey(t), "present", func(name string) {
		v := w.Temporary("v")
		w.Decls = append(w.Decls, p.FuncDecl(name, p.FuncType(p.Fields(p.Field(v, w.TypeExpr(p, t))), p.Fields(p.Field("", w.TypeExpr(p, t)))),
			p.If(p.Binary(p.ID(v), token.EQL, p.ID("nil")), p.Expr(p.Support("NilPointer"))),
			p.Return(p.ID(v))))
	})), x)
}

// PointsToInterface reports whether t is a pointer to an interface declared in
// cells.
func PointsToInterface(t types.Type) bool {
	ptr, ok := t.Underlying().(*types.Pointer)
	return ok && types.IsInterface(ptr.Elem()) && !IsCompiled(ptr.Elem())
}
