package repl

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
	return from != nil && to != nil && types.IsInterface(from) && compiled(from) && !owns(from) && isEmpty(to)
}

// tellForms tells the session the forms of the types that may be in such
// interfaces.
func (l *lowering) tellForms() {
	ifaces := maps.Clone(l.s.types.returning)
	maps.Copy(ifaces, l.returning)
	for _, key := range slices.Sorted(maps.Keys(ifaces)) {
		iface := ifaces[key].Underlying().(*types.Interface)
		for _, t := range l.ownNamed() {
			for _, t := range []types.Type{t, types.NewPointer(t)} {
				if !types.Implements(t, iface) || l.haunted(t, iface) {
					continue
				}
				e := l.ownType(t)
				l.writeOnce(fmt.Sprintf("own %d form", e.id), "form", func(string) {
					l.prologue = append(l.prologue, l.start.expr(l.start.support("OwnMethod", l.start.int(e.id), l.start.string("form"), l.zero(l.start, t))))
				})
			}
		}
	}
}
