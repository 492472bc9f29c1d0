package gofront

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
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

// ownType is the entry of a type, which is made when it is new.
func (w *Writer) ownType(t types.Type) *ownEntry {
	key := w.typeKey(t)
	if e := w.state.owned[key]; e != nil {
		return e
	}
	e := w.owned[key]
	if e == nil {
		e = &ownEntry{w.state.Types.Add(typeTitle(t), t), t}
		w.owned[key] = e
		w.outlineOf(t, e)
	}
	return e
}

// allOwned are the entries in their order.
func (w *Writer) allOwned() []*ownEntry {
	var out []*ownEntry
	for _, m := range []map[string]*ownEntry{w.state.owned, w.owned} {
		for _, e := range m {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, byID)
	return out
}

func byID(a, b *ownEntry) int { return a.ID - b.ID }

// tellMethods tells the session what the methods of a type do.
func (w *Writer) tellMethods(e *ownEntry) {
	if types.IsInterface(e.typ) {
		w.writeOnce(fmt.Sprintf("own %d dynamic", e.ID), "dynamic", func(string) {
			p, x := w.start, w.temporary("x")
			lit := &ast.FuncLit{Type: &ast.FuncType{Func: token.Pos(p), Params: p.fields(p.field(x, w.typeExpr(p, e.typ))), Results: p.fields(p.field("", p.ID("any")))},
				Body: p.Block(p.ret(w.dynamic(p, p.ID(x), e.typ)))}
			w.Prologue = append(w.Prologue, p.Expr(p.Support("OwnMethod", p.int(e.ID), p.string("dynamic"), lit)))
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
		if w.writtenName(key) != "" {
			continue
		}
		typ := e.typ
		o, index, _ := types.LookupFieldOrMethod(typ, i >= plain, w.front.Types.pkg, name)
		f, ok := o.(*types.Func)
		if !ok && strings.HasPrefix(name, "Marshal") { // one of its address
			typ = types.NewPointer(typ)
			o, index, _ = types.LookupFieldOrMethod(typ, false, w.front.Types.pkg, name)
			f, ok = o.(*types.Func)
			name = "*" + name
		}
		if !ok || w.front.Types.Orphans[f.Origin()] || !useful(strings.TrimPrefix(name, "*"), f.Signature()) {
			continue
		}
		w.written[key] = name
		p := At(f.Pos())
		v, t := w.temporary("v"), w.temporary("t")
		sig := f.Signature()
		names := []string{v}
		for range sig.Params().Len() {
			names = append(names, w.temporary("a"))
		}
		ft := w.funcType(p, sig, names[1:])
		ft.Params.List = append([]*ast.Field{p.field(v, p.ID("any"))}, ft.Params.List...)
		call := p.Call(p.sel(w.through(p, p.ID(t), typ, index), f.Name()), p.ids(names[1:]...)...)
		var result ast.Stmt = p.ret(call)
		if sig.Results().Len() == 0 {
			result = p.Expr(call)
		}
		lit := &ast.FuncLit{Type: ft, Body: p.Block(
			p.define(t, &ast.TypeAssertExpr{X: p.ID(v), Lparen: token.Pos(p), Type: w.wrapped(p, typ), Rparen: token.Pos(p)}),
			result)}
		w.Prologue = append(w.Prologue, p.Expr(p.Support("OwnMethod", p.int(e.ID), p.string(name), lit)))
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

// newlyBoxed are the types of which this cell is the first to put values into boxes.
func (w *Writer) newlyBoxed() []types.Type {
	var out []types.Type
	for _, e := range slices.SortedFunc(maps.Values(w.owned), byID) {
		out = append(out, e.typ)
	}
	return out
}
