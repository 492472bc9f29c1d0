package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// What goroutines would share within the interpreter, and must not.
//
// The interpreter evaluates a function literal into a place of the frame
// around it, and when the function has run it puts back into that place what
// was there before. A frame that goes on meanwhile, making its next function,
// then passes on the wrong one, or none: a goroutine of the round before can
// end at that moment, and so can a function that is called while the other
// arguments of a call are evaluated. So each function is made in a frame that
// makes nothing else:
//
//	func() func(int) int { return func(x int) int { ... } }()
//
// Functions that have run before the frame goes on need none of this: those
// called on the spot, bodies of loops over functions, and what is deferred.

// closure makes a function in a frame of its own.
func (l *Lowering) closure(p syntax.At, lit *ast.FuncLit, sig *types.Signature) ast.Expr {
	t := &ast.FuncType{Func: token.Pos(p), Params: p.Fields(), Results: p.Fields(p.Field("", l.FuncType(p, sig, nil)))}
	return p.Call(&ast.FuncLit{Type: t, Body: p.Block(p.Return(lit))})
}

// function lowers a function literal that is called before the frame around it
// goes on.
func (l *Lowering) function(x *ast.FuncLit) *ast.FuncLit {
	sig, ok := l.info.TypeOf(x).(*types.Signature)
	if !ok {
		return x
	}
	t := l.funcSyntax(x.Type)
	return &ast.FuncLit{Type: t, Body: l.functionBody(x.Body, x.Type, t, sig)}
}

// called is the method x.Method that is called. One of a cell that takes a
// pointer gets it here: the interpreter would look at x as a whole first,
// which may be a mutex that another goroutine is at.
func (l *Lowering) called(x *ast.SelectorExpr) ast.Expr {
	fun := l.selector(x)
	sel := l.info.Selections[x]
	if sel == nil || sel.Kind() != types.MethodVal {
		return fun
	}
	f, ok := fun.(*ast.SelectorExpr)
	m := sel.Obj().(*types.Func)
	if !ok || m.Pkg() == nil || m.Pkg().Path() != "main" {
		return fun
	}
	t := l.info.TypeOf(x.X)
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		t = repr.StructOf(t).Field(i).Type()
	}
	_, wants := m.Signature().Recv().Type().Underlying().(*types.Pointer)
	if _, has := t.Underlying().(*types.Pointer); wants && !has {
		f.X = syntax.At(x.Pos()).Paren(syntax.At(x.Pos()).Unary(token.AND, f.X))
	}
	return f
}
