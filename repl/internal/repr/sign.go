package repr

import (
	"go/types"

	"symmom/repl/internal/syntax"
)

// When a function is called by its declared name, the interpreter omits zero
// arguments, and treats negative zeros as zeros. So functions that may be passed a
// negative zero are called through a variable.

// TakesSigned reports whether a function may be passed a negative zero.
func TakesSigned(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if hasSign(v.Type()) {
			return true
		}
	}
	return false
}

// hasSign reports whether a value of a type may be a negative zero, or consist of
// these and of zeros.
func hasSign(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex) != 0
	case *types.Array:
		return hasSign(u.Elem())
	case *types.Struct:
		for v := range u.Fields() {
			if hasSign(v.Type()) {
				return true
			}
		}
	}
	return false
}

// Holder returns the variable through which a declared function is called.
func (w *Writer) Holder(p syntax.At, name string, sig *types.Signature) string {
	return w.WriteOnce("held "+name, "held", func(holder string) {
		w.Decls = append(w.Decls, p.Var(holder, w.TypeExpr(p, sig)))
		w.Prologue = append(w.Prologue, p.Set(p.ID(holder), p.ID(name)))
	})
}
