package repr

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"symmom/repl/internal/boxed"
	"symmom/repl/internal/gofront"
)

// A value whose type is declared in cells is put into a box when it is converted to
// an interface that compiled code knows: see package boxed.

// boxedType is a type whose values are put into boxes.
type boxedType struct {
	*boxed.Type
	typ types.Type
}

var (
	AnyType   = types.Universe.Lookup("any").Type()
	ErrorType = types.Universe.Lookup("error").Type()
)

// boxType returns the entry of a type, and adds one for a new type.
func (w *Writer) boxType(t types.Type) *boxedType {
	key := w.TypeKey(t)
	if e := w.state.boxed[key]; e != nil {
		return e
	}
	e := w.boxed[key]
	if e == nil {
		e = &boxedType{w.state.Types.Add(TypeTitle(t), t), t}
		w.boxed[key] = e
		w.layoutOf(t, e)
	}
	return e
}

// boxedTypes returns the entries by their IDs.
func (w *Writer) boxedTypes() []*boxedType {
	var out []*boxedType
	for _, m := range []map[string]*boxedType{w.state.boxed, w.boxed} {
		for _, e := range m {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, byID)
	return out
}

func byID(a, b *boxedType) int { return a.ID - b.ID }

// describeMethods passes the methods of a type to the session.
func (w *Writer) describeMethods(e *boxedType) {
	if types.IsInterface(e.typ) {
		w.WriteOnce(fmt.Sprintf("own %d dynamic", e.ID), "dynamic", func(string) {
			p, x := w.start, w.Temporary("x")
			lit := p.FuncLit(p.FuncType(p.Fields(p.Field(x, w.TypeExpr(p, e.typ))), p.Fields(p.Field("", p.ID("any")))),
				p.Return(w.Dynamic(p, p.ID(x), e.typ)))
			w.Prologue = append(w.Prologue, p.Expr(p.Support("SetMethod", p.Int(e.ID), p.Quoted("dynamic"), lit)))
		})
		return
	}
	names := []string{"Error", "String", "Unwrap", "Is", "As", "Format", "GoString", "MarshalJSON", "MarshalText", "MarshalXML", "Timeout", "Temporary", "LogValue", "ColorModel", "Bounds", "At"}
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
		o, index, _ := types.LookupFieldOrMethod(typ, i >= plain, w.front.Types.Pkg, name)
		f, ok := o.(*types.Func)
		if !ok && strings.HasPrefix(name, "Marshal") { // a method of its address
			typ = types.NewPointer(typ)
			o, index, _ = types.LookupFieldOrMethod(typ, false, w.front.Types.Pkg, name)
			f, ok = o.(*types.Func)
			name = "*" + name
		}
		if !ok || w.front.Types.Orphans[f.Origin()] || !useful(strings.TrimPrefix(name, "*"), f.Signature()) {
			continue
		}
		w.written[key] = name
		p := w.place(f)
		v, t := w.Temporary("v"), w.Temporary("t")
		sig := f.Signature()
		names := []string{v}
		for range sig.Params().Len() {
			names = append(names, w.Temporary("a"))
		}
		ft := w.FuncType(p, sig, names[1:])
		ft.Params.List = append([]*ast.Field{p.Field(v, p.ID("any"))}, ft.Params.List...)
		call := p.Call(p.Sel(w.Through(p, p.ID(t), typ, index), f.Name()), p.IDs(names[1:]...)...)
		var result ast.Stmt = p.Return(call)
		if sig.Results().Len() == 0 {
			result = p.Expr(call)
		}
		lit := p.FuncLit(ft, p.Define(t, p.Assert(p.ID(v), w.ParenType(p, typ))), result)
		w.Prologue = append(w.Prologue, p.Expr(p.Support("SetMethod", p.Int(e.ID), p.Quoted(name), lit)))
	}
}

// useful reports whether a method has the signature by which others call it.
func useful(name string, sig *types.Signature) bool {
	sig = types.NewSignatureType(nil, nil, nil, Unnamed(sig.Params()), Unnamed(sig.Results()), false)
	form := strings.TrimPrefix(types.TypeString(sig, gofront.ShortNames), "func")
	switch name {
	case "Error", "String", "GoString":
		return form == "() string"
	case "MarshalJSON", "MarshalText":
		return form == "() ([]byte, error)" || form == "() ([]uint8, error)"
	case "Format":
		return sig.Params().Len() == 2 && TypeTitle(sig.Params().At(0).Type()) == "fmt.State" && sig.Results().Len() == 0
	case "MarshalXML":
		return sig.Params().Len() == 2 && TypeTitle(sig.Params().At(0).Type()) == "*xml.Encoder" && sig.Results().Len() == 1
	case "Timeout", "Temporary":
		return form == "() bool"
	case "ColorModel":
		return form == "() color.Model"
	case "Bounds":
		return form == "() image.Rectangle"
	case "At":
		return form == "(int, int) color.Color"
	case "LogValue":
		return form == "() slog.Value"
	case "Unwrap":
		return form == "() error" || form == "() []error"
	case "Is", "As":
		if sig.Params().Len() != 1 || sig.Results().Len() != 1 || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool]) {
			return false
		}
		t := sig.Params().At(0).Type()
		return name == "Is" && isError(t) || name == "As" && IsEmpty(t)
	}
	return sig.Params().Len() == 0 && (sig.Results().Len() == 1 || sig.Results().Len() == 2)
}

// Unnamed returns parameters or results without their names.
func Unnamed(list *types.Tuple) *types.Tuple {
	var out []*types.Var
	for v := range list.Variables() {
		out = append(out, types.NewParam(token.NoPos, nil, "", v.Type()))
	}
	return types.NewTuple(out...)
}

// NewlyBoxed returns the types whose values this cell is the first to put into boxes.
func (w *Writer) NewlyBoxed() []types.Type {
	var out []types.Type
	for _, e := range slices.SortedFunc(maps.Values(w.boxed), byID) {
		out = append(out, e.typ)
	}
	return out
}
