package repl

import "go/types"

// outlineOf makes the outline of a type; nil where there is nothing to know.
func (l *lowering) outlineOf(t types.Type, self *ownEntry) *outline {
	if !ownable(t) || types.IsInterface(t) && compiled(t) {
		return nil
	}
	o := &outline{title: typeTitle(t)}
	if types.IsInterface(t) {
		if self == nil {
			return l.ownType(t).outline
		}
		o.own = self.ownType
		self.outline = o
		return o
	}
	switch named := types.Unalias(t).(type) {
	case *types.Named:
		if self == nil {
			return l.ownType(t).outline
		}
		o.own = self.ownType
	case *types.Pointer:
		if self == nil { // one within, of which only the methods are printed
			if _, own := types.Unalias(named.Elem()).(*types.Named); own {
				return l.ownType(t).outline
			}
			return nil
		}
		o.own = self.ownType
	}
	if self != nil {
		self.outline = o // what refers to itself finds it
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		o.what = l.outlineOf(u.Elem(), nil)
	case *types.Slice:
		o.elem = l.outlineOf(u.Elem(), nil)
	case *types.Array:
		o.elem = l.outlineOf(u.Elem(), nil)
	case *types.Map:
		o.key, o.elem = l.outlineOf(u.Key(), nil), l.outlineOf(u.Elem(), nil)
	case *types.Struct:
		for i := range u.NumFields() {
			f := u.Field(i)
			o.fields = append(o.fields, f.Name())
			o.tags = append(o.tags, u.Tag(i))
			o.embedded = append(o.embedded, f.Embedded())
			o.parts = append(o.parts, l.outlineOf(f.Type(), nil))
		}
	}
	return o
}
