package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

func (l *Lowering) block(b *ast.BlockStmt) *ast.BlockStmt {
	if b == nil {
		return nil
	}
	return &ast.BlockStmt{Lbrace: b.Lbrace, List: l.stmts(b.List), Rbrace: b.Rbrace}
}

func (l *Lowering) stmts(list []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range list {
		out = append(out, l.stmt(s)...)
	}
	return out
}

// one lowers a statement where Go requires exactly one, such as after else.
func (l *Lowering) one(s ast.Stmt) ast.Stmt {
	if s == nil {
		return nil
	}
	list := l.stmt(s)
	if len(list) == 1 {
		return list[0]
	}
	return syntax.At(s.Pos()).Block(list...)
}

// simple lowers a statement in the header of another one, where it must remain a
// single statement.
func (l *Lowering) simple(s ast.Stmt) ast.Stmt {
	if s == nil {
		return nil
	}
	if a, ok := s.(*ast.AssignStmt); ok && (a.Tok == token.DEFINE || len(a.Rhs) == 1) && !l.isLookup(a) {
		return l.assign(a)
	}
	p, list := syntax.At(s.Pos()), l.stmt(s)
	if len(list) != 1 {
		return p.Expr(p.Call(p.Function(list...)))
	}
	return list[0]
}

// head lowers a statement in the header of another one, or replaces it by statements
// before that one: names are unique, so nothing else sees the variables.
func (l *Lowering) head(s ast.Stmt) (before []ast.Stmt, init ast.Stmt) {
	if a, ok := s.(*ast.AssignStmt); ok && len(a.Rhs) > 1 {
		if list := l.parallel(a); len(list) > 1 {
			return list, nil
		} else {
			return nil, list[0]
		}
	} else if ok && l.isLookup(a) {
		return l.assignment(a), nil
	}
	return nil, l.simple(s)
}

// stmt lowers a statement.
func (l *Lowering) stmt(s ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if u, ok := isReceive(s.X); ok {
			return []ast.Stmt{&ast.ExprStmt{X: l.arrow(u)}}
		}
		return []ast.Stmt{&ast.ExprStmt{X: l.expr(s.X)}}
	case *ast.AssignStmt:
		return l.assignment(s)
	case *ast.IncDecStmt:
		return []ast.Stmt{&ast.IncDecStmt{X: l.expr(s.X), TokPos: s.TokPos, Tok: s.Tok}}
	case *ast.SendStmt:
		return []ast.Stmt{&ast.SendStmt{Chan: l.expr(s.Chan), Arrow: s.Arrow, Value: l.sent(s)}}
	case *ast.DeclStmt:
		return l.declaration(s)
	case *ast.BlockStmt:
		return []ast.Stmt{l.block(s)}
	case *ast.ReturnStmt:
		return l.returns(s)
	case *ast.BranchStmt:
		return l.branch(s)
	case *ast.IfStmt:
		before, init := l.head(s.Init)
		return append(before, &ast.IfStmt{If: s.If, Init: init, Cond: l.expr(s.Cond), Body: l.block(s.Body), Else: l.one(s.Else)})
	case *ast.ForStmt:
		return l.forLoop(s, "")
	case *ast.RangeStmt:
		return l.rangeLoop(s, "")
	case *ast.LabeledStmt:
		return l.labeled(s)
	case *ast.SwitchStmt:
		return l.exprSwitch(s)
	case *ast.TypeSwitchStmt:
		return l.typeSwitch(s)
	case *ast.SelectStmt:
		return l.selection(s)
	case *ast.GoStmt:
		return l.goroutine(s)
	case *ast.DeferStmt:
		return l.deferred(s)
	case *ast.EmptyStmt:
		return []ast.Stmt{s}
	}
	l.Fail(syntax.At(s.Pos()), "the session cannot take this statement")
	return nil
}

