package gofront

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"symmom/repl/internal/boxed"
)

// What becomes an interface that compiled code knows is put into a box
// where its type is one that a cell has made: see package boxed.

// ownEntry is such a type.
type ownEntry struct {
	*boxed.Type
	typ types.Type
}

var (
	anyType   = types.Universe.Lookup("any").Type()
	errorType = types.Universe.Lookup("error").Type()
)

// ownable says whether the interpreter loses the type of a value: whether the
// type, which is no interface, is made of types that cells declare.
func ownable(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if ownable(arg) {
				return true
			}
		}
		return t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == "main"
	case *types.Pointer:
		return ownable(t.Elem())
	case *types.Slice:
		return ownable(t.Elem())
	case *types.Array:
		return ownable(t.Elem())
	case *types.Chan:
		return ownable(t.Elem())
	case *types.Map:
		return ownable(t.Key()) || ownable(t.Elem())
	case *types.Interface:
		return t.NumMethods() > 0
	case *types.Struct:
		for f := range t.Fields() {
			if ownable(f.Type()) || !f.Exported() && f.Pkg() != nil && f.Pkg().Path() == "main" { // it has another name there
				return true
			}
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				if ownable(v.Type()) {
					return true
				}
			}
		}
	}
	return false
}

// compiled says whether values of an interface are what compiled code has, and
// not the interpreter's own form.
func compiled(t types.Type) bool {
	if types.Unalias(t).Underlying().(*types.Interface).NumMethods() == 0 {
		return true
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && (named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "main")
}

func isStringer(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "fmt" && named.Obj().Name() == "Stringer"
}

func isError(t types.Type) bool { return types.Identical(t, errorType) }

func isEmpty(t types.Type) bool {
	i, ok := types.Unalias(t).Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

// owns says whether values in an interface are put into a box.
func owns(t types.Type) bool { return isEmpty(t) || isError(t) || isStringer(t) }

func (l *Lowering) writtenName(key string) string {
	if name, ok := l.written[key]; ok {
		return name
	}
	return l.s.Types.written[key]
}

// ownType is the entry of a type, which is made when it is new.
func (l *Lowering) ownType(t types.Type) *ownEntry {
	key := l.typeKey(t)
	if e := l.s.Types.owned[key]; e != nil {
		return e
	}
	e := l.owned[key]
	if e == nil {
		e = &ownEntry{l.s.Own.Add(typeTitle(t), t), t}
		l.owned[key] = e
		l.outlineOf(t, e)
	}
	return e
}

// allOwned are the entries in their order.
func (l *Lowering) allOwned() []*ownEntry {
	var out []*ownEntry
	for _, m := range []map[string]*ownEntry{l.s.Types.owned, l.owned} {
		for _, e := range m {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b *ownEntry) int { return a.ID - b.ID })
	return out
}

// value lowers an expression for a place of type to.
func (l *Lowering) value(x ast.Expr, to types.Type) ast.Expr {
	if from := l.info.TypeOf(x); from != nil && to != nil && isNilType(from) && types.IsInterface(to) && !compiled(to) {
		return l.zero(At(x.Pos()), to)
	}
	return l.convert(At(x.Pos()), l.expr(x), l.info.TypeOf(x), to)
}

// converts says whether a value of type from changes its form in a place of
// type to.
func (l *Lowering) converts(from, to types.Type) bool {
	if l.boxes(from, to) || enters(from, to) {
		return true
	}
	if from == nil || to == nil || !types.IsInterface(to) || !compiled(to) && (!types.IsInterface(from) || !compiled(from)) {
		return false
	}
	if b, ok := from.(*types.Basic); ok && (b.Kind() == types.UntypedNil || b.Kind() == types.Invalid) {
		return false
	}
	if types.IsInterface(from) {
		return compiled(from) != compiled(to) && (!compiled(to) || owns(to)) || returns(from, to)
	}
	return owns(to) && ownable(from)
}

// wraps says whether the interpreter has to put a value of type from into an
// interface of its own, which it does where a function returns one.
func wraps(from, to types.Type) bool {
	return types.IsInterface(to) && !compiled(to) && !types.IsInterface(from)
}

// convert writes x, of type from, as what a place of type to holds.
func (l *Lowering) convert(p At, x ast.Expr, from, to types.Type) ast.Expr {
	switch {
	case !l.converts(from, to):
		return x
	case l.boxes(from, to):
		return l.rebox(p, x, from, to)
	case enters(from, to):
		if _, made := x.(*ast.CompositeLit); made { // in a place of its own
			return x
		}
		return l.enclosed(p, x, from, to)
	case returns(from, to):
		l.returning[l.typeKey(from)] = from
		return p.Support("Return", x)
	case !types.IsInterface(from):
		e := l.ownType(from)
		switch {
		case isError(to):
			return p.Support("OwnError", p.int(e.ID), x)
		case isStringer(to):
			return p.Support("OwnStringer", p.int(e.ID), x)
		}
		return p.Support("Own", p.int(e.ID), x)
	case !compiled(to):
		return p.Call(p.ID(l.mustBe(p, from, to, true)), x)
	}
	x = l.dynamic(p, x, from)
	if isEmpty(to) {
		return x
	}
	return p.Call(p.ID(l.mustBe(p, from, to, true)), x)
}

// convertAll writes a call that gives several values as one that gives what
// places of the types to hold.
func (l *Lowering) convertAll(p At, x ast.Expr, from *types.Tuple, to []types.Type) ast.Expr {
	changes := false
	for i := range from.Len() {
		changes = changes || i < len(to) && to[i] != nil && (l.converts(from.At(i).Type(), to[i]) || wraps(from.At(i).Type(), to[i]))
	}
	if !changes {
		return x
	}
	var names, out []ast.Expr
	f := &ast.FuncType{Func: token.Pos(p), Params: p.fields(), Results: p.fields()}
	for i := range from.Len() {
		name := l.temporary("v")
		names = append(names, p.ID(name))
		t := from.At(i).Type()
		y := ast.Expr(p.ID(name))
		if to[i] != nil && (l.converts(t, to[i]) || wraps(t, to[i])) {
			y, t = l.convert(p, y, t, to[i]), to[i]
		}
		f.Results.List = append(f.Results.List, p.field("", l.typeExpr(p, t)))
		out = append(out, y)
	}
	return p.Call(p.paren(&ast.FuncLit{Type: f, Body: p.Block(p.assign(token.DEFINE, names, []ast.Expr{x}), p.ret(out...))}))
}

// valueList lowers the right side of places of the types to: a value for each,
// or a call that gives all.
func (l *Lowering) valueList(list []ast.Expr, to []types.Type) []ast.Expr {
	if len(list) == 1 && len(to) > 1 {
		from, ok := l.info.TypeOf(list[0]).(*types.Tuple)
		x := l.expr(list[0])
		if _, call := ast.Unparen(x).(*ast.CallExpr); ok && call {
			x = l.convertAll(At(list[0].Pos()), x, from, to)
		}
		return []ast.Expr{x}
	}
	out := make([]ast.Expr, len(list))
	for i, x := range list {
		var t types.Type
		if i < len(to) {
			t = to[i]
		}
		out[i] = l.value(x, t)
	}
	return out
}

func (l *Lowering) typesOf(list []ast.Expr) []types.Type {
	var out []types.Type
	for _, x := range list {
		if isBlank(x) {
			out = append(out, nil)
			continue
		}
		out = append(out, l.info.TypeOf(x))
	}
	return out
}

// tellMethods tells the session what the methods of a type do.
func (l *Lowering) tellMethods(e *ownEntry) {
	if types.IsInterface(e.typ) {
		l.writeOnce(fmt.Sprintf("own %d dynamic", e.ID), "dynamic", func(string) {
			p, x := l.start, l.temporary("x")
			lit := &ast.FuncLit{Type: &ast.FuncType{Func: token.Pos(p), Params: p.fields(p.field(x, l.typeExpr(p, e.typ))), Results: p.fields(p.field("", p.ID("any")))},
				Body: p.Block(p.ret(l.dynamic(p, p.ID(x), e.typ)))}
			l.Prologue = append(l.Prologue, p.Expr(p.Support("OwnMethod", p.int(e.ID), p.string("dynamic"), lit)))
		})
		return
	}
	names := []string{"Error", "String", "Unwrap", "Is", "As", "Format", "GoString", "MarshalJSON", "MarshalText", "MarshalXML"}
	plain := len(names)
	for _, s := range boxed.Shows {
		names = append(names, s.Method)
	}
	for i, name := range names {
		key := fmt.Sprintf("own %d %s", e.ID, name)
		if l.writtenName(key) != "" {
			continue
		}
		typ := e.typ
		o, index, _ := types.LookupFieldOrMethod(typ, i >= plain, l.s.Types.pkg, name)
		f, ok := o.(*types.Func)
		if !ok && strings.HasPrefix(name, "Marshal") { // one of its address
			typ = types.NewPointer(typ)
			o, index, _ = types.LookupFieldOrMethod(typ, false, l.s.Types.pkg, name)
			f, ok = o.(*types.Func)
			name = "*" + name
		}
		if !ok || l.s.Types.Orphans[f.Origin()] || !useful(strings.TrimPrefix(name, "*"), f.Signature()) {
			continue
		}
		l.written[key] = name
		p := At(f.Pos())
		v, t := l.temporary("v"), l.temporary("t")
		sig := f.Signature()
		names := []string{v}
		for range sig.Params().Len() {
			names = append(names, l.temporary("a"))
		}
		ft := l.funcType(p, sig, names[1:])
		ft.Params.List = append([]*ast.Field{p.field(v, p.ID("any"))}, ft.Params.List...)
		call := p.Call(p.sel(l.through(p, p.ID(t), typ, index), f.Name()), p.ids(names[1:]...)...)
		var result ast.Stmt = p.ret(call)
		if sig.Results().Len() == 0 {
			result = p.Expr(call)
		}
		lit := &ast.FuncLit{Type: ft, Body: p.Block(
			p.define(t, &ast.TypeAssertExpr{X: p.ID(v), Lparen: token.Pos(p), Type: l.wrapped(p, typ), Rparen: token.Pos(p)}),
			result)}
		l.Prologue = append(l.Prologue, p.Expr(p.Support("OwnMethod", p.int(e.ID), p.string(name), lit)))
	}
}

// useful says whether a method has the form in which others call it.
func useful(name string, sig *types.Signature) bool {
	sig = types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), false)
	form := strings.TrimPrefix(types.TypeString(sig, shortNames), "func")
	switch name {
	case "Error", "String", "GoString":
		return form == "() string"
	case "MarshalJSON", "MarshalText":
		return form == "() ([]byte, error)" || form == "() ([]uint8, error)"
	case "Format":
		return sig.Params().Len() == 2 && typeTitle(sig.Params().At(0).Type()) == "fmt.State" && sig.Results().Len() == 0
	case "MarshalXML":
		return sig.Params().Len() == 2 && typeTitle(sig.Params().At(0).Type()) == "*xml.Encoder" && sig.Results().Len() == 1
	case "Unwrap":
		return form == "() error" || form == "() []error"
	case "Is", "As":
		if sig.Params().Len() != 1 || sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool]) {
			return false
		}
		t := sig.Params().At(0).Type()
		return name == "Is" && isError(t) || name == "As" && isEmpty(t)
	}
	return sig.Params().Len() == 0 && (sig.Results().Len() == 1 || sig.Results().Len() == 2)
}

func unnamed(list *types.Tuple) *types.Tuple {
	var out []*types.Var
	for v := range list.Variables() {
		out = append(out, types.NewParam(token.NoPos, nil, "", v.Type()))
	}
	return types.NewTuple(out...)
}

// through writes the way from x, of type t, through embedded fields to the
// field or method at an index.
func (l *Lowering) through(p At, x ast.Expr, t types.Type, index []int) ast.Expr {
	for _, i := range index[:len(index)-1] {
		f := structOf(t).Field(i)
		if f.Pkg() == nil || f.Pkg().Path() != "main" {
			break // within compiled types the interpreter finds it
		}
		x, t = p.sel(x, l.fieldName(f)), f.Type()
	}
	return x
}
