package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

// assignment lowers an assignment. Where the interpreter would lose values, they are
// first assigned to new variables.
func (l *Lowering) assignment(s *ast.AssignStmt) []ast.Stmt {
	if s.Tok == token.DEFINE && l.fn.deferring != "" {
		defined, after := l.toOuter(s)
		if after != nil {
			return append(l.assignment(defined), after...)
		}
	}
	if len(s.Rhs) > 1 {
		return l.parallel(s)
	}
	if _, call := ast.Unparen(s.Rhs[0]).(*ast.CallExpr); call && s.Tok == token.ASSIGN && len(s.Lhs) > 1 && !allNames(s.Lhs) {
		return l.results(s)
	}
	if u, ok := isReceive(s.Rhs[0]); ok && len(s.Lhs) == 1 && !isBlank(s.Lhs[0]) {
		// The interpreter cannot assign again to a variable that has received from a
		// channel.
		p, v := syntax.At(s.TokPos), l.Temporary("v")
		x := l.Convert(p, p.ID(v), l.info.TypeOf(s.Rhs[0]), l.info.TypeOf(s.Lhs[0]))
		return []ast.Stmt{p.Define(v, l.arrow(u)), p.Assign(s.Tok, l.exprs(s.Lhs), []ast.Expr{x})}
	}
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE && !allNames(s.Lhs) && l.callsOwn(s.Rhs[0]) {
		return l.updated(s)
	}
	before := l.lengthFirst(s.Rhs[0])
	return append(before, l.single(s)...)
}

// updated lowers x op= y if y may change what the location x depends on: y is
// evaluated first, unless x contains calls.
func (l *Lowering) updated(s *ast.AssignStmt) []ast.Stmt {
	if s.Tok != token.SHL_ASSIGN && s.Tok != token.SHR_ASSIGN && plainValue(s.Lhs[0], l.info) {
		out, p, name := l.assign(s).(*ast.AssignStmt), syntax.At(s.TokPos), l.Temporary("v")
		before := p.Define(name, out.Rhs[0])
		out.Rhs = p.IDs(name)
		return []ast.Stmt{before, out}
	}
	f := l.hoistPlaces(s)
	f.plain = false
	place := f.place(s.Lhs[0])
	out := l.assign(&ast.AssignStmt{Lhs: s.Lhs, TokPos: s.TokPos, Tok: s.Tok, Rhs: s.Rhs}).(*ast.AssignStmt)
	out.Lhs = []ast.Expr{place}
	return append(f.before, out)
}

// callsOwn reports whether an expression calls a function defined in a cell.
func (l *Lowering) callsOwn(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			found = true
		case *ast.CallExpr:
			if tv := l.info.Types[n.Fun]; tv.IsType() || tv.IsBuiltin() {
				break
			}
			f := l.callee(n)
			found = found || f == nil || f.Pkg() == nil || gofront.Interpreted(f)
		}
		return !found
	})
	return found
}

// single lowers an assignment of a single expression.
func (l *Lowering) single(s *ast.AssignStmt) []ast.Stmt {
	out := l.assign(s).(*ast.AssignStmt)
	if _, made := out.Rhs[0].(*ast.CompositeLit); made && s.Tok == token.ASSIGN && !isBlank(s.Lhs[0]) {
		// The interpreter builds a struct directly in the variable, but not if an
		// enclosing function declares the variable, nor if the struct becomes the
		// value of an interface.
		return l.valueFirst(s, out)
	}
	_, star := out.Rhs[0].(*ast.StarExpr)
	if (star || computed(out.Rhs[0])) && len(s.Lhs) == 1 && isBlank(s.Lhs[0]) {
		p := syntax.At(s.TokPos)
		return []ast.Stmt{p.Expr(p.Support("Drop", out.Rhs[0]))}
	}
	if _, is := out.Lhs[0].(*ast.IndexExpr); is && star && len(s.Lhs) == 1 && s.Tok == token.ASSIGN {
		// The interpreter deletes a map element that is assigned a dereferenced nil
		// pointer.
		return l.valueFirst(s, out)
	}
	if len(s.Lhs) != 2 || s.Tok != token.ASSIGN && !l.isLookup(s) {
		return []ast.Stmt{out}
	}
	if l.unseen[s] {
		return l.lookup(s, out)
	}
	if _, call := ast.Unparen(s.Rhs[0]).(*ast.CallExpr); call {
		return []ast.Stmt{out}
	}
	// Two values, of an assertion or the like, are assigned to existing variables. Those of
	// a lookup would be set where functions of the iteration before still see them.
	p := syntax.At(s.TokPos)
	var before []ast.Stmt
	if !allNames(s.Lhs) {
		f := l.hoistPlaces(s)
		f.plain = false
		for i, x := range s.Lhs {
			out.Lhs[i] = f.place(x)
		}
		before = f.before
	}
	a, b := l.Temporary("v"), l.Temporary("ok")
	v := ast.Expr(p.ID(a))
	if t, ok := l.info.TypeOf(s.Rhs[0]).(*types.Tuple); ok && !isBlank(s.Lhs[0]) {
		if _, is := out.Rhs[0].(*ast.CallExpr); !is { // already converted
			v = l.Convert(p, v, t.At(0).Type(), l.info.TypeOf(s.Lhs[0]))
		}
	}
	taken := &ast.AssignStmt{Lhs: p.IDs(a, b), TokPos: s.TokPos, Tok: token.DEFINE, Rhs: out.Rhs}
	before = append(before, l.lookup(s, taken)...)
	return append(before, l.set(s, 0, out.Lhs[0], v), l.set(s, 1, out.Lhs[1], p.ID(b)))
}

