package gofront

import (
	"go/ast"
	"go/token"
	"go/types"
)

// present lets pass a pointer that is not nil. To the interpreter what a nil
// pointer to an interface of the cells points to is nil.
func (l *Lowering) present(p At, x ast.Expr, t types.Type) ast.Expr {
	if !pointsToOwn(t) {
		return x
	}
	return p.Call(p.ID(l.writeOnce("present "+l.typeKey(t), "present", func(name string) {
		v := l.temporary("v")
		l.Decls = append(l.Decls, &ast.FuncDecl{Name: p.ID(name), Type: &ast.FuncType{Func: token.Pos(p),
			Params: p.fields(p.field(v, l.typeExpr(p, t))), Results: p.fields(p.field("", l.typeExpr(p, t)))},
			Body: p.Block(p.ifStmt(p.binary(p.ID(v), token.EQL, p.ID("nil")), p.Expr(p.Support("NilPointer"))), p.ret(p.ID(v)))})
	})), x)
}

// pointsToOwn says whether t is a pointer to an interface of the cells.
func pointsToOwn(t types.Type) bool {
	ptr, ok := t.Underlying().(*types.Pointer)
	return ok && types.IsInterface(ptr.Elem()) && !compiled(ptr.Elem())
}

// intoInterface says whether an operand of && or || converts to an interface. The
// interpreter takes what is converted for the condition.
func (l *Lowering) intoInterface(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			tv := l.info.Types[n.Fun]
			found = found || tv.IsType() && types.IsInterface(tv.Type)
		case *ast.FuncLit:
			return false
		}
		return !found
	})
	return found
}
