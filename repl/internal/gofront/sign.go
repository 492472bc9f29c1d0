package gofront

import "go/types"

// The interpreter leaves out an argument that is zero where a function is called
// by the name that it was declared under, and takes a negative zero for one. So
// functions that may be given one are called by way of a variable.

// signed says whether a function may be given a negative zero.
func signed(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if hasSign(v.Type()) {
			return true
		}
	}
	return false
}

// hasSign says whether a value of a type may be a negative zero, or consist of
// such and of zeros.
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

// held is the variable that a declared function is called by.
func (w *Writer) held(p At, name string, sig *types.Signature) string {
	return w.writeOnce("held "+name, "held", func(holder string) {
		w.Decls = append(w.Decls, p.variable(holder, w.typeExpr(p, sig)))
		w.Prologue = append(w.Prologue, p.set(p.ID(holder), p.ID(name)))
	})
}
