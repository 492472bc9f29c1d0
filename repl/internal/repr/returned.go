package repr

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
)

// In an interface of a package, such as io.Reader, a cell's value is a struct of the
// interpreter with the value and its methods, but without its type. When it becomes
// an any, the session searches for the type that implements the interface and has
// this form.

// returns reports whether a value of interface from may be such a struct when it
// becomes a value of type to.
func returns(from, to types.Type) bool {
	return from != nil && to != nil && types.IsInterface(from) && IsCompiled(from) && !HoldsBoxes(from) && IsEmpty(to)
}

// describeForms passes the forms of the types that may be in such interfaces to the
// session.
func (w *Writer) describeForms() {
	ifaces := maps.Clone(w.state.returning)
	maps.Copy(ifaces, w.returning)
	for _, key := range slices.Sorted(maps.Keys(ifaces)) {
		iface := ifaces[key].Underlying().(*types.Interface)
		for _, t := range w.cellTypes() {
			for _, t := range []types.Type{t, types.NewPointer(t)} {
				if !types.Implements(t, iface) || w.orphaned(t, iface) {
					continue
				}
				e := w.boxType(t)
				w.WriteOnce(fmt.Sprintf("own %d form", e.ID), "form", func(string) {
					w.Prologue = append(w.Prologue, w.start.Expr(w.start.Support("SetMethod", w.start.Int(e.ID), w.start.Quoted("form"), w.Zero(w.start, t))))
				})
			}
		}
	}
}
