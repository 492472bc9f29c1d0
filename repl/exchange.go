// What this file does to types of other packages, since they do not let it be
// done: tests hold it to the versions in use.

package repl

import (
	"go/types"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// counter is where a sync.WaitGroup keeps its count: the upper half of an
// atomic.Uint64 called state. A test holds this to the Go in use.
var counter, counterKnown = reflect.TypeFor[sync.WaitGroup]().FieldByName("state")

// waitCount returns the count of wg.
func waitCount(wg *sync.WaitGroup) int32 {
	if !counterKnown || counter.Type != reflect.TypeFor[atomic.Uint64]() {
		wg.Wait()
		return 0
	}
	state := (*atomic.Uint64)(unsafe.Add(unsafe.Pointer(wg), counter.Offset))
	return int32(state.Load() >> 32)
}

// All cells are checked as parts of one package, so that they may name each
// other's fields. A name that is declared again must leave the package's
// scope, which go/types has no way for: here the scope is emptied.
var (
	elemsField, elemsKnown       = reflect.TypeFor[types.Scope]().FieldByName("elems")
	childrenField, childrenKnown = reflect.TypeFor[types.Scope]().FieldByName("children")
)

func scopeFieldsKnown() bool {
	return elemsKnown && elemsField.Type == reflect.TypeFor[map[string]types.Object]() &&
		childrenKnown && childrenField.Type == reflect.TypeFor[[]*types.Scope]()
}

// emptied returns pkg with nothing in its scope.
func emptied(pkg *types.Package) *types.Package {
	scope := unsafe.Pointer(pkg.Scope())
	*(*map[string]types.Object)(unsafe.Add(scope, elemsField.Offset)) = nil
	*(*[]*types.Scope)(unsafe.Add(scope, childrenField.Offset)) = nil
	return pkg
}
