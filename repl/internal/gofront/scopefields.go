package gofront

import (
	"go/token"
	"go/types"
	"reflect"
	"unsafe"
)

// All cells are checked as parts of one package, so that they can use each other's
// fields. A name that is declared again must be removed from the package's scope,
// which go/types does not offer, so the scope is emptied here. What earlier cells have
// declared is in a scope around it: the checker looks for the declaration of all that is
// in the scope of the package itself.
var (
	parentField, parentKnown     = reflect.TypeFor[types.Scope]().FieldByName("parent")
	elemsField, elemsKnown       = reflect.TypeFor[types.Scope]().FieldByName("elems")
	childrenField, childrenKnown = reflect.TypeFor[types.Scope]().FieldByName("children")
)

// ScopeFieldsKnown reports whether go/types has the fields that are written to here.
func ScopeFieldsKnown() bool {
	return parentKnown && parentField.Type == reflect.TypeFor[*types.Scope]() &&
		elemsKnown && elemsField.Type == reflect.TypeFor[map[string]types.Object]() &&
		childrenKnown && childrenField.Type == reflect.TypeFor[[]*types.Scope]()
}

// emptied returns pkg with an empty scope.
func emptied(pkg *types.Package) *types.Package {
	scope := unsafe.Pointer(pkg.Scope())
	*(*map[string]types.Object)(unsafe.Add(scope, elemsField.Offset)) = nil
	*(*[]*types.Scope)(unsafe.Add(scope, childrenField.Offset)) = nil
	return pkg
}

// Around gives pkg a scope of its own between that of the package and the universe, and
// returns it.
func Around(pkg *types.Package) *types.Scope {
	around := types.NewScope(types.Universe, token.NoPos, token.NoPos, "session")
	*(**types.Scope)(unsafe.Add(unsafe.Pointer(pkg.Scope()), parentField.Offset)) = around
	return around
}
