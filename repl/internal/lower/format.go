package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"symmom/repl/internal/syntax"
)

// The session replaces the functions of fmt that print by its own, which know the types
// of cells. Those of log are given what these print.

// logs returns the called function or method of log that prints its operands, or nil.
func (l *Lowering) logs(x *ast.CallExpr) *types.Func {
	f := l.callee(x)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "log" {
		return nil
	}
	if verb, _ := logVerb(f.Name()); verb != "Print" && verb != "Panic" && verb != "Fatal" {
		return nil
	}
	return f
}

// logVerb splits the name of a function of log: Printf into Print and f.
func logVerb(name string) (verb, form string) {
	for _, form := range []string{"f", "ln"} {
		if verb, ok := strings.CutSuffix(name, form); ok {
			return verb, form
		}
	}
	return name, ""
}

// printer lowers a call of a function of log.
func (l *Lowering) printer(p syntax.At, x, out *ast.CallExpr) {
	f := l.logs(x)
	if f == nil {
		return
	}
	sel, ok := out.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	verb, form := logVerb(f.Name())
	text := p.Support("Sprint"+form, out.Args...)
	text.Ellipsis = out.Ellipsis
	sel.Sel = p.ID(verb)
	out.Args, out.Ellipsis = []ast.Expr{text}, token.NoPos
}

// printerValue lowers a printing function that is not called to a function literal that
// calls it, or returns nil.
func (l *Lowering) printerValue(p syntax.At, x ast.Expr) ast.Expr {
	call := &ast.CallExpr{Fun: x, Lparen: token.Pos(p), Ellipsis: token.Pos(p), Rparen: token.Pos(p)}
	f := l.logs(call)
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
