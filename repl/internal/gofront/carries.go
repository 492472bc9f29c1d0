package gofront

import (
	"go/types"
	"slices"
)

// Carries reports whether values of a type carry the error that stopped their computation:
// pointers to types of the program's own packages with a method Err.
func (l *Library) Carries(t types.Type) bool {
	pointer, is := types.Unalias(t).(*types.Pointer)
	if !is {
		return false
	}
	named, is := types.Unalias(pointer.Elem()).(*types.Named)
	if !is || named.Obj().Pkg() == nil {
		return false
	}
	if path, _ := l.Importable(named.Obj().Pkg().Path(), named.Obj().Name()); !slices.Contains(l.Own, path) {
		return false
	}
	o, _, _ := types.LookupFieldOrMethod(t, true, named.Obj().Pkg(), "Err")
	f, is := o.(*types.Func)
	return is && types.Identical(f.Signature().Results(), failing.Results()) && f.Signature().Params().Len() == 0
}

// failing is the signature of Err.
var failing = types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewVar(0, nil, "", types.Universe.Lookup("error").Type())), false)
