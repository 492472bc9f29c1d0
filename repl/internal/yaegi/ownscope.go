package yaegi

import (
	"reflect"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// OwnScope gives the top level of a compiled body a copy of the package scope. When a
// function panics, yaegi looks up the name of the package in the enclosing scopes, in
// the last of them without a lock, while the next cell may be writing that name
// there: a goroutine of a cell can panic at any time. If the version differs,
// OwnScope does nothing.
func OwnScope(p *interp.Program) {
	root := reflect.ValueOf(p).Elem().FieldByName("root")
	if !root.IsValid() || root.Kind() != reflect.Pointer || root.IsNil() || !scopesKnown(root.Type().Elem()) {
		return
	}
	old := root.Elem().FieldByName("scope")
	if old.IsNil() {
		return
	}
	// Functions outlive the declarations that existed when they were compiled.
	own := reflect.New(old.Type().Elem())
	own.Elem().Set(reflect.NewAt(old.Type().Elem(), old.UnsafePointer()).Elem())
	empty(own.Elem().FieldByName("types"))
	empty(own.Elem().FieldByName("child"))
	replaceScope(root, old.UnsafePointer(), own.UnsafePointer())
}

// scopesKnown reports whether the nodes of a version have scopes and children.
func scopesKnown(node reflect.Type) bool {
	if node.Kind() != reflect.Struct {
		return false
	}
	scope, hasScope := node.FieldByName("scope")
	child, hasChild := node.FieldByName("child")
	return hasScope && scope.Type.Kind() == reflect.Pointer && scope.Type.Elem().Kind() == reflect.Struct &&
		hasChild && child.Type == reflect.SliceOf(reflect.PointerTo(node))
}

// replaceScope descends while nodes have the scope: functions have their own.
func replaceScope(node reflect.Value, old, own unsafe.Pointer) {
	if node.IsNil() || node.Elem().FieldByName("scope").UnsafePointer() != old {
		return
	}
	*(*unsafe.Pointer)(unsafe.Pointer(node.Elem().FieldByName("scope").UnsafeAddr())) = own
	child := node.Elem().FieldByName("child")
	for i := range child.Len() {
		replaceScope(child.Index(i), old, own)
	}
}
