package repr

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/syntax"
)

// Converts reports whether converting a value from one type to another changes its
// form.
func (w *Writer) Converts(from, to types.Type) bool {
	if Enters(from, to) {
		return true
	}
	if from == nil || to == nil || !types.IsInterface(to) || !IsCompiled(to) && (!types.IsInterface(from) || !IsCompiled(from)) {
		return false
	}
	if b, ok := from.(*types.Basic); ok && (b.Kind() == types.UntypedNil || b.Kind() == types.Invalid) {
		return false
	}
	if types.IsInterface(from) {
		return IsCompiled(from) != IsCompiled(to) || returns(from, to)
	}
	return HoldsBoxes(to) && NeedsBox(from)
}

// wraps reports whether the interpreter has to put a value into an interface of its
// own, as it does when a function returns one.
func wraps(from, to types.Type) bool {
	return types.IsInterface(to) && !IsCompiled(to) && !types.IsInterface(from)
}

// Convert converts x, of type from, to the representation of type to.
func (w *Writer) Convert(p syntax.At, x ast.Expr, from, to types.Type) ast.Expr {
	switch {
	case !w.Converts(from, to):
		return x
	case Enters(from, to):
		return w.Enter(p, x, from, to)
	case returns(from, to):
		x = p.Support("Return", x)
	case !types.IsInterface(from):
		e := w.boxType(from)
		switch {
		case isError(to):
			return p.Support("BoxError", p.Int(e.ID), x)
		case isStringer(to):
			return p.Support("BoxStringer", p.Int(e.ID), x)
		}
		return p.Support("Box", p.Int(e.ID), x)
	case !IsCompiled(to):
		return p.Call(p.ID(w.MustAsserter(p, from, to, true)), x)
	}
	x = w.Dynamic(p, x, from)
	if IsEmpty(to) {
		return x
	}
	return p.Call(p.ID(w.MustAsserter(p, from, to, true)), x)
}

// ConvertAll converts the results of a call to the forms of several types.
func (w *Writer) ConvertAll(p syntax.At, x ast.Expr, from *types.Tuple, to []types.Type) ast.Expr {
	changes := false
	for i := range from.Len() {
		changes = changes || i < len(to) && to[i] != nil && (w.Converts(from.At(i).Type(), to[i]) || wraps(from.At(i).Type(), to[i]))
	}
	if !changes {
		return x
	}
	var names, out []ast.Expr
	f := p.FuncType(p.Fields(), p.Fields())
	for i := range from.Len() {
		name := w.Temporary("v")
		names = append(names, p.ID(name))
		t := from.At(i).Type()
		y := ast.Expr(p.ID(name))
		if to[i] != nil && (w.Converts(t, to[i]) || wraps(t, to[i])) {
			y, t = w.Convert(p, y, t, to[i]), to[i]
		}
		f.Results.List = append(f.Results.List, p.Field("", w.TypeExpr(p, t)))
		out = append(out, y)
	}
	return p.Call(p.Paren(p.FuncLit(f, p.Assign(token.DEFINE, names, []ast.Expr{x}), p.Return(out...))))
}
