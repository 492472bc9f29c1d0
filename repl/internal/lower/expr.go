package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"symmom/repl/internal/repr"
	"symmom/repl/internal/syntax"
)

func (l *Lowering) exprs(list []ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(list))
	for i, x := range list {
		out[i] = l.expr(x)
	}
	return out
}

// expr lowers an expression.
func (l *Lowering) expr(x ast.Expr) ast.Expr {
	if x == nil {
		return nil
	}
	p := syntax.At(x.Pos())
	tv := l.info.Types[x]
	if tv.IsType() {
		return l.ParenType(p, tv.Type)
	}
	if tv.Value != nil && tv.Value.Kind() != constant.Unknown {
		return l.literal(p, tv.Value, tv.Type)
	}
	if sig, ok := tv.Type.(*types.Signature); ok {
		if name := l.instanceNamed(x); name != nil {
			return l.instanceValue(p, name, sig)
		}
	}
	if _, binary := x.(*ast.BinaryExpr); binary && tv.Type == nil {
		l.Fail(p, "generic code is written out for each type here, and for these types this is a constant that Go does not have")
		return p.Int(0)
	}
	switch x := x.(type) {
	case *ast.Ident:
		return l.ident(x)
	case *ast.ParenExpr: // not needed in a tree, and the interpreter fails on some
		return l.expr(x.X)
	case *ast.SelectorExpr:
		if sel := l.info.Selections[x]; sel != nil && sel.Kind() == types.MethodVal {
			return l.methodValue(x, sel)
		}
		if y := l.printerValue(p, x); y != nil {
			return y
		}
		if f, is := l.info.Uses[x.Sel].(*types.Func); is && l.info.Selections[x] == nil && l.mayWait(f) {
			if name := l.awaiter(p, f, nil); name != "" {
				return p.ID(name)
			}
		}
		return l.selector(x)
	case *ast.FuncLit:
		sig, _ := l.info.TypeOf(x).(*types.Signature)
		if sig == nil {
			return x
		}
		return l.closure(p, l.function(x), sig)
	case *ast.CompositeLit:
		if y := l.long(x, l.info.TypeOf(x)); y != nil {
			return y
		}
		return l.composite(x, l.info.TypeOf(x))
	case *ast.IndexExpr:
		if name := l.instanceOf(x.X); name != nil {
			return name
		}
		index := l.expr(x.Index)
		if m, ok := l.info.TypeOf(x.X).Underlying().(*types.Map); ok {
			index = l.mapKey(x.Index, index, m)
		}
		return &ast.IndexExpr{X: l.expr(x.X), Lbrack: x.Lbrack, Index: index, Rbrack: x.Rbrack}
	case *ast.IndexListExpr:
		if name := l.instanceOf(x.X); name != nil {
			return name
		}
	case *ast.SliceExpr:
		return &ast.SliceExpr{X: l.expr(x.X), Lbrack: x.Lbrack, Low: l.expr(x.Low), High: l.expr(x.High), Max: l.expr(x.Max),
			Slice3: x.Slice3, Rbrack: x.Rbrack}
	case *ast.TypeAssertExpr:
		return l.assertion(x)
	case *ast.CallExpr:
		return l.call(x)
	case *ast.StarExpr:
		y := &ast.StarExpr{Star: x.Star, X: l.NonNil(syntax.At(x.Star), l.expr(x.X), l.info.TypeOf(x.X))}
		if t := l.info.TypeOf(x); !l.info.Types[x].IsType() && repr.MadeOfItself(l.info.TypeOf(x.X)) {
			return p.Call(l.ParenType(p, t), y) // for whose type the interpreter has another name
		}
		return y
	case *ast.UnaryExpr:
		if lit, ok := ast.Unparen(x.X).(*ast.CompositeLit); ok && x.Op == token.AND {
			out := p.Unary(token.AND, l.composite(lit, l.info.TypeOf(lit)))
			if _, array := l.info.TypeOf(lit).Underlying().(*types.Array); array { // the interpreter would use one location for all of them
				return l.evaluated(out, tv.Type)
			}
			return out
		}
		if star, ok := ast.Unparen(x.X).(*ast.StarExpr); ok && x.Op == token.AND && repr.PointsToInterface(l.info.TypeOf(star.X)) {
			return l.NonNil(p, l.expr(star.X), l.info.TypeOf(star.X)) // the result has no address
		}
		if index, ok := ast.Unparen(x.X).(*ast.IndexExpr); ok && x.Op == token.AND {
			if _, pointer := l.info.TypeOf(index.X).Underlying().(*types.Pointer); pointer {
				y := l.expr(index).(*ast.IndexExpr)
				y.X = p.Paren(p.Star(y.X))
				return &ast.UnaryExpr{OpPos: x.OpPos, Op: x.Op, X: y}
			}
		}
		if x.Op == token.ARROW {
			if _, withOk := tv.Type.(*types.Tuple); !withOk {
				return l.receive(x)
			}
		}
		return &ast.UnaryExpr{OpPos: x.OpPos, Op: x.Op, X: l.expr(x.X)}
	case *ast.BinaryExpr:
		if x.Op == token.EQL || x.Op == token.NEQ {
			return l.equal(x)
		}
		if x.Op == token.SHL || x.Op == token.SHR {
			return l.shift(x)
		}
		left := l.expr(x.X)
		if (x.Op == token.LAND || x.Op == token.LOR) && (composes(left) || l.intoInterface(x.X)) {
			left = asCall(left)
		}
		right := l.expr(x.Y)
		if b, ok := tv.Type.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 { // otherwise a nil pointer would be no error
			left, right = l.pointed(left, tv.Type), l.pointed(right, tv.Type)
		}
		if x.Op == token.QUO && l.info.Types[x.Y].Value != nil && isComplex(tv.Type) { // a constant that the interpreter cannot divide by
			right = l.evaluated(right, tv.Type)
		}
		return &ast.BinaryExpr{X: left, OpPos: x.OpPos, Op: x.Op, Y: right}
	case *ast.KeyValueExpr:
		return &ast.KeyValueExpr{Key: l.expr(x.Key), Colon: x.Colon, Value: l.expr(x.Value)}
	}
	l.Fail(p, "the session cannot take this expression")
	return x
}

