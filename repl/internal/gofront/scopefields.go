package gofront

import (
	"go/types"
	"reflect"
	"unsafe"
)

// All cells are checked as parts of one package, so that they can use each other's
// fields. A name that is declared again must be removed from the package's scope,
// which go/types does not offer, so the scope is emptied here.
var (
	elemsField, elemsKnown       = reflect.TypeFor[types.Scope]().FieldByName("elems")
	childrenField, childrenKnown = reflect.TypeFor[types.Scope]().FieldByName("children")
)

// ScopeFieldsKnown reports whether go/types has the fields that emptied writes to.
func ScopeFieldsKnown() bool {
	return elemsKnown && elemsField.Type == reflect.TypeFor[map[string]types.Object]() &&
		childrenKnown && childrenField.Type == reflect.TypeFor[[]*types.Scope]()
}

// emptied returns pkg with an empty scope.
func emptied(pkg *types.Package) *types.Package {
	scope := unsafe.Pointer(pkg.Scope())
	*(*map[string]types.Object)(unsafe.Add(scope, elemsField.Offset)) = nil
	*(*[]*types.Scope)(unsafe.Add(scope, childrenField.Offset)) = nil
	return pkg
}