// declaration lowers a declaration inside a function. Constants become literals where
// they are used, and types are moved to the top level.
func (l *Lowering) declaration(s *ast.DeclStmt) []ast.Stmt {
	g, ok := s.Decl.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR {
		return nil
	}
	var out []ast.Stmt
	for _, spec := range g.Specs {
		v := spec.(*ast.ValueSpec)
		p := syntax.At(v.Pos())
		define := &ast.AssignStmt{TokPos: v.Pos(), Tok: token.DEFINE, Rhs: v.Values}
		for _, id := range v.Names {
			define.Lhs = append(define.Lhs, id)
		}
		looks := l.isLookup(define)
		if v.Type == nil && (len(v.Values) > 1 || len(v.Values) == 1 && len(v.Names) == 1 && allBlank(v.Names) || looks) {
			if allBlank(v.Names) {
				define.Tok = token.ASSIGN
			}
			out = append(out, l.assignment(define)...)
			continue
		}
		var to []types.Type
		for range v.Names {
			if v.Type != nil {
				to = append(to, l.info.TypeOf(v.Type))
			}
		}
		n := &ast.ValueSpec{}
		if !looks {
			n.Values = l.valueList(v.Values, to)
		}
		for _, id := range v.Names {
			name := "_"
			if o := l.info.Defs[id]; o != nil && id.Name != "_" {
				name = l.LocalName(o)
			} else if v.Type != nil { // the interpreter would keep values of any type in one _
				name = l.Temporary("blank")
			}
			n.Names = append(n.Names, syntax.At(id.Pos()).ID(name))
		}
		if v.Type != nil {
			n.Type = l.TypeExpr(p, l.info.TypeOf(v.Type))
		} else if len(v.Values) == 1 && len(v.Names) == 1 { // the interpreter handles x := y better
			var left []ast.Expr
			for _, id := range n.Names {
				left = append(left, id)
			}
			out = append(out, p.Assign(token.DEFINE, left, n.Values))
			continue
		}
		out = append(out, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: g.TokPos, Tok: token.VAR, Specs: []ast.Spec{n}}})
		if looks {
			define.Tok = token.ASSIGN
			out = append(out, l.assignment(define)...)
		}
	}
	return out
}

func allBlank(ids []*ast.Ident) bool {
	return !slices.ContainsFunc(ids, func(id *ast.Ident) bool { return id.Name != "_" })
}

func (l *Lowering) clauses(b *ast.BlockStmt, tagged bool, one func(ast.Expr) ast.Expr) *ast.BlockStmt {
	defer l.enter(false)()
	out := &ast.BlockStmt{Lbrace: b.Lbrace, Rbrace: b.Rbrace}
	for _, c := range b.List {
		c := c.(*ast.CaseClause)
		var list []ast.Expr
		for _, x := range c.List {
			y := one(x)
			if !tagged && l.intoInterface(x) {
				y = asCall(y)
			}
			list = append(list, y)
		}
		if len(list) > 1 && !tagged { // the interpreter ignores all but the first
			list = []ast.Expr{anyOf(list)}
		}
		out.List = append(out.List, &ast.CaseClause{Case: c.Case, List: list, Colon: c.Colon, Body: l.clauseBody(c.Body)})
	}
	return out
}

// clauseBody lowers the body of a clause of a switch. The interpreter does not find a
// label directly in a clause, so the clause gets an enclosing block.
func (l *Lowering) clauseBody(list []ast.Stmt) []ast.Stmt {
	labeled := false
	for _, s := range list {
		_, is := s.(*ast.LabeledStmt)
		labeled = labeled || is
	}
	if !labeled {
		return l.stmts(list)
	}
	var last []ast.Stmt
	if b, ok := list[len(list)-1].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
		list, last = list[:len(list)-1], []ast.Stmt{b}
	}
	return append([]ast.Stmt{syntax.At(list[0].Pos()).Block(l.stmts(list)...)}, last...)
}