func isComplex(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsComplex != 0
}

// mapKey converts y, the lowered form of x, to a map key.
func (l *Lowering) mapKey(x, y ast.Expr, m *types.Map) ast.Expr {
	p, from := syntax.At(x.Pos()), l.info.TypeOf(x)
	return l.keyed(p, l.Convert(p, y, from, repr.KeyType(m)), from, m)
}

// keyed returns y, a key of a map that was of type from, in the form in which the map
// finds it again.
func (l *Lowering) keyed(p syntax.At, y ast.Expr, from types.Type, m *types.Map) ast.Expr {
	t := repr.KeyType(m)
	parts := repr.HidesInterface(from) || repr.HoldsWrapper(from)
	switch {
	case repr.IsNilType(from) && !repr.IsEmpty(t): // which the interpreter would take for an any
		return l.Zero(p, t)
	case repr.IsNilType(from):
	case repr.IsEmpty(t) && (parts || types.IsInterface(from) || repr.NeedsBox(from) && !types.Comparable(from)):
		return p.Support("Keyed", y)
	case types.IsInterface(t) && !repr.HoldsBoxes(t):
		return l.Key(p, y, t)
	case parts && !types.IsInterface(t):
		return p.Call(p.ID(l.MustAsserter(p, repr.AnyType, t, false)), p.Support("Keyed", l.Convert(p, y, t, repr.AnyType)))
	}
	return y
}

// pointed evaluates a dereference in a separate function.
func (l *Lowering) pointed(x ast.Expr, t types.Type) ast.Expr {
	if _, ok := x.(*ast.StarExpr); !ok {
		return x
	}
	return l.evaluated(x, t)
}

// copied evaluates a location in a separate function, which copies the value.
func (l *Lowering) copied(x ast.Expr, t types.Type) ast.Expr {
	switch x.(type) {
	case *ast.IndexExpr, *ast.StarExpr, *ast.SelectorExpr:
		return l.evaluated(x, t)
	}
	return x
}

// evaluated returns func() t { return x }().
func (l *Lowering) evaluated(x ast.Expr, t types.Type) ast.Expr {
	p := syntax.At(x.Pos())
	f := p.FuncType(p.Fields(), p.Fields(p.Field("", l.TypeExpr(p, t))))
	if definesFunc(x, t) {
		v := l.Temporary("v")
		return p.Call(p.FuncLit(f, p.Define(v, x), p.Return(p.ID(v))))
	}
	return p.Call(p.FuncLit(f, p.Return(x)))
}

// composes reports whether a lowered operand of && or || contains a composite
// literal: the interpreter would treat its first value as the condition.
func composes(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CompositeLit:
			found = true
		case *ast.FuncLit:
			return false
		}
		return !found
	})
	return found
}

// receive lowers <-c in an expression to a call, because the interpreter can only
// assign received values to variables.
func (l *Lowering) receive(x *ast.UnaryExpr) ast.Expr {
	p, t := syntax.At(x.OpPos), l.info.TypeOf(x.X)
	name := l.WriteOnce("receive "+l.TypeKey(t), "receive", func(name string) {
		c, v := l.Temporary("c"), l.Temporary("v")
		l.Decls = append(l.Decls, p.FuncDecl(name, p.FuncType(p.Fields(p.Field(c, l.TypeExpr(p, t))), p.Fields(p.Field("", l.TypeExpr(p, t.Underlying().(*types.Chan).Elem())))),
			p.Define(v, p.Unary(token.ARROW, p.ID(c))),
			p.Return(p.ID(v))))
	})
	return p.Call(p.ID(name), l.expr(x.X))
}