// valueFirst lowers an assignment so that the value is first assigned to a variable,
// after the calls on its left side.
func (l *Lowering) valueFirst(s, out *ast.AssignStmt) []ast.Stmt {
	p, name := syntax.At(s.TokPos), l.Temporary("v")
	var before []ast.Stmt
	place := out.Lhs[0]
	if hasCall(s.Lhs[0]) {
		f := l.hoistPlaces(s)
		f.plain = false
		place = f.place(s.Lhs[0])
		before = f.before
	}
	return append(before, p.Define(name, out.Rhs[0]), p.Set(place, p.ID(name)))
}

// lengthFirst checks, in a separate statement, that there is enough memory for what x
// makes: a comparison is cheaper than a call.
func (l *Lowering) lengthFirst(x ast.Expr) []ast.Stmt {
	c, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(c.Args) != 2 || !l.info.Types[c.Fun].IsBuiltin() || !syntax.IsNamed(ast.Unparen(c.Fun), "make") {
		return nil
	}
	n := c.Args[1]
	if !plainValue(n, l.info) || !types.Identical(l.info.TypeOf(n), types.Typ[types.Int]) || l.info.Types[n].Value != nil {
		return nil
	}
	p, name := syntax.At(c.Pos()), l.Temporary("n")
	what := "makeslice: len"
	if repr.IsChan(l.info.TypeOf(c.Args[0])) {
		what = "makechan: size"
	}
	check := p.Support("Length", p.ID(name), p.Int(l.elemSize(l.info.TypeOf(c.Args[0]))), p.Quoted(what))
	l.roomy[c] = name
	return []ast.Stmt{p.Define(name, l.expr(n)), p.If(p.Binary(p.ID(name), token.GTR, p.Int(1<<14)), p.Expr(p.Support("Drop", check)))}
}

func (l *Lowering) assign(s *ast.AssignStmt) ast.Stmt {
	out := &ast.AssignStmt{TokPos: s.TokPos, Tok: s.Tok}
	if s.Tok == token.SHL_ASSIGN || s.Tok == token.SHR_ASSIGN {
		out.Rhs = []ast.Expr{l.shiftCount(s.Rhs[0])}
	} else {
		out.Rhs = l.valueList(s.Rhs, l.typesOf(s.Lhs))
	}
	if sel, is := ast.Unparen(s.Lhs[0]).(*ast.SelectorExpr); is && len(s.Lhs) == 1 {
		if v, is := l.info.Uses[sel.Sel].(*types.Var); is {
			out.Rhs[0] = l.guardField(v, out.Rhs[0], l.info.TypeOf(s.Rhs[0]))
		}
	}
	for _, x := range s.Lhs {
		out.Lhs = append(out.Lhs, l.expr(x))
	}
	return out
}

func allNames(list []ast.Expr) bool {
	for _, x := range list {
		if _, ok := ast.Unparen(x).(*ast.Ident); !ok {
			return false
		}
	}
	return true
}

