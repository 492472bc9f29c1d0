package repr

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
)

// A value of a cell in an interface of a package, such as an io.Reader, is a
// structure of the interpreter's with the methods and the value, of which it
// has forgotten the type. When that becomes an any, the type is looked for: the
// one of those that implement the interface with this form.

// returns says whether a value of an interface from may be one of those in a
// place of type to.
func returns(from, to types.Type) bool {
	return from != nil && to != nil && types.IsInterface(from) && IsCompiled(from) && !holdsBoxes(from) && IsEmpty(to)
}

// describeForms tells the session the forms of the types that may be in such
// interfaces.
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
