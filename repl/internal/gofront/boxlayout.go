package gofront

import (
	"go/types"
	"symmom/repl/internal/boxed"
)

// outlineOf makes the outline of a type; nil where there is nothing to know.
func (w *Writer) outlineOf(t types.Type, self *ownEntry) *boxed.Layout {
	if !ownable(t) || types.IsInterface(t) && compiled(t) {
		return nil
	}
	o := &boxed.Layout{Title: typeTitle(t)}
	if types.IsInterface(t) {
		if self == nil {
			return w.ownType(t).Layout
		}
		o.Own = self.Type
		self.Layout = o
		return o
	}
	switch named := types.Unalias(t).(type) {
	case *types.Named:
		if self == nil {
			return w.ownType(t).Layout
		}
		o.Own = self.Type
	case *types.Pointer:
		if self == nil { // one within, of which only the methods are printed
			if _, own := types.Unalias(named.Elem()).(*types.Named); own {
				return w.ownType(t).Layout
			}
			return nil
		}
		o.Own = self.Type
	}
	if self != nil {
		self.Layout = o // what refers to itself finds it
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		o.What = w.outlineOf(u.Elem(), nil)
	case *types.Slice:
		o.Elem = w.outlineOf(u.Elem(), nil)
	case *types.Array:
		o.Elem = w.outlineOf(u.Elem(), nil)
	case *types.Map:
		o.Key, o.Elem = w.outlineOf(u.Key(), nil), w.outlineOf(u.Elem(), nil)
	case *types.Struct:
		for i := range u.NumFields() {
			f := u.Field(i)
			o.Fields = append(o.Fields, f.Name())
			o.Tags = append(o.Tags, u.Tag(i))
			o.Embedded = append(o.Embedded, f.Embedded())
			o.Parts = append(o.Parts, w.outlineOf(f.Type(), nil))
		}
	}
	return o
}