// results lowers an assignment of the results of a call to locations that are not all
// variables. The interpreter would lose the values assigned to the other locations.
func (l *Lowering) results(s *ast.AssignStmt) []ast.Stmt {
	p := syntax.At(s.TokPos)
	f := l.hoistPlaces(s)
	f.plain = false // the call may change what the locations depend on
	var places, names []ast.Expr
	for _, x := range s.Lhs {
		places = append(places, f.place(x))
		names = append(names, p.ID(l.Temporary("v")))
	}
	out := append(f.before, p.Assign(token.DEFINE, names, l.valueList(s.Rhs, l.typesOf(s.Lhs))))
	for i, x := range places {
		out = append(out, p.Set(x, names[i]))
	}
	return out
}

// parallel lowers an assignment of several values. The interpreter evaluates operands
// that are not calls too late, or not at all, and evaluates the operands of a
// location after it has set earlier ones. So everything is evaluated first, except
// plain values of variables:
//
//	a[i], b = f(), x   is   j := i; v := f(); w := x; a[j] = v; b = w
func (l *Lowering) parallel(s *ast.AssignStmt) []ast.Stmt {
	p := syntax.At(s.TokPos)
	f := l.hoistPlaces(s)
	values := l.valueList(s.Rhs, l.typesOf(s.Lhs))
	if f.plain && !f.moves {
		out := &ast.AssignStmt{TokPos: s.TokPos, Tok: s.Tok, Rhs: values}
		for _, x := range s.Lhs {
			out.Lhs = append(out.Lhs, l.expr(x))
		}
		return []ast.Stmt{out}
	}
	var places []ast.Expr
	for _, x := range s.Lhs {
		places = append(places, f.place(x))
	}
	out := f.before
	for i, v := range values {
		if literal(v) {
			continue
		}
		if _, star := v.(*ast.StarExpr); star && isBlank(s.Lhs[i]) {
			out = append(out, p.Expr(p.Support("Drop", v))) // panics if x is nil
			continue
		}
		name := l.Temporary("v")
		out = append(out, p.Define(name, v))
		if isBlank(s.Lhs[i]) {
			out = append(out, p.Set(p.ID("_"), p.ID(name)))
		}
		values[i] = p.ID(name)
	}
	for i, x := range s.Lhs {
		if isBlank(x) {
			continue
		}
		out = append(out, l.set(s, i, places[i], values[i]))
	}
	return out
}

// set gives the i-th location of an assignment, lowered, its value: a new variable where it
// declares one.
func (l *Lowering) set(s *ast.AssignStmt, i int, place, value ast.Expr) ast.Stmt {
	p, tok := syntax.At(s.TokPos), token.ASSIGN
	if id, ok := s.Lhs[i].(*ast.Ident); ok && s.Tok == token.DEFINE && l.info.Defs[id] != nil && id.Name != "_" {
		tok = token.DEFINE
	}
	return p.Assign(tok, []ast.Expr{place}, []ast.Expr{value})
}

// literal reports whether a lowered value is the same whenever it is evaluated.
func literal(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return literal(x.X)
	case *ast.UnaryExpr:
		return x.Op == token.SUB && literal(x.X)
	case *ast.Ident:
		return x.Name == "nil" || x.Name == "true" || x.Name == "false"
	}
	return false
}

// hoisting evaluates the operands of the locations on the left side of an assignment
// before the assignment itself.
type hoisting struct {
	l      *Lowering
	set    map[types.Object]bool // variables that the assignment sets
	plain  bool                  // all values consist of variables and constants only
	moves  bool                  // a location depends on what the assignment sets
	before []ast.Stmt
}

