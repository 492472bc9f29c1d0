package repr

import (
	"go/types"
	"slices"
	"strings"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// refuseMutual rejects a struct that contains by value another struct that refers
// to both types: the interpreter confuses two such types. It rejects one with methods that
// embeds itself.
func (w *Writer) refuseMutual(p syntax.At, t *types.Named) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	if types.NewMethodSet(types.NewPointer(t)).Len() > 0 {
		w.RefuseEmbedding(p, t)
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

// first returns the struct whose form the interpreter has to make first, of t and those
// that refer to each other with it: it mixes up a type that refers to itself other than
// through the first of them. If there is none, it rejects t.
func (w *Writer) first(p syntax.At, t *types.Named) *types.Named {
	circle := []*types.Named{t}
	walk(t.Underlying(), nil, func(u types.Type) bool {
		n, ok := u.(*types.Named)
		same := func(c *types.Named) bool { return c.Underlying() == u.Underlying() }
		if ok && !slices.ContainsFunc(circle, same) && gofront.Interpreted(n.Obj()) && StructOf(n) != nil && reaches(n.Underlying(), t, nil) {
			circle = append(circle, n)
		}
		return false
	})
	var names []string
	for _, first := range circle {
		confused := slices.ContainsFunc(circle, func(n *types.Named) bool { return n != first && reaches(n.Underlying(), n, first) })
		if !confused {
			return first
		}
		names = append(names, types.TypeString(first, gofront.ShortNames))
	}
	w.Fail(p, "the interpreter mixes up structs that refer to each other and to themselves, here %s; let the fields of one that refer to another be of type any", strings.Join(names, ", "))
	return t
}

// RefuseEmbedding rejects a method of a struct that embeds itself through pointers: the
// interpreter would look for it without end.
func (w *Writer) RefuseEmbedding(p syntax.At, t types.Type) {
	n, ok := types.Unalias(t).(*types.Named)
	if s, is := t.Underlying().(*types.Struct); ok && is {
		for f := range s.Fields() {
			if f.Embedded() && embeds(f.Type(), n, map[types.Type]bool{}) {
				w.Fail(p, "the interpreter cannot hold a struct with methods that embeds itself, here %s through %s; let that be a field with a name of its own",
					types.TypeString(t, gofront.ShortNames), f.Name())
				return
			}
		}
	}
}

// embeds reports whether an embedded field of a type is or embeds a struct.
func embeds(part types.Type, of *types.Named, seen map[types.Type]bool) bool {
	if ptr, ok := part.Underlying().(*types.Pointer); ok {
		part = ptr.Elem()
	}
	if part = types.Unalias(part); types.Identical(part, of) {
		return true
	}
	s, ok := part.Underlying().(*types.Struct)
	if !ok || seen[part] {
		return false
	}
	seen[part] = true
	for f := range s.Fields() {
		if f.Embedded() && embeds(f.Type(), of, seen) {
			return true
		}
	}
	return false
}

// HasCircle reports whether a type is, or has in it, a struct of cells that refers to itself.
func HasCircle(t types.Type) bool {
	return walk(t, nil, func(u types.Type) bool {
		n, ok := u.(*types.Named)
		return ok && gofront.Interpreted(n.Obj()) && reaches(n.Underlying(), n, nil)
	})
}

// reaches reports whether a type refers to another, ignoring references through
// without.
func reaches(from, to, without types.Type) bool {
	return walk(from, without, func(t types.Type) bool { return types.Identical(t, to) })
}

// walk calls found for a type and those to which it refers, except through without,
// until it returns true.
func walk(from, without types.Type, found func(types.Type) bool) bool {
	seen := map[types.Type]bool{}
	var visit func(t types.Type) bool
	visit = func(t types.Type) bool {
		t = types.Unalias(t)
		if found(t) {
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
