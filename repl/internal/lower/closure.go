package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// Function literals share state inside the interpreter that goroutines must not
// share.
//
// The interpreter evaluates a function literal into a slot of the enclosing frame,
// and when the function has run it restores the slot's previous value. If the frame
// continues meanwhile and makes its next function, it passes on the wrong one, or
// none: a goroutine of the previous iteration can end at that moment, and so can a
// function that is called while the other arguments of a call are evaluated. So each
// function is made in a frame that makes nothing else:
//
//		func() func(int) int { return func(x int) int { ... } }()
//
// This is not needed for functions that have run before the frame continues: those
// called immediately, bodies of loops over functions, and deferred functions.

// closure lowers a function literal so that it is made in a frame of its own.
func (l *Lowering) closure(p syntax.At, lit *ast.FuncLit, sig *types.Signature) ast.Expr {
	t := p.FuncType(p.Fields(), p.Fields(p.Field("", l.FuncType(p, sig, nil))))
	return p.Call(p.FuncLit(t, p.Return(lit)))
}

// function lowers a function literal that is called before the enclosing frame
// continues.
func (l *Lowering) function(x *ast.FuncLit) *ast.FuncLit {
	sig, ok := l.info.TypeOf(x).(*types.Signature)
	if !ok {
		return x
	}
	t := l.funcSyntax(x.Type)
	return &ast.FuncLit{Type: t, Body: l.functionBody(x.Body, t, sig)}
}

// called lowers the method x.Method of a call. If the method is declared in a cell
// with a pointer receiver, it is passed the pointer: the interpreter would first read
// all of x, which may be a mutex in use by another goroutine.
func (l *Lowering) called(x *ast.SelectorExpr) ast.Expr {
	fun := l.selector(x)
	sel := l.info.Selections[x]
	if sel == nil || sel.Kind() != types.MethodVal {
		return fun
	}
	f, ok := fun.(*ast.SelectorExpr)
	m := sel.Obj().(*types.Func)
	if !ok || !gofront.Interpreted(m) {
		return fun
	}
	t := l.info.TypeOf(x.X)
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		t = repr.StructOf(t).Field(i).Type()
	}
	_, field := ast.Unparen(f.X).(*ast.SelectorExpr)
	_, wants := m.Signature().Recv().Type().Underlying().(*types.Pointer)
	if _, has := t.Underlying().(*types.Pointer); wants && !has {
		f.X, t = syntax.At(x.Pos()).Paren(syntax.At(x.Pos()).Unary(token.AND, f.X)), types.NewPointer(t)
	}
	if holdsFunc(t) && field { // of a field that is a function the interpreter finds no methods
		f.X = l.evaluated(f.X, t)
	}
	return f
}

// holdsFunc reports whether t is a type of functions, or points to one.
func holdsFunc(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}
