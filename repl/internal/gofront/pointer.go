package gofront

import (
	"go/ast"
	"go/token"
	"go/types"
)

// present lets pass a pointer that is not nil. To the interpreter what a nil
// pointer to an interface of the cells points to is nil.
func (w *Writer) present(p At, x ast.Expr, t types.Type) ast.Expr {
	if !pointsToOwn(t) {
		return x
	}
	return p.Call(p.ID(w.writeOnce("present "+w.typeKey(t), "present", func(name string) {
		v := w.temporary("v")
		w.Decls = append(w.Decls, &ast.FuncDecl{Name: p.ID(name), Type: &ast.FuncType{Func: token.Pos(p),
			Params: p.fields(p.field(v, w.typeExpr(p, t))), Results: p.fields(p.field("", w.typeExpr(p, t)))},
			Body: p.Block(p.ifStmt(p.binary(p.ID(v), token.EQL, p.ID("nil")), p.Expr(p.Support("NilPointer"))), p.ret(p.ID(v)))})
	})), x)
}

// pointsToOwn says whether t is a pointer to an interface of the cells.
func pointsToOwn(t types.Type) bool {
	ptr, ok := t.Underlying().(*types.Pointer)
	return ok && types.IsInterface(ptr.Elem()) && !compiled(ptr.Elem())
}
