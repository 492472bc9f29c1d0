package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// forLoop lowers a for statement. Each iteration has its own variables if a function
// literal or a pointer could observe the difference.
func (l *Lowering) forLoop(s *ast.ForStmt, label string) []ast.Stmt {
	init, isAssign := s.Init.(*ast.AssignStmt)
	if isAssign && init.Tok == token.DEFINE && captured(s, init, l.info) {
		return l.forEachIteration(s, init, label)
	}
	before, first := l.head(s.Init)
	return append(before, &ast.ForStmt{For: s.For, Init: first, Cond: l.expr(s.Cond), Post: l.simple(s.Post), Body: l.loopBody(s.Body)})
}

// forEachIteration gives each iteration of a loop its own copy of the variables:
//
//	for i' := 0; ; { i := i'; if !cond { break }; body; i' = i; post' }
func (l *Lowering) forEachIteration(s *ast.ForStmt, init *ast.AssignStmt, label string) []ast.Stmt {
	p := syntax.At(s.For)
	values := l.valueList(init.Rhs, l.typesOf(init.Lhs))
	var before []ast.Stmt
	if len(values) != len(init.Lhs) {
		before = append(before, l.assign(init))
	}
	var outer, inner []ast.Expr
	for i, x := range init.Lhs {
		id := x.(*ast.Ident)
		o := l.info.Defs[id]
		if o == nil || id.Name == "_" {
			if len(values) == len(init.Lhs) {
				before = append(before, p.Set(p.ID("_"), values[i]))
			}
			continue
		}
		name := l.Temporary(id.Name)
		if len(values) == len(init.Lhs) {
			before = append(before, p.Define(name, values[i]))
		} else {
			before[0].(*ast.AssignStmt).Lhs[i] = p.ID(name)
		}
		outer = append(outer, p.ID(name))
		inner = append(inner, p.ID(l.LocalName(o)))
	}
	if len(values) != len(init.Lhs) {
		before = l.lookup(init, before[0].(*ast.AssignStmt))
	}
	started := l.Temporary("started")
	body := breathing(s.Body)
	body = append(body, p.Assign(token.DEFINE, inner, outer))
	// The variables of an iteration start with the values of the previous one. Then
	// the post statement runs, at the start of the iteration.
	if s.Post != nil {
		body = append(body, p.If(p.ID(started), l.simple(s.Post)))
	}
	body = append(body, p.Set(p.ID(started), p.ID("true")))
	if s.Cond != nil {
		body = append(body, p.If(p.Unary(token.NOT, p.Paren(l.expr(s.Cond))), &ast.BranchStmt{TokPos: s.For, Tok: token.BREAK}))
	}
	// However the iteration ends, its values are passed to the next one. Each
	// continue needs a separate copy of this statement.
	save := p.Assign(token.ASSIGN, outer, inner)
	body = append(body, l.withSaving(s.Body, label, save)...)
	body = append(body, save)
	loop := &ast.ForStmt{For: s.For, Body: p.Block(body...)}
	return append(before, p.Define(started, p.ID("false")), loop)
}

// withSaving lowers the body of a loop with a statement inserted before each continue
// that ends an iteration of the loop.
func (l *Lowering) withSaving(b *ast.BlockStmt, label string, save ast.Stmt) []ast.Stmt {
	var visit func(n ast.Node, nested bool)
	marked := map[*ast.BranchStmt]bool{}
	visit = func(n ast.Node, nested bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt:
				if m != n {
					visit(m.Body, true)
					return false
				}
			case *ast.RangeStmt:
				if m != n {
					visit(m.Body, true)
					return false
				}
			case *ast.BranchStmt:
				if m.Tok == token.CONTINUE && (m.Label == nil && !nested || m.Label != nil && m.Label.Name == label) {
					marked[m] = true
				}
			}
			return true
		})
	}
	visit(b, false)
	for m := range marked {
		l.saving[m] = save
	}
	return l.loopBody(b).List
}

// captured reports whether a function literal or a pointer refers to the variables of
// a loop.
func captured(s *ast.ForStmt, init *ast.AssignStmt, info *types.Info) bool {
	vars := map[types.Object]bool{}
	for _, x := range init.Lhs {
		if id, ok := x.(*ast.Ident); ok {
			if o := info.Defs[id]; o != nil {
				vars[o] = true
			}
		}
	}
	return capturedIn(s, vars, info)
}

func capturedIn(n ast.Node, vars map[types.Object]bool, info *types.Info) bool {
	found := false
	uses := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && vars[info.Uses[id]] {
				found = true
			}
			return !found
		})
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			uses(n.Body)
			return false
		case *ast.GoStmt:
			uses(n)
			return false
		case *ast.RangeStmt: // over a function: its body becomes a function
			if _, ok := info.TypeOf(n.X).Underlying().(*types.Signature); ok {
				uses(n.Body)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				uses(n.X)
			}
		case *ast.SelectorExpr: // x.Method may take x's address
			if sel := info.Selections[n]; sel != nil && sel.Kind() == types.MethodVal {
				uses(n.X)
			}
		case *ast.SliceExpr: // slicing an array takes its address
			uses(n.X)
		}
		return !found
	})
	return found
}