func (l *Lowering) hoistPlaces(s *ast.AssignStmt) *hoisting {
	f := &hoisting{l: l, set: map[types.Object]bool{}, plain: true}
	for _, x := range s.Lhs {
		if id, ok := ast.Unparen(x).(*ast.Ident); ok {
			f.set[l.object(id)] = true
		}
	}
	for i, x := range s.Rhs {
		if _, star := ast.Unparen(x).(*ast.StarExpr); star && i < len(s.Lhs) && isBlank(s.Lhs[i]) {
			f.plain = false
		}
		t := l.info.TypeOf(s.Lhs[i]) // the interpreter cannot swap interfaces, nor assign nil beside other values
		f.plain = f.plain && !repr.IsNilType(l.info.TypeOf(x)) && plainValue(x, l.info) && (isBlank(s.Lhs[i]) || t == nil || !types.IsInterface(t)) && !l.Converts(l.info.TypeOf(x), t)
	}
	for i, x := range s.Lhs {
		if _, ok := ast.Unparen(x).(*ast.Ident); ok {
			continue
		}
		if index, ok := ast.Unparen(x).(*ast.IndexExpr); ok && i < len(s.Lhs)-1 {
			_, isMap := l.info.TypeOf(index.X).Underlying().(*types.Map)
			f.plain = f.plain && !isMap // the element is set before a later location is evaluated
		}
		f.plain = f.plain && plainValue(x, l.info) && (i == 0 || !l.fails(x, append(s.Rhs, s.Lhs[:i]...)))
		ast.Inspect(x, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && f.set[l.object(id)] {
				f.moves = true
			}
			return true
		})
	}
	return f
}

// object returns the object of a name.
func (l *Lowering) object(id *ast.Ident) types.Object {
	o := l.info.Uses[id]
	if o == nil {
		o = l.info.Defs[id]
	}
	return l.Canonical(o)
}

// plainValue reports whether an expression neither calls nor makes anything.
func plainValue(x ast.Expr, info *types.Info) bool {
	plain := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			plain = plain && (info.Types[n].Value != nil || info.Types[n.Fun].IsType() && !types.IsInterface(info.TypeOf(n.Fun)))
		case *ast.CompositeLit, *ast.FuncLit, *ast.TypeAssertExpr, *ast.SliceExpr:
			plain = false
		case *ast.UnaryExpr:
			plain = plain && n.Op != token.ARROW && n.Op != token.AND
		case *ast.SelectorExpr:
			sel := info.Selections[n]
			plain = plain && (sel == nil || sel.Kind() == types.FieldVal)
		}
		return plain
	})
	return plain
}

// keep evaluates an operand now, unless nothing can change it before it is used.
func (f *hoisting) keep(x ast.Expr) ast.Expr {
	y := f.l.expr(x)
	if literal(y) {
		return y
	}
	if id, ok := ast.Unparen(x).(*ast.Ident); ok && f.plain && !f.set[f.l.object(id)] {
		return y
	}
	p, name := syntax.At(x.Pos()), f.l.Temporary("o")
	f.before = append(f.before, p.Define(name, y))
	return p.ID(name)
}

// place returns a location with its operands evaluated.
func (f *hoisting) place(x ast.Expr) ast.Expr {
	p := syntax.At(x.Pos())
	switch x := x.(type) {
	case *ast.ParenExpr:
		return f.place(x.X)
	case *ast.StarExpr:
		return &ast.StarExpr{Star: x.Star, X: f.base(x.X, nil)}
	case *ast.IndexExpr:
		t := f.l.info.TypeOf(x.X).Underlying()
		base := f.base(x.X, t)
		if m, ok := t.(*types.Map); ok && (types.IsInterface(repr.KeyType(m)) || repr.IsNilType(f.l.info.TypeOf(x.Index))) {
			name := f.l.Temporary("o")
			f.before = append(f.before, p.Define(name, f.l.mapKey(x.Index, f.l.expr(x.Index), m)))
			return &ast.IndexExpr{X: base, Lbrack: x.Lbrack, Index: p.ID(name), Rbrack: x.Rbrack}
		}
		return &ast.IndexExpr{X: base, Lbrack: x.Lbrack, Index: f.keep(x.Index), Rbrack: x.Rbrack}
	case *ast.SelectorExpr:
		sel := f.l.info.Selections[x]
		if sel == nil || len(sel.Index()) > 1 {
			return f.l.expr(x)
		}
		return &ast.SelectorExpr{X: f.base(x.X, f.l.info.TypeOf(x.X).Underlying()), Sel: syntax.At(x.Sel.Pos()).ID(f.l.FieldName(sel.Recv(), sel.Obj().(*types.Var)))}
	}
	return f.l.expr(x)
}

// base evaluates the operand that contains a location; an array or a struct is a
// location itself.
func (f *hoisting) base(x ast.Expr, t types.Type) ast.Expr {
	switch t.(type) {
	case *types.Array, *types.Struct:
		return f.place(x)
	}
	return f.keep(x)
}
