package repl

// commitImports makes the imports of a checked cell those of the session.
func (s *Session) commitImports(sc *cellScope) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, path := range sc.imports {
		s.front.names.imports[name], s.front.names.kinds[name] = path, packageName
	}
	s.front.types.dots = sc.dots
	for _, u := range sc.importUnits {
		s.assistant.ledger.declared(sc.c.documented(u.item))
	}
}

// commit makes what a unit declares part of the session.
func (s *Session) commit(u *checked) {
	s.assistant.ledger.declared(s.cell.documented(u.item))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range u.objects {
		s.front.types.objects[o.Name()] = o
		s.front.names.kinds[o.Name()] = nameKindOf(o)
	}
	for _, m := range u.methods {
		delete(s.front.types.ghosts, m.fn)
	}
}
