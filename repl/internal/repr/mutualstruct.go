package repr

import (
	"go/types"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// refuseMutual rejects a struct that contains by value another struct that refers
// to both types: the interpreter confuses two such types.
func (w *Writer) refuseMutual(p syntax.At, t *types.Named) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for f := range s.Fields() {
		part := f.Type()
		for array, ok := part.Underlying().(*types.Array); ok; array, ok = part.Underlying().(*types.Array) {
			part = array.Elem()
		}
		n, ok := types.Unalias(part).(*types.Named)
		if !ok || !gofront.Interpreted(n.Obj()) {
			continue
		}
		if _, ok := n.Underlying().(*types.Struct); ok && reaches(n.Underlying(), t, nil) && reaches(n.Underlying(), n, t) {
			w.Fail(p, "the interpreter mixes up %s and %s, which refer to each other and of which one holds the other; hold it by a pointer: %s *%[2]s",
				types.TypeString(t, gofront.ShortNames), types.TypeString(n, gofront.ShortNames), f.Name())
		}
	}
}

// reaches reports whether a type refers to another, ignoring references through
// without.
func reaches(from, to, without types.Type) bool {
	seen := map[types.Type]bool{}
	var visit func(t types.Type) bool
	visit = func(t types.Type) bool {
		t = types.Unalias(t)
		if types.Identical(t, to) {
			return true
		}
		if without != nil && types.Identical(t, without) || seen[t] {
			return false
		}
		seen[t] = true
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			return visit(u.Elem())
		case *types.Slice:
			return visit(u.Elem())
		case *types.Array:
			return visit(u.Elem())
		case *types.Map:
			return visit(u.Key()) || visit(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				if visit(f.Type()) {
					return true
				}
			}
		}
		return false
	}
	return visit(from)
}
