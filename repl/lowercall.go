package repl

import (
	"go/ast"
	"go/token"
	"go/types"
)

// call lowers a call, a conversion, or a use of a builtin.
func (l *lowering) call(x *ast.CallExpr) ast.Expr {
	tv := l.info.Types[x.Fun]
	if tv.IsBuiltin() {
		return l.builtin(x)
	}
	if st := l.synchronized(x); st != nil {
		return st
	}
	fun := ast.Unparen(x.Fun)
	sel, isSelector := fun.(*ast.SelectorExpr)
	lit, isLiteral := fun.(*ast.FuncLit)
	switch {
	case isSelector && !tv.IsType():
		fun = l.called(sel)
	case isLiteral:
		fun = l.function(lit)
	default:
		fun = l.expr(x.Fun)
	}
	out := at(x.Lparen).call(fun, l.printed(x, l.exprs(x.Args))...)
	out.Ellipsis = x.Ellipsis
	return out
}

func (l *lowering) builtin(x *ast.CallExpr) ast.Expr {
	p := at(x.Pos())
	name := ""
	switch f := ast.Unparen(x.Fun).(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr: // of package unsafe
		return &ast.CallExpr{Fun: p.sel(l.packageName(p, "unsafe"), f.Sel.Name), Lparen: x.Lparen, Args: l.exprs(x.Args), Rparen: x.Rparen}
	}
	switch name {
	case "min", "max":
		t := types.Default(l.info.TypeOf(x))
		d := librarySource("builtin", name)
		fun := p.id(l.instance(p, "builtin."+name, d, []types.Type{t}))
		var args []ast.Expr
		for _, a := range x.Args {
			args = append(args, l.expr(a))
		}
		return p.call(fun, args...)
	case "recover":
		return p.support("Recover")
	case "clear":
		return p.support("Clear", l.exprs(x.Args)...)
	case "new":
		if !l.info.Types[x.Args[0]].IsType() { // new(x): a pointer to a copy
			t := l.info.TypeOf(x.Args[0])
			v := l.made("v")
			sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(0, nil, "v", types.Default(t))),
				types.NewTuple(types.NewVar(0, nil, "", types.NewPointer(types.Default(t)))), false)
			return p.call(p.paren(&ast.FuncLit{Type: l.funcType(p, sig, []string{v}), Body: p.block(p.give(p.unary(token.AND, p.id(v))))}), l.expr(x.Args[0]))
		}
	}
	return &ast.CallExpr{Fun: p.id(name), Lparen: x.Lparen, Args: l.exprs(x.Args), Ellipsis: x.Ellipsis, Rparen: x.Rparen}
}

// waits are the methods of package sync that wait for another goroutine. An
// interrupt must end them, which it cannot within compiled code.
var waits = map[string]string{
	"(*sync.Mutex).Lock": "Lock", "(*sync.RWMutex).Lock": "Lock", "(*sync.RWMutex).RLock": "RLock", "(*sync.WaitGroup).Wait": "Wait",
}

// synchronized lowers a call of a method in waits, or returns nil.
func (l *lowering) synchronized(x *ast.CallExpr) ast.Expr {
	fun, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	sel := l.info.Selections[fun]
	if sel == nil || sel.Kind() != types.MethodVal {
		return nil
	}
	f, ok := sel.Obj().(*types.Func)
	if !ok || waits[f.FullName()] == "" {
		return nil
	}
	p := at(x.Pos())
	// The receiver is x, or a field that x embeds.
	recv, t := l.expr(fun.X), l.info.TypeOf(fun.X)
	index := sel.Index()
	for _, i := range index[:len(index)-1] {
		field := structOf(t).Field(i)
		if field.Pkg() == nil || field.Pkg().Path() != "main" {
			return nil
		}
		recv, t = p.sel(recv, l.fieldName(field)), field.Type()
	}
	if _, pointer := t.Underlying().(*types.Pointer); !pointer {
		recv = p.unary(token.AND, recv)
	}
	return p.support(waits[f.FullName()], recv)
}
