package repr

import (
	"go/types"

	"symmom/repl/internal/boxed"
)

// layoutOf returns the layout of a type, or nil if it contains no cells' types.
func (w *Writer) layoutOf(t types.Type, self *boxedType) *boxed.Layout {
	if !NeedsBox(t) || types.IsInterface(t) && IsCompiled(t) {
		return nil
	}
	o := &boxed.Layout{Title: TypeTitle(t)}
	if types.IsInterface(t) {
		if self == nil {
			return w.boxType(t).Layout
		}
		o.Own = self.Type
		self.Layout = o
		return o
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if self == nil {
			return w.boxType(t).Layout
		}
		o.Own = self.Type
	case *types.Struct:
		if types.NewMethodSet(t).Len() > 0 { // of what it embeds
			if self == nil {
				return w.boxType(t).Layout
			}
			o.Own = self.Type
		}
	case *types.Pointer:
		if _, named := types.Unalias(t.Elem()).(*types.Named); named && self == nil {
			return w.boxType(t).Layout
		}
		if self != nil {
			o.Own = self.Type
		}
	}
	if self != nil {
		self.Layout = o // for types that refer to themselves
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		o.What = w.layoutOf(u.Elem(), nil)
	case *types.Slice:
		o.Elem = w.layoutOf(u.Elem(), nil)
	case *types.Array:
		o.Elem = w.layoutOf(u.Elem(), nil)
	case *types.Map:
		o.Key, o.Elem = w.layoutOf(u.Key(), nil), w.layoutOf(u.Elem(), nil)
	case *types.Struct:
		for i := range u.NumFields() {
			f := u.Field(i)
			o.Fields = append(o.Fields, f.Name())
			o.Tags = append(o.Tags, u.Tag(i))
			o.Embedded = append(o.Embedded, f.Embedded())
			o.Parts = append(o.Parts, w.layoutOf(f.Type(), nil))
		}
	}
	return o
}
