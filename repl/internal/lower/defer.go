package lower

import (
	"go/ast"
	"go/types"
	"strconv"

	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// The interpreter locks the variables of a function while its deferred functions run,
// and deadlocks if one of them calls a function that was made there. So functions
// with defer statements are rewritten, and the session implements defer and recover:
//
//		func f() (r int) {
//			__repl.Deferring(func(later func(func(), bool)) { body; later(g, true); r = 1; return })
//			return r
//		}

// functionBody lowers the body of a function whose type was lowered to ft.
func (l *Lowering) functionBody(body *ast.BlockStmt, ft *ast.FuncType, sig *types.Signature) *ast.BlockStmt {
	around := l.fn
	defer func() { l.fn = around }()
	l.fn = &function{results: sig.Results(), around: around, direct: l.direct}
	l.direct = false
	l.noteGotos(body)
	l.noteCounters(body)
	l.noteLookups(body)
	p := syntax.At(body.Lbrace)
	f := l.fn
	begin := breathing(body)
	if recovers(body) {
		f.recovering = l.Temporary("panicking")
		begin = append(begin, p.Define(f.recovering, p.Support("Recoverable")), p.Set(p.ID("_"), p.ID(f.recovering)))
	}
	// With nameless parameters the interpreter confuses the places of parameters and results
	// of a function if statements precede its body.
	repr.NameParams(p, ft.Params)
	if !defers(body) {
		if f.direct && sig.Results().Len() > 0 && sig.Results().At(0).Name() != "" {
			begin = append(begin, l.ownResults(ft, sig)...)
		}
		out := l.block(body)
		out.List = append(begin, out.List...)
		return out
	}
	f.deferring = l.Temporary("later")
	f.out = []string{}
	if ft.Results != nil {
		for _, field := range ft.Results.List {
			if len(field.Names) == 0 {
				name := l.Temporary("result")
				f.out = append(f.out, name)
				begin = append(begin, &ast.DeclStmt{Decl: p.Var(name, l.TypeExpr(p, sig.Results().At(len(f.out)-1).Type()))})
			}
			for _, id := range field.Names {
				if id.Name == "_" {
					id.Name = l.Temporary("result")
				}
				f.out = append(f.out, id.Name)
			}
		}
	}
	inner := l.block(body)
	later := &ast.FuncType{Func: body.Lbrace, Params: p.Fields(p.Field("", &ast.FuncType{Func: body.Lbrace, Params: p.Fields()}), p.Field("", p.ID("bool")))}
	lit := &ast.FuncLit{Type: &ast.FuncType{Func: body.Lbrace, Params: p.Fields(p.Field(f.deferring, later))}, Body: inner}
	list := append(begin, p.Expr(p.Support("Deferring", lit)))
	if len(f.out) > 0 {
		list = append(list, syntax.At(body.Rbrace).Return(syntax.At(body.Rbrace).IDs(f.out...)...))
	}
	return &ast.BlockStmt{Lbrace: body.Lbrace, List: list, Rbrace: body.Rbrace}
}

// ownResults gives a function its own variables for its results. A function that is
// called by name (because it is recursive or generic) would otherwise start with the
// variables, and their values, that its caller assigns the results to.
func (l *Lowering) ownResults(ft *ast.FuncType, sig *types.Signature) []ast.Stmt {
	var begin []ast.Stmt
	p, list := syntax.At(ft.Results.Pos()), ft.Results.List
	ft.Results = p.Fields()
	l.fn.out = []string{}
	for _, field := range list {
		for _, id := range field.Names {
			name := id.Name
			if name == "_" {
				name = l.Temporary("result")
			}
			begin = append(begin, &ast.DeclStmt{Decl: p.Var(name, l.TypeExpr(p, sig.Results().At(len(l.fn.out)).Type()))})
			ft.Results.List = append(ft.Results.List, p.Field("", l.TypeExpr(p, sig.Results().At(len(l.fn.out)).Type())))
			l.fn.out = append(l.fn.out, name)
		}
	}
	return begin
}

// defers reports whether a function contains a defer statement outside nested
// function literals.
func defers(body *ast.BlockStmt) bool {
	return has(body, func(n ast.Node) bool { _, ok := n.(*ast.DeferStmt); return ok })
}

// recovers reports whether a function calls, or might call, recover itself.
func recovers(body *ast.BlockStmt) bool {
	return has(body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := ast.Unparen(c.Fun).(*ast.Ident)
		return ok && id.Name == "recover"
	})
}

// has reports whether a function contains a node for which is returns true, outside
// nested function literals.
func has(body *ast.BlockStmt, is func(n ast.Node) bool) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		found = found || n != nil && is(n)
		return !found
	})
	return found
}

// deferred lowers a defer statement. In the body of a range over a function it
// belongs to the enclosing function.
func (l *Lowering) deferred(s *ast.DeferStmt) []ast.Stmt {
	p := syntax.At(s.Defer)
	root := l.fn.root()
	later := func(f *ast.FuncLit, recovers bool) ast.Stmt {
		return p.Expr(p.Call(p.ID(root.deferring), f, p.ID(strconv.FormatBool(recovers))))
	}
	if lit, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok && len(lit.Type.Params.List) == 0 && lit.Type.Results == nil {
		return []ast.Stmt{later(l.function(lit), recovers(lit.Body))}
	}
	if id, ok := ast.Unparen(s.Call.Fun).(*ast.Ident); ok && id.Name == "recover" && l.info.Types[s.Call.Fun].IsBuiltin() {
		return []ast.Stmt{later(p.Function(p.Expr(p.Support("RecoverLate", p.ID(root.recovering)))), true)}
	}
	before, call := l.hoisted(s.Call)
	known := l.mayRecover(s.Call)
	return []ast.Stmt{p.Block(append(before, later(p.Function(call), known))...)}
}
