package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/syntax"
)

// rangeBody is the body of a loop over a function, which becomes a function itself.
// If it is left other than to the next iteration, a number tells the code after the
// loop how.
type rangeBody struct {
	label  string
	labels map[string]bool // inside the body
	code   string          // name of the variable with the number
	done   string          // name of the variable that says that the loop cannot go on
	known  map[string]int  // how the body is left -> number
	exits  [][]ast.Stmt    // what to do after the loop, for otherExits and more
}

// The ways out of the body of a loop over a function, beside those of rangeBody. 0 is that
// of a panic. package support has the panics of the functions that go on after these.
const (
	byBreak = iota + 1
	loopIsOver
	otherExits
)

// enter and the function it returns bracket a statement that break would end, and continue if
// it is a loop.
func (l *Lowering) enter(loop bool) (leave func()) {
	f := l.fn
	f.breaks++
	if loop {
		f.continues++
	}
	return func() {
		f.breaks--
		if loop {
			f.continues--
		}
	}
}

// rangeFunc lowers a range over a function:
//
//	f(func(k K, v V) bool { body; return true })
func (l *Lowering) rangeFunc(s *ast.RangeStmt, sig *types.Signature, label string) []ast.Stmt {
	p := syntax.At(s.For)
	f := l.expr(s.X)
	body, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	if !ok {
		l.Fail(p, "cannot range over this function")
		return nil
	}
	y := &rangeBody{label: label, labels: map[string]bool{}, code: l.Temporary("code"), done: l.Temporary("done"), known: map[string]int{}}
	ast.Inspect(s.Body, func(n ast.Node) bool {
		if st, ok := n.(*ast.LabeledStmt); ok {
			y.labels[st.Label.Name] = true
		}
		return true
	})
	around := l.fn
	outermost := around.yield == nil
	l.fn = &function{around: around, yield: y}
	done, was := y.done, l.Temporary("was")
	names := make([]string, body.Params().Len())
	list := []ast.Stmt{p.If(p.ID(done), p.Define(was, p.ID(y.code)), p.Set(p.ID(y.code), p.Int(0)), p.Expr(p.Call(p.ID("panic"), p.Support("Iterated", p.ID(was))))),
		p.Set(p.ID(done), p.ID("true"))}
	for i := range names {
		x := []ast.Expr{s.Key, s.Value}[i]
		id, _ := x.(*ast.Ident)
		switch {
		case x == nil || isBlank(x):
			names[i] = "_"
		case s.Tok == token.DEFINE:
			names[i] = l.LocalName(l.info.Defs[id])
		default:
			names[i] = l.Temporary("v")
			list = append(list, p.Set(l.expr(x), l.Convert(p, p.ID(names[i]), body.Params().At(i).Type(), l.info.TypeOf(x))))
		}
	}
	list = append(list, l.stmts(s.Body.List)...)
	list = append(list, p.Set(p.ID(done), p.ID("false")), p.Return(p.ID("true")))
	lit := p.FuncLit(l.FuncType(p, body, names), list...)
	l.fn = around

	out := []ast.Stmt{p.Define(done, p.ID("false")), p.Define(y.code, p.Int(0))}
	if outermost {
		for i, name := range around.held {
			out = append(out, &ast.DeclStmt{Decl: p.Var(name, l.TypeExpr(p, around.results.At(i).Type()))})
		}
		around.held = nil
	}
	recovered := p.If(p.Binary(p.ID(y.code), token.EQL, p.Int(0)), p.Expr(p.Call(p.ID("panic"), p.Support("IterationPanic"))))
	out = append(out, p.Expr(p.Call(f, lit)), p.If(p.ID(done), recovered), p.Set(p.ID(done), p.ID("true")))
	left := y.code
	if len(y.exits) > 0 {
		left = l.Temporary("left")
		out = append(out, p.Define(left, p.ID(y.code)))
	}
	out = append(out, p.Set(p.ID(y.code), p.Int(loopIsOver)))
	for i, exit := range y.exits {
		out = append(out, p.If(p.Binary(p.ID(left), token.EQL, p.Int(i+otherExits)), exit...))
	}
	return out
}

