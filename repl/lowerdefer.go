package repl

import (
	"go/ast"
	"go/types"
)

// The interpreter holds a lock on a function's variables while its deferred
// functions run, and never comes back when one of them calls a function that
// was made there. So functions that defer are written in another way, and the
// session does the deferring and recovering:
//
//	func f() (r int) {
//		__repl.Deferring(func(later func(func())) { body; later(g); r = 1; return })
//		return r
//	}

// functionBody lowers the body of a function of type t, which was lowered to
// ft.
func (l *lowering) functionBody(body *ast.BlockStmt, t, ft *ast.FuncType, sig *types.Signature) *ast.BlockStmt {
	around := l.fn
	defer func() { l.fn = around }()
	l.fn = &function{results: sig.Results(), around: around}
	if !defers(body) {
		return l.block(body)
	}
	p := at(body.Lbrace)
	f := l.fn
	f.deferring = l.made("later")
	var begin []ast.Stmt
	f.out = []string{}
	if ft.Results != nil {
		for _, field := range ft.Results.List {
			if len(field.Names) == 0 {
				name := l.made("result")
				f.out = append(f.out, name)
				begin = append(begin, &ast.DeclStmt{Decl: p.variable(name, l.typeExpr(p, sig.Results().At(len(f.out)-1).Type()))})
			}
			for _, id := range field.Names {
				if id.Name == "_" {
					id.Name = l.made("result")
				}
				f.out = append(f.out, id.Name)
			}
		}
	}
	inner := l.block(body)
	later := &ast.FuncType{Func: body.Lbrace, Params: p.fields(p.field("", &ast.FuncType{Func: body.Lbrace, Params: p.fields()}))}
	lit := &ast.FuncLit{Type: &ast.FuncType{Func: body.Lbrace, Params: p.fields(p.field(f.deferring, later))}, Body: inner}
	list := append(begin, p.expr(p.support("Deferring", lit)))
	if len(f.out) > 0 {
		list = append(list, at(body.Rbrace).give(at(body.Rbrace).ids(f.out...)...))
	}
	return &ast.BlockStmt{Lbrace: body.Lbrace, List: list, Rbrace: body.Rbrace}
}

// defers reports whether a function has a defer statement of its own.
func defers(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = true
		}
		return !found
	})
	return found
}

// deferred lowers a defer statement. One in a loop over a function belongs to
// the function around the loop.
func (l *lowering) deferred(s *ast.DeferStmt) []ast.Stmt {
	p := at(s.Defer)
	root := l.fn
	for root.yield != nil {
		root = root.around
	}
	if lit, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok && len(s.Call.Args) == 0 && lit.Type.Results == nil {
		return []ast.Stmt{p.expr(p.call(p.id(root.deferring), l.function(lit)))}
	}
	before, call := l.frozen(s.Call)
	return []ast.Stmt{p.block(append(before, p.expr(p.call(p.id(root.deferring), p.function(call))))...)}
}