// arrow lowers <-c to a receive expression, for a whole statement or for defining
// variables.
func (l *Lowering) arrow(x *ast.UnaryExpr) ast.Expr {
	return &ast.UnaryExpr{OpPos: x.OpPos, Op: x.Op, X: l.expr(x.X)}
}

// isReceive returns x if it is <-c.
func isReceive(x ast.Expr) (*ast.UnaryExpr, bool) {
	u, ok := ast.Unparen(x).(*ast.UnaryExpr)
	return u, ok && u.Op == token.ARROW
}

func (l *Lowering) ident(id *ast.Ident) ast.Expr {
	p := syntax.At(id.Pos())
	if name := l.instanceOf(id); name != nil {
		return name
	}
	o := l.info.Uses[id]
	if o == nil {
		o = l.info.Defs[id]
	}
	switch o := o.(type) {
	case nil, *types.Nil, *types.Builtin:
		return p.ID(id.Name)
	case *types.PkgName:
		return l.PackageName(p, o.Imported().Path())
	}
	switch {
	case id.Name == "_":
		return p.ID("_")
	case l.IsTop(o):
		return p.ID(l.InnerName(o))
	case o.Pkg() != nil && o.Pkg().Path() != "main" && o.Parent() == o.Pkg().Scope(): // from a dot import
		return p.Sel(l.PackageName(p, o.Pkg().Path()), o.Name())
	}
	return p.ID(l.LocalName(o))
}

func (l *Lowering) selector(x *ast.SelectorExpr) ast.Expr {
	p := syntax.At(x.Pos())
	if name := l.instanceOf(x.Sel); name != nil {
		return name
	}
	sel := l.info.Selections[x]
	if sel == nil { // package.Name
		return &ast.SelectorExpr{X: l.expr(x.X), Sel: syntax.At(x.Sel.Pos()).ID(x.Sel.Name)}
	}
	if sel.Kind() == types.MethodExpr {
		return l.methodExpr(p, sel)
	}
	out := l.expr(x.X)
	// The path through embedded fields is written out.
	out = l.Through(p, out, l.info.TypeOf(x.X), sel.Index())
	name := x.Sel.Name
	if v, ok := sel.Obj().(*types.Var); ok {
		t := l.info.TypeOf(x.X)
		for _, i := range sel.Index()[:len(sel.Index())-1] {
			t = repr.StructOf(t).Field(i).Type()
		}
		name = l.FieldName(t, v)
	}
	return &ast.SelectorExpr{X: out, Sel: syntax.At(x.Sel.Pos()).ID(name)}
}

// composite lowers a composite literal and writes its type even where Go allows it to
// be omitted.
func (l *Lowering) composite(x *ast.CompositeLit, t types.Type) ast.Expr {
	p := syntax.At(x.Pos())
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		return p.Unary(token.AND, l.composite(x, ptr.Elem()))
	}
	out := &ast.CompositeLit{Type: l.TypeExpr(p, t), Lbrace: x.Lbrace, Rbrace: x.Rbrace}
	s, isStruct := t.Underlying().(*types.Struct)
	var key, elem types.Type
	switch t := t.Underlying().(type) {
	case *types.Slice:
		elem = t.Elem()
	case *types.Array:
		elem = t.Elem()
	case *types.Map:
		key, elem = repr.KeyType(t), t.Elem()
	}
	for i, e := range x.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		switch {
		case !ok && isStruct:
			out.Elts = append(out.Elts, l.guardField(s.Field(i), l.value(e, s.Field(i).Type()), l.info.TypeOf(e)))
		case !ok:
			out.Elts = append(out.Elts, l.value(e, elem))
		case isStruct:
			key := kv.Key.(*ast.Ident)
			name, value := key.Name, ast.Expr(nil)
			if v, ok := l.info.Uses[key].(*types.Var); ok {
				name, value = l.FieldName(t, v), l.guardField(v, l.value(kv.Value, v.Type()), l.info.TypeOf(kv.Value))
			} else {
				value = l.value(kv.Value, nil)
			}
			out.Elts = append(out.Elts, &ast.KeyValueExpr{Key: syntax.At(key.Pos()).ID(name), Colon: kv.Colon, Value: value})
		default:
			k := l.value(kv.Key, key)
			if m, ok := t.Underlying().(*types.Map); ok {
				k = l.keyed(syntax.At(kv.Pos()), k, l.info.TypeOf(kv.Key), m)
			}
			out.Elts = append(out.Elts, &ast.KeyValueExpr{Key: k, Colon: kv.Colon, Value: l.value(kv.Value, elem)})
		}
	}
	return out
}
