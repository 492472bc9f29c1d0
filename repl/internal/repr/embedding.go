package repr

import (
	"go/types"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

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