// loopBody lowers the body of a plain loop.
func (l *Lowering) loopBody(b *ast.BlockStmt) *ast.BlockStmt {
	defer l.enter(true)()
	out := l.block(b)
	out.List = append(breathing(b), out.List...)
	return out
}

// rangeLoop lowers a range statement according to the type of its operand.
func (l *Lowering) rangeLoop(s *ast.RangeStmt, label string) []ast.Stmt {
	t := types.Unalias(l.info.TypeOf(s.X))
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger != 0 {
			return l.rangeInt(s, t)
		}
		return l.rangeString(s)
	case *types.Slice, *types.Array, *types.Pointer: // to an array
		return l.rangeSlice(s, t)
	case *types.Map:
		return l.rangeMap(s)
	case *types.Chan:
		return l.rangeChan(s)
	case *types.Signature:
		return l.rangeFunc(s, u, label)
	}
	// go/types has rejected everything else.
	l.Fail(syntax.At(s.For), "cannot range over %s", types.TypeString(t, gofront.ShortNames))
	return nil
}

// iteration lowers the body of a loop, preceded by assignments to the iteration
// variables.
func (l *Lowering) iteration(s *ast.RangeStmt, key, value ast.Expr) *ast.BlockStmt {
	p := syntax.At(s.For)
	var begin []ast.Stmt
	if s.Tok == token.DEFINE {
		for i, x := range []ast.Expr{s.Key, s.Value} {
			id, _ := x.(*ast.Ident)
			v := []ast.Expr{key, value}[i]
			if x != nil && id.Name != "_" && v != nil {
				begin = append(begin, p.Define(l.LocalName(l.info.Defs[id]), v))
			}
		}
	} else {
		begin = l.setIteration(s, key, value)
	}
	b := l.loopBody(s.Body)
	b.List = append(begin, b.List...)
	return b
}

// setIteration assigns key and value to existing variables (for x = range) in a
// single assignment.
func (l *Lowering) setIteration(s *ast.RangeStmt, key, value ast.Expr) []ast.Stmt {
	p := syntax.At(s.For)
	kt, vt := rangeTypes(l.info.TypeOf(s.X))
	a := &ast.AssignStmt{TokPos: s.For, Tok: token.ASSIGN}
	var values []ast.Expr
	for i, x := range []ast.Expr{s.Key, s.Value} {
		v, from := []ast.Expr{key, value}[i], []types.Type{kt, vt}[i]
		if x == nil || isBlank(x) || v == nil {
			continue
		}
		a.Lhs = append(a.Lhs, x)
		values = append(values, l.Convert(p, v, from, l.info.TypeOf(x)))
	}
	f := l.hoistPlaces(a)
	f.plain = len(a.Lhs) == 1 && plainValue(a.Lhs[0], l.info)
	for i, x := range a.Lhs {
		a.Lhs[i] = f.place(x)
	}
	var out []ast.Stmt
	for i, x := range a.Lhs {
		out = append(out, p.Set(x, values[i]))
	}
	return append(f.before, out...)
}

// rangeTypes returns the types of the iteration values of a range over a value of
// type t.
func rangeTypes(t types.Type) (key, value types.Type) {
	if array, ok := arrayOf(t); ok {
		return types.Typ[types.Int], array.Elem()
	}
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return types.Typ[types.Int], t.Elem()
	case *types.Map:
		return t.Key(), t.Elem()
	case *types.Chan:
		return t.Elem(), nil
	case *types.Basic:
		if t.Info()&types.IsString != 0 {
			return types.Typ[types.Int], types.Typ[types.Rune]
		}
	}
	return nil, nil
}

// rangeInt lowers a range over an integer:
//
//	for k, n := T(0), T(x); k < n; k++ { i := k; body }
func (l *Lowering) rangeInt(s *ast.RangeStmt, t types.Type) []ast.Stmt {
	p := syntax.At(s.For)
	k, n := l.Temporary("k"), l.Temporary("n")
	if s.Key != nil { // an untyped constant has the type of the variable
		if kt := l.info.TypeOf(s.Key); kt != nil {
			t = kt
		}
	}
	typed := func(x ast.Expr) ast.Expr { return p.Call(l.ParenType(p, types.Default(t)), x) }
	return []ast.Stmt{p.Define(n, typed(l.expr(s.X))), &ast.ForStmt{For: s.For, Init: p.Define(k, typed(p.Int(0))),
		Cond: p.Binary(p.ID(k), token.LSS, p.ID(n)), Post: &ast.IncDecStmt{X: p.ID(k), TokPos: s.For, Tok: token.INC}, Body: l.iteration(s, p.ID(k), nil)}}
}

