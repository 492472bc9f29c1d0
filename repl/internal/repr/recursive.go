package repr

import (
	"go/ast"
	"go/token"
	"go/types"

	"symmom/repl/internal/gofront"
	"symmom/repl/internal/syntax"
)

// Types that refer to themselves are held as they are: see yaegi.HoldRecursive. Two kinds
// cannot have methods there: those that are made of themselves without a struct,
//
//	type state func(*lexer) state
//	type tree map[string]tree
//
// which the interpreter takes for types of compiled code; and structs that embed
// themselves through pointers, whose methods it would look for without end.

// refuse rejects a type that cannot be held.
func (w *Writer) refuse(p syntax.At, t *types.Named) {
	w.refuseArray(p, t)
	if types.NewMethodSet(types.NewPointer(t)).Len() > 0 {
		w.RefuseMethods(p, t)
	}
}

// refuseArray rejects an array that is made of itself without a struct: the interpreter
// has other names for the types of its elements.
func (w *Writer) refuseArray(p syntax.At, t *types.Named) {
	if _, ok := t.Underlying().(*types.Array); ok && MadeOfItself(t) {
		w.Fail(p, "the interpreter cannot hold an array that is made of itself without a struct; put it in one: type %s struct { of %s }",
			types.TypeString(t, gofront.ShortNames), types.TypeString(t.Underlying(), gofront.ShortNames))
	}
}

// MadeOfItself reports whether a type is made of itself without a struct.
func MadeOfItself(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !gofront.Interpreted(n.Obj()) {
		return false
	}
	_, isStruct := n.Underlying().(*types.Struct)
	return !isStruct && inItself(n.Underlying(), n, false, map[types.Type]bool{})
}

// nameStruct declares an unnamed struct that refers to itself or embeds an interface of a
// package, as in
//
//	type tree map[string]struct{ children tree }
//	io.Copy(w, struct{ io.Reader }{r})
//
// and returns its name in the interpreter, which finds the fields and methods of declared
// structs only; or "" for other structs.
func (w *Writer) nameStruct(t *types.Struct) string {
	seen, refers := map[types.Type]bool{}, false
	for f := range t.Fields() {
		refers = refers || embedsCompiled(f) || inItself(f.Type(), t, true, seen)
	}
	if !refers {
		return ""
	}
	p := w.start
	s := w.structType(p, t)
	return w.WriteOnce("struct "+syntaxKey(s), "struct", func(name string) {
		w.Decls = append(w.Decls, &ast.GenDecl{TokPos: token.Pos(p), Tok: token.TYPE, Specs: []ast.Spec{&ast.TypeSpec{Name: p.ID(name), Type: s}}})
		w.promote(p, name, t)
	})
}

// RefuseMethods rejects a type of one of these kinds.
func (w *Writer) RefuseMethods(p syntax.At, t types.Type) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return
	}
	s, isStruct := n.Underlying().(*types.Struct)
	if !isStruct {
		if MadeOfItself(n) {
			w.Fail(p, "the interpreter cannot hold a type with methods that is made of itself without a struct; put it in one: type %s struct { of %s }",
				types.TypeString(t, gofront.ShortNames), types.TypeString(t.Underlying(), gofront.ShortNames))
		}
		return
	}
	for f := range s.Fields() {
		if f.Embedded() && embeds(f.Type(), n, map[types.Type]bool{}) {
			w.Fail(p, "the interpreter cannot hold a struct with methods that embeds itself, here %s through %s; let that be a field with a name of its own",
				types.TypeString(t, gofront.ShortNames), f.Name())
			return
		}
	}
}

// inItself reports whether a type refers to another without an interface or a struct in
// between. If through is true, structs without names may be in between.
func inItself(t, of types.Type, through bool, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if types.Identical(t, of) {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if !through || t != u {
			return false
		}
		for f := range u.Fields() {
			if inItself(f.Type(), of, through, seen) {
				return true
			}
		}
	case *types.Pointer:
		return inItself(u.Elem(), of, through, seen)
	case *types.Slice:
		return inItself(u.Elem(), of, through, seen)
	case *types.Array:
		return inItself(u.Elem(), of, through, seen)
	case *types.Chan:
		return inItself(u.Elem(), of, through, seen)
	case *types.Map:
		return inItself(u.Key(), of, through, seen) || inItself(u.Elem(), of, through, seen)
	case *types.Signature:
		for _, list := range []*types.Tuple{u.Params(), u.Results()} {
			for v := range list.Variables() {
				if inItself(v.Type(), of, through, seen) {
					return true
				}
			}
		}
	}
	return false
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
