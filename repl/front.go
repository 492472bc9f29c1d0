package repl

import (
	"go/token"
	"maps"
)

// front is what a session knows of Go: what its cells have declared, and what
// they can import. It takes a cell from its text to the syntax that the
// interpreter is given, and never runs anything.
type front struct {
	fset    *token.FileSet
	library *library
	names   *names
	types   *checker
	own     *ownTypes
}

func newFront(fset *token.FileSet, l *library, own *ownTypes) *front {
	return &front{fset, l, newNames(), newChecker(), own}
}

// commitInner keeps the names that the interpreter knows things by, once it
// has compiled a cell.
func (s *front) commitInner(l *lowering) {
	t := s.types
	maps.Copy(t.inner, l.top)
	maps.Copy(t.generic, l.generic)
	maps.Copy(t.written, l.written)
	maps.Copy(t.owned, l.owned)
	maps.Copy(t.tracked, l.tracked)
	maps.Copy(t.returning, l.returning)
	for o, list := range l.named {
		t.named[o] = append(t.named[o], list...)
	}
}

// haunt remembers the methods that a cell has added to types on trial. Those
// that commit does not take over do not exist for the user, but go/types
// cannot forget them.
func (s *front) haunt(sc *cellScope) {
	for _, m := range sc.ghosts {
		s.types.ghosts[m] = true
	}
}