// rangeSlice lowers a range over a slice, an array or a pointer to an array:
//
//	r := x; for k, n := 0, len(r); k < n; k++ { i, v := k, r[k]; body }
func (l *Lowering) rangeSlice(s *ast.RangeStmt, t types.Type) []ast.Stmt {
	p := syntax.At(s.For)
	k, n, r := l.Temporary("k"), l.Temporary("n"), l.Temporary("r")
	var before []ast.Stmt
	var length ast.Expr
	if arr, ok := arrayOf(t); ok && (s.Value == nil || isBlank(s.Value)) && plainValue(s.X, l.info) {
		length = p.Int(int(arr.Len())) // x is not evaluated
	} else {
		before = append(before, p.Define(r, l.pointed(l.expr(s.X), t)))
		length = p.Call(p.ID("len"), p.ID(r))
		if ok {
			length = p.Int(int(arr.Len()))
		}
	}
	before = append(before, p.Define(n, length))
	item := ast.Expr(&ast.IndexExpr{X: p.ID(r), Lbrack: s.For, Index: p.ID(k), Rbrack: s.For})
	if _, ok := t.Underlying().(*types.Pointer); ok {
		item = &ast.IndexExpr{X: p.Paren(&ast.StarExpr{Star: s.For, X: p.ID(r)}), Lbrack: s.For, Index: p.ID(k), Rbrack: s.For}
	}
	return append(before, &ast.ForStmt{For: s.For, Init: p.Define(k, p.Int(0)), Cond: p.Binary(p.ID(k), token.LSS, p.ID(n)),
		Post: &ast.IncDecStmt{X: p.ID(k), TokPos: s.For, Tok: token.INC}, Body: l.iteration(s, p.ID(k), item)})
}

func arrayOf(t types.Type) (*types.Array, bool) {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	a, ok := t.Underlying().(*types.Array)
	return a, ok
}

func isBlank(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "_"
}

// rangeString lowers a range over a string:
//
//	for k, n := 0, 0; k < len(s); k += n { r, n = utf8.DecodeRuneInString(s[k:]); i, v := k, r; body }
func (l *Lowering) rangeString(s *ast.RangeStmt) []ast.Stmt {
	p := syntax.At(s.For)
	k, n, r, text := l.Temporary("k"), l.Temporary("n"), l.Temporary("r"), l.Temporary("s")
	rest := &ast.SliceExpr{X: p.ID(text), Lbrack: s.For, Low: p.ID(k), Rbrack: s.For}
	decode := p.Assign(token.ASSIGN, p.IDs(r, n), []ast.Expr{p.Call(p.Sel(l.PackageName(p, "unicode/utf8"), "DecodeRuneInString"), rest)})
	body := l.iteration(s, p.ID(k), p.ID(r))
	body.List = append([]ast.Stmt{decode}, body.List...)
	return []ast.Stmt{
		p.Define(text, p.Call(p.ID("string"), l.expr(s.X))),
		&ast.DeclStmt{Decl: p.Var(n, p.ID("int"))}, &ast.DeclStmt{Decl: p.Var(r, p.ID("rune"))},
		&ast.ForStmt{For: s.For, Init: p.Define(k, p.Int(0)), Cond: p.Binary(p.ID(k), token.LSS, p.Call(p.ID("len"), p.ID(text))),
			Post: p.Assign(token.ADD_ASSIGN, p.IDs(k), p.IDs(n)), Body: body},
	}
}

// rangeMap lowers a range over a map. Like rangeChan, it leaves the loop to the
// interpreter, with new variables for each iteration.
func (l *Lowering) rangeMap(s *ast.RangeStmt) []ast.Stmt { return l.rangeKept(s, "v") }

func (l *Lowering) rangeChan(s *ast.RangeStmt) []ast.Stmt { return l.rangeKept(s, "") }

func (l *Lowering) rangeKept(s *ast.RangeStmt, value string) []ast.Stmt {
	p := syntax.At(s.For)
	k, v := l.Temporary("k"), l.Temporary("v")
	out := &ast.RangeStmt{For: s.For, TokPos: s.For, Tok: token.DEFINE, Range: s.For, X: l.expr(s.X)}
	if s.Key == nil && s.Value == nil {
		out.Tok = token.ILLEGAL
		out.Body = l.loopBody(s.Body)
		return []ast.Stmt{out}
	}
	out.Key = p.ID(k)
	key := ast.Expr(p.ID(k))
	if m, ok := l.info.TypeOf(s.X).Underlying().(*types.Map); ok {
		key = l.Convert(p, key, repr.KeyType(m), m.Key())
	}
	var item ast.Expr
	var before []ast.Stmt
	if s.Value != nil && !isBlank(s.Value) && value != "" {
		if m, ok := l.info.TypeOf(s.X).Underlying().(*types.Map); ok && repr.IsChan(m.Elem()) {
			// The interpreter would take it for a range over the channel.
			r := l.Temporary("r")
			before = []ast.Stmt{p.Define(r, out.X)}
			out.X = p.ID(r)
			item = p.Index(p.ID(r), p.ID(k))
		} else {
			out.Value = p.ID(v)
			item = p.ID(v)
		}
	}
	out.Body = l.iteration(s, key, item)
	return append(before, out)
}
