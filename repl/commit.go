package repl

import (
	"go/types"
	"maps"
)

// kindOf says what an object is for the user.
func nameKindOf(o types.Object) nameKind {
	switch o.(type) {
	case *types.TypeName:
		return typeName
	case *types.Func:
		return functionName
	case *types.Const:
		return constantName
	case *types.PkgName:
		return packageName
	}
	return variableName
}

// commitImports makes the imports of a checked cell those of the session.
func (s *Session) commitImports(sc *cellScope) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, path := range sc.imports {
		s.names.imports[name], s.names.kinds[name] = path, packageName
	}
	s.types.dots = sc.dots
	for _, u := range sc.importUnits {
		s.ledger.declared(sc.c.documented(u.item))
	}
}

// commitInner keeps the names that the interpreter knows things by, once it
// has compiled a cell.
func (s *Session) commitInner(l *lowering) {
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

// commit makes what a unit declares part of the session.
func (s *Session) commit(u *checked) {
	s.ledger.declared(s.cell.documented(u.item))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range u.objects {
		s.types.objects[o.Name()] = o
		s.names.kinds[o.Name()] = nameKindOf(o)
	}
	for _, m := range u.methods {
		delete(s.types.ghosts, m.fn)
	}
}

// haunt remembers the methods that a cell has added to types on trial. Those
// that commit does not take over do not exist for the user, but go/types
// cannot forget them.
func (s *Session) haunt(sc *cellScope) {
	for _, m := range sc.ghosts {
		s.types.ghosts[m] = true
	}
}