// exprSwitch lowers an expression switch. Interfaces are compared as by ==.
func (l *Lowering) exprSwitch(s *ast.SwitchStmt) []ast.Stmt {
	l.refuseFallthrough(s)
	before, init := l.head(s.Init)
	out := &ast.SwitchStmt{Switch: s.Switch}
	if init != nil { // the interpreter takes the value of the init statement for the tag
		before = append(before, init)
	}
	one := l.expr
	if s.Tag != nil && (l.comparesChans(s) || l.severalComputed(s)) {
		tag := l.variableFor(s.Tag)
		name := l.LocalName(l.info.Uses[tag])
		before = append(before, syntax.At(s.Tag.Pos()).Define(name, l.expr(s.Tag)), syntax.At(s.Tag.Pos()).Set(syntax.At(s.Tag.Pos()).ID("_"), syntax.At(s.Tag.Pos()).ID(name)))
		out.Body = l.clauses(s.Body, false, func(x ast.Expr) ast.Expr {
			return l.equal(&ast.BinaryExpr{X: tag, OpPos: x.Pos(), Op: token.EQL, Y: x})
		})
		return append(before, out)
	}
	tagged := s.Tag != nil
	if !tagged {
		one = func(x ast.Expr) ast.Expr {
			if t := l.info.TypeOf(x); types.IsInterface(t) {
				return syntax.At(x.Pos()).Support("Equal", l.Convert(syntax.At(x.Pos()), l.expr(x), t, repr.AnyType), syntax.At(x.Pos()).ID("true"))
			}
			return l.expr(x)
		}
	}
	if tagged {
		t := l.info.TypeOf(s.Tag)
		interfaces := types.IsInterface(t)
		for _, c := range s.Body.List {
			for _, x := range c.(*ast.CaseClause).List {
				interfaces = interfaces || types.IsInterface(l.info.TypeOf(x)) || repr.HidesInterface(l.info.TypeOf(x)) || repr.HoldsWrapper(l.info.TypeOf(x))
			}
		}
		one = func(x ast.Expr) ast.Expr { return l.value(x, t) }
		if !types.Comparable(t) { // except to nil
			p, tag := syntax.At(s.Tag.Pos()), l.Temporary("tag")
			before = append(before, p.Define(tag, l.expr(s.Tag)), p.Set(p.ID("_"), p.ID(tag)))
			tagged = false
			one = func(x ast.Expr) ast.Expr {
				if !repr.IsNilType(l.info.TypeOf(x)) {
					l.Fail(syntax.At(x.Pos()), "the session cannot take this case: compare before the switch")
				}
				return syntax.At(x.Pos()).Binary(p.ID(tag), token.EQL, p.ID("nil"))
			}
		} else if !interfaces {
			out.Tag = l.expr(s.Tag)
		} else { // the interpreter compares interface values by its own rules
			p, tag := syntax.At(s.Tag.Pos()), l.Temporary("tag")
			before = append(before, p.Define(tag, l.value(s.Tag, repr.AnyType)))
			tagged = false
			one = func(x ast.Expr) ast.Expr {
				q := syntax.At(x.Pos())
				if repr.IsNilType(l.info.TypeOf(x)) && types.IsInterface(t) {
					return q.Binary(q.ID(tag), token.EQL, q.ID("nil"))
				}
				if repr.IsNilType(l.info.TypeOf(x)) {
					return q.Support("Equal", q.ID(tag), l.Convert(q, l.Zero(q, t), t, repr.AnyType))
				}
				return q.Support("Equal", q.ID(tag), l.value(x, repr.AnyType))
			}
		}
	}
	out.Body = l.clauses(s.Body, tagged, one)
	return append(before, out)
}

// comparesChans reports whether a switch compares channels, whose directions may
// differ.
func (l *Lowering) comparesChans(s *ast.SwitchStmt) bool {
	chans := repr.IsChan(l.info.TypeOf(s.Tag))
	for _, c := range s.Body.List {
		for _, x := range c.(*ast.CaseClause).List {
			chans = chans && !types.IsInterface(l.info.TypeOf(x))
		}
	}
	return chans
}

// severalComputed reports whether a clause of a switch has several values that are not
// all constants or variables: the interpreter computes the first alone. Interfaces are
// compared by a function anyway.
func (l *Lowering) severalComputed(s *ast.SwitchStmt) bool {
	if t := l.info.TypeOf(s.Tag); types.IsInterface(t) || !types.Comparable(t) {
		return false
	}
	found := false
	for _, c := range s.Body.List {
		list := c.(*ast.CaseClause).List
		for _, x := range list {
			if types.IsInterface(l.info.TypeOf(x)) {
				return false
			}
			_, named := ast.Unparen(x).(*ast.Ident)
			found = found || len(list) > 1 && l.info.Types[x].Value == nil && !named
		}
	}
	return found
}

// variableFor declares a variable that can replace an expression.
func (l *Lowering) variableFor(x ast.Expr) *ast.Ident {
	return l.variableOf(syntax.At(x.Pos()), types.Default(l.info.TypeOf(x)))
}

// variableOf declares a variable of the given type.
func (l *Lowering) variableOf(p syntax.At, t types.Type) *ast.Ident {
	o := types.NewVar(token.Pos(p), nil, "v", t)
	id := p.ID("v")
	l.info.Uses[id] = o
	l.info.Types[id] = types.TypeAndValue{Type: t}
	return id
}

// anyOf returns the disjunction of conditions, those with literals as calls: see
// composes.
func anyOf(conds []ast.Expr) ast.Expr {
	out := conds[len(conds)-1]
	for _, c := range slices.Backward(conds[:len(conds)-1]) {
		if composes(c) {
			c = asCall(c)
		}
		out = syntax.At(c.Pos()).Binary(c, token.LOR, out)
	}
	return out
}

// asCall returns a condition as a call of a function that returns it.
func asCall(c ast.Expr) ast.Expr {
	p := syntax.At(c.Pos())
	return p.Call(p.FuncLit(p.FuncType(p.Fields(), p.Fields(p.Field("", p.ID("bool")))), p.Return(c)))
}

func (l *Lowering) sent(s *ast.SendStmt) ast.Expr {
	c, ok := l.info.TypeOf(s.Chan).Underlying().(*types.Chan)
	if !ok {
		return l.expr(s.Value)
	}
	return l.value(s.Value, c.Elem())
}