// exit leaves the body of a loop over a function, to run the statements of do in
// the enclosing function.
func (l *Lowering) exit(p syntax.At, what string, do func() []ast.Stmt) []ast.Stmt {
	y, f := l.fn.yield, l.fn
	n, ok := y.known[what]
	if !ok {
		l.fn = f.around
		st := do()
		l.fn = f
		y.exits = append(y.exits, st)
		n = len(y.exits) - 1 + otherExits
		y.known[what] = n
	}
	return []ast.Stmt{p.Set(p.ID(y.code), p.Int(n)), p.Return(p.ID("false"))}
}

// branch lowers break, continue, goto and fallthrough.
func (l *Lowering) branch(s *ast.BranchStmt) []ast.Stmt {
	p := syntax.At(s.TokPos)
	plain := func() []ast.Stmt {
		out := &ast.BranchStmt{TokPos: s.TokPos, Tok: s.Tok}
		if s.Label != nil {
			out.Label = l.label(s.Label, s.Tok)
		}
		if save := l.saving[s]; save != nil {
			return []ast.Stmt{save, out}
		}
		return []ast.Stmt{out}
	}
	y := l.fn.yield
	if y == nil || s.Tok == token.FALLTHROUGH {
		return plain()
	}
	if s.Label == nil {
		switch {
		case s.Tok == token.BREAK && l.fn.breaks > 0, s.Tok == token.CONTINUE && l.fn.continues > 0:
			return plain()
		case s.Tok == token.BREAK:
			return l.lastIteration(p)
		}
		return l.nextIteration(p)
	}
	switch {
	case y.labels[s.Label.Name]:
		return plain()
	case s.Label.Name == y.label && s.Tok == token.BREAK:
		return l.lastIteration(p)
	case s.Label.Name == y.label && s.Tok == token.CONTINUE:
		return l.nextIteration(p)
	}
	return l.exit(p, s.Tok.String()+" "+s.Label.Name, func() []ast.Stmt { return l.branch(s) })
}

// nextIteration is continue in the body of a loop over a function.
func (l *Lowering) nextIteration(p syntax.At) []ast.Stmt {
	return []ast.Stmt{p.Set(p.ID(l.fn.yield.done), p.ID("false")), p.Return(p.ID("true"))}
}

// lastIteration is break in the body of a loop over a function.
func (l *Lowering) lastIteration(p syntax.At) []ast.Stmt {
	return []ast.Stmt{p.Set(p.ID(l.fn.yield.code), p.Int(byBreak)), p.Return(p.ID("false"))}
}

// returns lowers a return statement.
func (l *Lowering) returns(s *ast.ReturnStmt) []ast.Stmt {
	p := syntax.At(s.Return)
	root := l.fn.root()
	before, values := l.returned(s, root)
	if l.fn.yield == nil && root.out == nil {
		return append(before, &ast.ReturnStmt{Return: s.Return, Results: values})
	}
	bare := func() ast.Stmt { return p.Return() }
	if root.out != nil && root.deferring == "" {
		bare = func() ast.Stmt { return p.Return(p.IDs(root.out...)...) }
	}
	if len(s.Results) == 0 {
		return l.exitAll(p, "return", bare)
	}
	if root.out != nil {
		return append(append(before, setResults(p, root.out, values)...), l.exitAll(p, "return", bare)...)
	}
	if root.held == nil {
		for range root.results.Len() {
			root.held = append(root.held, l.Temporary("result"))
		}
	}
	exit := l.exitAll(p, "return values", func() ast.Stmt { return p.Return(p.IDs(root.held...)...) })
	return append(append(before, setResults(p, root.held, values)...), exit...)
}

// exitAll leaves all enclosing loops over functions, and then runs last.
func (l *Lowering) exitAll(p syntax.At, what string, last func() ast.Stmt) []ast.Stmt {
	if l.fn.yield == nil {
		return []ast.Stmt{last()}
	}
	return l.exit(p, what, func() []ast.Stmt { return l.exitAll(p, what, last) })
}
