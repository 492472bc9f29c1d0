package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"symmom/repl/internal/syntax"
)

// The session replaces the functions of fmt that print by its own, which know the types
// of cells. Those of log are given a value that prints what these would:
//
//	l.Printf("%v", __repl.LogTextf("%d", x))

// logs returns the called function or method of log that prints its operands, or nil, and
// the end of its name: f, ln or nothing.
func (l *Lowering) logs(x *ast.CallExpr) (f *types.Func, form string) {
	if f = l.callee(x); f == nil || f.Pkg() == nil || f.Pkg().Path() != "log" {
		return nil, ""
	}
	for _, verb := range []string{"Print", "Panic", "Fatal"} {
		if form, ok := strings.CutPrefix(f.Name(), verb); ok {
			return f, form
		}
	}
	return nil, ""
}

// printer lowers a call of a function of log.
func (l *Lowering) printer(p syntax.At, x, out *ast.CallExpr) {
	f, form := l.logs(x)
	if f == nil {
		return
	}
	text := p.Support("LogText"+form, out.Args...)
	text.Ellipsis = out.Ellipsis
	out.Args, out.Ellipsis = []ast.Expr{text}, token.NoPos
	if form == "f" {
		out.Args = []ast.Expr{p.Quoted("%v"), text}
	}
}

// printerValue lowers a printing function that is not called to a function literal that
// calls it, or returns nil.
func (l *Lowering) printerValue(p syntax.At, x ast.Expr) ast.Expr {
	call := &ast.CallExpr{Fun: x, Lparen: token.Pos(p), Ellipsis: token.Pos(p), Rparen: token.Pos(p)}
	f, _ := l.logs(call)
	if f == nil || f.Signature().Recv() != nil {
		return nil
	}
	var names []string
	for v := range f.Signature().Params().Variables() {
		id := l.variableOf(p, v.Type())
		call.Args = append(call.Args, id)
		names = append(names, l.LocalName(l.info.Uses[id]))
	}
	y := l.call(call)
	var st ast.Stmt = p.Expr(y)
	if f.Signature().Results().Len() > 0 {
		st = p.Return(y)
	}
	return p.FuncLit(l.FuncType(p, f.Signature(), names), st)
}
